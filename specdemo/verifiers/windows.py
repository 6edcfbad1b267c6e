"""The modified continuation of greedy block verification: where the target is not T but T̃, and how that state is carried on.

After a correction at τ < γ the positions τ+2 … γ of the old block must follow T̃(·│v) ∝ (R(v) T(·│v) − D(·│v))₊, with R(v) the ratio
of the joint laws of target and draft along the emitted path. Such a stretch is a *window* (R, remaining positions). A correction
inside a window opens another one inside it, whose T is the outer window's T̃: the memory is a list, outermost first.

- R = ∞ (D = 0 on the path) means T̃ = T: that window is closed, there is never ∞ · 0.
- On a path of zero T̃ mass, which is never emitted, an empty T̃ becomes T.
- A block shorter than the window leaves its bonus position inside it: the bonus is then drawn from T̃ too, for which the rule wants
  the draft's row after the block (`Verifier.draft_rows_wanted`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray

# Far beyond any ratio that changes a law in float64, and far from overflowing when it is multiplied.
LARGEST_RATIO = 1e100
MAX_WINDOWS = MAX_REMAINING = 1024

Memory = list[list[float | int]]


@dataclass(frozen=True)
class OpenWindow:
    """A window seen along a drafted block: `ratios[i]` is R after x^i, `base` (γ+1, V) the law that it modifies, `remaining` before the block."""

    ratios: FloatArray
    base: FloatArray
    remaining: int

    def after(self, accepted: int, next_token: int, draft: FloatArray) -> list[float | int] | None:
        """[R, remaining] once x^accepted and `next_token` have been emitted; None where the window is closed."""
        remaining = self.remaining - accepted - 1
        if remaining <= 0 or draft[accepted, next_token] <= 0:
            return None
        ratio = capped_product(self.ratios[accepted], self.base[accepted, next_token], draft[accepted, next_token])
        # 0 only for a token that the effective target cannot emit.
        return [ratio, remaining] if ratio > 0 else None


def capped_product(ratio: float, target: float, draft: float) -> float:
    """R · T(x) / D(x) for D(x) > 0, at most `LARGEST_RATIO`; 0 stays 0."""
    if ratio <= 0 or target <= 0:
        return 0.0
    logarithm = math.log(ratio) + math.log(target) - math.log(draft)
    if logarithm > math.log(LARGEST_RATIO):
        return LARGEST_RATIO
    # T(x)/D(x) alone may overflow where the product does not: R tiny, D(x) denormal.
    factor = float(target) / float(draft)
    return float(ratio * factor) if math.isfinite(factor) else math.exp(logarithm)


def modified_target(
    tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Memory | None
) -> tuple[FloatArray, tuple[OpenWindow, ...]]:
    """The target (γ+1, V) that a block is verified against under `memory`, and its windows along the drafted path.

    `draft` must hold γ+1 rows if a window reaches past the block.
    """
    windows = []
    for start, remaining in memory or []:
        modified = target.copy()
        ratios = np.empty(len(tokens) + 1)
        ratios[0] = start
        for i in range(len(tokens) + 1):
            if i < remaining:
                residual = np.maximum(ratios[i] * target[i] - draft[i], 0.0)
                mass = residual.sum()
                if mass > 0:
                    modified[i] = residual / mass
            if i < len(tokens):
                token = int(tokens[i])
                ratios[i + 1] = capped_product(ratios[i], target[i, token], draft[i, token])
        windows.append(OpenWindow(ratios, target, int(remaining)))
        target = modified
    return target, tuple(windows)


def memory_of(windows: list[list[float | int] | None]) -> Memory | None:
    """The memory of the windows still open, outermost first; None if there are none."""
    return [window for window in windows if window is not None] or None


def reach_of(memory: Memory | None) -> int:
    """How many positions ahead a window is still open; 0 without memory."""
    return max((int(remaining) for _, remaining in memory or []), default=0)


def checked_memory(memory: Any) -> None:
    """ValueError naming the place, unless `memory` is None or a list of [finite R > 0, 1 ≤ remaining ≤ 64], outermost first."""
    if memory is None:
        return
    if not isinstance(memory, (list, tuple)) or not 0 < len(memory) <= MAX_WINDOWS:
        raise ValueError(
            f"memory is {memory!r}: it must be None or a list of 1 to {MAX_WINDOWS} windows [R, remaining]"
        )
    for place, window in enumerate(memory):
        if not isinstance(window, (list, tuple)) or len(window) != 2:
            raise ValueError(f"memory[{place}] is {window!r}: a window is [R, remaining]")
        ratio, remaining = window
        if isinstance(ratio, bool) or not isinstance(ratio, (int, float)) or not 0 < ratio <= LARGEST_RATIO:
            raise ValueError(f"memory[{place}][0] is {ratio!r}: R must be a number in (0, {LARGEST_RATIO:g}]")
        if isinstance(remaining, bool) or not isinstance(remaining, int) or not 1 <= remaining <= MAX_REMAINING:
            raise ValueError(
                f"memory[{place}][1] is {remaining!r}: the positions that remain must be 1 to {MAX_REMAINING}"
            )
