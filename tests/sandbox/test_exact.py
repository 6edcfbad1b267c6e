"""Fractions beside the decimals: right wherever there are any, and there are wherever a person could read them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdemo.sandbox.exact import ExactLaws, exact_numbers, exact_optimum
from specdemo.sandbox.words import decimal, fraction_text
from specdemo.transport import expected_accepted
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


THIRDS = ["1/3", "1/3", "1/3"]


@pytest.mark.parametrize(
    ("draft", "target", "expected", "variation"),
    [
        (["1/3", "1/2", "1/6"], THIRDS, Fraction(1, 2), Fraction(1, 6)),
        (["0.1", "0.2", "0.7"], ["0.1", "0.4", "0.5"], Fraction(3, 10), None),
        # Apart by less than a float can tell, this way and that: the second draft's A lies above 1/3.
        (["0.33333333333333333", "0.5", "0.16666666666666667"], THIRDS, Fraction("0.5"), None),
        (["0.33333333333333334", "0.5", "0.16666666666666666"], THIRDS, Fraction("0.16666666666666666"), None),
    ],
)  # fmt: skip
def test_no_rounding_decides_a_tie(draft: list[str], target: list[str], expected: Fraction, variation: Fraction | None) -> None:
    state = free(draft, target, 1, "threshold", "token")
    record, exact = picture(state)["rules"]["threshold"], exact_numbers("threshold", ExactLaws(laws_of(state)))
    assert exact is not None and exact.expected == expected and record["expected"] == pytest.approx(float(expected), abs=1e-15)
    if variation is not None:
        assert record["tv"] == pytest.approx(float(variation), abs=1e-15) and record["expected_fraction"] == str(expected)
        from_floats = [[float(Fraction(p)) for p in draft]], [[float(Fraction(p)) for p in target], [[1 / 3] * 3] * 3]
        assert expected_accepted("threshold", *from_floats) == pytest.approx(float(expected), abs=1e-15)


@pytest.mark.parametrize("rule", ["threshold", "exact_match", "typical"])
def test_no_rounding_decides_a_tie_of_any_denominator(rule: str) -> None:
    """Rules that compare: of 120 states in thirds to fourteenths none shows another number than its fraction's."""
    for seed in range(120):
        state = random_state(seed, 3, 1, "free", rule, "token", parts=3 + seed % 12)
        record, exact = picture(state)["rules"][rule], exact_numbers(rule, ExactLaws(laws_of(state)))
        assert exact is not None and record["expected_fraction"] == str(exact.expected), state


def test_only_readable_fractions_are_shown() -> None:
    state = free(["0.123456789", "0.876543211"], ["0.5", "0.5"], 4)
    record = picture(state)
    assert record["rules"]["block"]["expected_fraction"] is None and record["optimum"]["cost_fraction"] is None
    assert fraction_text(Fraction(10**12 - 1, 10**12 - 2)) and not fraction_text(Fraction(1, 10**12))
    assert decimal(Fraction(1, 3)) == "0.333333" and decimal(Fraction(1, 10**7)) == "0.0000001"
