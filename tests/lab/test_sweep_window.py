"""Cells on several workers: each has one, all rows arrive once, what a lost worker had is measured again, and there is an end to patience.

The workers are threads that really measure; Ray's are in test_sweep_ray.py.
"""

from __future__ import annotations

import itertools
import json
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_window import MOST_LOSSES, Event, windowed
from tests.lab.swept import the_cells, the_pair


class Threads:
    """A crew of `size` threads. `fatal(worker, cell)`: whether the cell is the worker's last; `stillborn`: how many are lost at once."""

    def __init__(
        self, size: int, fatal: Callable[[int, Cell], bool] = lambda worker, cell: False, stillborn: int = 0
    ) -> None:
        self._size, self._fatal, self._stillborn = size, fatal, stillborn
        self._numbers = itertools.count()
        self._events: queue.Queue[Event] = queue.Queue()
        self._alive: set[int] = set()
        self.held: dict[int, Cell] = {}
        self.most_held = 0
        self.dismissed = False

    def wait(self, seconds: float) -> Event | None:
        while len(self._alive) < self._size:
            worker = next(self._numbers)
            self._alive.add(worker)
            dead = worker < self._stillborn
            self._events.put(Event(worker, lost="it was never seen" if dead else None))
        try:
            event = self._events.get(timeout=seconds)
        except queue.Empty:
            return None
        self.held.pop(event.worker, None)
        if event.lost is not None:
            self._alive.remove(event.worker)
        return event

    def give(self, worker: int, cell: Cell) -> None:
        assert worker in self._alive and worker not in self.held
        self.held[worker] = cell
        self.most_held = max(self.most_held, len(self.held))
        threading.Thread(target=self._measure, args=(worker, cell), daemon=True).start()

    def _measure(self, worker: int, cell: Cell) -> None:
        lost = self._fatal(worker, cell)
        self._events.put(
            Event(worker, lost="its node is gone") if lost else Event(worker, row=measure(the_pair(), cell))
        )

    def dismiss(self) -> None:
        self.dismissed = True


CELLS = the_cells(rules=("token",), gammas=(2, 3), max_new_tokens=3)


def never() -> bool:
    return False


def statistics(rows: Any) -> str:
    return json.dumps(sorted([row["key"], row["cell"], row["statistics"]] for row in rows))


def test_all_rows_arrive_once_and_are_the_local_ones() -> None:
    """Two of the first three workers are lost over their first cell."""
    crew, said = Threads(3, fatal=lambda worker, cell: worker in (0, 2)), list[str]()
    rows = list(windowed(iter(CELLS), crew, never, said.append))
    assert len(rows) == 10 and statistics(rows) == statistics(measure(the_pair(), cell) for cell in CELLS)
    assert crew.most_held == 3 and crew.dismissed
    assert len(said) == 2 and all("its node is gone" in text and "is measured again (" in text for text in said)


def test_cells_are_taken_only_when_a_worker_is_free() -> None:
    """So a budget of time, which ends the iterator, is kept."""
    taken = 0

    def counted() -> Iterator[Cell]:
        nonlocal taken
        for cell in CELLS:
            taken += 1
            yield cell

    for done, _ in enumerate(windowed(counted(), Threads(2), never)):
        assert taken <= done + 2
    assert taken == 10


def test_a_cell_that_ends_every_worker_is_named() -> None:
    bad = CELLS[4]
    rows = []
    with pytest.raises(
        RuntimeError, match=r"3 workers were lost over one cell \((cats|dogs), prompt \d, γ = \d\), .*its node is gone"
    ):
        for row in windowed(iter(CELLS), Threads(2, fatal=lambda worker, cell: cell == bad), never):
            rows.append(row)
    assert len({row["key"] for row in rows}) == len(rows) >= 3 and bad.key not in {row["key"] for row in rows}


def test_workers_that_never_begin() -> None:
    crew = Threads(1, stillborn=MOST_LOSSES)
    with pytest.raises(RuntimeError, match=r"again and again before they measure anything .it was never seen"):
        list(windowed(iter(CELLS), crew, never))
    assert crew.dismissed
    assert len(list(windowed(iter(CELLS[:2]), Threads(1, stillborn=MOST_LOSSES - 1), never))) == 2


def test_stopped_gives_up_what_is_in_hand() -> None:
    crew, rows = Threads(2), list[Any]()
    for row in windowed(iter(CELLS), crew, lambda: len(rows) == 3):
        rows.append(row)
    assert len(rows) == 3 and crew.dismissed


def test_nobody_is_hired_for_nothing() -> None:
    crew = Threads(2)
    assert list(windowed(iter(()), crew, never)) == [] and not crew._alive and crew.dismissed
