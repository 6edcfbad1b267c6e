"""Runs that stand between two steps, so that the next step need not read the whole text again.

Only a saving: what is kept can always be rebuilt from the request that asks for it, and only a request that says exactly
what the kept run would have said itself gets it. So it may be bounded: by bytes, in all and of one visitor.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specdemo.sentences import sentence
from specdemo.trace import BlockRecord, RunState

if TYPE_CHECKING:
    from specdemo.decoding import Decoding

# Forty runs of the pair that ships, ten of one visitor: a text of at most 128 tokens takes 4 MB there.
MOST_BYTES = 160 * 2**20
MOST_BYTES_EACH = 40 * 2**20
# Of so many that had to go it is remembered that they were there.
REMEMBERED = 1000
GONE = sentence("read_again")

# A run's caches aside: its head, the ids in three places, what Python needs for all that.
_AROUND_BYTES, _ID_BYTES = 50_000, 64


class StandingRun:
    """A run, block by block."""

    def __init__(self, decoding: Decoding) -> None:
        self._decoding = decoding
        self._records = iter(decoding)

    def block(self) -> BlockRecord | None:
        """The next one; None at the end."""
        return next(self._records, None)

    def nbytes(self) -> int:
        """Bytes of its caches."""
        return self._decoding.nbytes()


@dataclass(frozen=True)
class _Kept:
    state: RunState
    run: StandingRun
    visitor: str
    bytes: int


_Key = tuple[Hashable, str]


class Continuations:
    """The last runs, by what they decode with (`key`: pair, settings) and where they stand. Safe to use from several threads.

    Beyond the bounds those go that were not asked for longest; a visitor's newest stays, however large, until another visitor's comes.
    """

    def __init__(self, most_bytes: int = MOST_BYTES, most_bytes_each: int = MOST_BYTES_EACH) -> None:
        self._most, self._each = most_bytes, most_bytes_each
        self._lock = threading.Lock()
        self._runs: OrderedDict[_Key, _Kept] = OrderedDict()
        self._gone: OrderedDict[int, None] = OrderedDict()
        self._of: Counter[str] = Counter()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._runs)

    def bytes_of(self, visitor: str) -> int:
        """Bytes of what is kept for a visitor."""
        return self._of[visitor]

    def keep(self, key: Hashable, state: RunState, run: StandingRun, visitor: str = "") -> None:
        """Keep a run that stands at `state`; others go where there is no room."""
        size = run.nbytes() + _AROUND_BYTES + _ID_BYTES * len(state.ids)
        name = (key, state.digest)
        with self._lock:
            if name in self._runs:  # somebody else's, at the same place
                self._remove(name)
            self._runs[name] = _Kept(state, run, visitor, size)
            self._of[visitor] += size
            self.bytes += size
            self._make_room(lambda: self._of[visitor] > self._each, name, lambda kept: kept.visitor == visitor)
            self._make_room(lambda: self.bytes > self._most, name, lambda kept: True)

    def take(self, key: Hashable, state: RunState) -> StandingRun | None:
        """The run that stands exactly at `state`, handed over; None if there is none."""
        name = (key, state.digest)
        with self._lock:
            kept = self._runs.get(name)
            if kept is None or kept.state != state:
                return None
            return self._remove(name).run

    def had_to_go(self, key: Hashable, state: RunState) -> bool:
        """Whether a run that stood here was kept, and went because there was no room."""
        with self._lock:
            return hash((key, state.digest)) in self._gone

    def forget(self, chosen: Callable[[Hashable], bool]) -> None:
        """Forget all runs whose key is chosen: they hold on to a pair that is no longer wanted."""
        with self._lock:
            for name in [name for name in self._runs if chosen(name[0])]:
                self._remove(name)

    def _make_room(self, needed: Callable[[], bool], newest: _Key, may_go: Callable[[_Kept], bool]) -> None:
        if not needed():
            return
        for name in [name for name, kept in self._runs.items() if name != newest and may_go(kept)]:
            if not needed():
                break
            self._remove(name)
            self._gone[hash(name)] = None
        while len(self._gone) > REMEMBERED:
            self._gone.popitem(last=False)

    def _remove(self, name: _Key) -> _Kept:
        kept = self._runs.pop(name)
        self._of[kept.visitor] -= kept.bytes
        if not self._of[kept.visitor]:
            del self._of[kept.visitor]
        self.bytes -= kept.bytes
        return kept
