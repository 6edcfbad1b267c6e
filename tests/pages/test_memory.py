"""Free memory goes back to the system, but not all the time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from specdemo.arrays import FloatArray
from specdemo.pages.memory import Spare, _trim

here = pytest.mark.skipif(
    _trim() is None or not Path("/proc/self/statm").exists(), reason="the C library or the system has no such thing"
)


def resident() -> float:
    """Megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@here
def test_what_other_threads_have_freed_is_given_back() -> None:
    kept: list[FloatArray] = []

    def work() -> None:
        many = [np.ones(2000) for _ in range(6000)]
        kept.extend(many[::100])  # holes everywhere: the allocator alone cannot give anything back

    spare = Spare(every=0.0)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    before = resident()
    assert spare.give_back() and before - resident() > 50
    assert len(kept) == 60


@here
def test_it_is_done_once_in_a_while() -> None:
    now = [0.0]
    spare = Spare(every=10.0, clock=lambda: now[0])
    done = []
    for now[0] in (1.0, 9.9, 10.0, 15.0, 19.9, 20.0):
        done.append(spare.give_back())
    assert done == [False, False, True, False, False, True]
