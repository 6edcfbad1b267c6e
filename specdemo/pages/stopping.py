"""How the server ends: asked by SIGTERM or Ctrl-C, in a bounded time, with exit status 0."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

# What a run may still take when the server is asked to end, and for how long all of it may go on: a container is killed after ten seconds.
PATIENCE_SECONDS = 3.0
LIMIT_SECONDS = 9.0


def patience() -> float:
    """Seconds that running requests are given when the server is asked to end: SPECDEMO_PATIENCE, else 3."""
    try:
        return min(max(float(os.environ.get("SPECDEMO_PATIENCE", "")), 0.0), 3600.0)
    except ValueError:
        return PATIENCE_SECONDS


def wait_for_the_end(stop: Callable[[float], None]) -> None:
    """Waits until the process is asked to end, then calls `stop` with the patience there is; in the main thread alone.

    SIGTERM is an orderly end; Ctrl-C has no patience, and a second one ends the process at once. Whatever hangs, the process ends with status 0.
    """
    asked = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        asked.set()

    signal.signal(signal.SIGTERM, end)  # for good: whoever asks twice does not mean the process to be killed
    seconds = patience()
    try:
        while not asked.wait(0.5):  # a wait without a limit would not let signals through on every system
            pass
    except KeyboardInterrupt:
        seconds = 0.0
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(0))
    last = threading.Timer(seconds + LIMIT_SECONDS - PATIENCE_SECONDS, os._exit, (0,))
    last.daemon = True
    last.start()
    stop(seconds)
