"""Texts decoded alone and in a batch, step by step, and how the two are compared."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.decoding.batched_loop import BatchedLoop, Text
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import Step
from specdemo.decoding.plain import build_loop
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.pairs import Pair
from specdemo.pairs.weights import suited_to_few_rows
from specdemo.verifiers import get
from tests.decoding.test_lean import halved, small_llama
from tests.tiny import tiny_tokenizer


@functools.cache
def packed_pair() -> Pair:
    """Two small Llamas in float32 with packed weights, of widths that no vector divides, and end-of-text tokens that are met."""
    tokenizer = tiny_tokenizer()
    draft, target = (
        suited_to_few_rows(
            halved(small_llama(vocab_size=len(tokenizer), num_hidden_layers=layers, eos_token_id=[1, 5, 9, 70, 200]))
        )
        for layers in (2, 3)
    )
    return Pair.from_models(draft, target, tokenizer, name="packed")


@dataclass(frozen=True)
class Way:
    """How texts are decoded; the prompt's number is its stream. `most` new tokens: one number, or one for each prompt."""

    rule: str = "block"
    gamma: int = 4
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    most: int | tuple[int, ...] = 24
    ends: frozenset[int] | None = None

    def limit(self, number: int) -> int:
        return self.most if isinstance(self.most, int) else self.most[number]

    def processing(self) -> Processing:
        return Processing(self.temperature, self.top_k, self.top_p)


def alone(
    pair: Pair, prompts: Sequence[list[int]], way: Way, memories: Sequence[Any] | None = None
) -> list[list[Step]]:
    """The blocks of each prompt, decoded one after the other by BlockLoop, each from the memory given."""
    found = []
    for number, prompt in enumerate(prompts):
        loop = build_loop(
            pair.draft_model, pair.target_model, pair.vocab_size, get(way.rule), way.gamma, way.processing(),
            PhiloxUniforms(way.seed, number), pair.eos_token_ids if way.ends is None else way.ends, pair.context_limit,
        )  # fmt: skip
        ids, memory, steps = list(prompt), memories[number] if memories else None, list[Step]()
        while not steps or steps[-1].finish is None:
            left = way.limit(number) - (len(ids) - len(prompt))
            steps.append(loop.block(ids, len(steps), memory, left))
            ids, memory = [*ids, *steps[-1].committed], steps[-1].verdict.memory
        found.append(steps)
    return found


def texts_of(
    pair: Pair, prompts: Sequence[list[int]], way: Way, stream: Callable[[int], int] = lambda number: number
) -> list[Text]:
    """The texts of a batch."""
    laws, ends = LawMaker(way.processing(), pair.vocab_size), pair.eos_token_ids if way.ends is None else way.ends
    return [
        Text(list(ids), way.limit(n), laws, get(way.rule), PhiloxUniforms(way.seed, stream(n)), way.gamma, ends)
        for n, ids in enumerate(prompts)
    ]


def decoded(loop: BatchedLoop, texts: Sequence[Text]) -> list[list[Step]]:
    """The blocks of each text."""
    found: dict[int, list[Step]] = {id(text): [] for text in texts}
    for moved in loop.rounds(texts):
        for text, step in moved:
            found[id(text)].append(step)
    return [found[id(text)] for text in texts]


def batched_loop(pair: Pair, slots: int, lean: bool = True) -> BatchedLoop:
    return BatchedLoop(pair.draft_model, pair.target_model, pair.vocab_size, pair.context_limit, slots, lean)


def together(pair: Pair, prompts: Sequence[list[int]], way: Way, slots: int = 3, lean: bool = True) -> list[list[Step]]:
    """The blocks of each prompt, decoded `slots` at once."""
    return decoded(batched_loop(pair, slots, lean), texts_of(pair, prompts, way))


def assert_same_texts(
    ours: Sequence[Sequence[Step]], theirs: Sequence[Sequence[Step]], within: float | None = None
) -> None:
    """Every block of every text: the same tokens, uniforms and verdicts, and laws that are equal to the bit, or `within` so much."""
    assert len(ours) == len(theirs)
    for mine, alone_ in zip(ours, theirs, strict=True):
        assert [step.committed for step in mine] == [step.committed for step in alone_]
        for a, b in zip(mine, alone_, strict=True):
            assert_same_step(a, b, within)


def assert_same_step(a: Step, b: Step, within: float | None) -> None:
    for part in ("index", "start", "verifier", "committed", "finish"):
        assert getattr(a, part) == getattr(b, part), part
    assert (a.verdict.accepted, a.verdict.next_token) == (b.verdict.accepted, b.verdict.next_token)
    assert (a.verdict.memory is None) == (b.verdict.memory is None)
    numbers: list[tuple[Any, Any]] = [(a.verdict.length_law, b.verdict.length_law), (a.draft, b.draft)]
    numbers += [(a.target, b.target), (a.verdict.next_law, b.verdict.next_law)]
    for mine, other in (
        (a.tokens, b.tokens),
        (a.draft_uniforms, b.draft_uniforms),
        (a.verify_uniforms, b.verify_uniforms),
    ):
        assert np.array_equal(mine, other)
    if within is None:
        assert all(np.array_equal(mine, other) for mine, other in numbers)
        assert a.memory == b.memory
    else:
        assert all(
            mine.shape == other.shape and np.allclose(mine, other, rtol=0, atol=within) for mine, other in numbers
        )
        if a.memory is not None:
            assert np.allclose(a.memory, b.memory, rtol=1e-3, atol=0)
