"""What a command says while a pair is loaded."""

from __future__ import annotations

import sys


def tell_slow_steps(text: str, fraction: float | None) -> None:
    """Progress of `load_pair`: on standard error, and only what takes long (there is no fraction then)."""
    if fraction is None:
        print(f"{text} …", file=sys.stderr, flush=True)
