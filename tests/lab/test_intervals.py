"""Do intervals that promise 95 % cover in 95 % of repetitions? And would this test notice if groups were ignored?

The made-up measurements are what makes real ones hard: blocks of a prompt resemble each other, and how many there are depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from specdemo.lab.statistics import (
    FEW_GROUPS,
    Interval,
    few_words,
    grouped_mean,
    interval,
    paired_difference,
    speedup_interval,
)

GROUPS, REPETITIONS = 25, 500
Groups = list[list[float]]
Regroup = Callable[[Groups], Groups]
Estimate = Callable[[np.random.Generator, Regroup], Interval]

# 95 % of 500 repetitions, four binomial errors (1 % each) to either side; linearised errors are a little small with few groups.
LEAST, MOST = 0.91, 0.99


def as_grouped(groups: Groups) -> Groups:
    return groups


def blocks_alone(groups: Groups) -> Groups:
    """The mistake: every block is a group of its own."""
    return [[value] for group in groups for value in group]


def measurements(rng: np.random.Generator, effects: np.ndarray, gains: np.ndarray) -> Groups:
    """Blocks of GROUPS prompts: 3 + effect of the prompt + gain + noise; where more is kept there are fewer blocks."""
    return [
        (3 + effect + gain + rng.normal(0, 1, size=rng.poisson(12 - 3 * effect) + 2)).tolist()
        for effect, gain in zip(effects, gains, strict=True)
    ]


def effects(rng: np.random.Generator) -> np.ndarray:
    return rng.choice([-1.0, 0.0, 1.0], size=GROUPS)


# Σ_effect (3 + e)(14 − 3e) / Σ_effect (14 − 3e), over the three effects.
TRUTH = (2 * 17 + 3 * 14 + 4 * 11) / (17 + 14 + 11)


def mean(rng: np.random.Generator, regroup: Regroup) -> Interval:
    groups = regroup(measurements(rng, effects(rng), np.zeros(GROUPS)))
    return interval(grouped_mean(groups), len(groups))


def difference(rng: np.random.Generator, regroup: Regroup) -> Interval:
    """Two rules on the same prompts, the first half a token better on average: some prompts suit it more. Paired only as groups."""
    shared = effects(rng)
    block = regroup(measurements(rng, shared, rng.normal(0.5, 0.7, size=GROUPS)))
    token = regroup(measurements(rng, shared, np.zeros(GROUPS)))
    both = min(len(block), len(token))
    return interval(paired_difference(block[:both], token[:both]), both)


def speedup(rng: np.random.Generator, regroup: Regroup) -> Interval:
    """A rule that is twice as fast; a prompt is slow for both, and some prompts suit the rule."""
    slow: Groups = []
    fast: Groups = []
    for effect in effects(rng):
        suits = np.exp(rng.normal(-0.02, 0.2))  # 1 on average
        steps = 20 + 5 * effect + rng.normal(0, 1, size=(2, 15))
        slow.append(steps[0].tolist())
        fast.append((steps[1] / 2 * suits).tolist())
    timed = [[(sum(group), float(len(group))) for group in regroup(groups)] for groups in (slow, fast)]
    return speedup_interval(timed[0], timed[1])


def coverage(estimate: Estimate, truth: float, regroup: Regroup) -> float:
    rng = np.random.default_rng(20)
    covered = 0
    for _ in range(REPETITIONS):
        found = estimate(rng, regroup)
        assert found.low is not None and found.high is not None
        covered += found.low <= truth <= found.high
    return covered / REPETITIONS


def assert_covers(estimate: Estimate, truth: float, regroup: Regroup = as_grouped) -> None:
    share = coverage(estimate, truth, regroup)
    assert LEAST <= share <= MOST, f"intervals that promise 95 % cover in {share:.0%} of the cases"


CASES = [
    pytest.param(mean, TRUTH, id="mean"),
    pytest.param(difference, 0.5, id="difference"),
    pytest.param(speedup, 2.0, id="speedup"),
]


@pytest.mark.parametrize(("estimate", "truth"), CASES)
def test_intervals_cover_what_they_promise(estimate: Estimate, truth: float) -> None:
    assert_covers(estimate, truth)


@pytest.mark.parametrize(("estimate", "truth"), CASES)
def test_blocks_counted_as_independent_are_noticed(estimate: Estimate, truth: float) -> None:
    with pytest.raises(AssertionError, match="intervals that promise 95 % cover in"):
        assert_covers(estimate, truth, blocks_alone)


def test_pairing_is_worth_it() -> None:
    """The same two rules as if on other prompts: an error that is much too large."""
    rng = np.random.default_rng(3)
    shared = effects(rng)
    block, token = (measurements(rng, shared, np.full(GROUPS, gain)) for gain in (0.5, 0.0))
    paired, *apart = (paired_difference(block, token), grouped_mean(block), grouped_mean(token))
    errors = [found.standard_error or 0.0 for found in apart]
    assert paired.standard_error is not None and min(errors) > 0
    assert paired.standard_error < 0.7 * math.hypot(*errors)


@pytest.mark.parametrize(("prompts", "said"), [(4, 0.70), (5, 0.70), (20, 0.92)])
def test_how_often_few_prompts_hold_the_truth_where_a_few_are_much_easier(prompts: int, said: float) -> None:
    """The figures of docs/lab.md: one prompt in five gives two tokens more, the others differ by 0.2."""
    rng, covered, repetitions = np.random.default_rng(6), 0, 4000
    for _ in range(repetitions):
        values = 3 + 2 * (rng.random(prompts) < 0.2) + rng.normal(0, 0.2, size=prompts)
        found = interval(grouped_mean([[value] for value in values.tolist()]), prompts)
        assert found.low is not None and found.high is not None
        covered += found.low <= 3.4 <= found.high
    assert covered / repetitions == pytest.approx(said, abs=0.025)
    document = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    assert "four or five prompts hold the truth about 70 times in a hundred, those of twenty 92 times" in document


def test_a_word_on_few_groups() -> None:
    assert [bool(few_words("prompt", [count])) for count in (1, 2, FEW_GROUPS - 1, FEW_GROUPS)] == [
        False,
        True,
        True,
        False,
    ]
    assert (
        few_words("prompt", [40, 3], " of austen") == "Fewer than six prompts of austen: intervals may be too narrow."
    )
