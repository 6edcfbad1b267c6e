"""Which mistakes of the gallery a vector finds: those that decide otherwise, and those that only compute another number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from specdemo.auditor.vectors.record import Vector
from specdemo.verifiers import Verdict, mistakes

DIFFERS = 1e-6


@cache
def mistakes_of(rule: str) -> tuple[str, ...]:
    """The gallery's mistakes in that rule."""
    return tuple(name for name in mistakes.names() if mistakes.get(name).rule == rule)


@dataclass(frozen=True)
class Decision:
    """What a mistake decides on a vector: τ, Y, Y's law at the vector's stated symbols, and the first number that is wrong."""

    accepted: int
    next_token: int
    law: dict[int, float]
    differs: str | None


def decision_of(mistake: str, vector: Vector) -> Decision:
    """A mistake's decision in float64, kept with the vector; a rule that forgets is not shown the memory."""
    if mistake not in vector.decided:
        rule, case = mistakes.get(mistake), vector.case
        draft, target = case.arrays()
        uniforms = np.array([float(u) for u in case.uniforms])
        memory = case.float_memory() if rule.remembers else None
        verdict = rule.verify(np.array(case.tokens, dtype=np.int64), draft, target, uniforms, memory)
        law = {symbol: float(verdict.next_law[symbol]) for symbol in vector.expected.next_law}
        differs = number_that_differs(vector, verdict, DIFFERS)
        vector.decided[mistake] = Decision(verdict.accepted, verdict.next_token, law, differs)
    return vector.decided[mistake]


def kills_of(vector: Vector) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(mistakes with another (τ, Y), mistakes with the same (τ, Y) and another h, w or next law)."""
    decisions, numbers = [], []
    for mistake in mistakes_of(vector.case.rule):
        decision = decision_of(mistake, vector)
        if (decision.accepted, decision.next_token) != (vector.expected.accepted, vector.expected.next_token):
            decisions.append(mistake)
        elif decision.differs:
            numbers.append(mistake)
    return tuple(decisions), tuple(numbers)


def number_that_differs(vector: Vector, verdict: Verdict, tolerance: float) -> str | None:
    """The first of h, w and next law of a verdict that is off by more than `tolerance`, in words; None if there is none."""
    expected = vector.expected
    for name, found, right in (
        ("accept_prob", verdict.accept_prob, expected.accept_prob),
        ("prefix_weight", verdict.prefix_weight, expected.prefix_weight),
    ):
        for i, fraction in enumerate(right if found is not None else ()):
            if not abs(float(found[i]) - float(fraction)) <= tolerance:  # type: ignore[index]
                return f"{name}[{i}] is {float(found[i]):.9g}, not {fraction}"  # type: ignore[index]
    for symbol, fraction in expected.next_law.items():
        if not abs(float(verdict.next_law[symbol]) - float(fraction)) <= tolerance:
            return f"next_law[{symbol}] is {float(verdict.next_law[symbol]):.9g}, not {fraction}"
    return None
