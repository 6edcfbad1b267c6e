"""The exact law of the first token that a rule emits, where the laws of the block's first position decide it:

    P(first = v) = D(v) P(τ ≥ 1 │ v) + Σ_x D(x) P(τ = 0 │ x) P(Y = v │ x, τ = 0)

All three come from the rule's own plan of the single token x. That is the whole truth, whatever γ and the later tokens, for rules by
which neither P(τ ≥ 1 │ x_1), averaged over the later drafts, nor Y's law at τ = 0 looks at a later row (`first_row_decides`). The rows
behind the first are then free: the plan is shown the first row twice.
"""

from __future__ import annotations

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.verifiers import Plan, Verifier
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.exact_match import ExactMatchVerifier
from specdemo.verifiers.greedy_block import GreedyBlockVerifier
from specdemo.verifiers.left_to_right import OtherTokenPlan
from specdemo.verifiers.lenience import LenienceVerifier
from specdemo.verifiers.mistakes import Mistake
from specdemo.verifiers.mistakes.laws import as_drawn
from specdemo.verifiers.mistakes.plans import ProductOfUniforms, UniformUsedTwice
from specdemo.verifiers.sampled_match import SampledMatchVerifier
from specdemo.verifiers.threshold import ThresholdVerifier
from specdemo.verifiers.token import TokenVerifier
from specdemo.verifiers.typical import TypicalVerifier

# The rules for which it has been proved and is tested by enumeration. A subclass may do something else, so it does not count.
_FIRST_ROW_DECIDES: tuple[type[Verifier], ...] = (
    TokenVerifier,
    BlockVerifier,
    GreedyBlockVerifier,
    SampledMatchVerifier,
    ExactMatchVerifier,
    ThresholdVerifier,
    TypicalVerifier,
    LenienceVerifier,
)
# Laws at τ = 0 that depend on the drafted token; the others are asked for once.
_LAW_OF_TOKEN = (OtherTokenPlan, UniformUsedTwice)
_SLOW_RULES = (SampledMatchVerifier, ExactMatchVerifier, TypicalVerifier)
_SLOW_KINDS = (UniformUsedTwice, ProductOfUniforms)

# A plan of one token costs as much as reading this many numbers; in all a rule may take a few seconds.
_PLAN_NUMBERS = 400
LARGEST_SEARCH = 1 << 26


def first_row_decides(rule: Verifier) -> bool:
    """Whether P(τ ≥ 1 │ x_1) and Y's law at τ = 0 follow from D(·) and T(·) of the first position; False for rules that are not known."""
    if isinstance(rule, Mistake):
        return rule.first_row_decides
    return type(rule) in _FIRST_ROW_DECIDES


def exact_law(rule: Verifier, draft: FloatArray, target: FloatArray, gamma: int) -> FloatArray | None:
    """The exact law (V,) of the first token after γ drafted ones, from D and T (V,) of the first position; None where they do not decide it.

    None also where it would take too long: rules that read whole rows for every x cost V² and stop at about 8,000 tokens of positive
    D, all others at about 160,000. Without a draft (γ = 0) it is the law of Y, by every rule.
    """
    if gamma == 0:
        return rule.core_plan(np.empty(0, dtype=np.int64), np.empty((0, len(target))), target[None]).next_law(0).copy()
    drafted = np.flatnonzero(draft)
    numbers = len(target) if _is_slow(rule) else _PLAN_NUMBERS
    if not first_row_decides(rule) or len(drafted) * numbers > LARGEST_SEARCH:
        return None
    return law_of_first_row(rule, draft, target)


def law_of_first_row(rule: Verifier, draft: FloatArray, target: FloatArray) -> FloatArray:
    """The formula above, from the plans of every x with D(x) > 0; the law of the first token only where the first row decides it."""
    draft_rows, target_rows = draft[None], np.stack([target, target])
    law, stopped, plan = np.zeros(len(target)), 0.0, None
    for x in np.flatnonzero(draft):
        plan = rule.core_plan(np.array([x]), draft_rows, target_rows)
        stop, keep = plan.length_law.tolist()
        law[x] += draft[x] * keep
        if stop > 0 and isinstance(plan, _LAW_OF_TOKEN):
            law += (draft[x] * stop) * plan.next_law(0)
        else:
            stopped += draft[x] * stop
    if plan is not None and stopped > 0:
        law += stopped * plan.next_law(0)
    return law


def first_token_law(plan: Plan) -> FloatArray:
    """The law (V,) of the first token emitted, given the drafted block: P(τ ≥ 1) δ_{x_1} + P(τ = 0) P(Y │ τ = 0)."""
    stop = float(plan.length_law[0])
    law: FloatArray = stop * plan.next_law(0) if stop > 0 else np.zeros(plan.target.shape[1])
    if plan.gamma:
        law[plan.tokens[0]] += float(plan.length_law[1:].sum())
    return law


def _is_slow(rule: Verifier) -> bool:
    """Whether a plan of one token, or its law at τ = 0, costs about as much as reading whole rows, for each token anew."""
    if isinstance(rule, Mistake):
        return rule.entry.draft is not as_drawn or issubclass(rule.entry.kind, _SLOW_KINDS)
    return isinstance(rule, _SLOW_RULES)
