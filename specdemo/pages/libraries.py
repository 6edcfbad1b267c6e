"""PyTorch and transformers, imported by one thread at a time.

transformers imports its parts when they are first asked for: a second thread that asks meanwhile is told that there is no such name.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from specdemo.locks import ForkSafeLock

if TYPE_CHECKING:
    from specdemo.decoding.recorder import Captures

_lock = ForkSafeLock()


def import_libraries() -> None:
    """Import what decodes, once; whoever comes meanwhile waits for some seconds, afterwards nobody."""
    with _lock:
        import specdemo.decoding
        import specdemo.decoding.laws  # noqa: F401


def known_captures() -> Captures | None:
    """What is known of capturing CUDA graphs, without importing anything for the question; None before anything could be captured."""
    return getattr(sys.modules.get("specdemo.decoding.recorder"), "captures", None)
