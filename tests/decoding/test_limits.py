"""Where a run ends: end-of-text tokens, the number of new tokens, the context; and settings that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import BloomConfig, GPT2Config, GPTNeoConfig, LlamaConfig, MptConfig, MptForCausalLM

from specdemo.decoding import decode_run, speculative_decode
from specdemo.decoding.laws import Processing
from specdemo.decoding.limits import checked_gamma, checked_new_tokens, context_limit_of, end_of_text_ids
from specdemo.decoding.plain import build_loop
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.pairs import Pair
from specdemo.verifiers import get
from tests.tiny import tiny_llama, tiny_pair

PROMPT = "once upon a time"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


def free_text(pair: Pair, **settings: Any) -> list[list[int]]:
    """The committed ids, block by block, of a run that nothing ends but its length."""
    run = decode_run(pair, PROMPT, eos_token_id=[], seed=4, max_new_tokens=24, **settings)
    return [block["committed"] for block in run["blocks"]]


@pytest.mark.parametrize("verifier", ["token", "block"])
def test_an_end_inside_a_block_cuts_the_block_and_its_statistics(pair: Pair, verifier: str) -> None:
    blocks = free_text(pair, verifier=verifier, temperature=0.3)
    long = next(i for i, committed in enumerate(blocks) if len(committed) >= 2)
    end = blocks[long][0]
    first = next(i for i, committed in enumerate(blocks) if end in committed)
    run = decode_run(pair, PROMPT, eos_token_id=end, seed=4, max_new_tokens=24, verifier=verifier, temperature=0.3)
    assert len(run["blocks"]) == first + 1
    assert run["finish"] == "eos" and [b["finish"] for b in run["blocks"][:-1]] == [None] * first
    last = run["blocks"][-1]
    assert last["committed"] == blocks[first][: blocks[first].index(end) + 1]
    assert last["shown_tokens"] == len(last["committed"]) <= last["gained"] == last["kept"] + 1
    assert last["gamma"] == 4, "drafting never gets shorter because the text may end"
    ids = speculative_decode(
        pair.draft_model, pair.target_model, torch.tensor([run["prompt"]["ids"]]), 4, seed=4, max_new_tokens=24,
        eos_token_id=end, verifier=verifier, temperature=0.3,
    )  # fmt: skip
    assert ids[0].tolist() == [*run["prompt"]["ids"], *(i for b in run["blocks"] for i in b["committed"])]


def test_token_id_zero_is_a_token_and_can_be_the_end() -> None:
    draft, target = tiny_llama(3, seed=11), tiny_llama(3, seed=12)
    arguments = (draft, target, torch.tensor([[1, 2]]), 3)
    texts = [speculative_decode(*arguments, max_new_tokens=30, seed=s, eos_token_id=[])[0].tolist() for s in range(4)]
    assert all(len(text) == 32 for text in texts) and all(0 in text[2:] for text in texts)
    ended = [speculative_decode(*arguments, max_new_tokens=30, seed=s, eos_token_id=0)[0].tolist() for s in range(4)]
    assert ended == [text[: text.index(0, 2) + 1] for text in texts]
    target.generation_config.eos_token_id = 0
    try:
        assert speculative_decode(*arguments, max_new_tokens=30)[0].tolist() == ended[0]
    finally:
        target.generation_config.eos_token_id = None


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_the_number_of_new_tokens_cuts_the_last_block(pair: Pair, most: int) -> None:
    whole = [i for committed in free_text(pair) for i in committed]
    run = decode_run(pair, PROMPT, eos_token_id=[], seed=4, max_new_tokens=most)
    assert [i for b in run["blocks"] for i in b["committed"]] == whole[:most]
    assert run["finish"] == "length" and all(b["gamma"] == 4 for b in run["blocks"])


@pytest.mark.parametrize("verifier", ["token", "block"])
@pytest.mark.parametrize("room", range(6))
def test_the_context_limit(verifier: str, room: int) -> None:
    """γ shrinks to what both models can read; the very last token is one that none of them reads any more."""
    limit, gamma = 12, 4
    draft, target = tiny_llama(5, seed=1, context=limit), tiny_llama(5, seed=2, context=limit + 20)
    prompt = [1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2][: limit - room]
    for seed in range(5):
        ids = speculative_decode(
            draft, target, torch.tensor([prompt]), gamma, seed=seed, verifier=verifier, max_new_tokens=50
        )
        assert ids.shape == (1, limit + 1)


def test_blocks_near_the_context_limit_show_their_own_gamma() -> None:
    pair = tiny_pair(context=16, eos=None)
    run = decode_run(pair, "once upon a time there", seed=1, max_new_tokens=64, gamma=5)
    starts, gammas = [b["start"] for b in run["blocks"]], [b["gamma"] for b in run["blocks"]]
    assert gammas == [min(5, 16 - start) for start in starts] and gammas[-1] < 5
    assert run["finish"] == "context"
    assert len(run["prompt"]["ids"]) + sum(b["shown_tokens"] for b in run["blocks"]) == 17
    for block in run["blocks"]:
        assert len(block["uniforms"]["draft"]) == block["gamma"] == len(block["paths"][0]["tokens"])
        assert len(block["uniforms"]["verify"]) == block["gamma"] + 1 == len(block["paths"][0]["rows"])


def test_no_drafting_is_plain_sampling_of_the_target() -> None:
    pair = tiny_pair(eos=None)
    run = decode_run(pair, PROMPT, gamma=0, seed=3, max_new_tokens=6)
    ids = list(run["prompt"]["ids"])
    for block in run["blocks"]:
        assert block["gained"] == 1 and block["kept"] == 0 and block["verdicts"]["block"]["next_kind"] == "bonus"
        law = torch.softmax(pair.target_model(input_ids=torch.tensor([ids])).logits[0, -1], dim=0)
        assert block["committed"] == [int((law.cumsum(0) <= block["uniforms"]["verify"][0]).sum())]
        ids += block["committed"]


def test_an_empty_prompt_starts_from_the_beginning_of_text(pair: Pair) -> None:
    run = decode_run(pair, "", max_new_tokens=4)
    assert run["prompt"]["ids"] == [pair.tokenizer.bos_token_id] == [0]
    assert run["prompt"]["notice"] == "The prompt is empty: the text starts from the beginning-of-text token."
    assert run["blocks"]


def test_a_long_prompt_keeps_its_end_and_says_so() -> None:
    pair = tiny_pair(context=32, eos=None)
    prompt = "the cat sat on the mat and the hat " * 20
    ids = pair.tokenizer(prompt).input_ids
    run = decode_run(pair, prompt, max_new_tokens=10, gamma=3)
    assert run["prompt"]["ids"] == ids[-22:]
    assert run["prompt"]["notice"] == (
        f"The prompt has {len(ids)} tokens; with room for 10 new ones this pair can read 22: only the last 22 are used."
    )
    assert sum(b["shown_tokens"] for b in run["blocks"]) == 10 and run["finish"] == "length"
    assert decode_run(pair, "the cat", max_new_tokens=3)["prompt"]["notice"] is None


def test_a_prompt_without_any_first_token_is_refused() -> None:
    bare = tiny_pair()
    bare.tokenizer.bos_token = bare.tokenizer.eos_token = None
    with pytest.raises(ValueError, match=r"the prompt is empty and this tokenizer has no token to start from"):
        decode_run(bare, "")


def test_a_token_that_the_target_lacks_is_refused() -> None:
    """A tokenizer to which tokens were added, and models that were not told."""
    pair = tiny_pair()
    pair.tokenizer.add_tokens(["<tool>"])
    with pytest.raises(
        ValueError,
        match=r"the prompt holds the token '<tool>' \(id 300\), which the target model does not know: it has 300",
    ):
        decode_run(pair, "use the <tool>")


@pytest.mark.parametrize("gamma", [-1, 65, 1.5, True, "3"])
def test_a_wrong_block_length_is_named(gamma: Any) -> None:
    with pytest.raises(ValueError, match=r"gamma \(the block length\) must be an integer in 0 … 64, got"):
        checked_gamma(gamma)


@pytest.mark.parametrize("most", [0, -3, 2.5, True])
def test_a_wrong_number_of_new_tokens_is_named(most: Any) -> None:
    with pytest.raises(ValueError, match=r"max_new_tokens must be an integer ≥ 1, got"):
        checked_new_tokens(most)


@pytest.mark.parametrize("wrong", [None, float("nan"), float("inf"), "x"])
def test_what_is_no_number_at_all_is_named_too(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"gamma \(the block length\) must be"):
        checked_gamma(wrong)
    with pytest.raises(ValueError, match=r"max_new_tokens must be"):
        checked_new_tokens(wrong)


def test_end_of_text_ids_come_from_the_argument_or_the_model() -> None:
    model = tiny_llama(5, seed=0, eos=0)
    assert end_of_text_ids(model) == {0}
    assert end_of_text_ids(model, 3) == {3} and end_of_text_ids(model, 0) == {0}
    assert end_of_text_ids(model, [2, 4]) == {2, 4} and end_of_text_ids(model, []) == frozenset()
    assert end_of_text_ids(model, np.int64(3)) == {3}  # type: ignore[arg-type]
    model.generation_config.eos_token_id = [1, 2]
    assert end_of_text_ids(model) == {1, 2}
    assert end_of_text_ids(tiny_llama(5, seed=0)) == frozenset()


def test_the_context_is_that_of_the_smaller_model() -> None:
    class Named:
        config = GPT2Config(n_positions=40)

    assert context_limit_of(tiny_llama(3, seed=0, context=64), Named()) == 40


@pytest.mark.parametrize(
    ("config", "limit"),
    [
        (MptConfig(max_seq_len=24), 24), (GPT2Config(n_positions=24, n_ctx=99), 24), (GPTNeoConfig(max_position_embeddings=24), 24),
        (LlamaConfig(max_position_embeddings=24, max_seq_len=99), 24), (BloomConfig(seq_length=24), 2**31),
    ],
)  # fmt: skip
def test_the_context_under_its_other_names(config: Any, limit: int) -> None:
    """One that is only beside the name that counts is not read, nor how long the texts were that Bloom, which has no end, was trained with."""

    class Named:
        pass

    named: Any = Named()
    named.config = config
    assert context_limit_of(named) == limit


def test_a_run_ends_where_biases_of_attention_do() -> None:
    pair = tiny_pair()
    torch.manual_seed(0)
    config = MptConfig(d_model=16, n_heads=2, n_layers=2, vocab_size=pair.vocab_size, max_seq_len=24)
    pair = Pair.from_models(pair.draft_model, MptForCausalLM(config).double(), pair.tokenizer)
    run = decode_run(pair, PROMPT, eos_token_id=[], max_new_tokens=64)
    count = sum(len(block["committed"]) for block in run["blocks"])
    assert run["blocks"][-1]["finish"] == "context" and len(run["prompt"]["ids"]) + count == 25  # nobody reads the last
    long = decode_run(pair, PROMPT * 20, eos_token_id=[], max_new_tokens=4)
    assert "this pair can read" in long["prompt"]["notice"]


def test_what_drafts_nothing_takes_no_time_of_a_draft(pair: Pair) -> None:
    """Plain decoding, and a block that the context leaves no room for drafting in."""
    for gamma in (0, 3):
        loop = build_loop(
            pair.draft_model, pair.target_model, pair.vocab_size, get("block"), gamma, Processing(), PhiloxUniforms(1), frozenset(), 64
        )  # fmt: skip
        seconds = loop.block([1, 2, 3], 0, None, 10).seconds
        assert (seconds["draft"] > 0) == (gamma > 0) == bool(seconds["draft_steps"])
        assert min(seconds["target"], seconds["verify"], seconds["rest"]) > 0
