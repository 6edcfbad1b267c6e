"""Subjects that behave oddly but are right, and wrong ones that are almost right."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from specdemo import verifiers
from specdemo.auditor import CouldNotRun, ProgramSubject, audit, run
from specdemo.auditor.questions import Block, ProblemLog, Question, judged, memory_key
from specdemo.cli import main
from tests.auditor import foreign

GREEDY = verifiers.get("greedy_block")


class State:
    """A memory whose `repr` is an address."""

    def __init__(self, windows: Any) -> None:
        self.windows = windows


def remembers_an_object(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> Any:
    verdict = GREEDY.core_plan(tokens, draft, target, memory and memory.windows).decide(uniforms)
    return verdict.accepted, verdict.next_token, verdict.memory and State(verdict.memory)


def writes_into_its_memory(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> Any:
    memory = [] if memory is None else memory
    verdict = GREEDY.core_plan(tokens, draft, target, [list(window) for window in memory] or None).decide(uniforms)
    memory[:] = verdict.memory or []
    return verdict.accepted, verdict.next_token, memory


@pytest.mark.parametrize("verify", [remembers_an_object, writes_into_its_memory])
def test_any_memory_is_carried_from_block_to_block(verify: Any) -> None:
    """Also past a shorter block, whose draft row after it is then given."""
    report = audit(verify)
    assert report.lossless and report.verdict == "exact"
    assert any("γ=3,1" in world.name for world in report.worlds)


def test_memories_that_say_the_same_are_one() -> None:
    array = np.array([1 / 3, 2 / 3])
    assert memory_key(State([array])) == memory_key(State([array.copy()])) != memory_key(State([array + 1e-15]))


def test_a_memory_that_cannot_be_followed_gives_no_verdict() -> None:
    counter = itertools.count()

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> Any:
        verdict = GREEDY.core_plan(tokens, draft, target, None).decide(uniforms)
        return verdict.accepted, verdict.next_token, next(counter)

    with pytest.raises(CouldNotRun, match="memory is only judged exactly"):
        audit(verify)


def _stops(close_enough: Any, fallback: Any) -> Any:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        kept = len(tokens)
        for i, token in enumerate(tokens):
            if not (close_enough(draft[i], target[i]) or uniforms[i] * draft[i, token] < target[i, token]):
                kept = i
                break
        law = target[kept] if kept == len(tokens) else fallback(target[kept], np.maximum(target[kept] - draft[kept], 0))
        return kept, foreign.pick(law / law.sum(), uniforms[-1])

    return verify


def never(draft: Any, target: Any) -> bool:
    return False


ALMOST = {
    "draft and target are close": _stops(np.allclose, lambda t, r: r if r.sum() > 0 else t),
    "a small residual is taken for none": _stops(never, lambda t, r: r if r.sum() > 1e-4 else t),
    "small entries are cut": _stops(never, lambda t, r: c if (c := np.where(r < 1e-6, 0, r)).sum() > 0 else t),
    "the argmax stands in for a small residual": _stops(
        never, lambda t, r: r if r.sum() > 1e-2 else np.eye(len(t))[t.argmax()]
    ),
}


@pytest.mark.parametrize("name", ALMOST)
def test_mistakes_of_almost_equal_laws_are_found(name: str) -> None:
    report = audit(ALMOST[name])
    assert not report.lossless and report.max_deviation > 1e-8


def test_ending_the_process_is_no_way_to_pass(tmp_path: Path) -> None:
    file = tmp_path / "leaves.py"
    file.write_text("import sys\n\n\ndef verify(tokens, draft, target, uniforms):\n    sys.exit(0)\n")
    assert main(["audit", f"{file}:verify", "--form", "plain"]) == 1
    assert main(["vectors", "--check", f"{file}:verify", "--rule", "token"]) == 2


def test_a_subject_too_slow_to_be_tried_gives_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(run._SECONDS, "quick", 0.0)
    with pytest.raises(CouldNotRun, match=r"0 of \d+ worlds"):
        audit("token")


def test_what_a_function_prints_is_not_in_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "prints.py"
    file.write_text(
        "def verify(tokens, draft, target, uniforms):\n    print('hi')\n    return 0, int(target[0].argmax())\n"
    )
    assert main(["audit", f"{file}:verify", "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out)["lossless"] is False
    assert main(["audit", "token", "--json", "-", "--junit", "-"]) == 2


def test_a_folder_that_is_not_there_is_said_before_the_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "token", "--json", str(tmp_path / "nowhere" / "report.json")]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "--json: the folder of" in said.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_report_that_cannot_be_written_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "token", "--json", "/dev/full"]) == 2
    assert "lossless: token" in capsys.readouterr().out


@pytest.mark.parametrize("value", [[10**400, 0], "\ud800", {"a": 1}])
def test_any_answer_is_judged(value: Any) -> None:
    problems = ProblemLog()
    block = Block((), np.zeros((0, 2)), np.array([[0.5, 0.5]]))
    judged(Question(block, (0.5,)), (0, value), 1e-9, problems)
    judged(Question(block, (0.5,)), ValueError("\ud800"), 1e-9, problems)
    assert problems.counts == {"malformed": 1, "exception": 1}
    assert all(problem.message.encode() for problem in problems.kept)


@pytest.mark.parametrize("value", [None, True, 1.5, float("nan"), "3"])
def test_a_next_token_that_is_none_is_called_what_it_is(value: Any) -> None:
    problems = ProblemLog()
    judged(Question(Block((), np.zeros((0, 2)), np.array([[0.5, 0.5]])), (0.5,)), (0, value), 1e-9, problems)
    (problem,) = problems.kept
    assert problem.kind == "malformed" and problem.message.startswith(f"next token is {value!r}, neither a")


def test_a_line_without_an_end_does_not_fill_the_memory() -> None:
    endless = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    with pytest.raises(CouldNotRun, match="no JSON object"):
        audit(ProgramSubject([sys.executable, "-c", endless]))


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), float("inf")])
def test_a_timeout_is_a_number_of_seconds(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout is"):
        ProgramSubject("cat", timeout=timeout)


def test_whatever_a_subject_says_fits_into_the_reports() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Any:
        raise ValueError("\x00\x1b[31m \ud800 \uffff")

    report = audit(verify, form="plain")
    ElementTree.fromstring(report.to_junit().encode())
    assert json.dumps(report.to_json(), ensure_ascii=False).encode() and report.counterexample


def test_a_tolerance_of_the_vectors_is_a_number() -> None:
    assert main(["vectors", "--check", "token", "--tolerance", "nan"]) == 2
