"""`specdemo export FILE --html FILE`: a run or a state of the Sandbox as one HTML file that opens from disk, offline."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "file",
        help="a trace (from Export on the Step page, or `specdemo decode --json`), a state exported by the Sandbox, or - for standard input",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", required=True, help="where the page is written")


def run(options: argparse.Namespace) -> int:
    """Read, check, write."""
    check_place(options.html)
    text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")
    try:
        exported = json.loads(text, parse_constant=_refuse)
    except ValueError as error:
        raise ValueError(f"{options.file} is not JSON: {error}") from None
    from specdemo.standalone import record_of

    write_html(record_of(exported), options.html)
    return 0


def check_place(path: Path) -> None:
    """ValueError where a file cannot be written there: what takes long should not fail at its end."""
    if path.is_dir():
        raise ValueError(f"--html: {path} is a folder, a file is needed")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"--html: the folder of {path} does not exist")


def write_html(record: dict[str, Any], path: Path) -> None:
    """Writes a standalone page (specdemo/standalone) and says so on standard error."""
    from specdemo.standalone import filled, template

    content = filled(template(record["page"]), record).encode()
    path.write_bytes(content)
    print(f"{path}: {len(content) / 1000:.0f} kB, opens in a browser, offline", file=sys.stderr)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")
