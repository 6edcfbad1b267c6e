"""The whole loop, models, caches, laws, uniforms and rule together, writes the target's law: enumerated exactly."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
import torch

from specdemo.arrays import FloatArray
from specdemo.decoding import speculative_decode
from specdemo.decoding.laws import Processing
from tests.loop_law import Cell, Scripted, cells, law_distance, loop_distance, stopped_law, written_law
from tests.reference import Text, text_law
from tests.toy_models import ToyWorld, three_symbols

EXACT = 1e-12
RULES = ("token", "block")


@pytest.fixture(scope="module")
def world() -> ToyWorld:
    return three_symbols()


def test_the_world_is_worth_enumerating(world: ToyWorld) -> None:
    """Draft and target differ, and all laws leave every symbol a chance."""
    for text in [(), (0,), (2, 1)]:
        draft, target = world.draft(text), world.target(text)
        assert 0.1 < float(sum(abs(d - t) for d, t in zip(draft, target, strict=True))) / 2 < 0.95
        assert min(*draft, *target) > 1e-4


@pytest.mark.parametrize("rule", RULES)
def test_two_blocks_of_two_tokens(world: ToyWorld, rule: str) -> None:
    assert loop_distance(world.loop(rule, 2), rule, world, blocks=2, length=3) < EXACT


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("gamma", "blocks", "length"), [(2, 3, 5), (3, 2, 4)])
def test_more_and_longer_blocks(world: ToyWorld, rule: str, gamma: int, blocks: int, length: int) -> None:
    assert loop_distance(world.loop(rule, gamma), rule, world, blocks=blocks, length=length) < EXACT


@pytest.mark.parametrize("rule", RULES)
def test_an_argmax_drafter(rule: str) -> None:
    """One-hot draft laws, a target that is sampled: what an n-gram drafter would be."""
    world = three_symbols(Processing(temperature=0.0))
    assert loop_distance(world.loop(rule, 3), rule, world, blocks=2, length=4) < EXACT


class Hesitant:
    """A drafter that proposes none, one or two tokens, depending on the last one it has seen."""

    def __init__(self, world: ToyWorld) -> None:
        self._drafter = world.loop("block", 2).drafter

    def propose(self, context_ids: list[int], gamma: int, uniforms: FloatArray) -> tuple[list[int], FloatArray]:
        assert gamma == len(uniforms) == 2
        return self._drafter.propose(context_ids, context_ids[-1], uniforms[: context_ids[-1]])


@pytest.mark.parametrize("rule", RULES)
def test_a_drafter_that_proposes_fewer_or_none(world: ToyWorld, rule: str) -> None:
    loop = replace(world.loop(rule, 2), drafter=Hesitant(world))
    law = written_law(loop, rule, world, blocks=3, length=3, gamma_after=lambda text: (*world.prompt, *text)[-1])
    assert law_distance(law, stopped_law(world, 3, frozenset())) < EXACT


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "processing", [{"temperature": 0.6, "top_k": 2}, {"temperature": 1.7, "top_p": 0.8}], ids=["top-k", "top-p"]
)
def test_processed_laws(rule: str, processing: dict[str, Any]) -> None:
    world = three_symbols(**processing)
    assert loop_distance(world.loop(rule, 2), rule, world, blocks=2, length=3) < EXACT


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("end", [0, 2])
def test_texts_that_end(world: ToyWorld, rule: str, end: int) -> None:
    """An end inside a block cuts it there; symbol 0 ends texts like any other."""
    ends = frozenset([end])
    law = written_law(world.loop(rule, 2, eos=ends), rule, world, blocks=2, length=3, ends=ends)
    assert law_distance(law, stopped_law(world, 3, ends)) < EXACT


@pytest.mark.parametrize("rule", RULES)
def test_near_the_end_of_the_context(world: ToyWorld, rule: str) -> None:
    """γ shrinks to what the models can still read, 1 here, then 0; the law stays."""
    loop = world.loop(rule, 2, context_limit=len(world.prompt) + 1)
    law: dict[Text, float] = defaultdict(float)
    for cell in cells(rule, world, (), 1):
        loop.uniforms = Scripted([cell])
        step = loop.block(list(world.prompt), 0, None, 9)
        assert step.gamma == 1
        if len(step.committed) == 2:
            assert step.finish == "context"
            law[step.committed] += cell.volume
            continue
        assert step.finish is None
        for last in cells(rule, world, step.committed, 0):
            loop.uniforms = Scripted([last], 1)
            end = loop.block([*world.prompt, *step.committed], 1, None, 9)
            assert (end.gamma, end.finish, len(end.committed)) == (0, "context", 1)
            law[step.committed + end.committed] += cell.volume * last.volume
    assert law_distance(law, {text: float(p) for text, p in text_law(world.target, 2).items()}) < EXACT


@pytest.mark.parametrize("rule", RULES)
def test_the_public_function_from_prompt_to_text(world: ToyWorld, rule: str) -> None:
    """`speculative_decode` from fresh caches, two blocks of one drafted token, every cell."""
    law: dict[Text, float] = defaultdict(float)

    def run(script: list[Cell]) -> Text:
        ids = speculative_decode(
            world.draft_model, world.target_model, torch.tensor([world.prompt]), 1, max_new_tokens=2, verifier=rule,
            uniforms=Scripted(script),
        )  # fmt: skip
        assert ids.shape == (1, len(world.prompt) + 2)
        return tuple(ids[0, len(world.prompt) :].tolist())

    for first in cells(rule, world, (), 1):
        if len(first.emitted) >= 2:
            law[run([first])] += first.volume
            continue
        for second in cells(rule, world, first.emitted, 1):
            law[run([first, second])] += first.volume * second.volume
    assert law_distance(law, {text: float(p) for text, p in text_law(world.target, 2).items()}) < EXACT
