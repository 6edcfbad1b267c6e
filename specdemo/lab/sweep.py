"""A sweep: cells that the file has not yet are measured and appended, one by one, until all are done, time is over, or somebody stops it.

Nothing that is finished is lost: a row is on the disk before it is told of.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_engine import Engine
from specdemo.lab.sweep_file import Row

Clock = Callable[[], float]


class Kept(Protocol):
    """Where finished cells are kept: `LabFile`, or whoever knows which ones are done."""

    keys: set[str]

    def append(self, row: Row) -> None:
        """Keep a finished cell's row."""


@dataclass(frozen=True)
class Progress:
    """A finished cell: its row, how many of the `planned` cells are `done` (earlier sweeps' included), and the seconds that are left, about.

    `seconds_left` reaches to the end of the cells or of the time allowed, whichever comes first.
    """

    row: Row
    done: int
    planned: int
    seconds_left: float


def sweep(
    file: Kept,
    cells: Sequence[Cell],
    engine: Engine,
    *,
    stopped: Callable[[], bool] = lambda: False,
    seconds: float | None = None,
    clock: Clock = time.monotonic,
) -> Iterator[Progress]:
    """Measure what `file` lacks of `cells`, in their order, and append each row as it comes.

    `seconds` None means all the time in the world; else no cell is begun that would not be finished in it, as far as the cells before it tell.
    """
    todo = [cell for cell in cells if cell.key not in file.keys]
    pace = _Pace(clock, seconds, len(todo))
    for row in engine.run(pace.limited(todo), stopped):
        file.append(row)
        pace.finished += 1
        yield Progress(row, len(cells) - len(todo) + pace.finished, len(cells), pace.seconds_left())


class _Pace:
    """How fast cells are finished, and how many more fit."""

    def __init__(self, clock: Clock, seconds: float | None, count: int) -> None:
        self._clock, self._allowed, self._count = clock, seconds, count
        self._began = clock()
        self._taken, self._at_once = 0, 1
        self.finished = 0

    def limited(self, cells: Sequence[Cell]) -> Iterator[Cell]:
        """The cells, as long as there is time for one more."""
        for cell in cells:
            # Where several are measured at once, each takes as many times longer than it is from one finished cell to the next.
            self._at_once = max(self._at_once, self._taken - self.finished + 1)
            if self._allowed is not None and self._passed() + self._each() * self._at_once >= self._allowed:
                return
            self._taken += 1
            yield cell

    def seconds_left(self) -> float:
        """Until all are finished or the time is over."""
        left = self._each() * (self._count - self.finished)
        return left if self._allowed is None else min(left, max(0.0, self._allowed - self._passed()))

    def _passed(self) -> float:
        return self._clock() - self._began

    def _each(self) -> float:
        """Seconds from one finished cell to the next."""
        return self._passed() / self.finished if self.finished else 0.0
