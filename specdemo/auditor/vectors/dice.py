"""Pseudo-random integers that are the same in every language and every version: the 32-bit finaliser of MurmurHash3, on a counter.

    h = h xor (h >> 16);  h = h · 0x85ebca6b;  h = h xor (h >> 13);  h = h · 0xc2b2ae35;  h = h xor (h >> 16)        (mod 2³²)

`recipe_weights` makes the laws of a large vocabulary from a seed, as the README of the vectors states for other languages.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from specdemo.auditor.vectors.laws import ExactLaw

ROW_STRIDE = 0x9E3779B9
LARGEST_COMMON = 65536


def fmix32(h: int) -> int:
    """MurmurHash3's finaliser of a 32-bit integer.

    >>> fmix32(0), fmix32(1), fmix32(2**32 - 1)
    (0, 1364076727, 2180083513)
    """
    h ^= h >> 16
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    h = h * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ (h >> 16)


class Dice:
    """A stream of integers from a seed: number n is fmix32(seed · 0x9E3779B9 + n)."""

    def __init__(self, seed: int) -> None:
        self._next = seed * ROW_STRIDE & 0xFFFFFFFF

    def below(self, count: int) -> int:
        """An integer in 0 … count − 1 (the bias of a division of 2³² is of no matter here)."""
        self._next = (self._next + 1) & 0xFFFFFFFF
        return fmix32(self._next) * count >> 32

    def drawn(self, law: ExactLaw) -> int:
        """A symbol drawn from a law."""
        place = self.below(law.total)
        for v, weight in enumerate(law.weights):
            place -= weight
            if place < 0:
                return v
        raise AssertionError("a law's weights sum to its total")


def recipe_weights(seed: int, row: int, vocab_size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Integer weights (V,) of the draft's and the target's law at position `row` of the recipe `seed`.

    h = fmix32(seed + row · 0x9E3779B9 + v mod 2³²); common = min(h & −h, 65536) (its lowest set bit; 0 for h = 0);
    the draft's weight is common · ((h >> 24) & 15), the target's common · ((h >> 20) & 15).
    """
    h = ((seed + row * ROW_STRIDE) % 2**32 + np.arange(vocab_size, dtype=np.uint64)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    h = h * np.uint64(0x85EBCA6B) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(13)
    h = h * np.uint64(0xC2B2AE35) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    whole = h.astype(np.int64)
    common = np.minimum(whole & -whole, LARGEST_COMMON)
    return common * (whole >> 24 & 15), common * (whole >> 20 & 15)


def recipe_law(seed: int, row: int, vocab_size: int) -> tuple[ExactLaw, ExactLaw]:
    """The two laws (draft, target) of a recipe at one position."""
    draft, target = recipe_weights(seed, row, vocab_size)
    return ExactLaw(tuple(draft.tolist())), ExactLaw(tuple(target.tolist()))
