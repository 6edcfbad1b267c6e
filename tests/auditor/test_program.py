"""Programs that speak JSON lines: right ones pass, wrong ones fail, and those that cannot be asked say why."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from specdemo.auditor import CouldNotRun, ProgramSubject, audit

HERE = Path(__file__).parent
PYTHON = [sys.executable, "-S", str(HERE / "foreign_program.py")]


@pytest.mark.parametrize("mode", ["right", "law", "nulls", "law_nulls"])
def test_a_right_program_passes(mode: str) -> None:
    report = audit(ProgramSubject([*PYTHON, mode]))
    assert report.lossless, report.text()
    assert report.verdict == "exact" and report.form == "program"


def test_a_right_program_in_javascript_passes() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    report = audit(ProgramSubject(f"{node} {HERE / 'foreign_program.js'}"))
    assert report.lossless and report.verdict == "exact"


def test_a_wrong_program_fails_and_is_recognised() -> None:
    report = audit(ProgramSubject([*PYTHON, "from_target"]))
    assert not report.lossless
    assert report.nearest is not None and report.nearest.name == "correction_from_target_in_token"


def test_an_error_answer_is_a_problem_of_that_block() -> None:
    report = audit(ProgramSubject([*PYTHON, "error"]))
    assert not report.lossless
    assert report.problems[0].message.endswith("empty block") and report.problems[0].question.block.gamma == 0


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("silent", "gave no answer for 0.3 s"),
        ("garbage", "no JSON object: 'accepted 3 tokens'"),
        ("ends", "ended with status 1 before it had answered"),
        ("other_id", "the id 1000"),
    ],
)
def test_programs_that_cannot_be_asked(mode: str, words: str) -> None:
    subject = ProgramSubject([*PYTHON, mode], timeout=0.3 if mode == "silent" else 20)
    with pytest.raises(CouldNotRun, match=words):
        audit(subject)
    assert subject._process is None


def test_a_program_that_does_not_exist() -> None:
    with pytest.raises(CouldNotRun, match="does not start"):
        audit(ProgramSubject("/no/such/program --fast"))
