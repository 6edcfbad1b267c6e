"""`speculative_decode`: any two plain models in, ids out; the same text as the path that shows its work; wrong input refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from specdemo.decoding import decode_run, speculative_decode
from specdemo.pairs import Pair
from tests.loop_law import law_distance, stopped_law, written_law
from tests.tiny import tiny_llama, tiny_pair
from tests.toy_models import ToyWorld, plain_logits


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None)


@pytest.mark.parametrize("verifier", ["token", "block"])
@pytest.mark.parametrize(
    "settings", [{}, {"temperature": 0.5}, {"top_k": 5, "top_p": 0.9}, {"temperature": 0.0}], ids=str
)
def test_both_ways_to_run_write_the_same_text(pair: Pair, verifier: str, settings: dict[str, Any]) -> None:
    run = decode_run(pair, "the cat sat", seed=5, max_new_tokens=20, gamma=3, verifier=verifier, **settings)
    ids = speculative_decode(
        pair.draft_model, pair.target_model, torch.tensor([run["prompt"]["ids"]]), 3, seed=5, max_new_tokens=20,
        verifier=verifier, **settings,
    )  # fmt: skip
    assert ids[0].tolist() == [*run["prompt"]["ids"], *(i for b in run["blocks"] for i in b["committed"])]
    assert ids.shape == (1, len(run["prompt"]["ids"]) + 20) and ids.dtype == torch.int64


@pytest.mark.parametrize("k", [0, 1, 4])
@pytest.mark.parametrize("verifier", ["token", "block"])
@pytest.mark.parametrize("prompt", ["once upon", "the hat", "a dog ran up the hill to see"])
def test_at_temperature_zero_the_text_is_that_of_generate(pair: Pair, verifier: str, k: int, prompt: str) -> None:
    ids = torch.tensor([pair.tokenizer(prompt).input_ids])
    expected = pair.target_model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=24)
    found = speculative_decode(
        pair.draft_model, pair.target_model, ids, k, temperature=0, max_new_tokens=24, verifier=verifier
    )
    assert found.tolist() == expected.tolist()


def test_a_draft_that_is_the_target_is_kept_whole(pair: Pair) -> None:
    for verifier in ("token", "block"):
        same = Pair.from_models(pair.target_model, pair.target_model, pair.tokenizer)
        run = decode_run(same, "the cat", seed=1, max_new_tokens=20, gamma=4, verifier=verifier)
        assert [b["kept"] for b in run["blocks"]] == [4] * 4


def test_a_prompt_may_be_one_dimensional(pair: Pair) -> None:
    flat = speculative_decode(pair.draft_model, pair.target_model, torch.tensor([5, 6, 7]), max_new_tokens=5)
    assert torch.equal(
        flat, speculative_decode(pair.draft_model, pair.target_model, torch.tensor([[5, 6, 7]]), max_new_tokens=5)
    )


@pytest.mark.parametrize("sizes", [(3, 5), (5, 3)], ids=["smaller draft", "smaller target"])
@pytest.mark.parametrize("verifier", ["token", "block"])
def test_differently_padded_vocabularies(sizes: tuple[int, int], verifier: str) -> None:
    """The target's extra symbols keep their mass, the draft's are never kept, and neither model chokes on the other's."""
    world = ToyWorld(tiny_llama(sizes[0], seed=1), tiny_llama(sizes[1], seed=2))
    runs = [
        speculative_decode(world.draft_model, world.target_model, torch.tensor([[1, 2]]), 3, max_new_tokens=40, seed=s, verifier=verifier)
        for s in range(3)
    ]  # fmt: skip
    seen = {i for ids in runs for i in ids[0, 2:].tolist()}
    assert seen == set(range(sizes[1]))


class Padded(ToyWorld):
    """Two models of different vocabularies; the laws are padded here by hand, and an id is read as the model itself would read it."""

    def draft(self, text: tuple[int, ...]) -> Any:
        return self._padded(self.draft_model, text)

    def target(self, text: tuple[int, ...]) -> Any:
        return self._padded(self.target_model, text)

    def _padded(self, model: Any, text: tuple[int, ...]) -> Any:
        from tests.reference import exact

        own = model.config.vocab_size
        ids = [i if i < own else 0 for i in (*self.prompt, *text)]
        law = torch.softmax(plain_logits(model, ids)[-1], dim=0).tolist()
        return [*exact(law), *[type(exact([1.0])[0])(0)] * (3 - own)]


