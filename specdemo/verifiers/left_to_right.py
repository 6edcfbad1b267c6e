"""What the rules that stop at the first failure have in common, and the laws from which they draw after a stop."""

from __future__ import annotations

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.records import Plan, length_law_of


class TargetPlan(Plan):
    """After a stop Y ~ T(·│x^τ), the drafted token included."""

    def _next_law(self, i: int) -> FloatArray:
        return self.effective_target[i]


class OtherTokenPlan(Plan):
    """After a stop Y ~ T(·│x^τ) restricted to v ≠ x_{τ+1}; T itself where it knows only that token, so that a stop has probability 0."""

    def _next_law(self, i: int) -> FloatArray:
        target = self.effective_target[i]
        if i == self.gamma:
            return target
        others = target.copy()
        others[self.tokens[i]] = 0.0
        mass = others.sum()
        return others / mass if mass > 0 else target


class ArgmaxPlan(Plan):
    """Y is always T's argmax, the first one in a tie."""

    def _next_law(self, i: int) -> FloatArray:
        target = self.effective_target[i]
        law = np.zeros_like(target)
        law[target.argmax()] = 1.0
        return law


def left_to_right_plan(
    kind: type[Plan],
    tokens: IntArray,
    draft: FloatArray,
    target: FloatArray,
    accept: FloatArray,
    residual_scale: FloatArray | None = None,
) -> Plan:
    """The plan of a rule that keeps x_i with probability `accept[i − 1]` and stops at the first failure."""
    return kind(
        tokens=tokens,
        draft=draft,
        target=target,
        effective_target=target,
        accept_prob=accept,
        prefix_weight=np.concatenate([np.ones(1), np.cumprod(accept)]),
        residual_scale=residual_scale,
        length_law=length_law_of(accept, "left_to_right"),
        order="left_to_right",
    )


def drafted_probabilities(tokens: IntArray, laws: FloatArray) -> FloatArray:
    """The probability (γ,) that each row of `laws` gives to the drafted token."""
    return laws[np.arange(len(tokens)), tokens]
