"""With the uniforms known: what the rule would have decided, against what was logged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.steps.plans import Replay, perturbed
from specdemo.auditor.steps.reading import StepRecord
from specdemo.verifiers import Plan

TRIES = 16

Outcome = Literal["match", "knife_edge", "mismatch"]


@dataclass(frozen=True)
class Judgement:
    """What came of one record: `accepted` and `next_token` are what the rule decides (`next_token` None if its uniform is not known)."""

    outcome: Outcome
    accepted: int
    next_token: int | None


def judged(record: StepRecord, replay: Replay, plan: Plan, tries: int = TRIES) -> Judgement:
    """The rule's decision on the record's uniforms; a difference that the laws' rounding explains, in `tries` tries, is a knife edge."""
    assert record.uniforms is not None
    right = _decision(plan, record.uniforms)
    if _agrees(right, record):
        return Judgement("match", *right)
    if right[0] == record.accepted and _drawn_nearby(record, plan):
        return Judgement("knife_edge", *right)
    noise = np.random.default_rng(record.line)
    for _ in range(tries):
        near = replay.plan_with(
            record, perturbed(record.draft, record.tolerance, noise), perturbed(record.target, record.tolerance, noise)
        )
        moved = record.uniforms + record.tolerance * noise.uniform(-1, 1, len(record.uniforms))
        if near is not None and _agrees(_decision(near, np.clip(moved, 0.0, np.nextafter(1.0, 0.0))), record):
            return Judgement("knife_edge", *right)
    return Judgement("mismatch", *right)


def matches(record: StepRecord, plan: Plan) -> bool:
    """Whether the plan decides exactly what was logged; for hypotheses, without the knife edges."""
    assert record.uniforms is not None
    return _agrees(_decision(plan, record.uniforms), record)


def _drawn_nearby(record: StepRecord, plan: Plan) -> bool:
    """Whether the logged next token's step of the cumulative law lies within the tolerance of the last uniform."""
    assert record.uniforms is not None
    law, token, uniform = plan.next_law(record.accepted), record.next_token, float(record.uniforms[-1])
    end = float(law[: token + 1].sum())
    return bool(law[token] > 0) and end - law[token] - record.tolerance <= uniform <= end + record.tolerance


def _decision(plan: Plan, uniforms: FloatArray) -> tuple[int, int | None]:
    if len(uniforms) == plan.gamma + 1:
        verdict = plan.decide_unchecked(uniforms)
        return verdict.accepted, verdict.next_token
    # The uniform that draws Y is not known; any will do, for the accepted count does not depend on it.
    return plan.decide_unchecked(np.append(uniforms, 0.5)).accepted, None


def _agrees(decision: tuple[int, int | None], record: StepRecord) -> bool:
    accepted, next_token = decision
    return accepted == record.accepted and next_token in (None, record.next_token)
