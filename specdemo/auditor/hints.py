"""Where a verifier is likely to change its mind: candidates for its thresholds, so that right rules need few calls.

A hint is only a place that is tried first. A subject whose thresholds lie elsewhere is bisected, and found as exactly.
"""

from __future__ import annotations

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.questions import Block


class Hints:
    """Candidates for one block: `coins[i]` for the uniform of prefix i+1, `next_token(τ)` for the last uniform given τ."""

    def __init__(self, block: Block) -> None:
        self._block = block
        gamma, rows = block.gamma, np.arange(block.gamma)
        draft, target = block.draft, block.target
        kept_target = target[rows, list(block.tokens)]
        kept_draft = draft[rows, list(block.tokens)]
        with np.errstate(all="ignore"):
            ratio = np.where(kept_draft > 0, kept_target / kept_draft, 0.0)
            joint = np.concatenate([np.ones(1), np.cumprod(ratio)])
        weight = np.ones(gamma + 1)
        for i in range(gamma):
            weight[i + 1] = min(1.0, weight[i] * ratio[i])
        self._scales = (np.ones(gamma + 1), weight, np.nan_to_num(joint, posinf=1e300))
        self.coins: list[list[float]] = []
        for i in range(gamma):
            place = [ratio[i], kept_target[i], weight[i + 1], joint[i + 1], kept_draft[i]]
            if i + 1 < gamma:
                place += self._inner(i + 1)
            self.coins.append(_inside(place))
        self._next: dict[int, list[float]] = {}

    def _inner(self, i: int) -> list[float]:
        """The block rule's and the greedy rule's coin of an inner prefix i, from the next position's rows."""
        draft, target = self._block.draft[i], self._block.target[i]
        found = []
        with np.errstate(all="ignore"):
            gain = np.maximum(self._scales[1][i] * target - draft, 0.0).sum()
            found.append(float(gain / (gain + (1 - self._scales[1][i]))))
            difference = self._scales[2][i] * target - draft
            found.append(float(np.maximum(difference, 0.0).sum() / np.maximum(-difference, 0.0).sum()))
        return found

    def next_token(self, accepted: int) -> list[float]:
        """Cumulative steps of the laws Y usually has after `accepted` kept tokens."""
        if accepted not in self._next:
            self._next[accepted] = _inside([step for law in self._laws(accepted) for step in np.cumsum(law).tolist()])
        return self._next[accepted]

    def _laws(self, i: int) -> list[FloatArray]:
        target = self._block.target[i]
        laws = [target]
        if i < self._block.gamma:
            residuals = [np.maximum(scale[i] * target - self._block.draft[i], 0.0) for scale in self._scales]
            others = target.copy()
            others[self._block.tokens[i]] = 0.0
            residuals.append(others)
            laws += [residual / residual.sum() for residual in residuals if residual.sum() > 0]
        return laws


def _inside(values: list[float]) -> list[float]:
    """The distinct candidates strictly inside (0, 1), sorted; those that differ by rounding only are one."""
    found: list[float] = []
    for value in sorted(float(v) for v in values if np.isfinite(v) and 0 < v < 1):
        if not found or value - found[-1] > 1e-14:
            found.append(value)
    return found
