"""The rules at the edges: γ = 0 and 1, one symbol, one-hot laws, equal and disjoint laws, zeros, and numbers that overflow."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.arrays import FloatArray
from specdemo.verifiers import Plan, get
from specdemo.verifiers.base import ratios
from tests.worlds import MODEL_C_DRAFT, MODEL_C_TARGET, drafted_blocks, random_trees, rows_along

RULES = ("token", "block")
EXACT = 1e-12


def laws(seed: int, rows: int, size: int = 4) -> FloatArray:
    """Random laws (rows, size)."""
    return np.random.default_rng(seed).dirichlet(np.ones(size), size=rows)


def outcomes(plan: Plan) -> FloatArray:
    """The joint law (γ+1, V) of τ and Y given the drafted tokens."""
    return np.array([plan.length_law[i] * plan.next_law(i) for i in range(plan.gamma + 1)])


@pytest.mark.parametrize("name", RULES)
def test_without_a_draft_the_target_is_sampled(name: str) -> None:
    target = laws(0, 1)
    plan = get(name).plan([], np.zeros((0, 4)), target)
    assert plan.gamma == 0
    assert plan.length_law.tolist() == [1.0]
    assert np.abs(plan.next_law(0) - target[0]).max() < EXACT
    verdict = plan.decide([target[0, 0] + 1e-9])
    assert (verdict.accepted, verdict.next_token) == (0, 1)


@pytest.mark.parametrize("name", RULES)
def test_one_symbol_is_always_kept(name: str) -> None:
    verdict = get(name).verify([0, 0, 0], np.ones((3, 1)), np.ones((4, 1)), [0.999] * 4)
    assert (verdict.accepted, verdict.next_token) == (3, 0)


def test_one_drafted_token_makes_both_rules_one() -> None:
    for seed in range(50):
        draft, target = random_trees(seed, 3, 2)
        for block, _ in drafted_blocks(draft, 1):
            arguments = np.array(block), rows_along(draft, block, 1), rows_along(target, block, 2)
            token, block_plan = (get(name).core_plan(*arguments) for name in RULES)
            assert np.abs(outcomes(token) - outcomes(block_plan)).max() < EXACT


@pytest.mark.parametrize("kind", ["one_hot", "hot_draft"])
def test_one_hot_drafts_make_both_rules_one(kind: str) -> None:
    """At temperature 0 and for a drafter without probabilities, the laws of (τ, Y) agree at every drafted block."""
    for seed in range(30):
        draft, target = random_trees(seed, 3, 4, kind)
        for block, _ in drafted_blocks(draft, 3):
            arguments = np.array(block), rows_along(draft, block, 3), rows_along(target, block, 4)
            token, block_plan = (get(name).core_plan(*arguments) for name in RULES)
            assert np.abs(outcomes(token) - outcomes(block_plan)).max() < EXACT


def test_two_drafted_tokens_make_a_difference() -> None:
    arguments = np.array([2, 2]), *(np.array(laws) for laws in (MODEL_C_DRAFT, MODEL_C_TARGET))
    token, block_plan = (get(name).core_plan(*arguments) for name in RULES)
    assert np.abs(outcomes(token) - outcomes(block_plan)).max() > 1e-3


@pytest.mark.parametrize("name", RULES)
def test_equal_laws_keep_everything(name: str) -> None:
    target = laws(1, 4)
    plan = get(name).plan([0, 1, 2], target[:3], target)
    assert np.abs(plan.length_law - [0, 0, 0, 1]).max() < EXACT
    assert plan.decide([1 - 2.0**-53] * 4).accepted == 3
    assert plan.accept_prob is not None and plan.accept_prob.tolist() == [1, 1, 1], "0/0 is a success"


def test_a_token_that_cannot_have_been_drafted_has_no_number_as_its_ratio() -> None:
    """A wrong rule may be shown another D than the one that drafted."""
    draft, target = np.array([[0.0, 1.0]] * 2), np.array([[0.5, 0.5], [0.0, 1.0]])
    impossible, undefined = ratios(np.array([0, 0]), draft, target).tolist()
    assert impossible == np.inf and np.isnan(undefined)


@pytest.mark.parametrize("name", RULES)
def test_disjoint_laws_keep_nothing_and_correct_from_the_target(name: str) -> None:
    plan = get(name).plan([0, 1], [[0.5, 0.5, 0, 0]] * 2, [[0, 0, 0.25, 0.75]] * 3)
    assert plan.length_law.tolist() == [1.0, 0.0, 0.0]
    assert plan.next_law(0).tolist() == [0, 0, 0.25, 0.75]
    assert plan.decide([0.0, 0.0, 0.0]).next_token == 2


@pytest.mark.parametrize("name", RULES)
def test_a_correction_never_has_target_probability_zero(name: str) -> None:
    for seed in range(40):
        draft, target = random_trees(seed, 3, 3, "zeros")
        for block, _ in drafted_blocks(draft, 2):
            plan = get(name).core_plan(np.array(block), rows_along(draft, block, 2), rows_along(target, block, 3))
            for i in range(3):
                if plan.length_law[i] > EXACT:
                    assert (plan.next_law(i)[plan.target[i] == 0] == 0).all()


@pytest.mark.parametrize("name", RULES)
def test_after_an_impossible_token_no_ratio_can_rescue_it(name: str) -> None:
    """The second ratio overflows to infinity; 0 · ∞ must not make a weight of it."""
    tiny = 5e-324
    draft = np.array([[0.5, 0.5], [tiny, 1.0]])
    target = np.array([[0.0, 1.0], [0.5, 0.5], [0.5, 0.5]])
    plan = get(name).plan([0, 0], draft, target)
    assert plan.prefix_weight is not None
    assert plan.prefix_weight.tolist() == [1.0, 0.0, 0.0]
    assert plan.length_law.tolist() == [1.0, 0.0, 0.0]


def test_block_can_keep_fewer_tokens_on_one_draw() -> None:
    """Better in expectation, not on every draw (model C, the tokens 2 0 with η = .2, .97)."""
    kept = {n: get(n).verify([2, 0], MODEL_C_DRAFT, MODEL_C_TARGET, [0.2, 0.97, 0.5]).accepted for n in RULES}
    assert kept == {"token": 2, "block": 1}


@pytest.mark.parametrize("name", RULES)
def test_a_row_after_the_block_changes_nothing(name: str) -> None:
    """The draft's row behind the block may be handed over (γ+1 rows); both rules do without it."""
    draft, target = laws(2, 4), laws(3, 4)
    short, long = (get(name).plan([0, 1, 2], rows, target) for rows in (draft[:3], draft))
    assert (outcomes(short) == outcomes(long)).all()
    assert short.decide([0.5] * 4).accepted == long.decide([0.5] * 4).accepted


@pytest.mark.parametrize("name", RULES)
def test_fields_have_the_announced_shapes_and_leave_the_input_alone(name: str) -> None:
    draft, target, tokens = laws(4, 3), laws(5, 4), np.array([0, 1, 2])
    before = draft.copy(), target.copy(), tokens.copy()
    plan = get(name).plan(tokens, draft, target)
    assert plan.accept_prob is not None and plan.prefix_weight is not None and plan.residual_scale is not None
    assert plan.accept_prob.shape == (3,)
    assert plan.prefix_weight.shape == plan.residual_scale.shape == plan.length_law.shape == (4,)
    assert plan.effective_target.shape == (4, 4)
    verdict = plan.decide([0.3] * 4)
    assert verdict.length_law is plan.length_law and verdict.accept_prob is plan.accept_prob
    assert verdict.memory is None and plan.memory_after(0, 0) is None
    assert all((a == b).all() for a, b in zip(before, (draft, target, tokens), strict=True))
