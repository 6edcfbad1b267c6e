"""Couplings, expectations, closed forms and the optimum on random trees of every kind."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from math import comb

import numpy as np
import pytest

from specdemo.transport import accepted_mass, closed_form_accepted, coupling, expected_accepted, optimal_coupling
from specdemo.verifiers import get
from tests.reference import expected_kept
from tests.worlds import KINDS, Tree, drafted_blocks, joint, law_of, random_trees, rows_along

EXACT = 1e-12
RULES = ("token", "block")
# (symbols, γ) small enough for whole couplings.
SIZES = [(1, 2), (2, 1), (2, 3), (3, 1), (3, 2), (4, 2)]


def common_prefix(size: int, gamma: int) -> np.ndarray:
    """(V^γ, V^γ): the length of the longest common prefix of two blocks."""
    blocks = [tuple(b) for b in np.ndindex(*(size,) * gamma)]
    return np.array([[next((i for i in range(gamma) if a[i] != b[i]), gamma) for b in blocks] for a in blocks])


def trees() -> list[tuple[Tree, Tree, int]]:
    """Two trees of every kind and size."""
    return [
        (*random_trees(7 * seed + size, size, gamma + 1, kind), gamma)
        for kind in (*KINDS, "mixed")
        for size, gamma in SIZES
        for seed in range(2)
    ]


@pytest.mark.parametrize("rule", RULES)
def test_a_coupling_has_the_right_marginals_and_the_right_cost(rule: str) -> None:
    for draft, target, gamma in trees():
        matrix = coupling(rule, draft, target, gamma)
        assert matrix.min() >= 0
        assert np.abs(matrix.sum(axis=1) - joint(draft, gamma).ravel()).max() < EXACT
        assert np.abs(matrix.sum(axis=0) - joint(target, gamma).ravel()).max() < EXACT
        # What is emitted agrees with the draft at least as far as it was kept; a correction may agree with nothing.
        agreement = float((matrix * common_prefix(draft[0].size, gamma)).sum())
        assert agreement == pytest.approx(expected_accepted(rule, draft, target, gamma), abs=EXACT)


@pytest.mark.parametrize("rule", RULES)
def test_enumeration_closed_form_and_reference_agree(rule: str) -> None:
    for draft, target, gamma in trees():
        enumerated = expected_accepted(rule, draft, target, gamma)
        assert closed_form_accepted(rule, draft, target, gamma) == pytest.approx(enumerated, abs=EXACT)
        assert float(expected_kept(rule, law_of(draft), law_of(target), gamma)) == pytest.approx(enumerated, abs=EXACT)


def test_the_accepted_mass_of_every_prefix() -> None:
    """a(v) = P(τ ≥ |v|, X = v), prefix by prefix, from plans and from the one-line recursions."""
    for seed in range(6):
        draft, target = random_trees(seed, 3, 4)
        nodes = accepted_mass(draft, target, 3)
        for rule in RULES:
            mass = dict.fromkeys(nodes, 0.0)
            for block, p in drafted_blocks(draft, 3):
                plan = get(rule).core_plan(np.array(block), rows_along(draft, block, 3), rows_along(target, block, 4))
                for i in range(4):
                    mass[block[:i]] += p * float(plan.length_law[i:].sum())
            for prefix, node in nodes.items():
                assert node.accepted[rule] == pytest.approx(mass[prefix], abs=EXACT)
                assert node.draft_mass == pytest.approx(float(joint(draft, len(prefix))[prefix]), abs=EXACT)
                assert node.target_mass == pytest.approx(float(joint(target, len(prefix))[prefix]), abs=EXACT)


def test_token_at_most_block_at_most_the_optimum() -> None:
    strict = 0
    for draft, target, gamma in trees():
        token, block, greedy = (
            closed_form_accepted(r, draft, target, gamma) for r in ("token", "block", "greedy_block")
        )
        assert token <= block + EXACT
        assert block <= greedy + EXACT
        assert greedy <= gamma + EXACT
        strict += token < block - 1e-6 and block < greedy - 1e-6
    assert strict > 10, "worlds in which all three agree prove nothing"


def test_the_optimal_coupling_is_one_and_costs_the_least() -> None:
    for draft, target, gamma in trees():
        matrix, cost = optimal_coupling(draft, target, gamma)
        assert matrix.min() >= 0
        assert np.abs(matrix.sum(axis=1) - joint(draft, gamma).ravel()).max() < EXACT
        assert np.abs(matrix.sum(axis=0) - joint(target, gamma).ravel()).max() < EXACT
        assert gamma - cost == pytest.approx(closed_form_accepted("greedy_block", draft, target, gamma), abs=EXACT)


PREFIXES = [prefix for length in range(4) for prefix in product(range(2), repeat=length)]
RARE = [Fraction(p) for p in ("0", "1/3", "1/4", "1/5", "1/10", "1/20", "1/50", *(f"1e-{n}" for n in range(2, 9)))]


def test_optima_where_blocks_are_rarer_than_any_tolerance() -> None:
    """784 pairs of laws on two symbols, masses down to 10⁻³², against γ − Σ_v min(S(v), B(v)) in fractions: no coupling costs less than that."""
    chances = [*RARE, *(1 - p for p in RARE)]
    assert len(chances) ** 2 == 784
    for d in chances:
        for t in chances:
            draft, target = ((float(p), float(1 - p)) for p in (d, t))
            everywhere = [dict.fromkeys(PREFIXES, law).__getitem__ for law in (draft, target)]
            matrix, cost = optimal_coupling(everywhere[0], everywhere[1], 4)
            # Among the blocks of n tokens comb(n, k) have k of the first symbol, and all of these are alike.
            kept = sum(
                comb(n, k) * min(d**k * (1 - d) ** (n - k), t**k * (1 - t) ** (n - k)) for n in range(1, 5) for k in range(n + 1)
            )
            assert matrix.min() >= 0 and cost == pytest.approx(float(4 - kept), abs=1e-12), (d, t)
            for law, axis in ((draft, 1), (target, 0)):
                margin = reduce(np.multiply.outer, [np.array(law)] * 4).ravel()
                assert np.abs(matrix.sum(axis=axis) - margin).max() < 1e-14, (d, t)


def test_an_optimum_that_was_called_infeasible() -> None:
    _, cost = optimal_coupling(lambda _: [1 / 2, 1 / 2], lambda _: [0.00001, 0.99999], 3)
    assert cost == pytest.approx(2.1249400004, abs=1e-12)


def test_one_token_blocks_cost_total_variation() -> None:
    for seed in range(20):
        draft, target = random_trees(seed, 4, 2)
        variation = 0.5 * float(np.abs(draft[0] - target[0]).sum())
        for rule in RULES:
            assert 1 - expected_accepted(rule, draft, target, 1) == pytest.approx(variation, abs=EXACT)
        assert optimal_coupling(draft, target, 1)[1] == pytest.approx(variation, abs=1e-9)


@pytest.mark.parametrize("kind", ["one_hot", "hot_draft"])
def test_one_hot_drafts_make_both_rules_one(kind: str) -> None:
    for seed in range(10):
        draft, target = random_trees(seed, 3, 4, kind)
        token, block = (coupling(rule, draft, target, 3) for rule in RULES)
        assert np.abs(token - block).max() < EXACT


def test_no_drafted_tokens() -> None:
    draft, target = random_trees(0, 3, 1)
    for rule in RULES:
        assert expected_accepted(rule, draft, target, 0) == 0
        assert coupling(rule, draft, target, 0).tolist() == [[1.0]]
    matrix, cost = optimal_coupling(draft, target, 0)
    assert matrix.tolist() == [[1.0]] and cost == 0
    assert closed_form_accepted("block", draft, target, 0) == 0
