"""Long rows are worked on in pieces: to the bit the same draws, and the same sums up to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.verifiers import get, mistakes, sampling
from specdemo.verifiers.sampling import draw, draw_residual
from specdemo.verifiers.sums import CHUNK, residual_row, residual_sums, running

BELOW_ONE = float(np.nextafter(1, 0))


@pytest.mark.parametrize(
    "size", [2048, sampling.SHORT, sampling.SHORT + 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 17]
)
def test_draws_are_the_same_to_the_bit(size: int) -> None:
    rng = np.random.default_rng(size)
    law = rng.dirichlet(np.full(size, 0.02))
    sums = law.cumsum()
    edges = sums[rng.integers(size, size=200)]
    beside = [*np.nextafter(edges, 0), *(edges + 1e-15), *(edges - 1e-13)]
    for u in [0.0, *rng.random(200), *edges, *beside, float(np.nextafter(1, 0))]:
        if 0 <= u < 1:
            expected = int(np.searchsorted(sums, u, side="right"))
            assert draw(law, float(u)) == (expected if expected < size else int(np.nonzero(law)[0][-1]))


@pytest.mark.parametrize("size", [sampling.SHORT + 1, 3 * CHUNK])
def test_a_clear_draw_needs_no_running_sum(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Almost every draw is clear; beside a step the running sum decides, as it is defined."""
    rng = np.random.default_rng(size)
    law = rng.dirichlet(np.ones(size))
    asked: list[float] = []
    by_running_sum = sampling._draw_by_running_sum

    def counted(law: np.ndarray, uniform: float) -> int:
        asked.append(uniform)
        return by_running_sum(law, uniform)

    monkeypatch.setattr(sampling, "_draw_by_running_sum", counted)
    for u in rng.random(200):
        draw(law, float(u))
    assert len(asked) < 5
    step = float(law.cumsum()[size // 2])
    assert draw(law, step) == size // 2 + 1 and asked[-1] == step


def test_a_sum_that_rounds_below_the_uniform_ends_at_the_last_positive_token() -> None:
    law = np.zeros(2 * CHUNK)
    law[[5, CHUNK + 7]] = 0.5, 0.5 - 1e-12
    assert draw(law, 1 - 1e-13) == CHUNK + 7


@pytest.mark.parametrize("size", [3, CHUNK + 5])
def test_residual_sums(size: int) -> None:
    rng = np.random.default_rng(0)
    target, draft = rng.dirichlet(np.ones(size)), rng.dirichlet(np.ones(size))
    for scale in (0.0, 0.3, 1.0, 7.5):
        expected = np.maximum(scale * target - draft, 0.0)
        sums = residual_sums(scale, target, draft)
        assert len(sums) == 1 + size // CHUNK
        for place, part in enumerate(sums):
            assert part == pytest.approx(expected[place * CHUNK : (place + 1) * CHUNK].sum(), rel=1e-12)
        assert running(sums)[-1] == pytest.approx(expected.sum(), rel=1e-12)
        assert np.array_equal(residual_row(scale, target, draft), expected)


def test_a_plan_changes_none_of_its_arrays() -> None:
    rng = np.random.default_rng(1)
    draft, target = rng.dirichlet(np.ones(50), size=3), rng.dirichlet(np.ones(50), size=4)
    before = draft.copy(), target.copy()
    for rule in ("token", "block", "greedy_block"):
        plan = get(rule).core_plan(np.array([1, 2, 3]), draft, target)
        first = [plan.next_law(i).copy() for i in range(4)]
        assert all(np.array_equal(a, plan.next_law(i)) for i, a in enumerate(first))
    assert np.array_equal(draft, before[0]) and np.array_equal(target, before[1])


@pytest.mark.parametrize("size", [sampling.SHORT + 1, CHUNK, CHUNK + 5, 2 * CHUNK + 77])
def test_a_residual_is_drawn_from_without_writing_it_down(size: int) -> None:
    """The token that its law gives, or None; and almost never None."""
    rng = np.random.default_rng(size)
    unsure = 0
    for scale, sharpness in ((1.0, 0.02), (0.3, 0.02), (0.9, 1.0), (4.0, 0.2), (1e-3, 0.02)):
        target, draft = rng.dirichlet(np.full(size, sharpness)), rng.dirichlet(np.full(size, sharpness))
        law = residual_row(scale, target, draft)
        law /= law.sum()
        edges = law.cumsum()[rng.integers(size, size=40)]
        beside = [*np.nextafter(edges, 0), *np.nextafter(edges, 1), *(edges + 1e-15), *(edges - 1e-14)]
        for u in [0.0, *rng.random(40), *edges, *beside, BELOW_ONE]:
            if 0 <= u < 1:
                for sums in (None, residual_sums(scale, target, draft)):
                    token = draw_residual(scale, target, draft, float(u), sums)
                    assert token is None or token == draw(law, float(u)), (scale, u)
        unsure += sum(draw_residual(scale, target, draft, float(u)) is None for u in rng.random(100))
    assert unsure < 10


def test_a_residual_that_is_short_empty_or_vanishing_is_left_to_its_law() -> None:
    size = 2 * sampling.SHORT
    row = np.full(size, 1 / size)
    assert draw_residual(2.0, row, row, 0.3) is not None
    assert draw_residual(1.0, row, row, 0.3) is None
    assert draw_residual(2.0, row[:50], row[:50] / 2, 0.3) is None
    # Of a few of the smallest numbers there are, a uniform's share is no longer a number.
    target = np.zeros(size)
    target[::1000] = 5e-324 * np.arange(1, len(target[::1000]) + 1)
    assert draw_residual(1.0, target, np.zeros(size), 0.3) is None


@pytest.mark.parametrize(
    "rule", ["token", "block", "greedy_block", "lenience", "threshold", "typical", *mistakes.names()]
)
def test_what_is_drawn_of_a_large_vocabulary_is_drawn_from_the_law_that_is_shown(rule: str) -> None:
    rng = np.random.default_rng(5)
    size, gamma = CHUNK + 300, 4
    for _ in range(4):
        draft = rng.dirichlet(np.full(size, 0.01), size=gamma)
        target = np.concatenate([0.6 * draft, np.zeros((1, size))]) + 0.4 * rng.dirichlet(
            np.full(size, 0.01), gamma + 1
        )
        target /= target.sum(axis=1, keepdims=True)
        tokens = np.array([draw(row, float(u)) for row, u in zip(draft, rng.random(gamma), strict=True)])
        plan = get(rule).core_plan(tokens, draft, target)
        for uniforms in rng.random((6, gamma + 1)):
            verdict = plan.decide_unchecked(uniforms)
            law = plan.next_law(verdict.accepted)
            assert np.array_equal(verdict.next_law, law)
            if not rule.startswith(
                "uniform_used_twice"
            ):  # which draws Y with another uniform, and says the law that this gives
                assert verdict.next_token == draw(law, float(uniforms[-1]))
