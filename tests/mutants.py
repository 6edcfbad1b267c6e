"""Wrong verifiers: the mistakes of published and hand-written implementations, planted through the public interface.

`RULE_MUTANTS` maps a mistake to (the wrong rule, the assertion of `tests/rule_assertions.py` that finds it). Mistakes of the
loop around the rule (caches, uniforms, laws) are in `tests/loop_mutants.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers import Plan, Verdict, Verifier
from specdemo.verifiers.base import ratios
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.records import length_law_of
from specdemo.verifiers.token import TokenVerifier
from tests import rule_assertions as must


def recast(plan: Plan, kind: type[Plan], **changes: Any) -> Plan:
    """The plan as another kind of plan, with some fields changed and the length law following the coins."""
    values = {f.name: getattr(plan, f.name) for f in fields(Plan)} | changes
    values["length_law"] = length_law_of(values["accept_prob"], values["order"])
    return kind(**values)


class WrongPlan(Plan):
    """A plan whose next law or comparison is wrong."""


class FromTarget(WrongPlan):
    def _next_law(self, i: int) -> FloatArray:
        return self.effective_target[i]


class ArgmaxCorrection(WrongPlan):
    def _next_law(self, i: int) -> FloatArray:
        law = super()._next_law(i)
        return np.eye(len(law))[int(np.argmax(law))] if i < self.gamma else law


class SoftmaxResidual(WrongPlan):
    def _next_law(self, i: int) -> FloatArray:
        if i == self.gamma or self.residual_scale is None:
            return self.effective_target[i]
        powers = np.exp(np.maximum(self.residual_scale[i] * self.effective_target[i] - self.draft[i], 0.0))
        return powers / powers.sum()


class NoGuard(WrongPlan):
    def _next_law(self, i: int) -> FloatArray:
        if i == self.gamma or self.residual_scale is None:
            return self.effective_target[i]
        residual = np.maximum(self.residual_scale[i] * self.effective_target[i] - self.draft[i], 0.0)
        with np.errstate(invalid="ignore"):
            return residual / residual.sum()


class OneUniform(WrongPlan):
    def accepted_by(self, uniforms: FloatArray) -> int:
        return super().accepted_by(np.full(len(uniforms), uniforms[0]))


class ProductOfUniforms(WrongPlan):
    def accepted_by(self, uniforms: FloatArray) -> int:
        return super().accepted_by(np.cumprod(uniforms).astype(np.float64))


class AcceptsEqual(WrongPlan):
    def accepted_by(self, uniforms: FloatArray) -> int:
        return super().accepted_by(uniforms - 2.0**-60)


class ZeroIsNothing(WrongPlan):
    def decide_unchecked(self, uniforms: FloatArray) -> Verdict:
        verdict = super().decide_unchecked(uniforms)
        token = verdict.next_token or int(np.argmax(verdict.next_law))
        return Verdict(verdict.accepted, token, verdict.next_law, verdict.memory, self)


class Wrong(BlockVerifier):
    """A block rule with another kind of plan, other fields, or both."""

    def __init__(self, kind: type[Plan] = Plan, change: Callable[[Plan], dict[str, Any]] | None = None) -> None:
        self._kind = kind
        self._change = change or (lambda plan: {})

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        plan = super().core_plan(tokens, draft, target, memory)
        return recast(plan, self._kind, **self._change(plan))


class WrongToken(TokenVerifier):
    """The token rule with another kind of plan."""

    def __init__(self, kind: type[Plan]) -> None:
        self._kind = kind

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        return recast(super().core_plan(tokens, draft, target, memory), self._kind)


def _unscaled_residual(plan: Plan) -> dict[str, Any]:
    return {"residual_scale": np.ones(plan.gamma + 1)}


def _coins_from(plan: Plan, rows: Callable[[int], int], count: int) -> FloatArray:
    """h_1 … h_count by the formula of the inner positions, reading row `rows(i)`."""
    assert plan.prefix_weight is not None
    coins = []
    for i in range(1, count + 1):
        w, row = plan.prefix_weight[i], rows(i)
        gain = np.maximum(w * plan.target[row] - plan.draft[min(row, plan.gamma - 1)], 0.0).sum()
        coins.append(gain / (gain + 1 - w) if gain + 1 - w > 0 else 1.0)
    return np.array(coins)


def _current_row(plan: Plan) -> dict[str, Any]:
    assert plan.accept_prob is not None
    return {"accept_prob": np.append(_coins_from(plan, lambda i: i - 1, plan.gamma - 1), plan.accept_prob[-1])}


def _formula_at_gamma(plan: Plan) -> dict[str, Any]:
    return {"accept_prob": _coins_from(plan, lambda i: i, plan.gamma)}


def _keeps_everything(plan: Plan) -> dict[str, Any]:
    return {"accept_prob": np.ones(plan.gamma)}


def _break_at_first_failure(plan: Plan) -> dict[str, Any]:
    return {"order": "left_to_right"}


def _joint(plan: Plan) -> FloatArray:
    return np.cumprod(np.append(1.0, ratios(plan.tokens, plan.draft, plan.target)))


def _uncapped_at_gamma(plan: Plan) -> dict[str, Any]:
    assert plan.accept_prob is not None
    return {"accept_prob": np.append(plan.accept_prob[:-1], min(1.0, _joint(plan)[-1]))}


def _greedy_without_memory(plan: Plan) -> dict[str, Any]:
    """The greedy rule's coins and residual, but the text goes on as if nothing had happened."""
    ratio = _joint(plan)
    coins = []
    for i in range(1, plan.gamma):
        difference = ratio[i] * plan.target[i] - plan.draft[i]
        below = np.maximum(-difference, 0.0).sum()
        coins.append(min(1.0, np.maximum(difference, 0.0).sum() / below) if below > 0 else 1.0)
    coins.append(min(1.0, ratio[-1]))
    return {"accept_prob": np.array(coins), "residual_scale": ratio}


