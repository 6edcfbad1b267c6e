"""Estimates and what is made of them: the known statistics where there are some, their promises elsewhere, in simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from specdemo.lab.estimates import Estimate, average, ratio_of_sums
from specdemo.lab.statistics import Interval, grouped_mean, interval, paired_difference, speedup_interval

Groups = list[list[float]]
FIRST: Groups = [[1.0, 2.0], [3.0], [2.5, 2.5, 4.0]]
SECOND: Groups = [[2.0, 2.0, 1.0], [4.0, 3.0], [2.0]]


def of(groups: Groups) -> Estimate:
    return ratio_of_sums([sum(group) for group in groups], [len(group) for group in groups])


def test_the_mean_is_the_grouped_mean() -> None:
    known = grouped_mean(FIRST)
    assert (of(FIRST).value, of(FIRST).standard_error) == pytest.approx((known.mean, known.standard_error))
    mine, theirs = of(FIRST).interval(), interval(known, 3)
    assert mine.to_json() == pytest.approx(theirs.to_json())


def test_the_difference_is_the_paired_difference() -> None:
    known, found = paired_difference(FIRST, SECOND), of(FIRST) - of(SECOND)
    assert (found.value, found.standard_error) == pytest.approx((known.mean, known.standard_error))


def test_the_ratio_of_rates_is_the_speedup() -> None:
    slow, fast = [(3.0, 10.0), (4.0, 12.0), (2.0, 9.0)], [(1.0, 11.0), (2.5, 12.0), (1.0, 8.0)]
    rates = [ratio_of_sums(*zip(*part, strict=True)) for part in (slow, fast)]
    assert rates[0].over(rates[1]).interval(multiplicative=True).to_json() == pytest.approx(
        speedup_interval(slow, fast).to_json()
    )


def test_influences_are_what_leaving_out_does() -> None:
    """To first order: a ratio's derivative by the weight of a group."""
    estimate, weights = of(FIRST).over(of(SECOND)), np.ones(3)

    def weighted(w: np.ndarray) -> float:
        def mean(groups: Groups) -> float:
            return float(
                sum(w[g] * sum(v) for g, v in enumerate(groups)) / sum(w[g] * len(v) for g, v in enumerate(groups))
            )

        return mean(FIRST) / mean(SECOND)

    for g in range(3):
        step = np.eye(3)[g] * 1e-6
        slope = (weighted(weights + step) - weighted(weights - step)) / 2e-6
        assert estimate.influence[0][g] == pytest.approx(slope, abs=1e-6)
    assert sum(estimate.influence[0]) == pytest.approx(0.0, abs=1e-12)


def test_an_average_of_tasks_by_hand() -> None:
    """Variances add, divided by K²; Satterthwaite's degrees of freedom lie between the smallest and the sum."""
    parts = [of(FIRST), of(SECOND).scaled(3.0)]
    both = average(parts)
    errors = [part.standard_error or 0.0 for part in parts]
    assert both.value == pytest.approx(np.mean([part.value for part in parts]))
    assert both.standard_error == pytest.approx(math.hypot(*errors) / 2)
    freedom = sum(e**2 for e in errors) ** 2 / sum(e**4 / 2 for e in errors)
    assert 2 <= freedom <= 4
    from scipy.stats import t

    half = t.ppf(0.975, freedom) * math.hypot(*errors) / 2
    assert both.interval().high == pytest.approx(both.value + half)
    assert average([of(FIRST)]).interval().to_json() == pytest.approx(of(FIRST).interval().to_json())


def test_two_averages_over_the_same_tasks_are_paired() -> None:
    same = average([of(FIRST), of(SECOND)])
    assert (same - same).standard_error == 0.0 and same.over(same).value == 1.0
    assert same.over(same).plus(-1.0).interval() == Interval(0.0, 0.0, 0.0, 0.0)


def test_one_group_has_no_interval_and_what_never_varies_a_sharp_one() -> None:
    alone = ratio_of_sums([2.0], [1.0])
    assert alone.interval() == Interval(2.0, None, None, None)
    assert average([of(FIRST), alone]).interval().low is None
    assert ratio_of_sums([5.0, 7.0], [5.0, 7.0]).interval() == Interval(1.0, 0.0, 1.0, 1.0)


def test_what_does_not_belong_together_is_refused() -> None:
    with pytest.raises(ValueError, match="only estimates from the same groups"):
        of(FIRST) - of(FIRST[:2])
    with pytest.raises(ValueError, match="a ratio to an estimate of 0"):
        of(FIRST).over(of(FIRST) - of(FIRST))
    with pytest.raises(ValueError, match="a sum and a size of every group"):
        ratio_of_sums([1.0], [0.0])
    with pytest.raises(ValueError, match="nothing to average"):
        average([])


# The interval of the average gain, from eight tasks that differ in size, level and scatter: 95 % of 400 repetitions, four binomial errors.
TASKS, REPETITIONS, LEAST, MOST = 8, 400, 0.905, 0.99
SIZES = [3, 4, 6, 8, 10, 12, 15, 20]
Regroup = Callable[[Groups], Groups]


def drawn(rng: np.random.Generator) -> list[tuple[Groups, Groups]]:
    """Token and block on the same prompts of each task: levels 2 to 4, the gain 10 %, larger for some prompts."""
    found = []
    for task in range(TASKS):
        token: Groups = []
        block: Groups = []
        for _ in range(SIZES[task]):
            level, gain = 2 + task / 4 + rng.normal(0, 0.4), 1.1 + rng.normal(0, 0.03)
            calls = 8 + int(rng.integers(8))
            noise = rng.normal(0, 0.5, size=(2, calls))
            token.append((level + noise[0]).tolist())
            block.append((gain * (level + noise[0]) + 0.3 * noise[1]).tolist())
        found.append((token, block))
    return found


def as_grouped(groups: Groups) -> Groups:
    return groups


def blocks_alone(groups: Groups) -> Groups:
    """The mistake: every call is a group of its own."""
    return [[value] for group in groups for value in group]


def coverage(regroup: Regroup) -> float:
    rng, covered = np.random.default_rng(11), 0
    for _ in range(REPETITIONS):
        token, block = zip(*drawn(rng), strict=True)
        averages = [average([of(regroup(groups)) for groups in rule]) for rule in (token, block)]
        found = averages[1].over(averages[0]).plus(-1.0).interval()
        assert found.low is not None and found.high is not None
        covered += found.low <= 0.1 <= found.high
    return covered / REPETITIONS


def test_the_average_gain_is_covered_as_promised() -> None:
    assert LEAST <= coverage(as_grouped) <= MOST


def test_calls_counted_as_independent_are_noticed() -> None:
    assert coverage(blocks_alone) < LEAST
