"""Runs that stand between two steps, so that the next step need not read the whole text again.

Only a saving: what is kept can always be rebuilt from the request that asks for it, and only a request that says exactly
what the kept run would have said itself gets it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from specdemo.trace import BlockRecord, RunState

KEPT_RUNS = 4


@dataclass(frozen=True)
class _Standing:
    state: RunState
    records: Iterator[BlockRecord]


class Continuations:
    """The last few runs, by what they decode with (`key`: pair, settings) and where they stand."""

    def __init__(self, kept: int = KEPT_RUNS) -> None:
        self._kept = kept
        self._lock = threading.Lock()
        self._runs: OrderedDict[tuple[Hashable, str], _Standing] = OrderedDict()

    def keep(self, key: Hashable, state: RunState, records: Iterator[BlockRecord]) -> None:
        """Keep a run that stands at `state`; the one that was not asked for longest goes."""
        with self._lock:
            self._runs[key, state.digest] = _Standing(state, records)
            self._runs.move_to_end((key, state.digest))
            while len(self._runs) > self._kept:
                self._runs.popitem(last=False)

    def take(self, key: Hashable, state: RunState) -> Iterator[BlockRecord] | None:
        """The run that stands exactly at `state`, handed over; None if there is none."""
        with self._lock:
            standing = self._runs.get((key, state.digest))
            if standing is None or standing.state != state:
                return None
            del self._runs[key, state.digest]
            return standing.records
