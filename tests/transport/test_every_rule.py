"""480 random trees: every rule that claims to be lossless is, and E[τ] is ordered token ≤ block ≤ greedy block = the optimum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from specdemo.transport import closed_form_accepted, coupling, expected_accepted, optimal_coupling, output_law
from specdemo.verifiers import get, names
from tests.worlds import KINDS, Tree, joint, random_trees

EXACT = 1e-12
LOSSLESS = [name for name in names() if get(name).lossless == "always"]
# (symbols, γ): how many trees; V^{2γ} ≤ 729.
SIZES = {(2, 1): 165, (2, 2): 88, (3, 1): 140, (4, 1): 76, (2, 3): 6, (3, 2): 5}
LARGER = {(3, 3): 8, (4, 2): 6, (2, 5): 3, (5, 2): 3}
WHICH = [*KINDS, "mixed"]


def trees(sizes: dict[tuple[int, int], int]) -> Iterator[tuple[Tree, Tree, int]]:
    """Trees deep enough for 2γ tokens, of every kind in turn."""
    for (size, gamma), count in sizes.items():
        for seed in range(count):
            yield *random_trees(1000 * size + 100 * gamma + seed, size, 3 * gamma + 1, WHICH[seed % len(WHICH)]), gamma


def assert_lossless_and_ordered(draft: Tree, target: Tree, gamma: int) -> None:
    """Laws of 2γ tokens over two blocks and more, memory included; E[τ] against the closed forms and each other."""
    for rule in LOSSLESS:
        law = output_law(rule, draft, target, 2 * gamma, gamma)
        assert np.abs(law - joint(target, 2 * gamma)).max() < EXACT, rule
    kept = {rule: expected_accepted(rule, draft, target, gamma) for rule in LOSSLESS}
    for rule in ("token", "block", "greedy_block"):
        assert abs(kept[rule] - closed_form_accepted(rule, draft, target, gamma)) < EXACT, rule
    assert kept["token"] <= kept["block"] + EXACT
    assert kept["block"] <= kept["greedy_block"] + EXACT
    assert kept["sampled_match"] <= kept["token"] + EXACT


def test_lossless_rules_on_480_trees() -> None:
    assert LOSSLESS == ["token", "block", "greedy_block", "sampled_match"]
    assert sum(SIZES.values()) == 480
    for draft, target, gamma in trees(SIZES):
        assert_lossless_and_ordered(draft, target, gamma)


@pytest.mark.slow
def test_lossless_rules_on_20_larger_trees() -> None:
    assert sum(LARGER.values()) == 20
    for draft, target, gamma in trees(LARGER):
        assert_lossless_and_ordered(draft, target, gamma)


def small_trees() -> Iterator[tuple[Tree, Tree, int]]:
    """Trees on which whole couplings and linear programmes are cheap."""
    yield from trees({(2, 2): 11, (3, 1): 11, (2, 3): 11, (3, 2): 11})


@pytest.mark.parametrize("rule", LOSSLESS)
def test_couplings_have_the_marginals(rule: str) -> None:
    for draft, target, gamma in small_trees():
        matrix = coupling(rule, draft, target, gamma)
        assert matrix.min() >= 0
        assert np.abs(matrix.sum(axis=1) - joint(draft, gamma).ravel()).max() < EXACT
        assert np.abs(matrix.sum(axis=0) - joint(target, gamma).ravel()).max() < EXACT


def common_prefix_cost(size: int, gamma: int) -> np.ndarray:
    """(V^γ, V^γ): γ minus the length of the longest common prefix."""
    blocks = np.array(list(np.ndindex(*(size,) * gamma))).reshape(-1, gamma)
    equal = blocks[:, None, :] == blocks[None, :, :]
    return gamma - np.cumprod(equal, axis=2).sum(axis=2)


def by_linear_programme(rows: np.ndarray, columns: np.ndarray, cost: np.ndarray) -> float:
    """The optimum by scipy's HiGHS, which knows nothing of prefixes."""
    linprog, sparse = pytest.importorskip("scipy.optimize").linprog, pytest.importorskip("scipy.sparse")
    each, one = sparse.eye_array(len(rows)), np.ones((1, len(rows)))
    margins = sparse.vstack([sparse.kron(each, one), sparse.kron(one, each)]).tocsr()
    tolerances = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(cost.ravel(), A_eq=margins, b_eq=np.concatenate([rows, columns]), method="highs", options=tolerances)
    assert found.success, found.message
    return float(found.fun)


def test_the_optimum_agrees_with_other_solvers() -> None:
    """scipy's HiGHS and POT's network simplex against ours, and all against what greedy block verification attains."""
    ot = pytest.importorskip("ot")
    for draft, target, gamma in small_trees():
        rows, columns = joint(draft, gamma).ravel(), joint(target, gamma).ravel()
        cost = common_prefix_cost(draft[0].size, gamma).astype(float)
        other = float(ot.emd2(rows / rows.sum(), columns / columns.sum(), cost))
        _, found = optimal_coupling(draft, target, gamma)
        assert found == pytest.approx(by_linear_programme(rows, columns, cost), abs=1e-8)
        greedy = coupling("greedy_block", draft, target, gamma)
        assert found == pytest.approx(other, abs=1e-8)
        assert float((greedy * cost).sum()) == pytest.approx(other, abs=1e-8)
        # No coupling of a lossless rule may cost less, or the optimum has not been found.
        for rule in LOSSLESS:
            assert (coupling(rule, draft, target, gamma) * cost).sum() >= found - 1e-8
