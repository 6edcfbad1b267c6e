"""Which pairs are counted, and the test of the counts: valid for rare cells, and only because the cells were fixed before."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from specdemo.arrays import FloatArray, IntArray
from specdemo.lab.law_cells import ChanceTest, PairCounts, likeliest_pairs


def laws(seed: int, size: int, spread: float) -> tuple[FloatArray, FloatArray]:
    """T of the first token (V,), and of the second after each first (V, V)."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(size, spread)), rng.dirichlet(np.full(size, spread), size=size)


@pytest.mark.parametrize("spread", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("seed", range(5))
def test_the_likeliest_pairs_are_found(seed: int, spread: float) -> None:
    first, second = laws(seed, 30, spread)
    cells = likeliest_pairs(first, lambda a: second[a], 10**9)
    joint = first[:, None] * second
    order = np.argsort(-joint, axis=None)[: len(cells.pairs)]
    positive = int((joint > 0).sum())
    assert len(cells.pairs) == min(24, positive)
    assert [a * 30 + b for a, b in cells.pairs] == order.tolist()
    assert np.array_equal(cells.target, joint.ravel()[order])
    assert cells.rest == pytest.approx(1 - joint.ravel()[order].sum(), abs=1e-12)
    assert cells.law.sum() == pytest.approx(1, abs=1e-15)


def test_no_more_rows_are_asked_for_than_needed() -> None:
    first, second = laws(0, 30, 0.05)
    asked: list[int] = []
    cells = likeliest_pairs(first, lambda a: asked.append(a) or second[a], 1000)  # type: ignore[func-returns-value]
    assert len(asked) < 24 and asked == np.argsort(-first)[: len(asked)].tolist()
    assert all(a in asked for a, _ in cells.pairs)
    flat = np.full(200, 1 / 200)
    asked.clear()
    likeliest_pairs(flat, lambda a: asked.append(a) or flat, 1000)  # type: ignore[func-returns-value]
    assert len(asked) <= 24


def test_a_less_likely_first_token_may_begin_a_likelier_pair() -> None:
    """0.05 · 1 comes before 0.9 / 30 = 0.03, of which there are 30."""
    first = np.append([0.9, 0.05], np.full(28, 0.05 / 28))
    rows = {0: np.full(30, 1 / 30)}
    cells = likeliest_pairs(first, lambda a: rows.get(a, np.eye(30)[7]), 1000)
    assert cells.pairs[0] == (1, 7) and {a for a, _ in cells.pairs[1:]} == {0}


def test_pairs_are_expected_once_where_there_are_enough_of_those() -> None:
    first, second = laws(3, 30, 0.3)
    for samples in (1, 30, 100, 300, 1000):
        cells = likeliest_pairs(first, lambda a: second[a], samples)
        often = int((first[:, None] * second * samples >= 1).sum())
        assert len(cells.pairs) == min(24, max(8, often))


def test_a_sure_pair_is_everything() -> None:
    cells = likeliest_pairs(np.eye(5)[2], lambda a: np.eye(5)[4], 100)
    assert (cells.pairs, cells.target.tolist(), cells.rest) == ([(2, 4)], [1.0], 0.0)
    test, counts = ChanceTest(cells.law), PairCounts({(2, 4): 0})
    assert test.judge(counts.counts)["p_value"] is None
    for _ in range(10):
        counts.add((2, 4), True)
    judged = test.judge(counts.counts, counts.impossible)
    assert judged == {"tv": 0.0, "tv_by_chance": {"mean": 0.0, "high": 0.0}, "statistic": 0.0, "p_value": 1.0}
    counts.add((2, 3), False)
    judged = test.judge(counts.counts, counts.impossible)
    assert judged["p_value"] == 0 and judged["tv"] == pytest.approx(1 / 11) and np.isfinite(judged["statistic"])


def test_rounding_leaves_no_rest() -> None:
    first = np.array([0.1, 0.2, 0.7])
    cells = likeliest_pairs(first, lambda a: np.roll(first, a), 10**6)
    assert len(cells.pairs) == 9 and cells.rest == 0.0


def p_values(samples: int, cells_of: Callable[[IntArray], IntArray]) -> FloatArray:
    """400 tests of samples from one law of 60 pairs, the likeliest first; `cells_of(counts)` says which are cells."""
    rng = np.random.default_rng(0)
    law = np.sort(rng.dirichlet(np.full(60, 0.4)))[::-1]
    values = []
    for _ in range(400):
        counts = rng.multinomial(samples, law)
        kept = cells_of(counts)
        test = ChanceTest(np.append(law[kept], 1 - law[kept].sum()), simulated=200)
        values.append(test.judge(np.append(counts[kept], samples - counts[kept].sum()))["p_value"])
    return np.array(values)


def assert_p_values_are_uniform(values: FloatArray) -> None:
    """Four standard errors around each of three shares; discrete counts may make large p-values more frequent, never small ones."""
    for level in (0.05, 0.25, 0.5):
        error = np.sqrt(level * (1 - level) / len(values))
        assert level - 6 * error < (values <= level).mean() < level + 4 * error, level


@pytest.mark.parametrize("samples", [40, 600])
def test_without_a_bias_p_values_are_uniform(samples: int) -> None:
    """At 40 samples most of the 24 cells are expected less than once: the χ² distribution would not do."""
    assert_p_values_are_uniform(p_values(samples, lambda counts: np.arange(24)))


def test_cells_chosen_after_counting_are_caught() -> None:
    """The mistake the docstring warns of: the 24 cells that were seen most often. Every lossless rule then seems biased."""
    with pytest.raises(AssertionError):
        assert_p_values_are_uniform(p_values(40, lambda counts: np.argsort(-counts)[:24]))


def test_large_counts_agree_with_the_distribution() -> None:
    """χ² and p-value against scipy's."""
    stats = pytest.importorskip("scipy.stats")
    law = np.array([0.4, 0.3, 0.2, 0.1])
    counts = np.array([4100, 3040, 1960, 900])
    judged = ChanceTest(law, 20_000).judge(counts)
    expected = stats.chisquare(counts, 10_000 * law)
    assert judged["statistic"] == pytest.approx(expected.statistic, rel=1e-12)
    assert judged["p_value"] == pytest.approx(expected.pvalue, abs=4 * np.sqrt(expected.pvalue / 20_000))
    assert judged["tv"] == pytest.approx(0.5 * np.abs(counts / 10_000 - law).sum(), abs=1e-15)


def test_equal_deviations_count_as_equal() -> None:
    """Of four fair draws 10 in 16 deviate by one or more: (3, 1) and its mirror are as large as each other, however they were summed."""
    for counts in ([3, 1], [1, 3]):
        assert ChanceTest(np.array([0.5, 0.5])).judge(counts)["p_value"] == pytest.approx(10 / 16, abs=0.05)


def test_what_chance_alone_shows() -> None:
    """Mean and 95 % quantile of the total variation, against the binomial law of two cells."""
    stats = pytest.importorskip("scipy.stats")
    counts = np.arange(101)
    chances, distances = stats.binom.pmf(counts, 100, 0.3), np.abs(counts / 100 - 0.3)
    by_chance = ChanceTest(np.array([0.3, 0.7])).judge([30, 70])["tv_by_chance"]
    assert by_chance["mean"] == pytest.approx(chances @ distances, rel=0.05)
    # Multiples of 1/100: where exactly 95 % lie between two of them, either may be drawn.
    assert chances[distances < by_chance["high"] - 1e-9].sum() < 0.96
    assert chances[distances <= by_chance["high"] + 1e-9].sum() > 0.94


def test_the_same_counts_give_the_same_verdict() -> None:
    law = laws(1, 20, 0.5)[0]
    counts = np.random.default_rng(5).multinomial(300, law)
    assert ChanceTest(law).judge(counts) == ChanceTest(law).judge(counts)
