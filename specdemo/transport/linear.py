"""The block transport problem, a linear programme: the optimum that no lossless verifier can beat in one block.

Marginals D^γ (drafted block) and T^γ (emitted block), cost γ − E[length of the longest common prefix]. With the joint laws S of the draft and
B of the target, two blocks have the prefix v in common with probability at most min(S(v), B(v)), so no coupling costs less than
γ − Σ_v min(S(v), B(v)), and one that puts as much mass as there is on every common prefix costs just that. Such a coupling is made from the
longest prefixes up, without a solver: solvers look at masses with a tolerance (HiGHS with 1e-10 at best), and a rare block has far less.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.transport.trees import LawTree, Prefix, Tree, as_trees


def optimal_coupling(draft_tree: Tree, target_tree: Tree, gamma: int | None = None) -> tuple[FloatArray, float]:
    """An optimal coupling (V^γ, V^γ), rows draft block, columns emitted block, and its cost γ − E[common prefix].

    Meant for V^γ ≤ 256: there are V^2γ cells.
    """
    draft, target, gamma = as_trees(draft_tree, target_tree, gamma)
    rows, columns = joint_law(draft, gamma), joint_law(target, gamma)
    size = len(rows)
    coupling = np.zeros((size, size))
    given, wanted = rows.tolist(), columns.tolist()
    for depth in range(gamma, -1, -1):
        each = draft.vocab_size ** (gamma - depth)
        for first in range(0, size, each):
            _match(coupling, given, wanted, first, first + each)
    blocks = np.array(list(product(range(draft.vocab_size), repeat=gamma))).reshape(size, gamma)
    common = np.cumprod(blocks[:, None, :] == blocks[None, :, :], axis=2).sum(axis=2)
    return coupling, float((coupling * (gamma - common)).sum())


def _match(coupling: FloatArray, given: list[float], wanted: list[float], first: int, end: int) -> None:
    """Move all the mass that can be from the rows to the columns first … end − 1, which have a prefix in common; one side is left empty."""
    row = column = first
    while row < end and column < end:
        mass = min(given[row], wanted[column])
        coupling[row, column] += mass
        given[row] -= mass
        wanted[column] -= mass
        if given[row]:
            column += 1
        else:
            row += 1


def joint_law(tree: LawTree, gamma: int) -> FloatArray:
    """The law (V^γ,) of the first γ tokens, in lexicographic order."""
    masses: dict[Prefix, float] = {(): 1.0}
    for _ in range(gamma):
        masses = {(*prefix, x): mass * float(p) for prefix, mass in masses.items() for x, p in enumerate(tree(prefix))}
    return np.fromiter(masses.values(), dtype=np.float64, count=len(masses))
