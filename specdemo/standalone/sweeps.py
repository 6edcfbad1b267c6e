"""What a saved page of the Lab shows: what a sweep adds up to, never its rows, and within a bound (docs/viewer.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from specdemo.standalone.json_text import script_json
from specdemo.standalone.records import SCHEMA, now

MOST_PLACES = 8_000  # in the picture of where drafts fail: what the page's own 1,000 rows may have
MOST_BYTES = 10_000_000


def lab_record(answer: Mapping[str, Any], asked: Mapping[str, Any] | None, saved: str | None = None) -> dict[str, Any]:
    """The record of what the Lab's page gets of a summary, {summary, tables, csv, markdown}; `asked` is the grid in the page's names, without
    anybody's own prompts, or None where a link cannot ask for it.

    Of more than 8,000 places evenly spaced ones are kept, and the record says so. ValueError where nothing is measured, or where it is too much.
    """
    summary = answer["summary"]
    if not summary["cells"]["done"]:
        raise ValueError("nothing is measured yet: there is nothing to show on a page")
    texts, places = _thinned(summary["texts"])
    record = {
        "schema": SCHEMA, "page": "lab", "saved": saved or now(), "asked": asked, "places": places,
        "shown": {"condition": "", "task": None, "gamma": None, "c": None, "v": None},
        "answer": {**answer, "summary": {**summary, "texts": texts}},
    }  # fmt: skip
    if (size := len(script_json(record).encode())) > MOST_BYTES:
        raise ValueError(
            f"what is measured takes {size / 1e6:.1f} MB, and a page holds {MOST_BYTES / 1e6:g} MB at most: ask for fewer settings "
            "(the same command with fewer of them measures nothing again)"
        )
    return record


def _thinned(texts: list[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], dict[str, int] | None]:
    """The texts with no more places than a page draws, and how many are kept of how many; None where all are."""
    of = sum(len(text["samples"]) for text in texts)
    step = -(-of // MOST_PLACES)
    if step <= 1:
        return [dict(text) for text in texts], None
    kept = [{**text, "samples": text["samples"][::step]} for text in texts]
    return kept, {"kept": sum(len(text["samples"]) for text in kept), "of": of}
