"""A subject that ends the process would end the audit as if all were well."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

_leave = os._exit
_lock = threading.Lock()
# How often each thread of a process may not leave: audits run in several threads at a time, and one within another.
_held: Counter[tuple[int, int]] = Counter()


def _refuses(status: int) -> NoReturn:
    if (os.getpid(), threading.get_ident()) in _held:
        raise SystemExit(f"os._exit({status})")
    _leave(status)


@contextmanager
def no_way_out() -> Iterator[None]:
    """Meanwhile `os._exit` raises SystemExit in this thread; other threads, and processes forked from this one, end as always."""
    here = os.getpid(), threading.get_ident()
    with _lock:
        _held[here] += 1
        os._exit = _refuses
    try:
        yield
    finally:
        with _lock:
            _held[here] -= 1
            if not _held[here]:
                del _held[here]
            if not _held:
                os._exit = _leave
