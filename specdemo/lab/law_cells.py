"""Counts of pairs against their law: which pairs are counted, and what chance alone would show.

The pairs are chosen from the target's law before anything is counted. Chosen afterwards, by what was seen often, the test would find a bias
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.lab.law_blocks import TokenPair
from specdemo.trace.tops import top_ids

MOST_CELLS, FEWEST_CELLS = 24, 8
SIMULATED = 2000
HIGH = 0.95
# What is left over by rounding when the cells are everything.
_NOTHING = 1e-12


@dataclass(frozen=True)
class Cells:
    """The pairs that are counted and their probabilities (k,) under the target; all others are one cell of probability `rest`."""

    pairs: list[TokenPair]
    target: FloatArray
    rest: float

    @property
    def law(self) -> FloatArray:
        """The probabilities (k + 1,), the rest last; they sum to 1."""
        law = np.append(self.target, self.rest)
        return law / law.sum()


def likeliest_pairs(first: FloatArray, law_after: Callable[[int], FloatArray], samples: int) -> Cells:
    """The most probable pairs T(a) T(b│a), the highest first, from T (V,) of the first token and `law_after(a)` (V,) of the second.

    Up to 24 that are expected at least once in `samples`, but not fewer than 8; at most 24 first tokens are looked at, the likeliest.
    """
    found: list[tuple[float, int, int]] = []
    for a in top_ids(first, MOST_CELLS).tolist():
        # T(b│a) ≤ 1: no pair that begins with a less likely token can come before the last of these.
        if len(found) == MOST_CELLS and first[a] <= -found[-1][0]:
            break
        after = law_after(a)
        found += [(-float(first[a] * after[b]), a, b) for b in top_ids(after, MOST_CELLS).tolist()]
        found = sorted(found)[:MOST_CELLS]
    often = sum(-negative * samples >= 1 for negative, _, _ in found)
    kept = found[: max(often, FEWEST_CELLS)]
    target = np.array([-negative for negative, _, _ in kept])
    rest = 1.0 - float(target.sum())
    return Cells([(a, b) for _, a, b in kept], target, rest if rest > _NOTHING else 0.0)


@dataclass
class PairCounts:
    """How often each of k cells, something else (the rest), and among that what T never emits, has been decoded."""

    place: dict[TokenPair, int]
    counts: IntArray = field(init=False)
    impossible: int = 0

    def __post_init__(self) -> None:
        self.counts = np.zeros(len(self.place) + 1, dtype=np.int64)

    def add(self, pair: TokenPair, possible: bool) -> None:
        """Count one pair."""
        self.counts[self.place.get(pair, -1)] += 1
        self.impossible += not possible


class ChanceTest:
    """Compares counts of independent draws with their law (k,), by what 2,000 simulated counts of the same size look like.

    Simulated, the test holds for rare cells too, where the χ² distribution does not. Its seed is fixed, so that a record is reproducible.
    """

    def __init__(self, law: FloatArray, simulated: int = SIMULATED) -> None:
        self._law, self._simulated = law, simulated
        # All rules have been counted equally often: what chance shows is the same for them.
        self._by_chance = lru_cache(maxsize=1)(self._simulate)

    def judge(self, counts: Sequence[int] | IntArray, impossible: int = 0) -> dict[str, Any]:
        """`tv` from the law, `tv_by_chance` {mean, high (95 %)}, the χ² `statistic` and its `p_value` (1 + #{simulated ≥ it}) / (1 + 2,000).

        All of them None before anything is counted; `p_value` 0 where something was counted that the law makes impossible.
        """
        drawn = np.asarray(counts)
        total = int(drawn.sum())
        if total == 0:
            return {"tv": None, "tv_by_chance": None, "statistic": None, "p_value": None}
        statistic, distance = (float(values[0]) for values in self._compared(drawn[None]))
        statistics, distances = self._by_chance(total)
        # Equal counts give equal numbers but for the order in which they were summed.
        as_large = int((statistics >= statistic * (1 - 1e-9)).sum())
        return {
            "tv": distance,
            "tv_by_chance": {"mean": float(distances.mean()), "high": float(np.quantile(distances, HIGH))},
            "statistic": statistic,
            "p_value": 0.0 if impossible else (1 + as_large) / (1 + self._simulated),
        }

    def _simulate(self, total: int) -> tuple[FloatArray, FloatArray]:
        return self._compared(np.random.default_rng(0).multinomial(total, self._law, size=self._simulated))

    def _compared(self, counts: IntArray) -> tuple[FloatArray, FloatArray]:
        """χ² and total variation (n,) of counts (n, k). A cell of probability 0 is left to `impossible`."""
        expected = counts.sum(axis=1, keepdims=True) * self._law
        deviations = counts - expected
        positive = self._law > 0
        statistics = (deviations[:, positive] ** 2 / expected[:, positive]).sum(axis=1)
        distances = 0.5 * np.abs(deviations).sum(axis=1) / counts.sum(axis=1)
        return statistics, distances
