"""Drawing a token with a uniform: the cells of the cumulative law, zeros, rounding, and the distance to the next cell."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.verifiers.sampling import draw, margin

BELOW_ONE = 1 - 2.0**-53


def test_draw_returns_the_smallest_token_whose_cumulative_exceeds_the_uniform() -> None:
    law = np.array([0.25, 0.0, 0.5, 0.25])
    cases = {0.0: 0, 0.2499: 0, 0.25: 2, 0.5: 2, 0.7499: 2, 0.75: 3, BELOW_ONE: 3}
    assert {u: draw(law, u) for u in cases} == cases


def test_draw_has_the_law_cell_by_cell() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        law = rng.dirichlet(np.ones(6)) * (rng.random(6) < 0.7)
        if law.sum() == 0:
            continue
        law /= law.sum()
        for v in np.nonzero(law > 1e-12)[0]:
            below = law[:v].sum()
            assert draw(law, float(below + law[v] / 2)) == v


@pytest.mark.parametrize("law", [[0.0, 1.0, 0.0], [0.0, 0.5, 0.5, 0.0], [1.0, 0.0], [0.0, 0.0, 1.0]])
def test_draw_never_returns_a_token_of_probability_zero(law: list[float]) -> None:
    for u in [0.0, 5e-324, 0.25, 0.5, BELOW_ONE]:
        assert law[draw(np.array(law), u)] > 0


def test_where_rounding_runs_out_the_last_positive_token_is_drawn() -> None:
    law = np.array([0.1] * 9 + [0.1 - 1e-12, 0.0, 0.0])
    assert draw(law, BELOW_ONE) == 9
    assert draw(np.array([1 / 3, 1 / 3, 0.0]), 0.9) == 1


def test_margin_is_the_distance_to_another_token() -> None:
    law = np.array([0.25, 0.0, 0.5, 0.25])
    assert margin(law, 0.2) == pytest.approx(0.05)
    assert margin(law, 0.26) == pytest.approx(0.01)
    assert margin(law, 0.99) == pytest.approx(0.24)


def test_margin_of_a_certain_token_is_one() -> None:
    for place in range(3):
        assert margin(np.eye(3)[place], 0.0) == 1.0
        assert margin(np.eye(3)[place], BELOW_ONE) == 1.0


def test_margin_does_not_see_steps_behind_the_last_possible_token() -> None:
    """The sum runs out a little below 1, where only tokens of probability 0 follow: nothing changes there."""
    law = np.array([0.3, 0.7 - 1e-10, 0.0, 0.0])
    assert draw(law, 1 - 1e-10) == 1 == draw(law, BELOW_ONE)
    assert margin(law, 1 - 1e-10) == pytest.approx(0.7 - 1e-10)


def test_margin_agrees_with_a_search_for_the_nearest_change() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        law = rng.dirichlet(np.ones(4)) * (rng.random(4) < 0.8)
        if law.sum() == 0:
            continue
        law /= law.sum()
        u, grid = float(rng.random()), np.linspace(0, 1, 4001)[:-1]
        token = draw(law, u)
        changes = [abs(u - g) for g in grid.tolist() if draw(law, g) != token]
        nearest = min(changes, default=1.0)
        assert margin(law, u) == pytest.approx(nearest, abs=3e-4)


@pytest.mark.parametrize("size", [3, 1023, 1024, 1025, 32768, 32769, 70000])
def test_long_laws_are_read_in_pieces_to_the_bit(size: int) -> None:
    """Against the whole cumulative law at once, also where the law ends in zeros."""
    rng = np.random.default_rng(size)
    for zeros in (0, size // 3, size - 1):
        law = rng.dirichlet(np.full(size, 0.2))
        law[size - zeros :] = 0
        law /= law.sum()
        sums = law.cumsum()
        last = int(law.nonzero()[0][-1])
        steps = sums[:last][(sums[:last] > 0) & (sums[:last] < 1)]
        near = [float(u) for step in rng.choice(sums, 3) for u in (step, np.nextafter(step, 0)) if u < 1]
        for u in [0.0, BELOW_ONE, *rng.random(5), *near]:
            token = int(sums.searchsorted(u, side="right"))
            assert draw(law, u) == (token if token < size else last)
            assert margin(law, u) == (float(np.abs(steps - u).min()) if len(steps) else 1.0)
