"""The coupling at one position of a real block: full vocabulary, summed exactly onto the tokens that are to be seen.

Rows are the token drafted at position i + 1, columns the token emitted there, with one more column for what was stopped at an
earlier prefix. With s = residual_scale[i] and h = 1 for rules that go left to right and for i = 0, h = accept_prob[i − 1] otherwise:

    kept       min(D, s T)                                            on the diagonal
    corrected  h · (D − s T)₊ ⊗ (s T − D)₊ / Σ (s T − D)₊               a flow of rank one
    stopped    (1 − h) · (D − s T)₊                                   in all 1 − min(1, s)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers import Plan


@dataclass(frozen=True)
class PositionCoupling:
    """Masses at one position for n chosen tokens and the rest of the vocabulary, which is the last row and column.

    `cells` (n+1, n+1): drafted (row) and emitted (column); `stopped` (n+1,): drafted here, stopped at an earlier prefix;
    `draft` (n+1,) the row masses D; `emitted` (n+1,) the column masses, s·T where s ≤ 1; `scale` s and `coin` h.
    """

    ids: tuple[int, ...]
    cells: FloatArray
    stopped: FloatArray
    draft: FloatArray
    emitted: FloatArray
    scale: float
    coin: float


def position_coupling(plan: Plan, i: int, ids: Sequence[int]) -> PositionCoupling:
    """The coupling given the drafted prefix x^i, aggregated onto `ids` and the rest after it is computed, never before.

    ValueError unless 0 ≤ i < γ, the ids are distinct and in the vocabulary, and the rule has a residual. Source: Sun et al. 2024, Alg. 2.
    """
    core = plan.core or plan
    if not 0 <= i < core.gamma:
        raise ValueError(f"i is {i}: a position with a draft is one of 0 … {core.gamma - 1}")
    if core.residual_scale is None:
        raise ValueError(
            "this rule has no residual: what it corrects does not flow from what D over-offers to what T lacks"
        )
    given = np.asarray(ids)
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"ids must be integers, got {list(ids)}")
    chosen = given.astype(np.int64)
    size = core.draft.shape[1]
    if len(set(chosen.tolist())) != len(chosen) or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < size):
        raise ValueError(f"ids must be distinct tokens in 0 … {size - 1}, got {list(ids)}")
    scale = float(core.residual_scale[i])
    coin = 1.0
    if core.order == "right_to_left" and i > 0:
        assert core.accept_prob is not None
        coin = float(core.accept_prob[i - 1])
    draft, scaled = core.draft[i], scale * core.effective_target[i]
    overlap, difference = np.minimum(draft, scaled), scaled - draft
    residual, excess = np.maximum(difference, 0.0), np.maximum(-difference, 0.0)
    kept, lacking, over, drafted = (_gathered(part, chosen) for part in (overlap, residual, excess, draft))
    total = float(residual.sum())
    cells = np.diag(kept) + (coin / total * np.outer(over, lacking) if total > 0 else 0.0)
    # Without a residual nothing is corrected, whatever the coin says.
    stopped = (1.0 - coin if total > 0 else 1.0) * over
    return PositionCoupling(tuple(chosen.tolist()), cells, stopped, drafted, cells.sum(axis=0), scale, coin)


def _gathered(values: FloatArray, chosen: IntArray) -> FloatArray:
    """The values of the chosen tokens and, last, the sum of all others, token by token."""
    others = np.ones(len(values), dtype=bool)
    others[chosen] = False
    return np.append(values[chosen], values[others].sum())
