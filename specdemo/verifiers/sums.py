"""The residual (s T − D)₊ over a whole vocabulary, reading each row from memory once."""

from __future__ import annotations

import itertools
import threading

import numpy as np

from specdemo.arrays import FloatArray

# A piece and its scratch about fill a core's second cache; smaller pieces cost more calls, and every one of them starts reading anew.
CHUNK = 5 << 14
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


def residual_sums(scale: float, target: FloatArray, draft: FloatArray) -> tuple[float, ...]:
    """Σ_v (scale · target(v) − draft(v))₊ for two rows (V,), one sum for each piece of CHUNK tokens.

    >>> [round(part, 12) for part in residual_sums(0.5, np.array([0.2, 0.8]), np.array([0.9, 0.1]))]
    [0.3]
    """
    if len(target) <= CHUNK:
        return (float(np.add.reduce(_residual(scale, target, draft, scratch(len(target))))),)
    starts = range(0, len(target), CHUNK)
    return tuple(residual_sums(scale, target[i : i + CHUNK], draft[i : i + CHUNK])[0] for i in starts)


def running(sums: tuple[float, ...]) -> list[float]:
    """The sums up to and with each piece, added from the left: Python's `sum` adds otherwise from version to version."""
    return [*itertools.accumulate(sums)]


def residual_piece(scale: float, target: FloatArray, draft: FloatArray, place: int) -> FloatArray:
    """The residual of the piece number `place`, in this thread's scratch memory."""
    piece = slice(place * CHUNK, (place + 1) * CHUNK)
    return _residual(scale, target[piece], draft[piece], scratch(len(target[piece])))


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
