"""Long rows are worked on in pieces: to the bit the same draws, and the same sums up to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.verifiers import get, sampling
from specdemo.verifiers.sampling import draw
from specdemo.verifiers.sums import CHUNK, residual_mass, residual_row


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
        assert residual_mass(scale, target, draft) == pytest.approx(expected.sum(), rel=1e-12)
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
