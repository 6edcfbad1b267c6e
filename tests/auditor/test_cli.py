"""`specdemo audit` on the command line: exit statuses, files, and one-line messages."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO
from xml.etree import ElementTree

import pytest

import specdemo.cli.audit
from specdemo.auditor import program
from specdemo.cli import main
from tests.auditor.test_program import PYTHON

HERE = Path(__file__).parent
FOREIGN = HERE / "foreign.py"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["block"], 0),
        ([f"{FOREIGN}:token_rule"], 0),
        (["residual_without_weight"], 1),
        ([f"{FOREIGN}:token_rule_correcting_from_target"], 1),
        (["--program", " ".join([*PYTHON, "right"])], 0),
    ],
)
def test_exit_statuses(arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *arguments]) == status
    printed = capsys.readouterr().out
    assert printed.startswith("lossless: " if status == 0 else "NOT LOSSLESS: ")
    assert "E[τ]" in printed and "calls" in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give one of"),
        (["block", "--log", "steps.jsonl"], "give one of"),
        (["block", "--rule", "block"], "goes with --log"),
        (["--log", "no_such.jsonl"], "no_such.jsonl"),
        (["blok"], "there is no verifier 'blok'"),
        (["no_such.py:verify"], "there is no file 'no_such.py'"),
        ([f"{FOREIGN}:verify"], "has no function 'verify'; it has"),
        (["block", "--tolerance", "2"], "tolerance"),
        (["block", "--strict", "--tolerance", "1e-6"], "strict is a tolerance of 1e-9 without rounding"),
        (["--log", "no_such.jsonl", "--strict"], "--strict is for what is asked"),
        (["--program", "/no/such/program"], "does not start"),
        (["--program", " ".join([*PYTHON, "garbage"])], "no JSON object"),
    ],
)
def test_what_cannot_run_is_one_line_and_status_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_a_file_that_cannot_be_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def verify(:\n", encoding="utf-8")
    assert main(["audit", f"{file}:verify"]) == 2
    assert "could not be loaded: SyntaxError" in capsys.readouterr().err


def test_json_and_junit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "xml")}
    arguments = ["audit", "accepts_on_equal", "--json", str(files["json"]), "--junit", str(files["xml"])]
    assert main(arguments) == 1
    assert "NOT LOSSLESS" in capsys.readouterr().out
    record = json.loads(files["json"].read_text(encoding="utf-8"))
    assert record["schema"] == "specdemo.audit/1"
    assert (record["lossless"], record["verdict"], record["exit_status"]) == (False, "exact", 1)
    assert record["problems"][0]["kind"] == "zero target mass" and record["problems"][0]["uniforms"][0] == 0.0
    assert record["nearest"]["name"] == "accepts_on_equal" and record["nearest"]["goes_wrong"]
    suite = ElementTree.parse(files["xml"]).getroot()[0]
    assert int(suite.attrib["tests"]) == len(suite.findall("testcase")) == len(record["worlds"]) + 1
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) == 1


def test_json_on_standard_output_is_all_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "token", "--json", "-"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["lossless"] and len(record["worlds"]) == record["worlds_planned"]
    world = record["worlds"][-1]
    assert world["expected"] == pytest.approx(world["expected_token"], abs=1e-9)


def test_arguments_reach_the_program_without_a_shell() -> None:
    subject = program.ProgramSubject("verifier --name 'two words' ; rm -rf x")
    assert subject.command == ["verifier", "--name", "two words", ";", "rm", "-rf", "x"]


WRONG_STEP = """{"tokens": [0], "draft": [[0.5, 0.5]], "target": [[0.25, 0.75], [1, 0]], "uniforms": [0.9, 0.2],
"accepted": 1, "next_token": 0, "rule": "token"}""".replace("\n", " ")


def _to_nobody(buffering: int = 1) -> TextIO:
    """A pipe whose reader has left."""
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "w", encoding="utf-8", buffering=buffering)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["audit", "bonus_from_wrong_row"], 1),
        (["audit", "token"], 0),
        (["audit", "blok"], 2),
        (["audit", "--log", "wrong.jsonl"], 1),
        (["audit", "--log", "absent.jsonl"], 2),
        (["vectors", "--check", "residual_without_weight"], 1),
        (["vectors", "--check", "token"], 0),
        (["vectors"], 0),
        (["verifiers"], 0),
    ],
)
def test_a_reader_who_leaves_changes_no_exit_status(
    arguments: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in `specdemo audit … 2>&1 | true`, whether the report is written at once or (here where that is quick) at the end."""
    (tmp_path / "wrong.jsonl").write_text(WRONG_STEP)
    monkeypatch.chdir(tmp_path)
    for buffering in (1,) if arguments in (["audit", "token"], ["audit", "bonus_from_wrong_row"]) else (1, -1):
        with _to_nobody(buffering) as stdout, _to_nobody() as stderr:
            monkeypatch.setattr(sys, "stdout", stdout)
            monkeypatch.setattr(sys, "stderr", stderr)
            assert main(arguments) == status  # closing the streams raises where something is left in them


def test_a_subject_that_prints_to_a_reader_who_has_left_is_judged_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prints.py").write_text(
        "from tests.auditor.foreign import token_rule\n\n\ndef verify(*block):\n    print('here')\n    return token_rule(*block)\n"
    )
    with _to_nobody() as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        assert main(["audit", f"{tmp_path / 'prints.py'}:verify"]) == 0


class Unlikely(BaseException):
    """Of a kind that nothing in this package raises."""


@pytest.mark.parametrize("error", [TypeError("no __dict__"), KeyError(3), Unlikely(), SystemExit(0), SystemExit(1)])
@pytest.mark.parametrize("command", ["audit", "vectors"])
def test_no_exception_reads_as_a_verdict(
    error: BaseException, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(options: Any) -> int:
        raise error

    monkeypatch.setattr(getattr(specdemo.cli, command), "run", fails)
    assert main([command, "token"] if command == "audit" else [command]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"specdemo {command}: ") and (type(error).__name__ in last or "status" in last)
