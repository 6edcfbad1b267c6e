"""The few statistics of the lab: medians with quartiles, and means whose standard error respects that blocks come in groups.

Blocks of one prompt share a text, so they are not independent: the standard error counts prompts, never blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np


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

    With S_p the sum and n_p the size of group p, G groups, m = ΣS/Σn: the error is √(G/(G−1) · Σ(S_p − m n_p)²) / Σn, the
    linearised error of a ratio of sums (Cochran, Sampling Techniques, 1977, §6.4). Empty groups do not count.

    >>> grouped_mean([[1.0, 1.0], [3.0, 3.0]])
    Mean(mean=2.0, standard_error=1.0)
    """
    filled = [np.asarray(g, dtype=float) for g in groups if len(g)]
    if not filled:
        raise ValueError("there is nothing to take the mean of")
    sizes, sums = np.array([len(g) for g in filled]), np.array([g.sum() for g in filled])
    mean = float(sums.sum() / sizes.sum())
    if len(filled) == 1:
        return Mean(mean, None)
    deviations = ((sums - mean * sizes) ** 2).sum()
    return Mean(mean, float(np.sqrt(len(filled) / (len(filled) - 1) * deviations) / sizes.sum()))


def predicted_speedup(expected_tokens: float, gamma: int, draft_cost: float, verify_cost: float) -> float:
    """(E[τ]+1) / (γ c + v), with c the cost of a draft step and v that of a target call on γ+1 tokens, in target steps.

    >>> predicted_speedup(4.0, gamma=4, draft_cost=0.125, verify_cost=1.5)
    2.0
    """
    return expected_tokens / (gamma * draft_cost + verify_cost)
