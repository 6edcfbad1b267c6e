"""Memory that is free goes back to the system: what runs in several threads leave behind adds up in the allocator, though nothing holds it."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any

# One pass takes milliseconds, and what it gives back has to be fetched again.
EVERY_SECONDS = 5.0


def _trim() -> Callable[[int], Any] | None:
    """glibc's way to do it; None where the C library has none."""
    try:
        found: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return found


class Spare:
    """Gives free memory back, at most once in `every` seconds. Safe to use from several threads."""

    def __init__(self, every: float = EVERY_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._every, self._clock, self._trim = every, clock, _trim()
        self._lock = threading.Lock()
        self._last = clock()

    def give_back(self) -> bool:
        """Do so now, unless it was done a moment ago or cannot be done here; whether it was."""
        with self._lock:
            if self._trim is None or self._clock() - self._last < self._every:
                return False
            self._last = self._clock()
        self._trim(0)
        return True
