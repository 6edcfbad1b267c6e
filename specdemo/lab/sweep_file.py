"""The file of a sweep (docs/lab.md, `specdemo.lab/1`): JSON Lines that are only ever appended to, a head first, then a row a cell.

What a killed process left half written is dropped when the file is opened again; one process writes at a time.
"""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from specdemo.lab.sweep_cells import SCHEMA, key_of
from specdemo.trace.run import versions

Row = dict[str, Any]
_DRAFT_FACTS = ("draft", "draft_revision")
_BEGINNING = b'{"schema":"specdemo.lab/'
_MEND = "mend or remove that line, or choose another file"


class LabFile:
    """A file of a sweep, open for appending and locked; a context manager.

    `heads` and `rows` are what it holds, `keys` the cells that are done, `notices` sentences on what was found or changed when it was opened.
    Where `times` are asked for, a cell whose row has none is not done, and a row with times takes its place.
    """

    def __init__(self, path: Path, *, times: bool = True) -> None:
        """Open or make the file. ValueError if it is no file of a sweep, of another version, or damaged before its last line;
        RuntimeError while another process writes to it."""
        self.path = path
        self.notices: list[str] = []
        self._made = not path.exists()
        self._file: BinaryIO = path.open("a+b")
        try:
            _lock(self._file, path)
            self.heads, self.rows = self._read()
        except BaseException:
            self._file.close()
            raise
        self._untimed = {row["key"] for row in self.rows if row["timings"] is None}
        self.keys = {row["key"] for row in self.rows} - (self._untimed if times else set())

    def __enter__(self) -> LabFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if self._made and not self.heads:
            self.path.unlink(missing_ok=True)  # nothing came of it

    def begin(self, facts: Sequence[Mapping[str, Any]], threads: int | None) -> None:
        """Append a head for these pairs (`pair_facts`, one for each draft), unless the last one says the same.

        ValueError where the file belongs to another pair, or a draft has other weights than it had.
        """
        head = head_of(facts, threads)
        if self.heads:
            last = self.heads[-1]
            _check_same_pair(self.path, last, head)
            head["drafts"] = {**last["drafts"], **head["drafts"]}
            if all(head[part] == last[part] for part in ("versions", "machine", "drafts")):
                return
            self._tell_changes(last, head)
        self._write(head)
        self.heads.append(head)

    def append(self, row: Row) -> None:
        """Write a finished cell's row, through to the disk; ValueError if its cell is there already."""
        if row["key"] in self.keys:
            raise ValueError(f"the cell {row['key']} is in {self.path.name} already")
        self._write(row)
        if row["key"] in self._untimed:
            self.rows = [known for known in self.rows if known["key"] != row["key"]]
            self._untimed.discard(row["key"])
        self.rows.append(row)
        self.keys.add(row["key"])

    def _write(self, record: Mapping[str, Any]) -> None:
        self._file.write((as_line(record) + "\n").encode("utf-8"))
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> tuple[list[Row], list[Row]]:
        self._file.seek(0)
        content = self._file.read()
        *lines, rest = content.split(b"\n")
        heads, rows = parsed(lines, self.path.name)
        if rest:
            # Checked last: a file that is none of ours is refused above, and nothing of it is changed.
            self._mend(rest, len(content) - len(rest), heads, rows)
        return heads, rows

    def _mend(self, rest: bytes, start: int, heads: list[Row], rows: list[Row]) -> None:
        """A last line without its end: whole but for the end it is kept, else dropped."""
        if not heads and not (rest.startswith(_BEGINNING) or _BEGINNING.startswith(rest)):
            raise ValueError(f"{self.path.name} is not a file of a lab sweep: choose another name for the new file")
        try:
            more = parsed([rest], self.path.name, begun=bool(heads))
        except ValueError:
            self._file.truncate(start)
            self.notices.append(
                f"The last line of {self.path.name} was cut off when it was written; it is dropped and its cell measured again."
            )
            return
        self._file.write(b"\n")
        self._file.flush()
        heads += more[0]
        rows[:] = _each_once([*rows, *more[1]])

    def _tell_changes(self, last: Row, head: Row) -> None:
        for part, consequence in (
            ("versions", "statistics may differ from the earlier ones in their last digits"),
            ("machine", "speeds and costs are then those of two machines"),
        ):
            changed = [
                f"{name} {last[part].get(name)} → {value}"
                for name, value in head[part].items()
                if last[part].get(name) != value
            ]
            if changed:
                self.notices.append(
                    f"{self.path.name} was begun with other {part} ({', '.join(changed)}): {consequence}."
                )


