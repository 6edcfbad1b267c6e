"""The p-values are bounds: never more small ones than they say."""

from __future__ import annotations

import numpy as np

from specdemo.auditor.steps.statistics import CentredSum, RareEvents, UniformPool, placed, resolution


def test_the_transform_of_a_draw_is_uniform_in_any_ordering() -> None:
    rng = np.random.default_rng(0)
    laws = rng.dirichlet(np.full(6, 0.4), 4000)
    tokens = (laws.cumsum(axis=1) > rng.random((4000, 1))).argmax(axis=1)
    for keys in (laws, rng.integers(0, 3, laws.shape).astype(float), -laws):
        pool = UniformPool()
        pool.add(placed(laws, tokens, keys, rng.random(4000)))
        assert pool.p_value() > 0.01


def test_a_pool_rarely_rejects_what_is_uniform_and_surely_what_is_not() -> None:
    rng = np.random.default_rng(1)
    small = 0
    for _ in range(300):
        pool = UniformPool()
        pool.add(rng.random(50))
        small += pool.p_value() < 0.05
    assert small <= 25  # 15 expected at most; four standard deviations
    pool = UniformPool()
    pool.add(rng.random(2000) ** 1.3)
    assert pool.p_value() < 1e-6


def test_a_sum_of_coins_is_bounded() -> None:
    rng = np.random.default_rng(2)
    small = 0
    for _ in range(300):
        total = CentredSum()
        for hit in rng.random(60) < 0.2:
            total.add(hit - 0.2, 0.16, 1.0)
        small += total.p_value() < 0.05
    assert small <= 25
    assert CentredSum(total=60.0, variance=100.0, largest=1.0, size=400).p_value() < 1e-6


def test_rounding_may_explain_a_rare_event_but_not_many() -> None:
    rare = RareEvents(allowed=0.01)
    rare.add(7, "line 7: so")
    assert 0.01 < rare.p_value() < 0.1 and rare.first_line == 7
    for _ in range(4):
        rare.add(9, "line 9: so")
    assert rare.p_value() < 1e-9 and rare.first == "line 7: so"
    assert RareEvents(allowed=0.0).p_value() == 1.0


def test_the_resolution_sharpens_with_the_sample() -> None:
    assert resolution(0, 1e-3) == 1.0 and resolution(10_000, 1e-3) < 0.02
