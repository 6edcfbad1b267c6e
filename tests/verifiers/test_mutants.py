"""Every mistake in a rule is caught by a named assertion that the right rules pass, and where it harms the text, by a clear margin."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from specdemo.verifiers import Verifier, get
from tests import rule_assertions as must
from tests.mutants import RULE_MUTANTS

ASSERTIONS = [
    must.assert_output_law,
    must.assert_decided_law,
    must.assert_decisions_follow_length_law,
    must.assert_strict_coins,
    must.assert_equal_laws_are_harmless,
]
ASSERTIONS_OF_ONE_RULE = [
    must.assert_kept_table,
    must.assert_expected_kept,
    must.assert_prefix_weights,
    must.assert_reference,
]


def _named(assertion: Callable[..., None]) -> str:
    return assertion.__name__


@pytest.mark.parametrize("name", ["token", "block"])
@pytest.mark.parametrize("assertion", ASSERTIONS, ids=_named)
def test_right_rules_pass(name: str, assertion: Callable[[Verifier], None]) -> None:
    assertion(get(name))


@pytest.mark.parametrize("name", ["token", "block"])
@pytest.mark.parametrize("assertion", ASSERTIONS_OF_ONE_RULE, ids=_named)
def test_right_rules_behave_like_themselves(name: str, assertion: Callable[[Verifier, str], None]) -> None:
    assertion(get(name), name)


@pytest.mark.parametrize("assertion", ASSERTIONS_OF_ONE_RULE, ids=_named)
@pytest.mark.parametrize(("name", "other"), [("token", "block"), ("block", "token")])
def test_one_rule_is_not_the_other(assertion: Callable[[Verifier, str], None], name: str, other: str) -> None:
    with pytest.raises(AssertionError):
        assertion(get(name), other)


@pytest.mark.parametrize("mistake", RULE_MUTANTS)
def test_mutants_are_caught(mistake: str) -> None:
    mutant = RULE_MUTANTS[mistake]
    with pytest.raises(AssertionError):
        mutant.caught_by(mutant.rule)
    if mutant.distance is not None:
        assert mutant.distance(mutant.rule) > must.CLEARLY
