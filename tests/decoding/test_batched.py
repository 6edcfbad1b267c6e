"""A text in a batch is the text alone: every lossless rule, every temperature, prompts and ends of all lengths, on every forward pass."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch

from specdemo.decoding import speculative_decode
from specdemo.decoding.batched import decode_many
from specdemo.decoding.batched_forward import Separate
from specdemo.decoding.batched_lean import BatchedLean
from specdemo.decoding.batched_padded import BatchedPadded
from specdemo.decoding.laws import NonFiniteLogits
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.pairs import Pair
from specdemo.verifiers import get, names
from tests.batches import Way, alone, assert_same_texts, batched_loop, decoded, packed_pair, texts_of, together
from tests.decoding.test_lean import small_llama
from tests.pairs.packing import needs_half
from tests.stories import prompts as story_prompts
from tests.stories import stories
from tests.tiny import tiny_pair

LOSSLESS = [name for name in names() if get(name).lossless == "always"]
PROMPTS = ["the cat", "a", "once upon a time there was a dog", "the hat and the mat", "see"]
MOST = (5, 14, 1, 8, 10)
ROUNDING = 1e-9  # of laws of models that compute in float64


@pytest.fixture(scope="module")
def tiny() -> Pair:
    return tiny_pair()


@pytest.fixture(scope="module")
def packed() -> Pair:
    return packed_pair()


def ids_of(pair: Pair, texts: list[str] = PROMPTS) -> list[list[int]]:
    return [pair.encode(text).ids for text in texts]


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("rule", LOSSLESS)
def test_through_transformers(tiny: Pair, rule: str, temperature: float) -> None:
    way = Way(rule, 3, temperature, most=MOST)
    ids = ids_of(tiny)
    found = together(tiny, ids, way)
    assert isinstance(batched_loop(tiny, 3)._target._forward, BatchedPadded)
    assert_same_texts(found, alone(tiny, ids, way), ROUNDING)
    assert len({len(steps) for steps in found}) > 2, "texts end at different times"
    if temperature and rule != "sampled_match":  # random models seldom agree on a token
        assert len({step.verdict.accepted for steps in found for step in steps}) > 1, "accepted lengths are ragged"


@needs_half
@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("rule", LOSSLESS)
def test_lean_to_the_bit(packed: Pair, rule: str, temperature: float) -> None:
    way = Way(rule, 3, temperature, most=MOST)
    ids = ids_of(packed)
    loop = batched_loop(packed, 4)
    assert isinstance(loop._target._forward, BatchedLean) and isinstance(loop._draft._forward, BatchedLean)
    found = decoded(loop, texts_of(packed, ids, way))
    assert_same_texts(found, alone(packed, ids, way))
    assert len({len(steps) for steps in found}) > 2, "texts end at different times"


@needs_half
@pytest.mark.parametrize(
    "way",
    [Way(gamma=0, most=6), Way("greedy_block", 2, most=12), Way(top_k=7, most=6), Way("token", top_p=0.8, most=6)],
    ids=str,
)
def test_plain_decoding_and_other_settings(packed: Pair, way: Way) -> None:
    ids = ids_of(packed)
    theirs = alone(packed, ids, way)
    for slots in (2, 16):
        assert_same_texts(together(packed, ids, way, slots), theirs)


@needs_half
@pytest.mark.parametrize("way", [Way(temperature=t, most=4) for t in (0.0, 0.5, 1.0)] + [Way(gamma=0, most=4)], ids=str)
def test_the_stories_pair(way: Way) -> None:
    pair = stories()
    ids = ids_of(pair, [text[: 15 * n] for n, text in enumerate(story_prompts(3), 1)])
    for rule in LOSSLESS[: 1 if way.gamma == 0 else None]:
        one = dataclasses.replace(way, rule=rule)
        assert_same_texts(together(pair, ids, one, 2), alone(pair, ids, one))


@needs_half
def test_long_prompts_are_read_in_the_same_pieces(packed: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    from specdemo.decoding import batched_lean, lean

    ids, way = [one * 5 for one in ids_of(packed)[:3]], Way(most=4)
    for module in (lean, batched_lean):
        monkeypatch.setattr(module, "_MOST_ROWS", 7)
    assert_same_texts(together(packed, ids, way), alone(packed, ids, way))


def test_texts_of_different_settings_share_a_batch(tiny: Pair) -> None:
    ways = [Way("token", 2, most=5), Way(gamma=0, temperature=0.5, most=5), Way("greedy_block", 4, seed=3, most=9)]
    ways.append(Way(gamma=0, most=9, ends=frozenset(range(0, tiny.vocab_size, 2))))
    ids = ids_of(tiny)[:3]
    texts = [text for way in ways for text in texts_of(tiny, ids, way)]
    found = decoded(batched_loop(tiny, 9), texts)
    assert_same_texts(found, [steps for way in ways for steps in alone(tiny, ids, way)], ROUNDING)


def test_a_window_that_reaches_past_the_block_reads_its_own_draft_behind_it(tiny: Pair) -> None:
    """As where a run goes on with shorter blocks."""
    way, ids = Way("greedy_block", 1, most=4), ids_of(tiny)[:4]
    memories = [[[2.0, 3]], None, [[1.5, 4]], [[3.0, 2]]]
    texts = texts_of(tiny, ids, way)
    for text, memory in zip(texts, memories, strict=True):
        text.memory = memory
    assert_same_texts(decoded(batched_loop(tiny, 4), texts), alone(tiny, ids, way, memories), ROUNDING)


@pytest.mark.parametrize("lean", [False, pytest.param(True, marks=needs_half)])
def test_caches_grow_with_the_texts(packed: Pair, lean: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from specdemo.decoding import batched_lean, batched_padded

    for module in (batched_lean, batched_padded):
        monkeypatch.setattr(module, "_FIRST_ROOM", 4)
    way, ids = Way(most=24, ends=frozenset()), ids_of(packed)[:3]
    assert_same_texts(together(packed, ids, way, lean=lean), alone(packed, ids, way), None if lean else 1e-5)


def test_the_context_ends_texts_as_alone() -> None:
    pair = tiny_pair(context=24, eos=None)
    way, ids = Way("block", 5, most=40), ids_of(pair)[:3]
    found = together(pair, ids, way)
    assert_same_texts(found, alone(pair, ids, way), ROUNDING)
    assert {steps[-1].finish for steps in found} == {"context"}
    assert {0, 1, 5} <= {step.gamma for steps in found for step in steps}, "γ shrinks where the context leaves no room"


def test_decode_many_is_speculative_decode(tiny: Pair) -> None:
    ids = ids_of(tiny)
    for k in (0, 3):
        many = decode_many(tiny.draft_model, tiny.target_model, ids, k, batch=4, seed=5, max_new_tokens=12)
        for number, prompt in enumerate(ids):
            one = speculative_decode(
                tiny.draft_model,
                tiny.target_model,
                torch.tensor([prompt]),
                k,
                max_new_tokens=12,
                uniforms=PhiloxUniforms(5, number),
            )
            assert one[0].tolist() == [*prompt, *many[number]]


@pytest.mark.parametrize("lean", [False, True])
def test_float32_through_transformers_is_within_its_rounding(packed: Pair, lean: bool) -> None:
    """Padded against lean, and against transformers alone: laws within 1e-5, on texts short enough that no draw is that near to a step."""
    way, ids = Way(most=8), ids_of(packed)
    found = together(packed, ids, way, lean=False)
    theirs = alone(packed, ids, way) if lean else decoded(separate(packed), texts_of(packed, ids, way))
    assert_same_texts(found, theirs, 1e-5)


def separate(pair: Pair) -> Any:
    loop = batched_loop(pair, 3)
    loop._draft._forward = Separate(pair.draft_model, 3, lean=False)
    loop._target._forward = Separate(pair.target_model, 3, lean=False)
    return loop


def test_a_model_with_windows_goes_one_by_one(tiny: Pair) -> None:
    model = small_llama()
    model.config.sliding_window = 8
    loop = batched_loop(dataclasses.replace(tiny, target_model=model), 2, lean=False)
    assert isinstance(loop._target._forward, Separate)
    way, ids = Way(most=8), ids_of(tiny)
    pair = separate(tiny)
    assert_same_texts(decoded(pair, texts_of(tiny, ids, way)), alone(tiny, ids, way))


@pytest.mark.parametrize("gamma", [0, 3])
def test_a_broken_text_is_named_and_the_others_can_go_on(gamma: int) -> None:
    pair = tiny_pair(eos=None)
    broken = max(pair.encode("zzz").ids)
    with torch.no_grad():
        pair.target_model.model.embed_tokens.weight[broken] = float("nan")
    way = Way(gamma=gamma, most=5)
    sound, wrong = ids_of(pair, ["the cat", "zzz"])
    assert broken not in sound
    with pytest.raises(NonFiniteLogits, match=f"position {len(wrong)}"):
        together(pair, [sound, wrong], way)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"batch": 0}, "at least 1"), ({"prompts": [[3], []]}, r"prompts\[1\] is empty"), ({"prompts": [[3, 4000]]}, r"prompts\[0\]\[1\] is 4000"),
        ({"prompts": [[3] * 200]}, "read at most 96"), ({"streams": [1]}, "1 streams were given for 2"), ({"k": 65}, r"k \(the block length\)"),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(tiny: Pair, change: dict[str, Any], says: str) -> None:
    settings: dict[str, Any] = {"prompts": [[3], [4]], **change}
    with pytest.raises(ValueError, match=says):
        decode_many(tiny.draft_model, tiny.target_model, **settings)
