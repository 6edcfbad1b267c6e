"""A counterexample is run as it is printed, and what it prints is compared with what the report says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from specdemo.auditor.feeding import Feed
from specdemo.auditor.questions import ProblemLog, judged
from specdemo.auditor.report import AuditReport

_NUMBERS = re.compile(r"(?:the text starts with (\(.*\))|its answer is a valid one): right ([0-9.]+), got ([0-9.]+)")


def printed_by(program: str, **names: Any) -> tuple[list[Any], Exception | SystemExit | None]:
    """All that the program prints, and what it raised; `names` are defined before."""
    printed: list[Any] = []
    run: Callable[..., Any] = exec
    try:
        run(
            compile(program, "counterexample", "exec"),
            {"print": lambda *words, **options: printed.extend(words), **names},
        )
    except (Exception, SystemExit) as error:
        return printed, error
    return printed, None


def assert_shown(report: AuditReport, **names: Any) -> None:
    """The program shows a failure that the report tells: a prefix with its two probabilities, or an impossible answer."""
    assert not report.lossless and report.counterexample is not None
    printed, raised = printed_by(report.counterexample, **names)
    if str(printed[0]).startswith("wrong: "):
        _assert_answer_is_shown(report, printed, raised)
        return
    assert raised is None, raised
    numbers = _NUMBERS.match(printed[0])
    assert numbers, printed
    prefix, right, got = eval(numbers[1] or "()"), float(numbers[2]), float(numbers[3])
    if report.verdict == "statistical":
        # The very texts of the audit are drawn again.
        assert report.worst is not None
        assert prefix == report.worst.prefix
        assert np.allclose((right, got), (report.worst.right, report.worst.got), atol=2e-6, rtol=0), printed
        assert abs(got - right) > 1e-3
        return
    (world,) = [line for line in report.worlds if f"the world {line.name}." in report.counterexample]
    assert not world.lossless
    assert report.tolerance < got - right <= world.deviation + 2e-9, (printed, world)
    # What cannot be seen is printed only where nothing else is wrong.
    assert got - right >= 1e-3 - 1e-9 or not report.problems
    if report.worst is not None and report.worst.world == world.name and report.worst.prefix == prefix:
        assert np.allclose((right, got), (report.worst.right, report.worst.got), atol=1e-9, rtol=0), printed


def _assert_answer_is_shown(report: AuditReport, printed: list[Any], raised: BaseException | None) -> None:
    message = printed[0].removeprefix("wrong: ")
    (problem,) = [one for one in report.problems if one.message == message][:1]
    answer = raised if raised is not None else printed[-1][:2]
    log = ProblemLog()
    judged(problem.question, answer, Feed(report.array).tolerance, log)
    assert [one.kind for one in log.kept] == [problem.kind], (message, answer)
    if raised is not None:
        assert f"raises {type(raised).__name__}: {raised}" in message
