"""A lock that is given in the order of asking: who works call by call for minutes must not keep others from their one block."""

from __future__ import annotations

import threading
import time
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specdemo.pairs import Pair


class Turns:
    """Like threading.Lock, but fair. Python's own may be taken again by who has just let it go, however long others wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()
        self._held = False

    def acquire(self, timeout: float | None = None) -> bool:
        """Wait for one's turn, at most `timeout` seconds; whether it came."""
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
            got = self._changed.wait_for(lambda: not self._held and self._waiting[0] is ticket, timeout)
            self._waiting.remove(ticket)
            if got:
                self._held = True
            else:
                self._changed.notify_all()  # the next one may be first now
            return got

    def release(self) -> None:
        """Let the next one have its turn; RuntimeError if nobody has it."""
        with self._changed:
            if not self._held:
                raise RuntimeError("a turn is given back that nobody has")
            self._held = False
            self._changed.notify_all()

    def __enter__(self) -> Turns:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()


class PairTurn:
    """Turns in which one pair works, with the number of threads that suits it: the one before may have been another pair's.

    A context manager that can be entered any number of times, also from different threads: PyTorch counts threads for each of them.
    `seconds` is how long all these turns took, without the waiting for them.
    """

    def __init__(self, turns: Turns, pair: Pair) -> None:
        self._turns, self._pair = turns, pair
        self.seconds = self._since = 0.0

    def __enter__(self) -> None:
        from specdemo.decoding.threads import use_fitting_threads

        self._turns.acquire()
        self._since = time.monotonic()
        try:
            use_fitting_threads(self._pair)
        except BaseException:
            self._turns.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.seconds += time.monotonic() - self._since
        self._turns.release()
