"""The coupling at one position: against the whole matrix, against enumeration of what really happens there, and its edges."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.transport import position_coupling
from specdemo.verifiers import Plan, get
from tests.worlds import KINDS, random_trees, rows_along

EXACT = 1e-12
RULES = ("token", "block", "greedy_block")


def plans(rule: str, size: int, gamma: int, seeds: int = 4) -> list[Plan]:
    """Plans on random trees of every kind, with a block that can have been drafted."""
    found = []
    for kind in (*KINDS, "mixed"):
        for seed in range(seeds):
            draft, target = random_trees(seed, size, gamma + 1, kind)
            block: tuple[int, ...] = ()
            rng = np.random.default_rng(seed)
            for i in range(gamma):
                block = (*block, int(rng.choice(size, p=draft[i][block])))
            found.append(
                get(rule).core_plan(
                    np.array(block), rows_along(draft, block, gamma), rows_along(target, block, gamma + 1)
                )
            )
    return found


def whole_matrix(plan: Plan, i: int) -> tuple[np.ndarray, np.ndarray]:
    """The (V, V) matrix and the stopped column, entry by entry from the formulas."""
    assert plan.residual_scale is not None and plan.accept_prob is not None
    s, size = float(plan.residual_scale[i]), plan.draft.shape[1]
    coin = float(plan.accept_prob[i - 1]) if plan.order == "right_to_left" and i else 1.0
    over = [max(0.0, plan.draft[i, v] - s * plan.target[i, v]) for v in range(size)]
    lack = [max(0.0, s * plan.target[i, v] - plan.draft[i, v]) for v in range(size)]
    matrix = np.zeros((size, size))
    for v in range(size):
        for y in range(size):
            matrix[v, y] = coin * over[v] * lack[y] / sum(lack) if sum(lack) > 0 else 0.0
        matrix[v, v] += min(plan.draft[i, v], s * plan.target[i, v])
    return matrix, np.array([(1 - coin if sum(lack) > 0 else 1.0) * o for o in over])


@pytest.mark.parametrize("rule", RULES)
def test_aggregated_after_computing(rule: str) -> None:
    for plan in plans(rule, 6, 3, seeds=2):
        for i in range(3):
            matrix, stopped = whole_matrix(plan, i)
            groups = [[4], [1], [0, 2, 3, 5]]
            found = position_coupling(plan, i, [4, 1])
            for a, rows in enumerate(groups):
                for b, columns in enumerate(groups):
                    assert found.cells[a, b] == pytest.approx(matrix[np.ix_(rows, columns)].sum(), abs=EXACT)
                assert found.stopped[a] == pytest.approx(stopped[rows].sum(), abs=EXACT)
                assert found.draft[a] == pytest.approx(plan.draft[i, rows].sum(), abs=EXACT)


@pytest.mark.parametrize("rule", RULES)
def test_marginals(rule: str) -> None:
    """Rows give the draft back; columns give s·T for s ≤ 1; 1 − min(1, s) was stopped earlier."""
    for plan in plans(rule, 5, 4):
        for i in range(4):
            found = position_coupling(plan, i, range(5))
            assert np.abs(found.cells.sum(axis=1) + found.stopped - found.draft).max() < EXACT
            assert found.stopped.sum() == pytest.approx(1 - min(1.0, found.scale), abs=EXACT)
            if found.scale <= 1:
                assert np.abs(found.emitted[:-1] - found.scale * plan.target[i]).max() < EXACT
            assert found.draft[-1] == 0 and found.cells[-1].sum() == 0


@pytest.mark.parametrize("rule", RULES)
def test_it_is_what_happens_at_the_first_position(rule: str) -> None:
    """At i = 0 the emitted token is known from decisions alone: kept x₁, or the correction; averaged over later drafts."""
    for seed in range(4):
        draft, target = random_trees(seed, 3, 4, "plain")
        matrix = np.zeros((3, 3))
        for block in np.ndindex(3, 3, 3):
            mass = float(np.prod([draft[i][block[:i]][block[i]] for i in range(3)]))
            plan = get(rule).core_plan(np.array(block), rows_along(draft, block, 3), rows_along(target, block, 4))
            matrix[block[0]] += mass * plan.length_law[0] * plan.next_law(0)
            matrix[block[0], block[0]] += mass * float(plan.length_law[1:].sum())
        found = position_coupling(plan, 0, range(3))
        assert np.abs(found.cells[:3, :3] - matrix).max() < EXACT


def test_refusals() -> None:
    plan = plans("block", 3, 2, 1)[0]
    for i in (-1, 2):
        with pytest.raises(ValueError, match=r"one of 0 … 1"):
            position_coupling(plan, i, [0])
    for ids in ([0, 0], [3], [-1]):
        with pytest.raises(ValueError, match="distinct tokens"):
            position_coupling(plan, 0, ids)
    with pytest.raises(ValueError, match="must be integers"):
        position_coupling(plan, 0, [0.7])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="no residual"):
        position_coupling(get("sampled_match").core_plan(plan.tokens, plan.draft, plan.target), 0, [0])
