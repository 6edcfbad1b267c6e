"""The formats of prompt files: from a decoded text to rows of (place, prompt). What a prompt may be is checked by `prompt_files`."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

COLUMNS = ("prompt", "text")  # the headings or keys that are looked for, in this order, whatever their case
MOST_COLUMNS = 1_000  # a table with more is no table of prompts
MOST_NESTING = 32  # a prompt stands two deep; what else a data set's row holds is rarely deeper than ten
_SHOWN_NAMES, _SHOWN_CHARACTERS = 5, 40
_LINE_END = re.compile(r"\r\n|\r|\n")
_ESCAPED, _STRING, _BRACKET = re.compile(r"\\."), re.compile(r'"[^"]*"?'), re.compile(r"[\[\]{}]")


class Wrong(ValueError):
    """What is wrong with a file, and where in it ("" for the whole)."""

    def __init__(self, problem: str, place: str = "") -> None:
        super().__init__(problem)
        self.place = place


@dataclass(frozen=True)
class Found:
    """Prompts with the place of each; `source` says in words which they are, `wanted` what an empty file should hold."""

    rows: Iterable[tuple[str, str]]
    source: str
    wanted: str
    notices: tuple[str, ...] = ()


def line_of(text: str, position: int) -> str:
    """In words the line in which a position of the text stands."""
    return f"line {len(_LINE_END.findall(text, 0, position)) + 1}"


def line_prompts(text: str) -> Found:
    """One prompt a line, spaces kept; empty lines are left out."""
    rows = [(f"line {number}", line) for number, line in enumerate(_LINE_END.split(text), 1) if line.strip()]
    return Found(rows, "one a line", "one prompt a line")


def csv_prompts(text: str) -> Found:
    """The column headed "prompt" or "text", else the first with a heading; commas, semicolons or tabs apart, by what the heading uses."""
    wanted = 'a heading, e.g. "prompt", and one prompt a row'
    rows = _records(text, _delimiter(text))
    place, first = next(rows, ("", []))
    if not first:
        return Found([], "", wanted)
    heading = [name.strip() for name in first]
    column, known = _column(heading, place)
    notices: tuple[str, ...] = ()
    if not known:
        notices = (
            f'No column is headed "prompt" or "text": "{_short(heading[column])}" is read, and the first row is taken for the heading.',
        )
    prompts = [(where, _field(row, heading, column, where)) for where, row in rows]
    if not prompts:
        raise Wrong(f'has a heading ("{_short(heading[column])}") and nothing below it: write one prompt a row')
    return Found(prompts, f'from the column "{_short(heading[column])}"', wanted, notices)


def json_prompts(text: str) -> Found:
    """A list of strings, or of objects with a "prompt" or "text"."""
    wanted = '["a prompt", "another"]'
    if not text.strip():
        return Found([], "", wanted)
    items = _parsed(text, wanted)
    if not isinstance(items, list):
        raise Wrong(f"holds {_kind(items)} where a list is wanted: {wanted}")
    places = [f"item {number}" for number in range(1, len(items) + 1)]
    return Found(
        [(place, _of_item(item, place)) for place, item in zip(places, items, strict=True)], "from a list", wanted
    )


def jsonl_prompts(text: str) -> Found:
    """On every line a string, or an object with a "prompt" or "text"; empty lines are left out."""
    wanted = '{"prompt": "…"} on every line'
    rows = []
    for number, line in enumerate(_LINE_END.split(text), 1):
        if line.strip():
            item = _parsed(line, wanted, number)
            if isinstance(item, list):
                raise Wrong(f"a list where one prompt is wanted: {wanted} (a list is a .json file)", f"line {number}")
            rows.append((f"line {number}", _of_item(item, f"line {number}")))
    return Found(rows, "one a line", wanted)


def _records(text: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """The rows that hold anything, each with its place: the line, and the row's number where a field before it ran over a line's end."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number, line = number + 1, reader.line_num + 1
        place = f"line {line}" if line == number else f"row {number} (line {line})"
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            advice = (
                'a text with commas, line ends or quotation marks stands in "…", and a mark within it is doubled ("")'
            )
            raise Wrong(f"no CSV ({error}): {advice}", place) from None
        if len(row) > MOST_COLUMNS:
            raise Wrong(f"{len(row):,} columns, and at most {MOST_COLUMNS:,} are read", place)
        if any(field.strip() for field in row):
            yield place, row


