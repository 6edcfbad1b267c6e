"""`audit_steps`: one pass over a log that replays and tests, and, only where something is wrong, passes that ask what it is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from specdemo.auditor.steps.checks import Checks
from specdemo.auditor.steps.conclusions import concluded
from specdemo.auditor.steps.diagnosis import inferred_rule
from specdemo.auditor.steps.exact import TRIES, Judgement, judged
from specdemo.auditor.steps.extent import Extent
from specdemo.auditor.steps.plans import Replay
from specdemo.auditor.steps.reading import StepRecord, read_steps
from specdemo.auditor.steps.record import LogError
from specdemo.auditor.steps.report import StepsReport
from specdemo.verifiers import Plan, Verifier, get

_ENOUGH_MISMATCHES = 10


@dataclass
class Pass:
    """What one pass over a log has seen."""

    checks: Checks = field(default_factory=Checks)
    extent: Extent = field(default_factory=Extent)
    records: int = 0
    usable: int = 0
    with_uniforms: int = 0
    replayed: int = 0
    knife_edges: int = 0
    # How many the tolerance would let one expect: every step of a cumulative law is an edge.
    expected_edges: float = 0.0
    mismatches: int = 0
    first_bad: dict[str, Any] | None = None
    # By code: how many records have the defect, where it is first seen, and what it is there.
    defects: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    rules: dict[str, int] = field(default_factory=dict)


def audit_steps(path: str | Path, *, rule: str | Verifier | None = None, tolerance: float | None = None) -> StepsReport:
    """Check a log of recorded steps (docs/audit-log.md): exactly where uniforms are logged, by tests where they are not.

    `rule` overrides the rule the log claims; where neither says one it is inferred. `tolerance` overrides how near a knife edge
    a decision must be to be set aside. A log that cannot be read gives a report with `error` and exit status 2;
    ValueError for an unknown `rule` or a tolerance outside [0, 1).
    """
    log = Path(path)
    given = get(rule) if rule is not None else None
    if tolerance is not None and not 0 <= tolerance < 1:
        raise ValueError(f"tolerance is {tolerance!r}: it must be in [0, 1)")

    def again(start: int = 0) -> Iterator[StepRecord]:
        return (record for record in read_steps(log, tolerance) if record.line >= start)

    try:
        inferred = None
        if given is None and any(record.rule is None for record in itertools.islice(again(), 1)):
            inferred = inferred_rule(record for record in again() if record.rule is None)
        seen = _passed(again(), given, inferred)
        if not seen.records:
            raise LogError("the log holds no records")
        source = "the argument" if given else "inference" if inferred else "the log"
        return concluded(log, seen, again, given, source)
    except (LogError, OSError) as error:
        return StepsReport(path=str(log), error=str(error))


def _passed(records: Iterator[StepRecord], given: Verifier | None, inferred: Verifier | None) -> Pass:
    seen = Pass()
    replays: dict[str, Replay] = {}
    for record in records:
        seen.records += 1
        for defect in record.defects:
            count, line, text = seen.defects.get(defect.code, (0, record.line, f"{record.where}: {defect.text}"))
            seen.defects[defect.code] = (count + 1, line, text)
        if not record.usable:
            continue
        seen.usable += 1
        seen.with_uniforms += record.uniforms is not None
        seen.extent.add(record)
        rule = given or record.rule or inferred
        replay = None if rule is None else replays.setdefault(rule.name, Replay(rule))
        plan = None if replay is None else replay.plan(record)
        if rule is not None and replay is not None:
            seen.rules[rule.name] = seen.rules.get(rule.name, 0) + 1
            if plan is None and replay.lacks_a_row(record):
                raise LogError(
                    f"line {record.line}, draft: {len(record.draft)} rows, but a window of the rule {rule.name!r} reaches past this "
                    f"block: the draft's law after the block is needed too, {record.gamma + 1} rows in all"
                )
            if record.uniforms is not None and plan is not None:
                _replayed(seen, record, replay, plan)
        seen.checks.add(record, replay, plan)
        if replay is not None:
            replay.follow(record, plan)
    return seen


def _replayed(seen: Pass, record: StepRecord, replay: Replay, plan: Plan) -> None:
    # After so many mismatches no knife edge changes the verdict, and looking for them is what costs.
    judgement = judged(record, replay, plan, TRIES if seen.mismatches < _ENOUGH_MISMATCHES else 0)
    seen.replayed += 1
    seen.expected_edges += min(1.0, 2 * record.tolerance * (record.gamma + record.target.shape[1]))
    seen.knife_edges += judgement.outcome == "knife_edge"
    if judgement.outcome == "mismatch":
        seen.mismatches += 1
        if seen.first_bad is None:
            seen.first_bad = _described(record, replay.rule, plan, judgement)


def _described(record: StepRecord, rule: Verifier, plan: Plan, right: Judgement) -> dict[str, Any]:
    assert record.uniforms is not None
    law = np.nan_to_num(plan.next_law(right.accepted))
    return {
        "line": record.line,
        "id": record.id,
        "rule": rule.name,
        "tokens": record.tokens.tolist(),
        "uniforms": record.uniforms.tolist(),
        "logged": {"accepted": record.accepted, "next_token": record.next_token},
        "right": {"accepted": right.accepted, "next_token": right.next_token},
        "accept_prob": None if plan.accept_prob is None else plan.accept_prob.tolist(),
        "length_law": plan.length_law.tolist(),
        "next_prob": {
            "of_logged": float(law[record.next_token]),
            "of_right": None if right.next_token is None else float(law[right.next_token]),
        },
    }
