"""Fractions beside the decimals: right wherever there are any, and there are wherever a person could read them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdemo.sandbox.exact import ExactLaws, exact_numbers, exact_optimum
from specdemo.sandbox.words import decimal, fraction_text
from specdemo.verifiers import mistakes, names
from tests.reference import expected_kept
from tests.sandbox.states import free, laws_of, picture, random_state, two_symbols


def law(state: dict[str, Any], side: str) -> Any:
    """A state's law by position, in fractions."""
    levels = state[side]
    return lambda text: [Fraction(p) for p in levels[min(len(text), len(levels) - 1)][0]]


@pytest.mark.parametrize("rule", ["token", "block"])
def test_expected_kept_is_the_references(rule: str) -> None:
    for seed in range(12):
        state = random_state(seed, 3, 2 + seed % 2, ["free", "position"][seed % 2], rule, "token")
        found = exact_numbers(rule, ExactLaws(laws_of(state)))
        assert found is not None
        assert found.expected == expected_kept(rule, law(state, "draft"), law(state, "target"), state["gamma"])


@pytest.mark.parametrize("rule", names())
def test_fractions_agree_with_the_decimals(rule: str) -> None:
    """Costs included: after a correction what is emitted may agree with the draft again, by rules whose Y may be the drafted token."""
    for seed in range(9):
        context = ["free", "position", "prefix"][seed % 3]
        state = random_state(seed, 2 + seed % 2, 3, context, rule, "token", parts=7)
        record, exact = picture(state)["rules"][rule], ExactLaws(laws_of(state))
        found, best = exact_numbers(rule, exact), exact_optimum(exact)
        assert found is not None and best is not None
        assert float(found.expected) == pytest.approx(record["expected"], abs=1e-12)
        assert float(found.cost) == pytest.approx(record["cost"], abs=1e-12)
        assert float(found.cost - best) == pytest.approx(record["gap"], abs=1e-12)
        assert record["expected_fraction"] == fraction_text(found.expected)
        assert record["gap_fraction"] == fraction_text(found.cost - best)


def test_a_lossy_rules_cost_is_not_what_it_rejects() -> None:
    record = picture(two_symbols(2, "threshold", "token"))["rules"]["threshold"]
    assert record["cost"] != pytest.approx(2 - record["expected"], abs=1e-3)


def test_mistakes_have_decimals_only() -> None:
    for rule in mistakes.names():
        assert picture(two_symbols(2, rule, "token"))["rules"][rule]["expected_fraction"] is None


def test_no_fraction_stands_beside_a_decimal_that_differs() -> None:
    """D = T = 1/10 is a tie for the threshold rule; the sums of both rows round differently, and the float rule sees no tie."""
    state = free(["0.1", "0.2", "0.7"], ["0.1", "0.4", "0.5"], 1, "threshold", "token")
    record = picture(state)["rules"]["threshold"]
    exact = exact_numbers("threshold", ExactLaws(laws_of(state)))
    assert exact is not None and exact.expected == Fraction(3, 10)
    assert record["expected_fraction"] in (None, "3/10")
    assert (record["expected_fraction"] is None) == (abs(record["expected"] - 0.3) > 1e-12)


def test_only_readable_fractions_are_shown() -> None:
    state = free(["0.123456789", "0.876543211"], ["0.5", "0.5"], 4)
    record = picture(state)
    assert record["rules"]["block"]["expected_fraction"] is None and record["optimum"]["cost_fraction"] is None
    assert fraction_text(Fraction(10**12 - 1, 10**12 - 2)) and not fraction_text(Fraction(1, 10**12))
    assert decimal(Fraction(1, 3)) == "0.333333" and decimal(Fraction(1, 10**7)) == "0.0000001"
