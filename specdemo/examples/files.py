"""The example files: assets/examples/index.json and one trace a kind; and making a trace again from what it says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from specdemo.decoding import decode_run
from specdemo.examples.kinds import Kind
from specdemo.pairs import Pair

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "examples"


def write(kind: Kind, trace: dict[str, Any], block: int, folder: Path = FOLDER) -> dict[str, Any]:
    """Write one trace; returns its entry of the index."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{kind.name}.json"
    (folder / name).write_text(
        json.dumps(trace, ensure_ascii=False, separators=(",", ":"), allow_nan=False), encoding="utf-8"
    )
    chosen = trace["blocks"][block]
    start = {"block": block, "position": kind.position(chosen), "phase": kind.phase, "rule": chosen["verifier"]}
    return {"name": kind.name, "title": kind.title, "about": kind.about, "file": name, "start": start}


def write_index(entries: list[dict[str, Any]], folder: Path = FOLDER) -> None:
    """Write index.json, in the order of display."""
    (folder / "index.json").write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_index(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The entries of index.json."""
    entries: list[dict[str, Any]] = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return entries


def read(entry: dict[str, Any], folder: Path = FOLDER) -> dict[str, Any]:
    """The trace of an entry."""
    trace: dict[str, Any] = json.loads((folder / entry["file"]).read_text(encoding="utf-8"))
    return trace


def made_again(trace: dict[str, Any], pair: Pair) -> dict[str, Any]:
    """The same run, decoded by today's code from the trace's own prompt and settings."""
    return decode_run(pair, trace["prompt"]["text"], **dict(trace["settings"]))