def _delimiter(text: str) -> str:
    """Which of , ; and tab makes a column of a known name, else the most columns, of the heading."""
    headings: dict[str, list[str]] = {}
    for delimiter in ",;\t":
        try:
            rows = csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=delimiter, strict=True)
            headings[delimiter] = next((row for row in rows if any(name.strip() for name in row)), [])
        except csv.Error:
            continue  # said with its place when the rows are read

    def worth(delimiter: str) -> tuple[bool, int]:
        names = headings[delimiter]
        return any(name.strip().casefold() in COLUMNS for name in names), len(names)

    return max(headings, key=worth, default=",")


def _column(heading: list[str], place: str) -> tuple[int, bool]:
    for wanted in COLUMNS:
        found = [index for index, name in enumerate(heading) if name.casefold() == wanted]
        if len(found) > 1:
            raise Wrong(f'{len(found)} columns are headed "{wanted}": name one of them otherwise', place)
        if found:
            return found[0], True
    return next(index for index, name in enumerate(heading) if name), False


def _field(row: list[str], heading: list[str], column: int, place: str) -> str:
    if len(row) > len(heading) and any(field.strip() for field in row[len(heading) :]):
        raise Wrong(
            f'{_columns(len(row))} where the heading has {len(heading)}: put a text that has commas in it in "…"', place
        )
    if len(row) <= column:
        raise Wrong(
            f'{_columns(len(row))}, and the prompt is looked for in number {column + 1}, "{_short(heading[column])}"',
            place,
        )
    return row[column]


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"


def _parsed(text: str, wanted: str, first_line: int = 1) -> Any:
    _check_nesting(text, first_line)
    try:
        # Numbers are never prompts: they are not converted, for a long one would cost more than the file.
        return json.loads(text, parse_int=_no_number, parse_float=_no_number, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise Wrong(f"no JSON ({error.msg} at column {error.colno}): write {wanted}", f"line {line}") from None


def _no_number(digits: str) -> int:
    return 0


def _check_nesting(text: str, first_line: int) -> None:
    """Wrong where brackets are nested deeper than is read. Strings are cut out first; they end on their line, or it is no JSON."""
    depth = 0
    for number, line in enumerate(_LINE_END.split(text), first_line):
        for bracket in _BRACKET.findall(_STRING.sub("", _ESCAPED.sub("", line))):
            depth += 1 if bracket in "[{" else -1
            if depth > MOST_NESTING:
                raise Wrong(
                    f"lists or objects stand more than {MOST_NESTING} deep in each other: a prompt is a string",
                    f"line {number}",
                )


def _of_item(item: Any, place: str) -> str:
    if isinstance(item, str):
        return item
    if not isinstance(item, dict):
        raise Wrong(f'{_kind(item)} where a string or an object with a "prompt" is wanted', place)
    for wanted in COLUMNS:
        for key in (wanted, *(key for key in item if key.casefold() == wanted)):
            if key in item:
                if isinstance(item[key], str):
                    return str(item[key])
                raise Wrong(f'the "{key}" is {_kind(item[key])}, and a string is wanted', place)
    names = ", ".join(f'"{_short(key)}"' for key in list(item)[:_SHOWN_NAMES]) or "nothing"
    raise Wrong(
        f'an object without a "prompt" or "text": it has {names}{", …" if len(item) > _SHOWN_NAMES else ""}', place
    )


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    kinds = {type(None): "null", str: "a string", list: "a list", dict: "an object"}
    return kinds.get(type(value), "a number")


def _short(text: str) -> str:
    """A name from the file as it may stand in a sentence: short, and without characters that cannot be shown."""
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in text[:_SHOWN_CHARACTERS])
    return shown if len(text) <= _SHOWN_CHARACTERS else shown + "…"
