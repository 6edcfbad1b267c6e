"""The exact law of (τ, Y) of a black box: the cube of uniforms is split at the subject's own decision thresholds.

A box in which two points get different answers is split where, on the way from one to the other along the axes, the answer
changes: the place is found by trying likely thresholds (`hints.py`), else by bisection. A box whose corners and random points
agree is a cell; the law is the sum of the cells' volumes. This is exact for every subject whose decisions compare single
uniforms with thresholds, also where those depend on the other uniforms' cells; where the boxes never come to rest (a product
of uniforms, hidden randomness) the result is None, and the verdict turns statistical.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from specdemo.auditor.feeding import Feed
from specdemo.auditor.hints import Hints
from specdemo.auditor.questions import Answer, Block, Uniforms

# A generator that yields points to be asked and is sent the answers.
Asking = Generator[list[Uniforms], list[Answer], "Split | None"]
Located = Generator[list[Uniforms], list[Answer], tuple[float, float]]


class Unsteady(Exception):
    """The same question got two answers."""


@dataclass(eq=False)
class Cell:
    """A box of uniforms in which the answer is always the same."""

    lower: Uniforms
    upper: Uniforms
    points: list[tuple[Uniforms, Answer]] = field(default_factory=list)

    @property
    def answer(self) -> Answer:
        return self.points[0][1]

    @property
    def volume(self) -> float:
        return float(np.prod([b - a for a, b in zip(self.lower, self.upper, strict=True)]))

    @property
    def middle(self) -> Uniforms:
        return tuple((a + b) / 2 for a, b in zip(self.lower, self.upper, strict=True))

    def holds(self, point: Uniforms) -> bool:
        return all(a <= u < b for a, u, b in zip(self.lower, point, self.upper, strict=True))


@dataclass(frozen=True)
class Split:
    """The cells of one block, and a bound on the volume whose answer is not known."""

    cells: list[Cell]
    error: float


class Splitting:
    """Splits the cube of one block; `random_points` are asked over the whole cube at the end, to look for what was missed."""

    def __init__(self, block: Block, feed: Feed, rng: np.random.Generator, random_points: int = 8) -> None:
        self._block, self._feed, self._rng = block, feed, rng
        self._axes = block.gamma + 1
        self._random_points = random_points
        self._hints = Hints(block)
        # Thresholds met so far: most are met again in the next box.
        self._found: dict[tuple[int, int], list[float]] = {}
        # A right rule has at most 2^γ (γ+1) V cells; a subject that compares other things has no end of them.
        self._limit = 40 + 2 * 2**block.gamma * (block.gamma + 1) * block.vocab_size
        self._error = 0.0

    def run(self) -> Asking:
        """The whole recovery of one block."""
        # The exact edges of the cube are asked only for what no uniform excuses: they have no volume.
        yield list(product((0.0, self._feed.top), repeat=self._axes))
        root = Cell((0.0,) * self._axes, (1.0,) * self._axes)
        cells = yield from self._split([root], 0)
        while cells is not None:
            points = [self._random_point(root) for _ in range(self._random_points)]
            answers = yield points
            wrong = []
            for point, answer in zip(points, answers, strict=True):
                cell = next(cell for cell in cells if cell.holds(point))
                if not self._same(cell.answer, answer):
                    cell.points.append((point, answer))
                    if cell not in wrong:
                        wrong.append(cell)
            if not wrong:
                return Split(cells, self._error)
            sound = [cell for cell in cells if cell not in wrong]
            more = yield from self._split(wrong, len(sound))
            cells = None if more is None else sound + more
        return None

    def _split(self, open_boxes: list[Cell], others: int) -> Generator[list[Uniforms], list[Answer], list[Cell] | None]:
        cells: list[Cell] = []
        while open_boxes:
            box = open_boxes.pop()
            if min(b - a for a, b in zip(box.lower, box.upper, strict=True)) < 32 * self._feed.resolution:
                # Too thin to be looked into: whatever it holds weighs less than its volume. Two answers to one question are another matter.
                point = box.points[0][0] if box.points else box.middle
                (answer,) = yield [point]
                if box.points and not self._same(answer, box.answer):
                    raise Unsteady
                box.points = box.points or [(point, answer)]
                self._error += box.volume
                cells.append(box)
                continue
            pair = self._differing(box)
            if pair is None:
                fresh = [self._near(box, low=True), self._near(box, low=False), self._random_point(box)]
                box.points += list(zip(fresh, (yield fresh), strict=True))
                pair = self._differing(box)
            if pair is None:
                cells.append(box)
                continue
            if pair[0][0] == pair[1][0]:
                raise Unsteady
            # Too many boxes are no grid.
            if len(cells) + len(open_boxes) + others > self._limit:
                return None
            axis, before, after = yield from self._walk(*pair)
            place, width = yield from self._locate(axis, before, after)
            self._error += (
                width * Cell(box.lower[:axis] + box.lower[axis + 1 :], box.upper[:axis] + box.upper[axis + 1 :]).volume
            )
            open_boxes += _halves(box, axis, place)
        return cells

    def _differing(self, box: Cell) -> tuple[tuple[Uniforms, Answer], tuple[Uniforms, Answer]] | None:
        """Two points of the box with different answers: different τ if there are such."""
        if not box.points:
            return None
        first = box.points[0]
        others = [point for point in box.points[1:] if not self._same(first[1], point[1])]
        if not others:
            return None
        return first, next((point for point in others if point[1].accepted != first[1].accepted), others[0])

    def _same(self, one: Answer, other: Answer) -> bool:
        return one.agrees(other, self._feed.tolerance / 10)

    def _walk(
        self, start: tuple[Uniforms, Answer], end: tuple[Uniforms, Answer]
    ) -> Generator[list[Uniforms], list[Answer], tuple[int, tuple[Uniforms, Answer], tuple[Uniforms, Answer]]]:
        """From one point to the other one axis at a time: the axis on which the answer changes, τ rather than Y."""
        moving = [axis for axis in range(self._axes) if start[0][axis] != end[0][axis]]
        between = [
            tuple(end[0][axis] if axis in moving[: i + 1] else start[0][axis] for axis in range(self._axes))
            for i in range(len(moving) - 1)
        ]
        answers = (yield between) if between else []
        stations = [start, *zip(between, answers, strict=True), end]
        steps = [i for i in range(len(moving)) if not self._same(stations[i][1], stations[i + 1][1])]
        # Laws may drift from one end to the other in steps that are each too small to count.
        first = steps[0] if steps else len(moving) - 1
        chosen = next((i for i in steps if stations[i][1].accepted != stations[i + 1][1].accepted), first)
        return moving[chosen], stations[chosen], stations[chosen + 1]

    def _locate(self, axis: int, before: tuple[Uniforms, Answer], after: tuple[Uniforms, Answer]) -> Located:
        """Where on the axis the answer changes between two points that differ there only: (place, width of what is not known)."""
        (start, low_answer), (end, high_answer) = (
            (before, after) if before[0][axis] < after[0][axis] else (after, before)
        )
        low, high = start[axis], end[axis]
        resolution, near = self._feed.resolution, self._feed.hint

        def at(value: float) -> Uniforms:
            return (*start[:axis], self._feed.uniform(value), *start[axis + 1 :])

        for hints in self._candidates(axis, low_answer, high_answer):
            while inside := [h for h in hints if low + 2 * near < h < high - 2 * near]:
                hint = inside[len(inside) // 2]
                # The numbers that are really asked: a wall between others would leave points on the wrong side of it.
                under, over = self._feed.uniform(hint - near), self._feed.uniform(hint + near)
                below, above = yield [at(under), at(over)]
                if not self._same(below, above):
                    low, low_answer, high, high_answer = under, below, over, above
                elif self._same(below, low_answer):
                    low = over
                else:
                    high, high_answer = under, below
            if high - low <= 2 * near:
                break
        if near <= resolution and high - low <= 2.0001 * near:
            # The hint itself is the best guess: it is exact for a rule that computes what was guessed.
            return self._remember(axis, low_answer, high_answer, (low, high)), high - low
        while high - low > 2 * resolution:
            middle = self._feed.uniform((low + high) / 2)
            if not low < middle < high:
                break
            (answer,) = yield [at(middle)]
            if self._same(answer, low_answer):
                low = middle
            else:
                high, high_answer = middle, answer
        return self._remember(axis, low_answer, high_answer, (low, high)), high - low

    def _candidates(self, axis: int, low: Answer, high: Answer) -> list[list[float]]:
        found = self._found.get(self._key(axis, low, high), [])
        if axis < self._block.gamma:
            every = sorted({hint for coin in self._hints.coins for hint in coin})
            return [found, self._hints.coins[axis], every]
        # Next to an answer that no verifier may give, whose τ is unknown, the other one's law is the likely one.
        kept = [answer.accepted for answer in (low, high) if answer.accepted >= 0]
        return [found, self._hints.next_token(min(kept))] if kept else [found]

    def _key(self, axis: int, low: Answer, high: Answer) -> tuple[int, int]:
        return axis, low.accepted if axis == self._block.gamma else -1

    def _remember(self, axis: int, low: Answer, high: Answer, bracket: tuple[float, float]) -> float:
        """The middle of the bracket, or a threshold met before that lies in it: boxes then share their walls."""
        place = (bracket[0] + bracket[1]) / 2
        found = self._found.setdefault(self._key(axis, low, high), [])
        for known in found:
            if bracket[0] <= known <= bracket[1]:
                return known
        found.append(place)
        found.sort()
        return place

    def _near(self, box: Cell, low: bool) -> Uniforms:
        """A point just inside the lowest or the highest corner."""
        inset = 4 * self._feed.resolution
        return tuple(
            self._feed.uniform(a + inset if low else b - inset) for a, b in zip(box.lower, box.upper, strict=True)
        )

    def _random_point(self, box: Cell) -> Uniforms:
        drawn = self._rng.random(self._axes).tolist()
        inset = 4 * self._feed.resolution
        return tuple(
            self._feed.uniform(a + inset + u * (b - a - 2 * inset))
            for a, b, u in zip(box.lower, box.upper, drawn, strict=True)
        )


def _halves(box: Cell, axis: int, place: float) -> list[Cell]:
    below = Cell(box.lower, (*box.upper[:axis], place, *box.upper[axis + 1 :]))
    above = Cell((*box.lower[:axis], place, *box.lower[axis + 1 :]), box.upper)
    for point in box.points:
        (below if point[0][axis] < place else above).points.append(point)
    return [above, below]
