"""The exact law of what a loop writes: every uniform it could be given, cell by cell, with the cells of the reference.

The loop decides by itself; the reference only says where the cells are. If the loop compares anything with another number than
the reference would, cells get the wrong weight and the law is no longer the target's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, product

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.decoding.loop import BlockLoop
from tests.reference import Law, Text, decided, drafted, text_law
from tests.toy_models import ToyWorld

# How far inside a cell its point lies: more than rounding, less than any mistake.
INSET = 1e-9


@dataclass(frozen=True)
class Cell:
    """One box of uniforms: a point of it, its volume, and what the reference emits there."""

    draft: tuple[float, ...]
    verify: tuple[float, ...]
    volume: float
    emitted: Text


class Scripted:
    """A UniformSource that returns what it is told, block by block."""

    def __init__(self, cells: Sequence[Cell], first_block: int = 0) -> None:
        self._cells = cells
        self._first = first_block

    def draft(self, block: int, gamma: int) -> FloatArray:
        draft = self._cells[block - self._first].draft
        return np.array([*draft, *[0.5] * (gamma - len(draft))])  # the drafter may want fewer than it could have

    def verify(self, block: int, gamma: int) -> FloatArray:
        verify = self._cells[block - self._first].verify
        assert len(verify) == gamma + 1
        return np.array(verify)


def _places(law: Law, upper: bool) -> Iterator[tuple[int, float, float]]:
    """(token, a point of its cell close to the lower or the upper edge, width) for every token of positive probability."""
    below = 0.0
    for token, p in enumerate(map(float, law)):
        inset = min(INSET, p / 2)
        if p > 0:
            yield token, below + (p - inset if upper else inset), p
        below += p


def cells(rule: str, world: ToyWorld, context: Text, gamma: int) -> Iterator[Cell]:
    """Every box of uniforms in which one block after `context` ends differently.

    A box is represented by a point in one of its corners, where a comparison with a slightly different number comes out
    differently: for the draws the lower and the upper edge take turns, for the coins the only edge is h.
    """
    turn = cycle((False, True, True, False, True, False, False))
    for block in drafted(world.draft, context, gamma):
        places = [
            next(p for p in _places(world.draft(context + block[:i]), next(turn)) if p[0] == x)
            for i, x in enumerate(block)
        ]
        mass = float(np.prod([width for _, _, width in places]))
        said = decided(rule, world.draft, world.target, context, block)
        coins = [
            [(h - min(INSET, h / 2), h, True), (h + min(INSET, (1 - h) / 2), 1 - h, False)]
            for h in map(float, said.coins)
        ]
        for chosen in product(*coins):
            volume = mass * float(np.prod([width for _, width, _ in chosen]))
            if volume <= 0:
                continue
            kept = _kept(rule, [success for _, _, success in chosen])
            for y, point, width in _places(said.next_laws[kept], next(turn)):
                yield Cell(
                    tuple(u for _, u, _ in places), (*(eta for eta, _, _ in chosen), point), volume * width, (*block[:kept], y)
                )  # fmt: skip


def _kept(rule: str, successes: list[bool]) -> int:
    if rule == "token":
        return successes.index(False) if False in successes else len(successes)
    return max((i + 1 for i, success in enumerate(successes) if success), default=0)


def written_law(
    loop: BlockLoop,
    rule: str,
    world: ToyWorld,
    *,
    blocks: int,
    length: int,
    ends: frozenset[int] = frozenset(),
    gamma_after: Callable[[Text], int] | None = None,
) -> dict[Text, float]:
    """The law of the first `length` tokens after `blocks` blocks, filled up from the target; texts end with a symbol of `ends`.

    `gamma_after` says how many tokens the drafter proposes after a text, where that is not the loop's γ.
    """
    states: dict[Text, float] = {(): 1.0}
    for index in range(blocks):
        following: dict[Text, float] = defaultdict(float)
        for text, mass in states.items():
            if len(text) >= length or (text and text[-1] in ends):
                following[text] += mass
                continue
            for cell in cells(rule, world, text, gamma_after(text) if gamma_after else loop.gamma):
                loop.uniforms = Scripted([cell], index)
                step = loop.block([*world.prompt, *text], index, None, 1000)
                following[text + step.committed] += mass * cell.volume
        states = following
    law: dict[Text, float] = defaultdict(float)
    for text, mass in states.items():
        for more, share in stopped_law(world, length, ends, text[:length]).items():
            law[more] += mass * share
    return dict(law)


def stopped_law(world: ToyWorld, length: int, ends: frozenset[int], start: Text = ()) -> dict[Text, float]:
    """The target's law of texts of `length` tokens that begin with `start` and end early with a symbol of `ends`."""
    done: dict[Text, float] = {}
    open_texts = {start: 1.0}
    while open_texts:
        following: dict[Text, float] = {}
        for text, mass in open_texts.items():
            if len(text) >= length or (text and text[-1] in ends):
                done[text] = mass
            else:
                following |= {(*text, x): mass * float(p) for x, p in enumerate(world.target(text)) if p > 0}
        open_texts = following
    return done


def law_distance(law: dict[Text, float], expected: dict[Text, float]) -> float:
    """Total variation of two laws on texts."""
    return 0.5 * sum(abs(law.get(text, 0.0) - expected.get(text, 0.0)) for text in law.keys() | expected.keys())


def loop_distance(loop: BlockLoop, rule: str, world: ToyWorld, *, blocks: int = 1, length: int = 3) -> float:
    """How far the loop's text is from the target's law."""
    law = written_law(loop, rule, world, blocks=blocks, length=length)
    expected = {text: float(p) for text, p in text_law(world.target, length).items()}
    return law_distance(law, expected)
