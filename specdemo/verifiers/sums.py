"""The residual (s T − D)₊ over a whole vocabulary, reading each row from memory once."""

from __future__ import annotations

import threading

import numpy as np

from specdemo.arrays import FloatArray

# A piece and its scratch stay in a core's second cache; larger pieces are not faster, smaller ones cost more calls.
CHUNK = 1 << 15
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
    total = 0.0
    for start in range(0, len(target), CHUNK):
        piece = target[start : start + CHUNK]
        part = scratch(len(piece))
        if scale != 1.0:  # the usual scale, by which nothing changes
            piece = np.multiply(piece, scale, out=part)
        np.subtract(piece, draft[start : start + CHUNK], out=part)
        np.maximum(part, 0.0, out=part)
        total += float(np.add.reduce(part))
    return total


def residual_row(scale: float, target: FloatArray, draft: FloatArray) -> FloatArray:
    """The residual (V,) itself, in one fresh array and no other: for long rows fresh memory costs more than arithmetic."""
    residual = np.multiply(target, scale)
    residual -= draft
    return np.maximum(residual, 0.0, out=residual)
