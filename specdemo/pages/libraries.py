"""PyTorch and transformers, imported by one thread at a time.

transformers imports its parts when they are first asked for: a second thread that asks meanwhile is told that there is no such name.
"""

from __future__ import annotations

import threading

_lock = threading.Lock()


def import_libraries() -> None:
    """Import what decodes, once; whoever comes meanwhile waits for some seconds, afterwards nobody."""
    with _lock:
        import specdemo.decoding
        import specdemo.decoding.laws  # noqa: F401
