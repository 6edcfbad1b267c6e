"""The block transport problem as a linear programme: the optimum that no lossless verifier can beat in one block.

Marginals D^γ (drafted block) and T^γ (emitted block), cost γ − E[length of the longest common prefix]. scipy's HiGHS solves it.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.transport.trees import LawTree, Prefix, Tree, as_trees


def optimal_coupling(draft_tree: Tree, target_tree: Tree, gamma: int | None = None) -> tuple[FloatArray, float]:
    """An optimal coupling (V^γ, V^γ), rows draft block, columns emitted block, and its cost γ − E[common prefix].

    Meant for V^γ ≤ 256. Raises RuntimeError with the solver's words if it fails.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    draft, target, gamma = as_trees(draft_tree, target_tree, gamma)
    rows, columns = joint_law(draft, gamma), joint_law(target, gamma)
    size = len(rows)
    blocks = np.array(list(product(range(draft.vocab_size), repeat=gamma))).reshape(size, gamma)
    equal = blocks[:, None, :] == blocks[None, :, :]
    cost = gamma - np.cumprod(equal, axis=2).sum(axis=2)
    cell = np.arange(size * size)
    constraint = coo_array(
        (np.ones(2 * size * size), (np.concatenate([cell // size, size + cell % size]), np.concatenate([cell, cell])))
    )
    result = linprog(
        cost.ravel().astype(float),
        A_eq=constraint.tocsr(),
        b_eq=np.concatenate([rows, columns]),
        method="highs",
        # HiGHS is content with 1e-7 by itself, which is more than a rare block's whole mass; 1e-10 is the least it takes.
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not result.success:
        raise RuntimeError(f"the linear programme was not solved: {result.message}")
    return result.x.reshape(size, size), float(result.fun)


def joint_law(tree: LawTree, gamma: int) -> FloatArray:
    """The law (V^γ,) of the first γ tokens, in lexicographic order."""
    masses: dict[Prefix, float] = {(): 1.0}
    for _ in range(gamma):
        masses = {(*prefix, x): mass * float(p) for prefix, mass in masses.items() for x, p in enumerate(tree(prefix))}
    return np.fromiter(masses.values(), dtype=np.float64, count=len(masses))
