"""Locks that a forked process finds free, whoever held them in its parent at that moment: the holding thread is not there to let go.

Where GPUs are lent, each call runs in a process that is forked from a server in the middle of its work.
"""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType

_all: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()


class ForkSafeLock:
    """A context manager like threading.RLock. What it protects has to be right at every moment for whoever only reads it."""

    def __init__(self) -> None:
        self.renew()
        _all.add(self)

    def renew(self) -> None:
        """Be free, whoever holds it."""
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._lock.release()


def _renew_all() -> None:
    for lock in list(_all):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
