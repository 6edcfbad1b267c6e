"""The few statistics of the lab: medians with quartiles, means and ratios whose standard error respects that blocks come in groups.

Blocks of one prompt share a text, so they are not independent: the standard error counts prompts, never blocks. All errors are
linearised errors of ratios of sums over groups (Cochran, Sampling Techniques, 1977, §6.4), intervals are Student's with one degree of
freedom fewer than there are groups.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from specdemo.arrays import FloatArray

# With two groups there is an interval; with fewer than this it is said to be doubtful (docs/lab.md has how often it holds the truth).
FEW_GROUPS = 6


@dataclass(frozen=True)
class Spread:
    """A median with the lower and upper quartile, in the unit of the values."""

    median: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """The three numbers by name."""
        return asdict(self)


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error (None where a single group leaves nothing to estimate it from)."""

    mean: float
    standard_error: float | None

    def to_json(self) -> dict[str, float | None]:
        """The two numbers by name."""
        return asdict(self)


@dataclass(frozen=True)
class Interval:
    """An estimate, its standard error and a confidence interval; the last three are None where a single group says nothing of them."""

    mean: float
    standard_error: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, float | None]:
        """The four numbers by name."""
        return asdict(self)


def spread(values: Sequence[float]) -> Spread:
    """Median and quartiles, linearly interpolated; ValueError without values.

    >>> spread([1.0, 2.0, 3.0, 4.0, 5.0])
    Spread(median=3.0, low=2.0, high=4.0)
    """
    if not len(values):
        raise ValueError("there is nothing to take the median of")
    low, median, high = (float(v) for v in np.quantile(np.asarray(values, dtype=float), [0.25, 0.5, 0.75]))
    return Spread(median, low, high)


def grouped_mean(groups: Sequence[Sequence[float]]) -> Mean:
    """The mean over all values, with its standard error over groups: a prompt's blocks are one group.

    With S_p the sum and n_p the size of group p, G groups, m = ΣS/Σn: the error is √(G/(G−1) · Σ(S_p − m n_p)²) / Σn.
    Empty groups do not count.

    >>> grouped_mean([[1.0, 1.0], [3.0, 3.0]])
    Mean(mean=2.0, standard_error=1.0)
    """
    filled = [g for g in groups if len(g)]
    if not filled:
        raise ValueError("there is nothing to take the mean of")
    mean, deviations = _ratio(_sums(filled), _sizes(filled))
    return Mean(mean, _error(deviations))


def paired_difference(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> Mean:
    """The mean over all of `first` minus that of `second`, group by group: what their groups have in common cancels in the error.

    With S, n and m as above and N = Σn: the error is √(G/(G−1) · Σ d_g²), d_g = (S_g − m n_g)/N of the first minus that of the second.
    ValueError unless both have the same number of groups, none of them empty.

    >>> paired_difference([[1.0], [3.0]], [[1.0, 1.0], [1.0]])
    Mean(mean=1.0, standard_error=1.0)
    """
    _check_pairs(first, second)
    mean, deviations = _ratio(_sums(first), _sizes(first))
    other, others = _ratio(_sums(second), _sizes(second))
    return Mean(mean - other, _error(deviations - others))


def interval(found: Mean, groups: int, confidence: float = 0.95) -> Interval:
    """The Student interval of an estimate from `groups` groups.

    >>> round(interval(Mean(2.0, 1.0), groups=2).high, 3)
    14.706
    """
    if found.standard_error is None:
        return Interval(found.mean, None, None, None)
    half = student_quantile(groups, confidence) * found.standard_error
    return Interval(found.mean, found.standard_error, found.mean - half, found.mean + half)


def speedup_interval(
    slow: Sequence[tuple[float, float]], fast: Sequence[tuple[float, float]], confidence: float = 0.95
) -> Interval:
    """How many times as fast: seconds a token of `slow` over those of `fast`, each a (seconds, tokens) for every group, paired.

    A ratio of two ratios of sums. Its logarithm is linearised, with deviation S_g/ΣS − n_g/Σn of `slow` minus that of `fast`; the interval
    is Student's on the logarithm, so it lies above 0 and is not symmetric. ValueError unless both have the same number of groups.
    """
    _check_pairs(slow, fast)
    if min(map(min, [*slow, *fast])) <= 0:
        raise ValueError("a speed-up needs seconds and tokens above 0 in every group")
    (slow_rate, slow_parts), (fast_rate, fast_parts) = (_rate(np.asarray(of, dtype=float)) for of in (slow, fast))
    mean, error = slow_rate / fast_rate, _error(slow_parts - fast_parts)
    if error is None:
        return Interval(mean, None, None, None)
    half = student_quantile(len(slow), confidence) * error
    return Interval(mean, mean * error, mean * math.exp(-half), mean * math.exp(half))


def student_quantile(groups: float, confidence: float) -> float:
    """How many standard errors an interval of this confidence reaches to each side, from `groups` ≥ 2 groups (degrees of freedom + 1)."""
    from scipy.special import stdtrit  # scipy.stats, whose t.ppf is this, takes seconds to import

    return float(stdtrit(groups - 1, 0.5 + confidence / 2))


def few_words(groups: str, counts: Iterable[int], of: str = "") -> str:
    """A word for wherever an interval from few groups is shown; "" where there are enough of them. `groups`: "prompt" or "seed".

    >>> few_words("prompt", [5, 40]), few_words("seed", [6, 1])
    ('Fewer than six prompts: intervals may be too narrow.', '')
    """
    few = any(1 < count < FEW_GROUPS for count in counts)
    return f"Fewer than six {groups}s{of}: intervals may be too narrow." if few else ""


def _ratio(sums: FloatArray, sizes: FloatArray) -> tuple[float, FloatArray]:
    """ΣS/Σn, and how much each group moves it away from there: (S_g − m n_g)/Σn."""
    mean = float(sums.sum() / sizes.sum())
    return mean, (sums - mean * sizes) / sizes.sum()


def _rate(parts: FloatArray) -> tuple[float, FloatArray]:
    """The same for the logarithm of Σ seconds / Σ tokens, of (seconds, tokens) (G, 2)."""
    totals = parts.sum(axis=0)
    return float(totals[0] / totals[1]), parts[:, 0] / totals[0] - parts[:, 1] / totals[1]


def _error(deviations: FloatArray) -> float | None:
    groups = len(deviations)
    return None if groups == 1 else float(np.sqrt(groups / (groups - 1) * (deviations**2).sum()))


def _sums(groups: Sequence[Sequence[float]]) -> FloatArray:
    return np.array([np.asarray(g, dtype=float).sum() for g in groups])


def _sizes(groups: Sequence[Sequence[float]]) -> FloatArray:
    return np.array([float(len(g)) for g in groups])


def _check_pairs(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> None:
    if not len(first) or len(first) != len(second):
        raise ValueError(
            f"there are {len(first)} groups of the one and {len(second)} of the other: as many are needed of both"
        )
    for groups in (first, second):
        if not all(map(len, groups)):
            raise ValueError("a group is empty: what is paired must be there on both sides")


def predicted_speedup(expected_tokens: float, gamma: int, draft_cost: float, verify_cost: float) -> float:
    """(E[τ]+1) / (γ c + v), with c the cost of a draft step and v that of a target call on γ+1 tokens, in target steps.

    >>> predicted_speedup(4.0, gamma=4, draft_cost=0.125, verify_cost=1.5)
    2.0
    """
    return expected_tokens / (gamma * draft_cost + verify_cost)