@pytest.mark.parametrize("sizes", [(2, 3), (3, 2)], ids=["smaller draft", "smaller target"])
@pytest.mark.parametrize("verifier", ["token", "block"])
def test_the_law_with_differently_padded_vocabularies(sizes: tuple[int, int], verifier: str) -> None:
    world = Padded(tiny_llama(sizes[0], seed=3), tiny_llama(sizes[1], seed=4), prompt=(1, 0))
    law = written_law(world.loop(verifier, 2), verifier, world, blocks=2, length=3)
    assert law_distance(law, stopped_law(world, 3, frozenset())) < 1e-12


@pytest.mark.parametrize(
    ("ids", "settings", "words"),
    [
        ([[1, 2], [3, 4]], {}, r"input_ids must have shape \(1, n\): one prompt at a time, got \(2, 2\)"),
        ([[[1]]], {}, r"input_ids must have shape \(1, n\)"),
        ([[]], {}, r"input_ids is empty: start from the model's BOS token"),
        ([[1, 9]], {}, r"input_ids\[0, 1\] is 9: it must be an integer in 0 … 4"),
        ([[-1]], {}, r"input_ids\[0, 0\] is -1"),
        ([[0.5]], {}, r"input_ids\[0, 0\] is 0.5"),
        ([[1] * 20], {}, r"the prompt has 20 tokens, the models read at most 16: shorten it"),
        ([[1]], {"k": 65}, r"^k \(the block length\) must be an integer in 0 … 64, got 65"),
        ([[1]], {"k": -1}, r"^k \(the block length\) must be an integer in 0 … 64, got -1"),
        ([[1]], {"max_new_tokens": 0}, r"max_new_tokens must be an integer ≥ 1, got 0"),
        ([[1]], {"temperature": -1}, r"temperature must be a finite number ≥ 0, got -1"),
        ([[1]], {"seed": -1}, r"seed must be an integer in 0 … 2\^64 − 1, got -1"),
        ([[1]], {"verifier": "blokk"}, r"there is no verifier 'blokk'"),
    ],
)
def test_wrong_input_is_named(ids: Any, settings: dict[str, Any], words: str) -> None:
    draft, target = tiny_llama(7, seed=1, context=16), tiny_llama(5, seed=2, context=30)
    with pytest.raises(ValueError, match=words):
        speculative_decode(draft, target, torch.tensor(ids), **settings)


def test_ids_that_are_no_tensor_are_named() -> None:
    model = tiny_llama(5, seed=1)
    for ids, kind in (([1, 2, 3], "list"), ([[1]], "list"), (np.array([[1, 2]]), "ndarray"), (None, "NoneType")):
        with pytest.raises(ValueError, match=rf"input_ids must be a tensor of ids, .*torch.tensor\(.* got a {kind}"):
            speculative_decode(model, model, ids)


@pytest.mark.parametrize("broken", ["draft", "target"])
def test_broken_weights_name_the_model_and_the_place(broken: str) -> None:
    models = {"draft": tiny_llama(5, seed=1), "target": tiny_llama(5, seed=2)}
    with torch.no_grad():
        models[broken].lm_head.weight[3] = float("nan")
    with pytest.raises(ValueError, match=rf"the {broken} model gave the logit nan for token 3 at position 3"):
        speculative_decode(models["draft"], models["target"], torch.tensor([[1, 2, 3]]))


def test_the_models_stay_as_they_were(pair: Pair) -> None:
    before = {k: v.clone() for k, v in pair.target_model.state_dict().items()}
    ids = torch.tensor([[5, 6, 7]])
    first = speculative_decode(pair.draft_model, pair.target_model, ids, max_new_tokens=8)
    again = speculative_decode(pair.draft_model, pair.target_model, ids, max_new_tokens=8)
    assert torch.equal(first, again) and ids.tolist() == [[5, 6, 7]]
    assert all(torch.equal(v, pair.target_model.state_dict()[k]) for k, v in before.items())


def test_an_injected_source_decides_even_where_it_looks_empty(pair: Pair) -> None:
    class Empty:
        """A source of length 0 is a source."""

        def __len__(self) -> int:
            return 0

        def draft(self, block: int, gamma: int) -> Any:
            return np.full(gamma, 0.999999)

        def verify(self, block: int, gamma: int) -> Any:
            return np.full(gamma + 1, 0.999999)

    arguments: Any = (pair.draft_model, pair.target_model, torch.tensor([[5, 6, 7]]))
    injected = speculative_decode(*arguments, max_new_tokens=8, uniforms=Empty())
    assert not torch.equal(injected, speculative_decode(*arguments, max_new_tokens=8))
