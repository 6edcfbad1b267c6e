"""Cells without times on several cores: a `BatchedEngine` in each of several forked processes, which ask for cells as they have room."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait
from typing import Any

from specdemo.lab.forked import Forked
from specdemo.lab.sweep_batched import BatchedEngine
from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_file import Row
from specdemo.lab.sweep_settings import BATCH
from specdemo.pairs.pair import Pair

_LOOKED_AT = 0.2  # seconds between two looks at whether to stop
_MOST_WAITING = 32  # cells that wait for one process
_ASKING, _DONE = "asking", "done"


class ForkedEngine:
    """An Engine with `workers` processes that decode `batch` texts at once each. `pairs` are all that the cells need."""

    name = BatchedEngine.name

    def __init__(self, pairs: Sequence[Pair], workers: int, batch: int = BATCH) -> None:
        self._pairs, self._workers, self._batch = tuple(pairs), workers, batch

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[Row]:
        """See Engine. RuntimeError where a process is gone."""
        shares, crew = _Shares(cells, self._workers), list[Forked]()
        try:
            for _ in range(self._workers):
                crew.append(Forked(self._work, crew))
            working: dict[Any, int] = {worker.pipe: number for number, worker in enumerate(crew)}
            while working and not stopped():
                ready: list[Any] = wait([*working], _LOOKED_AT)
                for pipe in ready:
                    number = working[pipe]
                    message = crew[number].receive()
                    if message == _ASKING:
                        pipe.send(shares.next_of(number))
                    elif message == _DONE:
                        del working[pipe]
                    else:
                        yield message
        finally:
            for worker in crew:
                worker.end()

    def _work(self, pipe: Any) -> None:
        by_draft = {pair.draft_name: pair for pair in self._pairs}
        engine = BatchedEngine(by_draft.__getitem__, self._pairs, self._batch, sharing=self._workers)
        for row in engine.run(_asked_for(pipe), lambda: False):
            pipe.send(row)
        pipe.send(_DONE)


def _asked_for(pipe: Any) -> Iterator[Cell]:
    """The cells that the parent gives, one for each time it is asked, until it has no more."""
    while True:
        pipe.send(_ASKING)
        cell = pipe.recv()
        if cell is None:
            return
        yield cell


class _Shares:
    """Who measures which cell: as they come, but all γ of a prompt by the same process, which has then its plain decoding already."""

    def __init__(self, cells: Iterator[Cell], workers: int) -> None:
        self._cells = cells
        self._waiting: list[deque[Cell]] = [deque() for _ in range(workers)]
        self._owners: dict[Cell, int] = {}

    def next_of(self, number: int) -> Cell | None:
        """The next cell for a process; when there are no new ones, one that waits for another; None at the end."""
        if self._waiting[number]:
            return self._waiting[number].popleft()
        for cell in self._cells:
            owner = self._owners.setdefault(dataclasses.replace(cell, gamma=0), number)
            if owner == number or len(self._waiting[owner]) >= _MOST_WAITING:
                return cell
            self._waiting[owner].append(cell)
        longest = max(self._waiting, key=len)
        return longest.pop() if longest else None
