"""A worker of the sweep on Ray: one process that loads a pair once and measures the cells it is given, one after the other.

This is all of specdemo that runs on the cluster's nodes; it imports PyTorch only when it has set the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specdemo.lab.sweep_cells import Cell
    from specdemo.lab.sweep_file import Row
    from specdemo.lab.sweep_sources import PairSource


class Worker:
    """The body of an actor. `threads` None leaves PyTorch's alone (not on a CPU); `name` is the engine's in the rows."""

    def __init__(self, threads: int | None, name: str) -> None:
        self._threads, self._name = threads, name
        if threads is not None:
            # Before anything that is handed over brings PyTorch along: products are laid out for so many threads as it finds here.
            os.environ["OMP_NUM_THREADS"] = str(threads)

    def begin(self, sources: Mapping[str, PairSource]) -> dict[str, str]:
        """Make ready to load these pairs, by their drafts, when they are needed; the versions that this process's numbers depend on."""
        import ray
        import torch

        from specdemo.lab.sweep_engine import LocalEngine
        from specdemo.trace.run import versions

        if self._threads is not None:
            torch.set_num_threads(self._threads)
        self._engine = LocalEngine(lambda draft: sources[draft].load(ray.get))
        return versions()

    def measure(self, cell: Cell) -> Row:
        """The cell's row, by the local engine."""
        row: dict[str, Any] = next(self._engine.run(iter([cell]), lambda: False))
        return {**row, "engine": self._name}
