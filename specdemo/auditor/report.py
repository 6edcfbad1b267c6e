"""What an audit says: a frozen record, with its text, JSON (schema "specdemo.audit/1"), JUnit XML and exit status."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from specdemo.auditor.nearest import Match
from specdemo.auditor.questions import Problem

SCHEMA = "specdemo.audit/1"


@dataclass(frozen=True)
class WorldLine:
    """One world that was tried: its largest deviation, whether that is too much, and E[τ] of the subject and of the rules.

    `expected_token`, `expected_block` and `optimum` are the closed forms for the token rule, the block rule (the optimum where
    the text after Y follows the plain target) and the optimum of the block transport problem.
    """

    name: str
    vocab_size: int
    gamma: int
    length: int
    deviation: float
    lossless: bool
    problems: int
    expected: float
    expected_token: float
    expected_block: float
    optimum: float


@dataclass(frozen=True)
class WorstPrefix:
    """The prefix whose probability is farthest off, with the right and the got probability."""

    world: str
    prefix: tuple[int, ...]
    right: float
    got: float

    @property
    def deviation(self) -> float:
        return abs(self.got - self.right)


@dataclass(frozen=True)
class AuditReport:
    """The result of an audit.

    `lossless` is the answer and `verdict` how sure it is: "exact" (`max_deviation` is known up to `error_bound`) or "statistical"
    (`sample_size` texts a world; a right subject is accused with probability at most `level`; a probability that is off by more
    than `error_bound` would have been seen). `up_to_rounding` names the right rule whose every threshold the subject's are up to
    float32's rounding, where that and not the tolerance makes it lossless. `counterexample` is a Python program that shows the
    smallest failure.
    """

    subject: str
    form: str
    array: str
    budget: str
    seed: int
    tolerance: float
    lossless: bool
    verdict: Literal["exact", "statistical"]
    reason: str
    max_deviation: float
    error_bound: float
    sample_size: int | None
    level: float | None
    worst: WorstPrefix | None
    counterexample: str | None
    problems: tuple[Problem, ...]
    problem_counts: dict[str, int]
    nearest: Match | None
    lossless_at_temperature_0: bool | None
    notes: tuple[str, ...]
    worlds: tuple[WorldLine, ...]
    worlds_planned: int
    calls: int
    seconds: float
    up_to_rounding: str | None = None

    @property
    def exit_status(self) -> int:
        """0 lossless, 1 not."""
        return 0 if self.lossless else 1

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON-able record."""
        record = {"schema": SCHEMA, **asdict(self)}
        record["problems"] = [problem.to_json() for problem in self.problems]
        record["nearest"] = None if self.nearest is None else self.nearest.to_json()
        record["exit_status"] = self.exit_status
        return record

    def text(self) -> str:
        """The report for a terminal."""
        from specdemo.auditor.rendering import as_text

        return as_text(self)

    def to_junit(self) -> str:
        """The report as JUnit XML: one test case for each world, one for each kind of problem."""
        from specdemo.auditor.rendering import as_junit

        return as_junit(self)
