"""`specdemo audit` on the command line: exit statuses, files, and one-line messages."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

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
