"""The record of a saved sweep: what the page gets, no rows and nobody's own prompts beyond what a summary shows, within a bound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.cli.lab_report import lab_answer
from specdemo.lab.sweep_file import as_line
from specdemo.lab.sweep_summary import summarise
from specdemo.pages.lab_answers import summary_of
from specdemo.standalone import filled, lab_record, template
from tests.lab.swept import the_head, the_rows
from tests.viewer.standalone_page import MARK, SAVED, record_in


def answer(count: int | None = None) -> dict[str, Any]:
    return lab_answer(summarise([the_head()], the_rows()[:count]))


def test_a_record_is_what_the_page_is_answered() -> None:
    asked = {"pair": "tiny", "tasks": ["verse"], "own": False}
    record = lab_record(answer(), asked, SAVED)
    assert (record["page"], record["saved"], record["asked"], record["places"]) == ("lab", SAVED, asked, None)
    text = "\n".join(['{"grid":null}', as_line(the_head()), *map(as_line, the_rows())])
    told = json.loads(summary_of(text))
    shown = record_in(filled(MARK, record))["answer"]
    assert {**shown["summary"], "created": ""} == {**told["summary"], "created": ""}
    assert (shown["tables"], shown["csv"], shown["markdown"]) == (told["tables"], told["csv"], told["markdown"])
    keys = {row["key"] for row in the_rows()}
    assert not any(key in filled("", record) for key in keys), "no rows are in it"


def test_places_are_thinned_evenly_and_a_record_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = answer()
    samples = [text["samples"] for text in whole["summary"]["texts"]]
    count = sum(map(len, samples))
    assert count > 20 and count % 7
    monkeypatch.setattr("specdemo.standalone.sweeps.MOST_PLACES", 7)
    record = lab_record(whole, None, SAVED)
    kept = [text["samples"] for text in record["answer"]["summary"]["texts"]]
    assert kept == [group[:: -(-count // 7)] for group in samples]
    assert record["places"] == {"kept": sum(map(len, kept)), "of": count}
    assert [text["samples"] for text in whole["summary"]["texts"]] == samples, "the summary itself is left as it is"
    monkeypatch.setattr("specdemo.standalone.sweeps.MOST_BYTES", 10_000)
    with pytest.raises(ValueError, match="fewer settings"):
        lab_record(whole, None)


def test_nothing_measured_is_no_page() -> None:
    with pytest.raises(ValueError, match="nothing is measured yet"):
        lab_record(answer(0), None)


def test_export_reads_the_file_of_a_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [as_line(the_head()), *map(as_line, the_rows())]
    file, page = tmp_path / "swept.jsonl", tmp_path / "swept.html"
    for ending, count in (("\n", 10), ("", 10), ('\n{"kind":"ro', 10)):
        file.write_text("\n".join(lines) + ending, encoding="utf-8")
        assert main(["export", str(file), "--html", str(page)]) == 0
        record = record_in(page)
        assert record["answer"]["summary"]["cells"] == {"done": count, "planned": count} and record["asked"] is None
        assert page.read_bytes() == filled(template("lab"), record).encode()
    capsys.readouterr()
    summary = tmp_path / "summary.json"
    summary.write_text(json.dumps(answer()["summary"]), encoding="utf-8")
    file.write_text("\n".join([lines[0], "no row", *lines[1:]]) + "\n", encoding="utf-8")
    for wrong, words in ((file, "line 2 of swept.jsonl is no row"), (summary, "give the file with its rows (.jsonl)")):
        assert main(["export", str(wrong), "--html", str(page)]) == 2
        assert words in capsys.readouterr().err
