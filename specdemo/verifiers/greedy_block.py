"""Greedy block verification: the optimum of the block transport problem in ONE block, paid for by a modified continuation.

It is what the abstract of the first version of Sun et al. (arXiv 2403.10444v1) announces and an appendix variant of the later one.
With R_i = r_1 ⋯ r_i the last success wins, h_γ = min(1, R_γ) and for i < γ, on the NEXT position's rows,

    h_i = min(1, Σ_v (R_i T − D)₊ / Σ_v (D − R_i T)₊),        Y ~ norm((R_τ T(·│x^τ) − D(·│x^τ))₊), or T(·│x^γ) if τ = γ.

The text follows the target only because, after a correction at τ < γ, positions τ+2 … γ of the old block are verified against
T̃ instead of T (`windows.py`). In the long run it keeps at most as many tokens as block verification in every world tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.records import Plan, length_law_of
from specdemo.verifiers.sums import residual_sums, running
from specdemo.verifiers.windows import (
    OpenWindow,
    capped_product,
    checked_memory,
    memory_of,
    modified_target,
    reach_of,
)


@dataclass(frozen=True)
class GreedyBlockPlan(Plan):
    """A plan that knows the windows open before its block, so that it can say which are open after it."""

    windows: tuple[OpenWindow, ...] = field(default=(), repr=False)

    def memory_after(self, i: int, next_token: int) -> list[list[float | int]] | None:
        """The windows [[R, remaining], …], outermost first, after τ = i and Y = `next_token`; None if none is open."""
        core = self.core if isinstance(self.core, GreedyBlockPlan) else self
        assert core.residual_scale is not None
        after = [window.after(i, next_token, core.draft) for window in core.windows]
        if i < core.gamma:
            own = OpenWindow(core.residual_scale, core.effective_target, core.gamma)
            after.append(own.after(i, next_token, core.draft))
        return memory_of(after)


class GreedyBlockVerifier(Verifier):
    """Keeps as much of one block as any lossless rule can; what it owes the target is paid in the blocks after it."""

    name = "greedy_block"
    title = "Greedy block verification"
    source = "Sun et al. 2024 (arXiv 2403.10444), first version and appendix; coins and continuation: docs/rules.md"
    lossless = "always"
    remembers = True

    def check_memory(self, memory: Any) -> None:
        """ValueError unless `memory` is None or [[R, remaining], …] with finite R > 0 and 1 ≤ remaining ≤ 1024, outermost first."""
        checked_memory(memory)

    def draft_rows_wanted(self, gamma: int, memory: Any) -> int:
        """γ + 1 where a window reaches past the block: the bonus position is then modified too, and T̃ needs the draft's row there."""
        return gamma + 1 if reach_of(memory) > gamma else gamma

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        gamma = len(tokens)
        effective, windows = modified_target(tokens, draft, target, memory)
        joint = np.ones(gamma + 1)
        for i, token in enumerate(tokens.tolist()):
            joint[i + 1] = capped_product(joint[i], effective[i, token], draft[i, token])
        accept = np.empty(gamma)
        sums: list[tuple[float, ...] | None] = [None] * (gamma + 1)
        for i in range(1, gamma):
            accept[i - 1], sums[i] = _coin(joint.item(i), effective[i], draft[i])
        if gamma:
            accept[-1] = min(1.0, joint[-1])
        return GreedyBlockPlan(
            tokens=tokens,
            draft=draft,
            target=target,
            effective_target=effective,
            accept_prob=accept,
            prefix_weight=np.minimum(1.0, joint),
            residual_scale=joint,
            length_law=length_law_of(accept, "right_to_left"),
            order="right_to_left",
            residual_sums=tuple(sums),
            windows=windows,
        )


def _coin(ratio: float, target: FloatArray, draft: FloatArray) -> tuple[float, tuple[float, ...] | None]:
    """h of a prefix: what T still wants there over what D offers too much; their difference is R − 1, so R ≥ 1 means 1.

    With the sums of the residual, if it was looked at.
    """
    if ratio >= 1.0:
        return 1.0, None
    sums = residual_sums(ratio, target, draft)
    wanted = running(sums)[-1]
    # Over-offered is wanted + 1 − R: so written, no quotient exceeds 1 by rounding.
    return wanted / (wanted + (1.0 - ratio)), sums
