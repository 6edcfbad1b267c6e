"""The residual (s T − D)₊ over a whole vocabulary, reading each row from memory once."""

from __future__ import annotations

import threading

import numpy as np

from specdemo.arrays import FloatArray

# A piece and its scratch stay in a core's second cache; larger pieces are not faster, smaller ones cost more calls.
CHUNK = 1 << 15
# Beside an array numpy takes several numbers at a time, beside a single 0 one after the other: three times as long.
_ZEROS = np.zeros(CHUNK)
_ZEROS.flags.writeable = False
_own = threading.local()


def scratch(count: int) -> FloatArray:
    """This thread's `count` ≤ CHUNK numbers to work in, always the same memory: fresh pages cost more than the arithmetic on them."""
    if not hasattr(_own, "numbers"):
        _own.numbers = np.empty(CHUNK)
    numbers: FloatArray = _own.numbers
    return numbers[:count]


def residual_mass(scale: float, target: FloatArray, draft: FloatArray) -> float:
    """Σ_v (scale · target(v) − draft(v))₊ for two rows (V,), piece by piece where they are long.

    >>> residual_mass(0.5, np.array([0.2, 0.8]), np.array([0.9, 0.1])).__round__(12)
    0.3
    """
    if len(target) <= CHUNK:
        return float(np.add.reduce(_residual(scale, target, draft, scratch(len(target)))))
    total = 0.0
    for start in range(0, len(target), CHUNK):
        total += residual_mass(scale, target[start : start + CHUNK], draft[start : start + CHUNK])
    return total


def residual_row(scale: float, target: FloatArray, draft: FloatArray) -> FloatArray:
    """The residual (V,) itself, in one fresh array and no other: for long rows fresh memory costs more than arithmetic."""
    row = np.empty(len(target))
    for start in range(0, len(target), CHUNK):
        piece = slice(start, start + CHUNK)
        _residual(scale, target[piece], draft[piece], row[piece])
    return row


def _residual(scale: float, target: FloatArray, draft: FloatArray, out: FloatArray) -> FloatArray:
    """The residual of at most CHUNK tokens, in `out`."""
    if scale != 1.0:  # the usual scale, by which nothing changes
        target = np.multiply(target, scale, out=out)
    np.subtract(target, draft, out=out)
    return np.maximum(out, _ZEROS[: len(out)], out=out)
