"""Beginnings of texts that were read before: keys and values of whole pieces, shared by all runs of a process.

A long prompt (a chat template, a pasted page, a run that is resumed) is read once, and again only after it has been forgotten. Only whole
pieces of PIECE tokens are kept, each read by a pass of its own whether it is found here or not: the numbers are the same, to the bit.
Shorter texts are read in one pass and never kept. What is kept is bounded in bytes; what was not used for longest goes first.
"""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Sequence

from torch import Tensor

PIECE = 128
MOST_BYTES = 128 * 2**20

_Key = tuple[object, bytes]


class Prefixes:
    """Keys and values (layers, 2 · heads, PIECE, head size) of the last piece of a beginning, by the weights' name and all its ids."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[_Key, Tensor] = OrderedDict()
        self._lock = threading.Lock()
        self.bytes = 0

    def get(self, weights: object, ids: Sequence[int]) -> Tensor | None:
        """The states of the last PIECE of these ids, not to be changed; None where they are not known."""
        key = _key(weights, ids)
        with self._lock:
            states = self._kept.get(key)
            if states is not None:
                self._kept.move_to_end(key)
        return states

    def keep(self, weights: object, ids: Sequence[int], states: Tensor) -> None:
        """Remember them, and forget what was not used for longest where there is no room."""
        size = states.nbytes
        if size > self._most:
            return
        key = _key(weights, ids)
        with self._lock:
            if key in self._kept:  # another run was as fast
                return
            self._kept[key] = states
            self.bytes += size
            while self.bytes > self._most:
                self.bytes -= self._kept.popitem(last=False)[1].nbytes

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0


def _key(weights: object, ids: Sequence[int]) -> _Key:
    return weights, array("q", ids).tobytes()
