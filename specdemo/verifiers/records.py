"""What a verifier says: a Plan before any uniform is looked at, and a Verdict after.

A Plan holds everything that is decided by the laws and the drafted tokens alone; `decide` then only compares uniforms
with it. That split is what lets pages drag a uniform, tests enumerate exactly, and the loop run the very code that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import Any, Literal

import numpy as np

from specdemo.arrays import FloatArray, IntArray, checked_uniforms, like
from specdemo.verifiers.sampling import draw, draw_residual
from specdemo.verifiers.sums import residual_row

Order = Literal["left_to_right", "right_to_left"]


@dataclass(frozen=True)
class Verdict:
    """One decided block: `accepted` τ, `next_token` Y, the law Y was drawn from, the rule's memory, and the plan's fields."""

    accepted: int
    next_token: int
    memory: Any
    plan: Plan
    drawn_from: FloatArray | None = field(default=None, repr=False)  # that law, where drawing has made it

    @cached_property
    def next_law(self) -> Any:
        """The law (V,) that Y was drawn from, the plan's for τ = `accepted`; made when it is asked for."""
        return self.plan.next_law(self.accepted) if self.drawn_from is None else self.drawn_from

    @property
    def accept_prob(self) -> FloatArray | None:
        return self.plan.accept_prob

    @property
    def prefix_weight(self) -> FloatArray | None:
        return self.plan.prefix_weight

    @property
    def residual_scale(self) -> FloatArray | None:
        return self.plan.residual_scale

    @property
    def length_law(self) -> FloatArray:
        return self.plan.length_law

    @property
    def effective_target(self) -> FloatArray:
        return self.plan.effective_target


@dataclass(frozen=True)
class Plan:
    """Everything a rule knows before a uniform is looked at.

    Shapes: `tokens` (γ,), `draft` (γ or γ+1, V), `target` and `effective_target` (γ+1, V), `accept_prob` (γ,),
    `prefix_weight`, `residual_scale` and `length_law` (γ+1,). Symbols and formulas: docs/rules.md and
    each rule's file. `order` says whether the first failed coin stops (left_to_right) or the last successful one wins.
    """

    tokens: IntArray
    draft: FloatArray
    target: FloatArray
    effective_target: FloatArray
    accept_prob: FloatArray | None
    prefix_weight: FloatArray | None
    residual_scale: FloatArray | None
    length_law: FloatArray
    order: Order
    core: Plan | None = None  # the numpy plan behind a plan of tensors
    # By position: `residual_sums` of its residual, where deciding has read it anyway. Nothing but time depends on them.
    residual_sums: tuple[tuple[float, ...] | None, ...] | None = field(default=None, repr=False)

    @property
    def gamma(self) -> int:
        """γ, the number of drafted tokens."""
        return len(self.tokens)

    def next_law(self, i: int) -> Any:
        """The law (V,) of the next token Y given τ = i: norm((s_i T − D)₊) after a stop, T after full acceptance.

        Where the residual is empty (D = T, so that a stop has probability 0) the law is T's row. ValueError unless 0 ≤ i ≤ γ.
        """
        if not 0 <= i <= self.gamma:
            raise ValueError(f"i is {i}: it must be in 0 … {self.gamma}, the number of drafted tokens")
        core = self.core or self
        law = core._next_law(i)
        return law if self.core is None else like(self.target, law)

    def _next_law(self, i: int) -> FloatArray:
        target = self.effective_target[i]
        if i == self.gamma:
            return target
        assert self.residual_scale is not None
        residual = residual_row(float(self.residual_scale[i]), target, self.draft[i])
        mass = residual.sum()
        if mass <= 0:
            return target
        residual /= mass
        return residual

    def memory_after(self, i: int, next_token: int) -> Any:
        """What the rule must remember for the next block after τ = i and Y = `next_token`; None for rules without memory."""
        return None

    def decide(self, uniforms: Any) -> Verdict:
        """Compare the uniforms (γ+1,) with the plan; the last one draws Y. ValueError on a uniform outside [0, 1)."""
        core = self.core or self
        verdict = core.decide_unchecked(checked_uniforms(uniforms, self.gamma + 1))
        if self.core is None:
            return verdict
        law = verdict.drawn_from
        return replace(verdict, drawn_from=None if law is None else like(self.target, law), plan=self)

    def decide_unchecked(self, uniforms: FloatArray) -> Verdict:
        """`decide` without validation: the loop's own path."""
        accepted = self.accepted_by(self.compared(uniforms[:-1]))
        uniform = float(uniforms[-1])
        law, next_token = None, self._quick_draw(accepted, uniform)
        if next_token is None:
            law = self._next_law(accepted)
            next_token = draw(law, uniform)
        return Verdict(accepted, next_token, self.memory_after(accepted, next_token), self, law)

    def _quick_draw(self, i: int, uniform: float) -> int | None:
        """Y given τ = i from a residual that is never written down, where that is surely the token that `next_law(i)` gives."""
        if i == self.gamma or self.residual_scale is None or type(self)._next_law is not Plan._next_law:
            return None  # a kind of plan with a law of its own is asked for it
        sums = None if self.residual_sums is None else self.residual_sums[i]
        return draw_residual(self.residual_scale.item(i), self.effective_target[i], self.draft[i], uniform, sums)

    def compared(self, uniforms: FloatArray) -> FloatArray:
        """The numbers (γ,) that are compared with the coins: the uniforms η (γ,) themselves, except by some mistakes."""
        return uniforms

    def accepted_by(self, uniforms: FloatArray) -> int:
        """τ for the uniforms η (γ,): a coin succeeds iff η_i < h_i, strictly."""
        assert self.accept_prob is not None
        # Over plain numbers: a block has a few, and every call of an array's function costs as much as all of them.
        success = [u < h for u, h in zip(uniforms.tolist(), self.accept_prob.tolist(), strict=True)]
        if self.order == "left_to_right":
            return len(success) if all(success) else success.index(False)
        return len(success) - success[::-1].index(True) if any(success) else 0


def length_law_of(accept_prob: FloatArray, order: Order) -> FloatArray:
    """P(τ = i | tokens) for i = 0…γ from the coins h (γ,), in the order in which they decide.

    >>> length_law_of(np.array([0.5, 0.25]), "left_to_right").tolist()
    [0.5, 0.375, 0.125]
    >>> length_law_of(np.array([0.5, 0.25]), "right_to_left").tolist()
    [0.375, 0.375, 0.25]
    """
    coins: list[float] = accept_prob.tolist()
    fails = [1.0 - coin for coin in coins]
    if order == "left_to_right":
        reached = [1.0, *accumulate(coins, mul)]
        return np.array([reach * fail for reach, fail in zip(reached, [*fails, 1.0], strict=True)])
    later_fail = [*reversed([*accumulate(reversed(fails), mul)]), 1.0]
    return np.array([coin * fail for coin, fail in zip([1.0, *coins], later_fail, strict=True)])


def as_kind_of(reference: Any, plan: Plan) -> Plan:
    """The plan with its arrays as tensors if `reference` is one; the numpy plan stays behind it and goes on deciding."""
    shown = {f.name: like(reference, v) for f in fields(plan) if isinstance(v := getattr(plan, f.name), np.ndarray)}
    return replace(plan, **shown, core=plan)