def as_line(record: Mapping[str, Any]) -> str:
    """A head or row as its line of the file. Whoever keeps it elsewhere keeps this text: 1.0 that comes back as 1 is another cell's key."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def read_lab(path: Path) -> tuple[list[Row], list[Row]]:
    """The heads and rows of a file, which may still be written to: an unfinished last line is left out. ValueError as for LabFile."""
    return parsed(path.read_bytes().split(b"\n")[:-1], path.name)


def head_of(facts: Sequence[Mapping[str, Any]], threads: int | None) -> Row:
    """The head for pairs that share a target, one for each draft."""
    shared = {name: value for name, value in facts[0].items() if name not in _DRAFT_FACTS}
    return {
        "schema": SCHEMA,
        "kind": "head",
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "versions": versions(),
        "machine": {"architecture": platform.machine(), "cores": os.cpu_count(), "threads": threads},
        "pair": shared,
        "drafts": {fact["draft"]: fact["draft_revision"] for fact in facts},
    }


def parsed(lines: Sequence[bytes], name: str, *, begun: bool = False) -> tuple[list[Row], list[Row]]:
    """Heads and rows, each key once, of whole lines; ValueError naming the first line that is neither. `begun`: a head came before."""
    heads: list[Row] = []
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line, parse_int=_whole_number, parse_float=_number, parse_constant=_no_number)
        except _NoNumber as found:
            if not (heads or begun or line.startswith(_BEGINNING)):
                _check_schema(None, name, number)
            raise ValueError(
                f"line {number} of {name} holds {found}, which is no number to compute with: {_MEND}"
            ) from None
        except (ValueError, RecursionError):
            record = None
        schema = record.get("schema") if isinstance(record, dict) else None
        if not (heads or begun) or schema is not None:
            _check_schema(schema, name, number)
            heads.append(record)
        elif not (isinstance(record, dict) and record.get("kind") == "row" and _whole(record)):
            raise ValueError(f"line {number} of {name} is no row of a lab sweep: {_MEND}")
        else:
            rows.append(record)
    return heads, _each_once(rows)


class _NoNumber(ValueError):
    """NaN, an infinity, or a number larger than float64 holds, as it was written; a sum, a key or a summary would take it no further."""


def _number(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _no_number(digits)


def _whole_number(digits: str) -> int:
    return int(digits) if len(digits) < 300 else _no_number(digits)


def _no_number(digits: str) -> Any:
    raise _NoNumber(digits if len(digits) <= 20 else f"{digits[:20]}…")


def _each_once(rows: Sequence[Row]) -> list[Row]:
    """The first row of each cell, but one with times before one without."""
    found: dict[str, Row] = {}
    for row in rows:
        known = found.get(row["key"])
        if known is None or (known["timings"] is None and row["timings"] is not None):
            found[row["key"]] = row
    return list(found.values())


def _check_schema(schema: Any, name: str, number: int) -> None:
    if schema == SCHEMA:
        return
    if isinstance(schema, str) and schema.startswith("specdemo.lab/"):
        raise ValueError(f"line {number} of {name} is of {schema}, this version reads {SCHEMA}")
    raise ValueError(f"{name} is not a file of a lab sweep: choose another name for the new file")


def _whole(record: Row) -> bool:
    """Whether a row has its parts and its key is that of its cell: a line that was changed by hand is not taken for a measurement."""
    parts = ("cell", "statistics") if record.get("timings", {}) is None else ("cell", "statistics", "timings")
    return all(isinstance(record.get(part), dict) for part in parts) and record.get("key") == key_of(record["cell"])


def _check_same_pair(path: Path, last: Row, head: Row) -> None:
    if last["pair"] != head["pair"]:
        changed = [
            f"{name} {last['pair'].get(name)!r} there, {value!r} here"
            for name, value in head["pair"].items()
            if last["pair"].get(name) != value
        ]
        raise ValueError(f"{path.name} holds measurements of another pair ({'; '.join(changed)}): choose another file")
    for draft, revision in head["drafts"].items():
        if last["drafts"].get(draft, revision) != revision:
            raise ValueError(
                f"{path.name} holds measurements of other weights of the draft {draft!r} ({last['drafts'][draft]} there, {revision} here): "
                "choose another file"
            )


def _lock(file: BinaryIO, path: Path) -> None:
    """An exclusive lock for as long as the file is open; the system frees it with the process, however that ends."""
    busy = f"another process is writing to {path.name}: wait until it is done, or choose another file"
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            file.seek(1 << 30)  # far behind the end: those who only read are not kept from it
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            raise RuntimeError(busy) from None
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RuntimeError(busy) from None
