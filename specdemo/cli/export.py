"""`specdemo export FILE --html FILE`: a run, a state of the Sandbox or a sweep as one HTML file that opens from disk, offline."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from specdemo.cli.places import check_written

SWEEP = '{"schema":"specdemo.lab/'  # how the file of a sweep begins


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "file",
        help="a trace (from Export on the Step page, or `specdemo decode --json`), a state exported by the Sandbox, "
        "the rows of a sweep (JSONL on the Lab page, or `specdemo lab --out`), or - for standard input",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", required=True, help="where the page is written")


def run(options: argparse.Namespace) -> int:
    """Read, check, write."""
    check_written(options, "html", read=[sys.stdin if options.file == "-" else ("export", Path(options.file))])
    text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")
    write_html(_record(text, options.file), options.html)
    return 0


def _record(text: str, name: str) -> dict[str, Any]:
    from specdemo.standalone import record_of

    if text.startswith(SWEEP):
        return _sweep_record(text, Path(name).name)
    try:
        exported = json.loads(text, parse_constant=_refuse)
    except ValueError as error:
        raise ValueError(f"{name} is not JSON: {error}") from None
    if isinstance(exported, dict) and str(exported.get("schema")).startswith("specdemo.lab-summary/"):
        raise ValueError(f"{name} is a sweep's summary: give the file with its rows (.jsonl)")
    return record_of(exported)


def _sweep_record(text: str, name: str) -> dict[str, Any]:
    """All that a sweep's file holds; what its rows were asked for is not in it. Its last line may be cut off, or still be written."""
    from specdemo.cli.lab_report import lab_answer
    from specdemo.lab.sweep_file import parsed
    from specdemo.lab.sweep_summary import summarise
    from specdemo.standalone import lab_record

    *lines, rest = text.encode().split(b"\n")
    with contextlib.suppress(ValueError):
        lines += [rest] if json.loads(rest) else []
    return lab_record(lab_answer(summarise(*parsed(lines, name))), None)


def write_html(record: dict[str, Any], path: Path) -> None:
    """Writes a standalone page (specdemo/standalone) and says so on standard error."""
    from specdemo.standalone import filled, template

    content = filled(template(record["page"]), record).encode()
    path.write_bytes(content)
    print(f"{path}: {len(content) / 1000:.0f} kB, opens in a browser, offline", file=sys.stderr)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")
