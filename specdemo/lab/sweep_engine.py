"""Where cells are measured. An engine takes cells from an iterator as it has room for them and yields rows, in any order.

The local engine measures in this process, one cell after the other. Another engine is another file with the same two members; it must
measure with `sweep_cell.measure`, so that its statistics are the local ones bit for bit, or (without times) as `sweep_batched.py` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from specdemo.decoding.recorded_models import record_passes
from specdemo.lab.sweep_cell import Cancelled, measure
from specdemo.lab.sweep_cells import Cell, PairIdentity
from specdemo.lab.sweep_file import Row
from specdemo.pairs.pair import Pair

MOST_PAIRS = 2  # of loaded pairs that are kept: a round of the sweep goes through the drafts one after the other


class Engine(Protocol):
    """Measures cells. `name` is what a row says of who measured it."""

    name: str

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[Row]:
        """The rows of the cells. `stopped` may be asked at any time; then what is being measured is given up and the iterator ends."""


class LoadedPairs:
    """The last few pairs that were needed. `load` gives the pair of a cell's draft; `loaded` are pairs that are there already."""

    def __init__(self, load: Callable[[str], Pair], loaded: tuple[Pair, ...] = ()) -> None:
        self._load = load
        self._pairs = {PairIdentity.of(pair): pair for pair in loaded[-MOST_PAIRS:]}

    def of(self, cell: Cell) -> Pair:
        """The pair of a cell, loaded if need be."""
        if cell.identity not in self._pairs:
            while len(self._pairs) >= MOST_PAIRS:
                del self._pairs[next(iter(self._pairs))]
            pair = self._pairs[cell.identity] = self._load(cell.identity.draft)
            record_passes(pair.draft_model, pair.target_model)
        return self._pairs[cell.identity]


class LocalEngine:
    """This process. `load` and `loaded` as for LoadedPairs."""

    name = "local"

    def __init__(self, load: Callable[[str], Pair], loaded: tuple[Pair, ...] = ()) -> None:
        self._pairs = LoadedPairs(load, loaded)
        self._warmed: set[tuple[PairIdentity, int, tuple[str, ...]]] = set()

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[Row]:
        """See Engine."""
        for cell in cells:
            if stopped():
                return
            pair = self._pairs.of(cell)
            shape = (cell.identity, cell.gamma, cell.rules)
            try:
                row = measure(pair, cell, stopped, warm=shape in self._warmed)
            except Cancelled:
                return
            self._warmed.add(shape)
            yield {**row, "engine": self.name}
