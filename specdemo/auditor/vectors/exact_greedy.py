"""The greedy block rule in exact fractions, with the windows in which the target is modified.

A window (R, remaining) replaces T by T̃ ∝ (R T − D)₊ at the next `remaining` positions, R carried along the path by T/D; several of them nest,
the outermost first, each working on what the one before has made. Where D is 0 on the path R is ∞ and the window is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from specdemo.auditor.vectors.exact_rules import Coin, Exact, Laws, Memory, NextLaw, after_stop
from specdemo.auditor.vectors.laws import ONE, ZERO, ExactLaw, difference


def greedy_block(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """h_γ = min(1, R_γ), h_i = min(1, Σ(R_i T − D)₊ / Σ(D − R_i T)₊) on the next rows; the last success wins; Y ~ norm((R_τ T − D)₊)."""
    gamma = len(tokens)
    laws, windows, condition, empty = list(target), [], ONE, False
    for ratio, remaining in memory or []:
        carried = _carried(ratio, tokens, draft, laws)
        windows.append((carried, laws, remaining))
        laws, stands, no_mass = _modified(carried, draft, laws, remaining)
        condition, empty = min(condition, stands), empty or no_mass
    joint = _carried(ONE, tokens, draft, laws)
    # One because nothing but equal numbers were divided: exact in any precision.
    plain = [
        not memory and all(target[j][tokens[j]] == draft[j][tokens[j]] for j in range(i)) for i in range(gamma + 1)
    ]
    coins = [_coin(joint[i], laws[i], draft[i], plain[i]) for i in range(1, gamma)]
    if gamma:
        coins.append(Coin(min(ONE, joint[gamma]), certain=joint[gamma] == 0))

    def next_law(i: int) -> NextLaw:
        return after_stop(joint[i], laws[i], draft[i], plain[i] or joint[i] == 0) if i < gamma else NextLaw(laws[i])

    def memory_after(accepted: int, y: int) -> Memory | None:
        open_windows = [*windows, (joint, laws, gamma)] if accepted < gamma else windows
        after: Memory = []
        for carried, base, remaining in open_windows:
            left = remaining - accepted - 1
            if left > 0 and draft[accepted][y] > 0:
                after.append((carried[accepted] * base[accepted][y] / draft[accepted][y], left))
        return after or None

    return Exact(coins, [min(ONE, ratio) for ratio in joint], True, next_law, memory_after, condition, empty)


def _carried(start: Fraction, tokens: Sequence[int], draft: Laws, laws: Laws) -> list[Fraction]:
    """R after x^0, …, x^γ for the laws a window works on."""
    ratios = [start]
    for i, x in enumerate(tokens):
        ratios.append(ratios[-1] * laws[i][x] / draft[i][x])
    return ratios


def _modified(
    carried: list[Fraction], draft: Laws, laws: Laws, remaining: int
) -> tuple[list[ExactLaw], Fraction, bool]:
    """T̃ at the positions of a window, the least mass divided by (0 where a rounding decides what is zero), whether T̃ is empty and becomes T."""
    modified, condition, empty = list(laws), ONE, False
    for i in range(min(remaining, len(laws))):
        left = difference(carried[i], laws[i], draft[i])
        modified[i] = left.law() or laws[i]
        if left.mass:
            condition = min(condition, left.mass, ZERO if left.touching else ONE)
        else:
            empty, condition = True, ZERO if left.touching else condition
    return modified, condition, empty


def _coin(ratio: Fraction, law: ExactLaw, draft: ExactLaw, plain: bool) -> Coin:
    gap = difference(ratio, law, draft)
    if gap.below == 0:
        return Coin(ONE, min(ONE, gap.mass) if gap.mass else (ONE if plain else ZERO))
    return Coin(min(ONE, gap.mass / gap.below), min(ONE, max(gap.mass, gap.below)), certain=ratio == 0)
