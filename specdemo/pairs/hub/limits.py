"""How large a model that a visitor names may be, and how much of the disk all of them may take: the operator says so.

Everything else that bounds such a model follows from the bytes of one model (claims.py, weights.py).
"""

from __future__ import annotations

import math
import os

GIGABYTE = 1_000_000_000
# 1.7 billion weights in bfloat16, twice.
MODEL_GB = 6.0
# Three pairs in memory (pages/models.py) of a usual size, or one of the largest and some more.
DISK_GB = 20.0
_MOST_GB = 100_000.0


def most_bytes() -> int:
    """The most bytes that one model may have: SPECDEMO_HUB_MODEL_GB, else 6 GB. SystemExit with a sentence where that is no such number."""
    return _bytes("SPECDEMO_HUB_MODEL_GB", MODEL_GB, "the gigabytes that one model may have")


def most_weights() -> int:
    """The most weights that one model may have: a weight is two bytes at least."""
    return most_bytes() // 2


def disk_bytes() -> int:
    """What all of them may take of the disk: SPECDEMO_HUB_DISK_GB, else 20 GB. SystemExit as above."""
    return _bytes("SPECDEMO_HUB_DISK_GB", DISK_GB, "the gigabytes of disk that models which visitors name may take")


def check_limits() -> None:
    """SystemExit where the operator has set one of them to what is no such number: said when a server starts, not to its first visitor."""
    most_bytes()
    disk_bytes()


def gigabytes(count: float) -> str:
    """A number of bytes as people read it.

    >>> gigabytes(6e9), gigabytes(2.46e9), gigabytes(3_200_000), gigabytes(900)
    ('6 GB', '2.5 GB', '3.2 MB', '900 bytes')
    """
    for unit, name in ((GIGABYTE, "GB"), (1_000_000, "MB"), (1_000, "kB")):
        if count >= unit:
            return f"{count / unit:,.1f}".removesuffix(".0") + f" {name}"
    return f"{count:,.0f} bytes"


def _bytes(name: str, without: float, what: str) -> int:
    text = os.environ.get(name, "").strip()
    if not text:
        return int(without * GIGABYTE)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number <= _MOST_GB:
        raise SystemExit(
            f"{name} is {text!r}: it must be {what}, above 0 and at most {_MOST_GB:,.0f}, or nothing for {without:.0f}"
        )
    return int(number * GIGABYTE)
