"""Plans that draw from a wrong law or compare the uniforms wrongly; each announces the length law it really has."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.verifiers.mistakes.arrivals import product_length_law
from specdemo.verifiers.records import Plan, Verdict, length_law_of
from specdemo.verifiers.sampling import draw


def recast(plan: Plan, kind: type[Plan], **changes: Any) -> Plan:
    """The plan as another kind of plan, with some fields changed and the length law that follows from its coins."""
    values = {f.name: getattr(plan, f.name) for f in fields(Plan)} | {"residual_sums": None} | changes
    if values["accept_prob"] is not None:
        values["length_law"] = length_law_of(values["accept_prob"], values["order"])
    made = kind(**values)
    return replace(made, length_law=made.own_length_law()) if isinstance(made, WrongCoins) else made


class FromTarget(Plan):
    """Y ~ T after a stop, though the residual is owed."""

    def _next_law(self, i: int) -> FloatArray:
        return self.effective_target[i]


class ArgmaxCorrection(Plan):
    """Y is the residual's most probable token."""

    def _next_law(self, i: int) -> FloatArray:
        law = super()._next_law(i)
        if i == self.gamma:
            return law
        hot = np.zeros_like(law)
        hot[law.argmax()] = 1.0
        return hot


class SoftmaxedResidual(Plan):
    """The residual is turned into a law by a softmax instead of by its sum."""

    def _next_law(self, i: int) -> FloatArray:
        if i == self.gamma or self.residual_scale is None:
            return self.effective_target[i]
        powers = np.exp(np.maximum(self.residual_scale[i] * self.effective_target[i] - self.draft[i], 0.0))
        return powers / powers.sum()


class NothingIsZero(Plan):
    """Token id 0 is taken for "no token": the next most probable one is emitted instead."""

    def _next_law(self, i: int) -> FloatArray:
        law = super()._next_law(i).copy()
        if len(law) > 1 and law[0] > 0:
            other = 1 + int(law[1:].argmax())
            law[other] += law[0]
            law[0] = 0.0
        return law


class UnnormalisedResidual(Plan):
    """Y by inverse transform from a residual that was never divided by its sum: what is missing falls to its last token."""

    def _next_law(self, i: int) -> FloatArray:
        if i == self.gamma or self.residual_scale is None:
            return self.effective_target[i]
        residual = np.maximum(self.residual_scale[i] * self.effective_target[i] - self.draft[i], 0.0)
        positive = np.nonzero(residual)[0]
        if not len(positive):
            return self.effective_target[i]
        residual[positive[-1]] += max(0.0, 1.0 - float(residual.sum()))
        return residual


class BonusFromWrongRow(Plan):
    """The bonus is drawn from the law that the last drafted token was scored with."""

    def _next_law(self, i: int) -> FloatArray:
        return self.effective_target[i - 1] if i == self.gamma and i > 0 else super()._next_law(i)


class AcceptsEqual(Plan):
    """A coin succeeds when η ≤ h: with h = 0 and η = 0, as happens with uniforms on a grid, the impossible is kept."""

    def accepted_by(self, uniforms: FloatArray) -> int:
        assert self.accept_prob is not None
        success = uniforms <= self.accept_prob
        if self.order == "left_to_right":
            return len(success) if success.all() else int(np.argmin(success))
        return int(np.max(np.nonzero(success)[0])) + 1 if success.any() else 0


class WrongCoins(Plan):
    """A plan that compares other numbers than the uniforms with its coins."""

    def own_length_law(self) -> FloatArray:
        """P(τ = i | tokens) (γ+1,) as this plan really decides."""
        raise NotImplementedError

    def compared(self, uniforms: FloatArray) -> FloatArray:
        raise NotImplementedError


class UniformUsedTwice(Plan):
    """Y is drawn with the uniform of the coin that ended the block: of that coin it is known that it failed, or that it succeeded."""

    def decide_unchecked(self, uniforms: FloatArray) -> Verdict:
        accepted = self.accepted_by(uniforms[:-1])
        again = uniforms[min(accepted, self.gamma - 1)] if self.gamma else uniforms[-1]
        next_token = draw(super()._next_law(accepted), float(again))
        return Verdict(accepted, next_token, self.memory_after(accepted, next_token), self)

    def _next_law(self, i: int) -> FloatArray:
        law = super()._next_law(i)
        if self.gamma == 0:
            return law
        assert self.accept_prob is not None
        coin = float(self.accept_prob[min(i, self.gamma - 1)])
        low, high = (0.0, coin) if i == self.gamma else (coin, 1.0)
        if high <= low:
            return law
        steps = np.clip(np.concatenate([np.zeros(1), law.cumsum()]), low, high)
        steps[-1] = high
        return np.diff(steps) / (high - low)


class OneUniform(WrongCoins):
    """The first uniform serves all positions."""

    def compared(self, uniforms: FloatArray) -> FloatArray:
        return np.repeat(uniforms[:1], len(uniforms))

    def own_length_law(self) -> FloatArray:
        coins = np.asarray(self.accept_prob)
        # τ ≥ i where all the first i coins succeed together, or where any of the coins from i on does.
        reach = np.minimum.accumulate(coins)
        if self.order == "right_to_left":
            reach = np.maximum.accumulate(coins[::-1])[::-1]
        bounds = np.concatenate([np.ones(1), reach, np.zeros(1)])
        return bounds[:-1] - bounds[1:]


class ProductOfUniforms(WrongCoins):
    """The product of the uniforms so far is compared, as if it belonged to the product of the ratios."""

    def compared(self, uniforms: FloatArray) -> FloatArray:
        return np.asarray(np.cumprod(uniforms), dtype=np.float64)

    def own_length_law(self) -> FloatArray:
        return product_length_law(np.asarray(self.accept_prob), self.order)
