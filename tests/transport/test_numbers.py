"""The numbers that are known: E[τ], the couplings in ninths, model C, and the reference in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from specdemo.transport import closed_form_accepted, coupling, expected_accepted, optimal_coupling
from tests.reference import expected_kept
from tests.worlds import Tree, by_position, fractions, law_of, model_c, two_symbols

EXACT = 1e-12

TWO_SYMBOLS = {
    "token": fractions(["2/3", "10/9", "38/27"]),
    "block": fractions(["2/3", "11/9", "5/3"]),
    "greedy_block": fractions(["2/3", "12/9", "50/27"]),
}
# Rows: drafted AA, AB, BA, BB; columns: the first two emitted tokens; in ninths.
NINTHS = {
    "token": [[1, 1, 2 / 3, 4 / 3], [0, 1, 1 / 3, 2 / 3], [0, 0, 1, 1], [0, 0, 0, 1]],
    "block": [[1, 0, 1, 2], [0, 2, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]],
}
GREEDY_NINTHS = [[1, 0, 0, 3], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]


def in_fractions(gamma: int) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The two-symbol laws by position, without rounding."""
    third = Fraction(1, 3)
    return [[2 * third, third]] * gamma, [[third, 2 * third]] * (gamma + 1)


@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("rule", ["token", "block"])
def test_expected_accepted_of_two_symbols(rule: str, gamma: int) -> None:
    expected = TWO_SYMBOLS[rule][gamma - 1]
    assert expected_accepted(rule, *two_symbols(gamma)) == pytest.approx(float(expected), abs=EXACT)
    draft, target = in_fractions(gamma)
    assert expected_kept(rule, lambda p: draft[len(p)], lambda p: target[len(p)], gamma) == expected


@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("rule", TWO_SYMBOLS)
def test_closed_forms_of_two_symbols(rule: str, gamma: int) -> None:
    expected = float(TWO_SYMBOLS[rule][gamma - 1])
    assert closed_form_accepted(rule, *two_symbols(gamma)) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("rule", NINTHS)
def test_coupling_in_ninths(rule: str) -> None:
    assert np.abs(coupling(rule, *two_symbols(2)) * 9 - np.array(NINTHS[rule])).max() < EXACT


def test_optimal_coupling_of_two_symbols_costs_what_greedy_block_costs() -> None:
    """The optimum is 2 − 12/9; greedy's coupling, written out, attains it."""
    _, cost = optimal_coupling(*two_symbols(2))
    assert cost == pytest.approx(2 - 12 / 9, abs=1e-9)
    common = np.array([[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 2, 1], [0, 0, 1, 2]])
    assert 2 - (common * GREEDY_NINTHS).sum() / 9 == pytest.approx(cost, abs=1e-9)


@pytest.mark.parametrize(("rule", "expected"), [("token", 0.75), ("block", 0.86)])
def test_model_c(rule: str, expected: float) -> None:
    draft, target = model_c()
    assert expected_accepted(rule, draft, target) == pytest.approx(expected, abs=EXACT)
    assert float(expected_kept(rule, law_of(draft), law_of(target), 2)) == pytest.approx(expected, abs=EXACT)


def test_model_c_closed_forms() -> None:
    draft, target = model_c()
    found = {rule: closed_form_accepted(rule, draft, target) for rule in ("token", "block", "greedy_block")}
    assert found == pytest.approx({"token": 0.75, "block": 0.86, "greedy_block": 0.91}, abs=EXACT)
    assert 2 - optimal_coupling(draft, target)[1] == pytest.approx(0.91, abs=1e-9)


def test_sampled_match_of_model_c_from_its_definition() -> None:
    """.425, the weakest of the lossless rules: one can see from the definition that the table of numbers is consistent."""
    draft, target = model_c()
    first, second = (float(draft[i].reshape(-1, 3)[0] @ target[i].reshape(-1, 3)[0]) for i in range(2))
    assert first + first * second == pytest.approx(0.425, abs=EXACT)


def deep_two_symbols(depth: int) -> tuple[Tree, Tree]:
    """Two symbols as deep as many blocks go."""
    return by_position([[2 / 3, 1 / 3]] * depth), by_position([[1 / 3, 2 / 3]] * depth)


@pytest.mark.parametrize(
    ("rule", "gamma", "per_call"), [("token", 2, 2.11), ("block", 2, 2.22), ("token", 4, 2.60), ("block", 4, 3.05)]
)
def test_tokens_per_target_call(rule: str, gamma: int, per_call: float) -> None:
    """E[τ] + 1; for rules without memory one block is as good as the long run."""
    assert expected_accepted(rule, *deep_two_symbols(gamma + 1), gamma) + 1 == pytest.approx(per_call, abs=5e-3)
