"""Tests whose p-values are bounds at every sample size, in memory that does not grow with the log.

A discrete observation z with law p becomes uniform by the randomised probability integral transform
Σ_{key(v) < key(z)} p(v) + U Σ_{key(v) = key(z)} p(v), for any ordering `key` chosen before z is looked at. The values are
binned, and the Dvoretzky–Kiefer–Wolfowitz inequality with Massart's constant bounds the Kolmogorov–Smirnov distance:
P(distance ≥ d) ≤ 2 exp(−2 n d²). A sum of centred counts is bounded by Freedman's inequality, a count of events that
should be impossible by Chernoff's. None of them asks for independence of later observations from earlier laws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from specdemo.arrays import FloatArray, IntArray

_BINS = 1024


def placed(laws: FloatArray, tokens: IntArray, keys: FloatArray, noise: FloatArray) -> FloatArray:
    """The randomised transform (n,) of `tokens` (n,) under `laws` (n, V), ordered by `keys` (n, V), with `noise` (n,) in [0, 1).

    >>> placed(np.array([[0.25, 0.75]]), np.array([1]), np.array([[0.0, 1.0]]), np.array([0.5])).tolist()
    [0.625]
    """
    own = keys[np.arange(len(tokens)), tokens][:, None]
    lower = np.where(keys < own, laws, 0.0).sum(axis=1)
    mass = np.where(keys == own, laws, 0.0).sum(axis=1)
    return np.clip(lower + noise * mass, 0.0, 1.0)


@dataclass
class UniformPool:
    """Values that must be uniform on [0, 1]."""

    counts: IntArray = field(default_factory=lambda: np.zeros(_BINS, dtype=np.int64))
    size: int = 0

    def add(self, values: FloatArray) -> None:
        """Take in values (n,); what is not a number comes from a law that is none, and counts as impossible, at 0."""
        values = np.nan_to_num(values, nan=0.0)
        bins = np.minimum((values * _BINS).astype(np.int64), _BINS - 1)
        np.add.at(self.counts, bins, 1)
        self.size += len(values)

    def distance(self) -> float:
        """The greatest difference between the empirical and the uniform distribution function, at the bins' edges."""
        if not self.size:
            return 0.0
        edges = np.arange(1, _BINS + 1) / _BINS
        return float(np.abs(np.cumsum(self.counts) / self.size - edges).max())

    def p_value(self) -> float:
        """An upper bound on the probability of so great a distance."""
        return min(1.0, 2 * math.exp(-2 * self.size * self.distance() ** 2))


@dataclass
class CentredSum:
    """A sum of observations minus their expectations."""

    total: float = 0.0
    variance: float = 0.0
    largest: float = 0.0
    size: int = 0

    def add(self, difference: float, variance: float, largest: float) -> None:
        """Take in one difference whose absolute value is at most `largest`."""
        self.total += difference
        self.variance += variance
        self.largest = max(self.largest, largest)
        self.size += 1

    def p_value(self) -> float:
        """An upper bound on the probability of so great a sum."""
        if self.total == 0:
            return 1.0
        bound = self.variance + self.largest * abs(self.total) / 3
        return min(1.0, 2 * math.exp(-(self.total**2) / (2 * bound)))


@dataclass
class RareEvents:
    """Events of probability 0 under the laws as logged; `allowed` is how many rounding of the laws would let one expect."""

    count: int = 0
    allowed: float = 0.0
    first: str | None = None
    first_line: int | None = None

    def add(self, line: int, text: str) -> None:
        """One has happened, on that line."""
        if not self.count:
            self.first, self.first_line = text, line
        self.count += 1

    def p_value(self) -> float:
        """An upper bound on the probability of so many."""
        if self.count <= self.allowed:
            return 1.0
        exponent = self.count - self.allowed + self.count * math.log(max(self.allowed, 1e-300) / self.count)
        return min(1.0, math.exp(exponent))


def resolution(size: int, level: float) -> float:
    """The distance between two distribution functions that `size` observations at `level` find with about even odds."""
    return min(1.0, math.sqrt(math.log(2 / level) / (2 * size))) if size else 1.0
