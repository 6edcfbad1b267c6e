"""The numbers that are known: E[τ], the couplings in ninths, model C, and the reference in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from specdemo.transport import closed_form_accepted, coupling, expected_accepted, optimal_coupling
from specdemo.verifiers import get
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


def test_the_token_rule_is_optimal_at_cost_1_a_token_for_one_token_only() -> None:
    """Changed tokens of a block of two: 20/27 under the token rule, 18/27 at the optimum, two couplings of one token side by side."""
    blocks = list(product(range(2), repeat=2))
    changed = np.array([[sum(a != b for a, b in zip(x, y, strict=True)) for y in blocks] for x in blocks])
    assert 27 * (changed * coupling("token", *two_symbols(2))).sum() == pytest.approx(20, abs=1e-9)
    one = coupling("token", *two_symbols(1))
    assert (one - np.diag(np.diag(one))).sum() == pytest.approx(1 / 3, abs=EXACT)  # TV(D, T): no coupling changes less
    assert 27 * (changed * np.kron(one, one)).sum() == pytest.approx(18, abs=1e-9)


def test_acceptance_by_position_moves_under_the_block_rule_though_the_laws_are_the_same_everywhere() -> None:
    """P(τ ≥ i) / P(τ ≥ i − 1): under the token rule Σ min(D, T) at every position."""
    found = {}
    for rule in ("token", "block"):
        kept = np.diff([0, *(expected_accepted(rule, *two_symbols(gamma)) for gamma in (1, 2, 3))])
        found[rule] = (kept / [1, *kept[:-1]]).tolist()
    assert found["token"] == pytest.approx([2 / 3] * 3, abs=1e-9)
    assert found["block"] == pytest.approx([2 / 3, 5 / 6, 4 / 5], abs=1e-9)


def test_who_chooses_between_two_verdicts_leaves_the_target() -> None:
    """Token and block on the same coins, the longer one taken: P(A) = 1/2 instead of 1/3. Each rule by itself is lossless."""
    rules = [get("token"), get("block")]
    draft, target = np.array([[2 / 3, 1 / 3]] * 2), np.array([[1 / 3, 2 / 3]] * 3)
    first = {"token": np.zeros(2), "block": np.zeros(2), "longer": np.zeros(2)}
    for tokens in product(range(2), repeat=2):
        plans = {rule.name: rule.plan(tokens, draft, target) for rule in rules}
        coins = [plan.accept_prob for plan in plans.values()]
        # Between two thresholds every coin decides alike, so one number of each cell stands for all.
        cuts = [sorted({0.0, 1.0, *(float(h[i]) for h in coins if h is not None)}) for i in range(2)]
        for cell in product(*(pairwise(cut) for cut in cuts)):
            mass = np.prod([draft[i, x] for i, x in enumerate(tokens)]) * np.prod([high - low for low, high in cell])
            uniforms = [(low + high) / 2 for low, high in cell] + [0.5]
            kept = {name: plan.decide(uniforms).accepted for name, plan in plans.items()}
            kept["longer"] = max(kept.values())
            for name, accepted in kept.items():
                plan = plans[name] if name in plans else plans[max(plans, key=kept.__getitem__)]
                first[name] += mass * (np.eye(2)[tokens[0]] if accepted else plan.next_law(0))
    assert first["token"].tolist() == pytest.approx([1 / 3, 2 / 3], abs=EXACT)
    assert first["block"].tolist() == pytest.approx([1 / 3, 2 / 3], abs=EXACT)
    assert first["longer"].tolist() == pytest.approx([1 / 2, 1 / 2], abs=EXACT)
