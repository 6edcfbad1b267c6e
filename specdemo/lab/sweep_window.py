"""Cells on many workers at once: each worker has one in hand, and what a lost worker had is measured again.

Nothing here knows what a worker is: a crew hires them and says what became of them (`sweep_ray.py` has Ray's).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_file import Row

MOST_LOSSES = 3  # of workers over one cell, and of workers in a row that were lost before they had one
_POLL = 0.2  # seconds after which `stopped` is asked again


@dataclass(frozen=True)
class Event:
    """A worker has begun, has finished its cell (`row`), or is gone (`lost` says why)."""

    worker: int
    row: Row | None = None
    lost: str | None = None


class Crew(Protocol):
    """Workers, known by numbers. A number is not used again."""

    def wait(self, seconds: float) -> Event | None:
        """What happened next, or None if nothing did in so many seconds; hires whom it lacks. RuntimeError where there is nobody to be had."""

    def give(self, worker: int, cell: Cell) -> None:
        """Let a worker that has nothing in hand measure a cell."""

    def dismiss(self) -> None:
        """End all workers, whatever they are doing."""


def windowed(
    cells: Iterator[Cell], crew: Crew, stopped: Callable[[], bool], say: Callable[[str], None] = lambda text: None
) -> Iterator[Row]:
    """The rows of the cells as they come, each once. A cell is taken when a worker has nothing in hand; `say` is told of lost workers.

    The crew is dismissed however this ends. RuntimeError where a cell, or the beginning, has cost MOST_LOSSES workers.
    """
    todo, idle = _Todo(cells), deque[int]()
    try:
        while todo.more() and not stopped():
            while idle and (cell := todo.take(idle[0])) is not None:
                crew.give(idle.popleft(), cell)
            event = crew.wait(_POLL)
            if event is None:
                continue
            if event.lost is not None:
                if event.worker in idle:
                    idle.remove(event.worker)
                say(todo.lost(event.worker, event.lost))
                continue
            if event.row is not None:
                todo.finished(event.worker)
                yield event.row
            idle.append(event.worker)
    finally:
        crew.dismiss()


class _Todo:
    """The cells that nobody has yet, those that a lost worker had first, and who has which."""

    def __init__(self, cells: Iterator[Cell]) -> None:
        self._cells = cells
        self._again: deque[Cell] = deque()
        self._held: dict[int, Cell] = {}
        self._losses: Counter[str] = Counter()
        self._lost_at_once = 0

    def more(self) -> bool:
        """Whether anything is left to be given or waited for."""
        if not self._held and not self._again and (cell := next(self._cells, None)) is not None:
            self._again.append(cell)
        return bool(self._held or self._again)

    def take(self, worker: int) -> Cell | None:
        """The next cell, which this worker then has; None where there is none."""
        cell = self._again.popleft() if self._again else next(self._cells, None)
        if cell is not None:
            self._held[worker] = cell
        return cell

    def finished(self, worker: int) -> None:
        self._lost_at_once = 0
        del self._held[worker]

    def lost(self, worker: int, reason: str) -> str:
        """Take back what the worker had; a sentence on it."""
        cell = self._held.pop(worker, None)
        if cell is None:
            self._lost_at_once += 1
            if self._lost_at_once >= MOST_LOSSES:
                raise RuntimeError(
                    f"workers are lost again and again before they measure anything ({reason}); what is finished is kept"
                )
            return f"A worker was lost ({reason}); another takes its place."
        self._losses[cell.key] += 1
        where = f"{cell.task}, prompt {cell.prompt + 1}, γ = {cell.gamma}"
        if self._losses[cell.key] >= MOST_LOSSES:
            raise RuntimeError(
                f"{MOST_LOSSES} workers were lost over one cell ({where}), the last because {reason}: "
                "has a worker memory enough for the pair? What is finished is kept"
            )
        self._again.append(cell)
        return f"A worker was lost ({reason}); its cell is measured again ({where})."
