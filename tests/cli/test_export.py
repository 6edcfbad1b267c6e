"""`specdemo export` and `decode --html`: files that hold the run, and words where there is none."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.examples.files import FOLDER
from tests.cli.test_cli import tiny_entry
from tests.viewer.standalone_page import record_in

__all__ = ["tiny_entry"]  # fixture

RESCUE = FOLDER / "rescue.json"


def test_a_trace_becomes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "run.html"
    assert main(["export", str(RESCUE), "--html", str(page)]) == 0
    record = record_in(page)
    assert record["trace"] == json.loads(RESCUE.read_text()) and record["page"] == "step"
    said = capsys.readouterr()
    assert said.out == "" and str(page) in said.err and f"{page.stat().st_size / 1000:.0f} kB" in said.err


def test_it_reads_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = {
        "symbols": 2,
        "gamma": 1,
        "context": "free",
        "draft": [[["1/2", "1/2"]]],
        "target": [[["1", "0"]]],
        "rules": ["token", "block"],
    }
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"schema": "specdemo.sandbox-file/1", "state": state})))
    page = tmp_path / "state.html"
    assert main(["export", "-", "--html", str(page)]) == 0
    assert record_in(page)["picture"]["rules"]["token"]["expected"] == 0.5


def test_decode_writes_the_page_of_what_it_prints(
    tiny_entry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, arguments = tmp_path / "run.html", ["the cat", "--pair", "tiny", "--seed", "7", "--max-new-tokens", "12"]
    assert main(["decode", *arguments, "--json", "--html", str(page)]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert record_in(page)["trace"] == printed and len(printed["blocks"]) > 2
    assert main(["decode", *arguments, "--html", str(page)]) == 0
    assert record_in(page)["trace"]["digest"] == printed["digest"]
    assert len([line for line in capsys.readouterr().out.splitlines() if line[:5].strip().isdigit()]) == len(
        printed["blocks"]
    )


def test_what_cannot_be_written_is_one_line_and_status_2(
    tiny_entry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"nan.json": '{"a": NaN}', "half.json": "{", "other.json": '{"schema": "specdemo.comparison/1"}'}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    wrong, gap = json.loads(RESCUE.read_text()), json.loads(RESCUE.read_text())
    wrong["blocks"][0]["kept"] += 1
    del gap["blocks"][0]
    for name, trace in (("kept.json", wrong), ("gap.json", gap)):
        (tmp_path / name).write_text(json.dumps(trace))
    page = str(tmp_path / "x.html")
    for arguments, says in (
        (["export", str(tmp_path / "none.json"), "--html", page], "none.json"),
        (["export", str(tmp_path / "nan.json"), "--html", page], "NaN is no number"),
        (["export", str(tmp_path / "half.json"), "--html", page], "half.json is not JSON"),
        (["export", str(tmp_path / "other.json"), "--html", page], "'specdemo.comparison/1'"),
        (["export", str(tmp_path / "kept.json"), "--html", page], "the trace is wrong at blocks/0/kept: it must be"),
        (["export", str(tmp_path / "gap.json"), "--html", page], "the trace is wrong at blocks/0/index: it must be 0"),
        (["export", str(RESCUE), "--html", str(tmp_path)], "is a folder"),
        (["export", str(RESCUE), "--html", str(tmp_path / "no" / "x.html")], "does not exist"),
        (["decode", "x", "--pair", "tiny", "--html", str(tmp_path / "no" / "x.html")], "does not exist"),
        (["decode", "x", "--pair", "tiny", "--gamma", "17", "--html", page], "at most 16 drafted tokens"),
        (["decode", "x", "--pair", "tiny", "--seed", str(2**60), "--html", page], "2^53 − 1"),
    ):
        assert main(arguments) == 2, arguments
        error = capsys.readouterr().err.strip()
        assert says in error and len(error.splitlines()) == 1, error
    assert not Path(page).exists()
