"""Runs a subject over the vectors of one rule and says where it fails, and which known mistake behaves the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.auditor.raising import raised_at
from specdemo.auditor.vectors.kills import decision_of, mistakes_of, number_that_differs
from specdemo.auditor.vectors.record import Vector
from specdemo.auditor.vectors.subject import Answer, Subject
from specdemo.verifiers import Verdict, mistakes

# A vector counts in this precision if margin × condition is at least this much.
TOLERANCES = {"float64": 1e-9, "float32": 1e-5, "float16": 1e-2}
# Two laws of the next token are taken for the same mistake's within this.
ALIKE = 1e-2


@dataclass(frozen=True)
class Failure:
    """A vector on which the subject is wrong, and how."""

    vector: Vector
    why: str

    def to_json(self) -> dict[str, Any]:
        """Name, reason, tags and the mistakes this vector finds."""
        vector = self.vector
        return {"vector": vector.case.name, "why": self.why, "tags": list(vector.tags), "kills": list(vector.kills)}


@dataclass(frozen=True)
class Likely:
    """The gallery's mistake that behaves most like the subject, and on how many of its failures it decides the same."""

    name: str
    goes_wrong: str
    issue: str | None
    alike: int
    everywhere: bool  # on every vector, also where the subject is right

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return dict(vars(self))


@dataclass(frozen=True)
class Report:
    """What came of a run: how many vectors were run and skipped, the failures, and the likely mistake."""

    subject: str
    rule: str
    dtype: str
    tolerance: float
    ran: int
    answered: int  # without an exception
    skipped: dict[str, int]
    failures: list[Failure]
    likely: Likely | None

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "subject": self.subject, "rule": self.rule, "dtype": self.dtype, "tolerance": self.tolerance,
            "passed": self.passed, "ran": self.ran, "answered": self.answered, "skipped": self.skipped,
            "failures": [failure.to_json() for failure in self.failures],
            "likely": None if self.likely is None else self.likely.to_json(),
        }  # fmt: skip


def check(
    subject: Subject, rule: str, vectors: Iterable[Vector], dtype: str = "float64", tolerance: float | None = None
) -> Report:
    """The subject against every vector of `rule` that is decided firmly enough for `dtype`.

    `tolerance`: the least margin × condition (0 runs the knife edges too); None is the dtype's own. ValueError if none is left.
    """
    least = TOLERANCES[dtype] if tolerance is None else tolerance
    if not 0 <= least < 1:
        raise ValueError(f"tolerance is {least}: it must be in [0, 1)")
    skipped: Counter[str] = Counter()
    answers: list[tuple[Vector, Answer | str]] = []
    for vector in vectors:
        if vector.case.rule != rule:
            continue
        if reason := _skipped(vector, dtype, least):
            skipped[reason] += 1
            continue
        try:
            answers.append((vector, subject.answer(vector, dtype)))
        except (Exception, SystemExit) as error:  # whatever a foreign function does wrong is its answer
            answers.append((vector, f"raised {type(error).__name__}: {error}{raised_at(error)}"))
    if not answers:
        raise ValueError(f"no vector of the rule {rule!r} is left to run in {dtype} at tolerance {least:g}")
    found = [(vector, answer, _wrong(vector, answer, TOLERANCES[dtype])) for vector, answer in answers]
    failures = [Failure(vector, why) for vector, _, why in found if why is not None]
    wrong = [why is not None for _, _, why in found]
    likely = _likely(rule, answers, wrong) if failures else None
    answered = sum(not isinstance(answer, str) for _, answer in answers)
    return Report(subject.name, rule, dtype, least, len(answers), answered, dict(skipped), failures, likely)


def _skipped(vector: Vector, dtype: str, least: float) -> str | None:
    if vector.firmness < least:
        return "margin below the tolerance"
    exactly = [float(u) for u in vector.case.uniforms]
    if np.array(exactly, dtype).astype(float).tolist() != exactly:
        return f"uniforms that {dtype} cannot hold"
    return None


def _wrong(vector: Vector, answer: Answer | str, tolerance: float) -> str | None:
    """What is wrong with an answer, in words; None if nothing is."""
    if isinstance(answer, str):
        return answer
    expected = vector.expected
    right = Answer(expected.accepted, expected.next_token if answer.next_token is not None else None)
    if (answer.accepted, answer.next_token) != (right.accepted, right.next_token):
        return f"{answer.words()}, not {right.words()}"
    allowed = tolerance / vector.condition if vector.condition else tolerance
    if answer.verdict is not None:
        return number_that_differs(vector, answer.verdict, allowed) or _memory_differs(vector, answer.verdict, allowed)
    for symbol, fraction in expected.next_law.items() if answer.law is not None else ():
        if not abs(float(answer.law[symbol]) - float(fraction)) <= allowed:
            return f"law[{symbol}] is {float(answer.law[symbol]):.9g}, not {fraction}"
    return None


def _memory_differs(vector: Vector, verdict: Verdict, tolerance: float) -> str | None:
    """What is wrong with the memory after the block, R compared relatively; None if nothing is."""
    right = [(float(ratio), remaining) for ratio, remaining in vector.expected.memory or []]
    found = [(float(ratio), remaining) for ratio, remaining in verdict.memory or []]
    same = [n for _, n in right] == [n for _, n in found] and all(
        # A ratio multiplies the errors of up to γ ratios.
        abs(one / other - 1) <= 10 * tolerance
        for (one, _), (other, _) in zip(found, right, strict=True)
    )
    return None if same else f"memory is {found}, not {right}"


def _likely(rule: str, answers: Sequence[tuple[Vector, Answer | str]], wrong: Sequence[bool]) -> Likely | None:
    """The mistake that decides like the subject on most failures, and on at least half of them."""
    failed = [pair for pair, is_wrong in zip(answers, wrong, strict=True) if is_wrong]
    right = [pair for pair, is_wrong in zip(answers, wrong, strict=True) if not is_wrong]
    best: Likely | None = None
    for name in mistakes_of(rule):
        alike = sum(_alike(answer, vector, name) for vector, answer in failed)
        if 2 * alike < len(failed):
            continue
        everywhere = alike == len(failed) and all(_alike(answer, vector, name) for vector, answer in right)
        mistake = mistakes.get(name)
        one = Likely(name, mistake.goes_wrong, mistake.issue, alike, everywhere)
        if best is None or (one.everywhere, one.alike) > (best.everywhere, best.alike):
            best = one
    return best


def _alike(answer: Answer | str, vector: Vector, mistake: str) -> bool:
    if isinstance(answer, str):
        return False
    decision = decision_of(mistake, vector)
    if answer.verdict is None and answer.next_token is not None:
        return (answer.accepted, answer.next_token) == (decision.accepted, decision.next_token)
    near = all(abs(float(answer.law[symbol]) - p) < ALIKE for symbol, p in decision.law.items())
    return answer.accepted == decision.accepted and near