@dataclass(frozen=True)
class RuleMutant:
    """A wrong rule and how it is found. `distance` measures how far its text is from the target's law, where that is the harm."""

    rule: Verifier
    caught_by: Callable[[Verifier], None]
    distance: Callable[[Verifier], float] | None = must.output_distance


def _law(rule: Verifier) -> RuleMutant:
    return RuleMutant(rule, must.assert_output_law)


def _decision(rule: Verifier) -> RuleMutant:
    return RuleMutant(rule, must.assert_decided_law, must.decided_distance)


def _exact(rule: Verifier, caught_by: Callable[[Verifier], None]) -> RuleMutant:
    return RuleMutant(rule, caught_by, None)


_block_table = partial(must.assert_kept_table, like="block")

RULE_MUTANTS: dict[str, RuleMutant] = {
    "residual without w": _law(Wrong(change=_unscaled_residual)),
    "residual through softmax": _law(Wrong(SoftmaxResidual)),
    "residual through softmax, token rule": _law(WrongToken(SoftmaxResidual)),
    "correction from the target": _law(Wrong(FromTarget)),
    "correction from the target, token rule": _law(WrongToken(FromTarget)),
    "argmax correction": _law(Wrong(ArgmaxCorrection)),
    "argmax correction, token rule": _law(WrongToken(ArgmaxCorrection)),
    "coin from the current row": _law(Wrong(change=_current_row)),
    "inner formula at gamma": _law(Wrong(change=_formula_at_gamma)),
    "keeps every drafted token": _law(Wrong(change=_keeps_everything)),
    "break at the first failure": _law(Wrong(change=_break_at_first_failure)),
    "uncapped ratio at gamma": _law(Wrong(change=_uncapped_at_gamma)),
    "greedy without its continuation": _law(Wrong(change=_greedy_without_memory)),
    "one uniform for all positions": _decision(Wrong(OneUniform)),
    "one uniform for all positions, token rule": _decision(WrongToken(OneUniform)),
    "product of uniforms": _decision(Wrong(ProductOfUniforms)),
    "product of uniforms, token rule": _decision(WrongToken(ProductOfUniforms)),
    "token 0 is nothing": _decision(Wrong(ZeroIsNothing)),
    "accepts an equal uniform": _exact(Wrong(AcceptsEqual), must.assert_strict_coins),
    "accepts an equal uniform, token rule": _exact(WrongToken(AcceptsEqual), must.assert_strict_coins),
    "accepts an equal uniform, in the table": _exact(Wrong(AcceptsEqual), _block_table),
    "zero by zero": _exact(Wrong(NoGuard), must.assert_equal_laws_are_harmless),
    "zero by zero, token rule": _exact(WrongToken(NoGuard), must.assert_equal_laws_are_harmless),
}
