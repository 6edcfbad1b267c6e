"""A watch over a subject that is asked in this process: one that never answers must not hang the audit without a word."""

from __future__ import annotations

import _thread
import ctypes
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from specdemo.auditor.questions import CouldNotRun, Question, spelled
from specdemo.auditor.raising import raised_at

# Seconds without an answer that are worth a word, and between two attempts to interrupt.
_WORTH_A_WORD, _BETWEEN = 2.0, 1.0
# After so many attempts the subject is one that catches every interrupt.
_ATTEMPTS = 5
# What happens then: the command line ends the process, a library must not.
give_up: Callable[[str], None] | None = None


class Overdue(BaseException):
    """Raised inside a subject that has been silent for too long; no Exception, so that it is not taken for one of its own."""


class Watch:
    """Which questions are on their way, and since when. `timeout` is how many seconds one call may last (None: any)."""

    def __init__(
        self, name: str = "", timeout: float | None = None, progress: Callable[[str], None] | None = None
    ) -> None:
        if timeout is not None and not 0 < timeout <= threading.TIMEOUT_MAX:
            raise ValueError(f"timeout is {timeout}: it must be a positive number of seconds")
        self.name, self.timeout = name, timeout
        self.overdue: Sequence[Question] = ()
        self._progress = progress or (lambda text: None)
        self._waiting: tuple[float, Sequence[Question]] | None = None
        self._stopped = threading.Event()

    def begins(self, questions: Sequence[Question]) -> None:
        """A call with these questions is made now."""
        self._waiting = time.monotonic(), questions

    def ends(self) -> None:
        """The call has returned or raised."""
        self._waiting = None

    def stop(self) -> None:
        self._stopped.set()

    def keep(self, thread: int) -> None:
        """Look at the clock until it is stopped; interrupt the thread that asks where its call lasts too long."""
        attempts = 0
        while not self._stopped.wait(_BETWEEN if self.timeout is None else min(_BETWEEN, self.timeout / 4)):
            waiting = self._waiting
            if waiting is None:
                continue
            since, questions = waiting
            lasts = time.monotonic() - since
            if lasts > _WORTH_A_WORD:
                self._progress(f"no answer for {lasts:.0f} s to {spelled(questions[0])}")
            if self.timeout is None or lasts < self.timeout + attempts * _BETWEEN:
                continue
            self.overdue = questions
            attempts += 1
            if attempts > _ATTEMPTS and give_up is not None:
                give_up(self.sentence())
            _interrupt(thread)

    def sentence(self, place: str = "") -> str:
        """What is said of a subject that is overdue; `place` is where it was interrupted."""
        first, others = self.overdue[0], len(self.overdue) - 1
        more = f" (and {others} more blocks in the same call)" if others else ""
        return f"{self.name} gave no answer for {self.timeout:g} s{place} to {spelled(first)}{more}"


@contextmanager
def watched(name: str, timeout: float | None, progress: Callable[[str], None] | None) -> Iterator[Watch]:
    """A watch over what is asked in this thread meanwhile. Raises ValueError on a wrong timeout, CouldNotRun where a call lasts longer."""
    watch = Watch(name, timeout, progress)
    if timeout is None and progress is None:
        yield watch
        return
    keeper = threading.Thread(target=watch.keep, args=(threading.get_ident(),), daemon=True)
    keeper.start()
    try:
        try:
            yield watch
        finally:
            watch.stop()
            keeper.join()
    except (KeyboardInterrupt, Overdue) as error:
        if not watch.overdue:
            raise  # somebody pressed Ctrl-C
        raise CouldNotRun(watch.sentence(raised_at(error))) from None


def _interrupt(thread: int) -> None:
    if thread == threading.main_thread().ident and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # A real signal also ends a sleep, or a wait for a lock.
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(thread, signal.SIGINT)
        else:
            _thread.interrupt_main()
    else:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Overdue))
