"""Wrong verifiers: the mistakes of published and hand-written implementations, planted through the public interface.

`RULE_MUTANTS` maps a mistake to (the wrong rule, the assertion of `tests/rule_assertions.py` that finds it). Most are entries of the
gallery; the others are here. Mistakes of the loop around the rule (caches, uniforms, laws) are in `tests/loop_mutants.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers import Plan, Verifier
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.mistakes import get
from specdemo.verifiers.mistakes.plans import recast
from specdemo.verifiers.token import TokenVerifier
from tests import rule_assertions as must


class NoGuard(Plan):
    """The residual is divided by its sum also where that is zero."""

    def _next_law(self, i: int) -> FloatArray:
        if i == self.gamma or self.residual_scale is None:
            return self.effective_target[i]
        residual = np.maximum(self.residual_scale[i] * self.effective_target[i] - self.draft[i], 0.0)
        with np.errstate(invalid="ignore"):
            return residual / residual.sum()


class UnguardedBlock(BlockVerifier):
    """Block verification without a guard for an empty residual."""

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        return recast(super().core_plan(tokens, draft, target, memory), NoGuard)


class UnguardedToken(TokenVerifier):
    """The token rule without a guard for an empty residual."""

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        return recast(super().core_plan(tokens, draft, target, memory), NoGuard)


class KeepsEverything(BlockVerifier):
    """Every coin succeeds."""

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        plan = super().core_plan(tokens, draft, target, memory)
        return recast(plan, Plan, accept_prob=np.ones(plan.gamma))


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
    "residual without w": _law(get("residual_without_weight")),
    "residual through softmax": _law(get("softmaxed_residual")),
    "residual through softmax, token rule": _law(get("softmaxed_residual_in_token")),
    "residual never normalised": _law(get("unnormalised_residual")),
    "residual never normalised, token rule": _law(get("unnormalised_residual_in_token")),
    "bonus from the row before": _law(get("bonus_from_wrong_row")),
    "bonus from the row before, token rule": _law(get("bonus_from_wrong_row_in_token")),
    "correction from the target": _law(get("correction_from_target")),
    "correction from the target, token rule": _law(get("correction_from_target_in_token")),
    "argmax correction": _law(get("argmax_correction")),
    "argmax correction, token rule": _law(get("argmax_correction_in_token")),
    "coin from the current row": _law(get("current_row_for_next")),
    "inner formula at gamma": _law(get("inner_formula_at_gamma")),
    "keeps every drafted token": _law(KeepsEverything()),
    "break at the first failure": _law(get("break_at_first_failure")),
    "uncapped ratio at gamma": _law(get("uncapped_ratio_at_gamma")),
    "greedy without its continuation": _law(get("greedy_without_continuation")),
    "one uniform for all positions": _decision(get("one_uniform_for_all")),
    "one uniform for all positions, token rule": _decision(get("one_uniform_for_all_in_token")),
    "product of uniforms": _decision(get("product_of_uniforms")),
    "product of uniforms, token rule": _decision(get("product_of_uniforms_in_token")),
    "token 0 is nothing": _decision(get("token_zero_is_nothing")),
    "accepts an equal uniform": _exact(get("accepts_on_equal"), must.assert_strict_coins),
    "accepts an equal uniform, token rule": _exact(get("accepts_on_equal_in_token"), must.assert_strict_coins),
    "accepts an equal uniform, in the table": _exact(get("accepts_on_equal"), _block_table),
    "zero by zero": _exact(UnguardedBlock(), must.assert_equal_laws_are_harmless),
    "zero by zero, token rule": _exact(UnguardedToken(), must.assert_equal_laws_are_harmless),
}
