"""Estimates that know how much each group moves them, so that differences, ratios and averages of them have errors too.

An estimate is a smooth function of sums over groups (a prompt with all it was measured on). To first order a group moves it by its
*influence*, and influences follow the function: those of A − B are subtracted, those of A/B are (d_A − (A/B) d_B)/B. Whatever two estimates
have in common group by group cancels by itself, which is what pairing means. Groups that are drawn apart (the prompts of two tasks)
are strata: their variances add. The linearised errors are those of `statistics` (Cochran, Sampling Techniques, 1977, §6.4 and §5.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.lab.statistics import Interval, student_quantile

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value, and for each stratum the influence (G,) of its G groups, which sum to 0.

    Two estimates are combined group by group: their strata and groups must be the same ones in the same order.
    """

    value: float
    influence: tuple[FloatArray, ...]

    def __sub__(self, other: Estimate) -> Estimate:
        """The difference, paired by group."""
        return Estimate(self.value - other.value, _each(self, other, lambda mine, theirs: mine - theirs))

    def over(self, other: Estimate) -> Estimate:
        """The ratio, paired by group; ValueError if the other is 0."""
        if other.value == 0:
            raise ValueError("a ratio to an estimate of 0 says nothing")
        ratio = self.value / other.value
        return Estimate(ratio, _each(self, other, lambda mine, theirs: (mine - ratio * theirs) / other.value))

    def plus(self, constant: float) -> Estimate:
        """The estimate moved by a known number."""
        return Estimate(self.value + constant, self.influence)

    def scaled(self, factor: float) -> Estimate:
        """The estimate times a known number."""
        return Estimate(self.value * factor, tuple(factor * part for part in self.influence))

    @property
    def standard_error(self) -> float | None:
        """√ Σ over strata of G/(G−1) Σ d²; None where a stratum has a single group, which leaves nothing to estimate it from."""
        return None if self._lonely else math.sqrt(sum(self._variances))

    def interval(self, *, multiplicative: bool = False) -> Interval:
        """The 95 % Student interval; several strata have Satterthwaite's degrees of freedom.

        `multiplicative` takes it on the logarithm, for a ratio that can only be above 0 (a speed-up): it is then not symmetric.
        """
        error = self.standard_error
        if error is None:
            return Interval(self.value, None, None, None)
        half = student_quantile(self._degrees_of_freedom + 1, CONFIDENCE) * error
        if not multiplicative:
            return Interval(self.value, error, self.value - half, self.value + half)
        factor = math.exp(half / self.value)
        return Interval(self.value, error, self.value / factor, self.value * factor)

    @property
    def _lonely(self) -> bool:
        return any(len(part) == 1 for part in self.influence)

    @property
    def _variances(self) -> list[float]:
        return [len(part) / (len(part) - 1) * float((part**2).sum()) for part in self.influence]

    @property
    def _degrees_of_freedom(self) -> float:
        variances = self._variances
        weighted = sum(v**2 / (len(part) - 1) for v, part in zip(variances, self.influence, strict=True))
        if weighted == 0:
            return float(min(len(part) for part in self.influence) - 1)
        return sum(variances) ** 2 / weighted


def ratio_of_sums(sums: Sequence[float], sizes: Sequence[float]) -> Estimate:
    """ΣS/Σn over the groups of one stratum, with influence (S_g − m n_g)/Σn; ValueError if Σn is 0 or nothing is there.

    >>> estimate = ratio_of_sums([2.0, 6.0], [2.0, 2.0])
    >>> estimate.value, estimate.standard_error
    (2.0, 1.0)
    """
    s, n = np.asarray(sums, dtype=float), np.asarray(sizes, dtype=float)
    if len(s) != len(n) or not n.sum() > 0:
        raise ValueError(f"a ratio of sums needs a sum and a size of every group, got {len(s)} and {len(n)}")
    mean = float(s.sum() / n.sum())
    return Estimate(mean, ((s - mean * n) / n.sum(),))


def average(estimates: Sequence[Estimate]) -> Estimate:
    """The plain mean of estimates from different groups (tasks): each counts the same, and each keeps its own strata.

    Its interval speaks of these tasks with other prompts like theirs, not of other tasks.

    >>> average([ratio_of_sums([1.0, 3.0], [1, 1]), ratio_of_sums([4.0, 4.0], [1, 1])]).value
    3.0
    """
    if not estimates:
        raise ValueError("there is nothing to average")
    share = 1 / len(estimates)
    parts = tuple(share * part for estimate in estimates for part in estimate.influence)
    return Estimate(sum(estimate.value for estimate in estimates) * share, parts)


def _each(
    mine: Estimate, other: Estimate, combine: Callable[[FloatArray, FloatArray], FloatArray]
) -> tuple[FloatArray, ...]:
    shapes = [[len(part) for part in estimate.influence] for estimate in (mine, other)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"only estimates from the same groups can be combined, these have {shapes[0]} and {shapes[1]}")
    return tuple(combine(a, b) for a, b in zip(mine.influence, other.influence, strict=True))
