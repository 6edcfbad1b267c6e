"""The residual (s T − D)₊ over a whole vocabulary, reading each row from memory once."""

from __future__ import annotations

import numpy as np

from specdemo.arrays import FloatArray

# The scratch stays in a core's first cache, and below the size from which allocators ask the system for fresh pages each time.
CHUNK = 1 << 13


def residual_mass(scale: float, target: FloatArray, draft: FloatArray) -> float:
    """Σ_v (scale · target(v) − draft(v))₊ for two rows (V,), piece by piece where they are long.

    >>> residual_mass(0.5, np.array([0.2, 0.8]), np.array([0.9, 0.1])).__round__(12)
    0.3
    """
    size = len(target)
    if size <= CHUNK:
        return float(np.maximum(scale * target - draft, 0.0).sum())
    scratch = np.empty(CHUNK)
    total = 0.0
    for start in range(0, size, CHUNK):
        piece = target[start : start + CHUNK]
        part = scratch[: len(piece)]
        np.multiply(piece, scale, out=part)
        np.subtract(part, draft[start : start + CHUNK], out=part)
        np.maximum(part, 0.0, out=part)
        total += float(part.sum())
    return total


def residual_row(scale: float, target: FloatArray, draft: FloatArray) -> FloatArray:
    """The residual (V,) itself, in one fresh array and no other: for long rows fresh memory costs more than arithmetic."""
    residual = np.multiply(target, scale)
    residual -= draft
    return np.maximum(residual, 0.0, out=residual)
