"""Rows of a sweep that came back from a browser, or out of somebody's file: checked part by part before anything is computed from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError, model_validator

from specdemo import verifiers
from specdemo.lab.lane_names import PLAIN
from specdemo.lab.sweep_cells import MOST_RULES, TOKEN
from specdemo.lab.sweep_file import Row, parsed
from specdemo.pages.request import LIMITS, RequestError, Strict

_LONGEST = 64  # of a block, far beyond what any page draws
Name = Annotated[str, Field(max_length=300)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Amount = Annotated[float, Field(ge=0, le=1e15)]
Amounts = Annotated[list[Amount], Field(max_length=_LONGEST)]
Share = Annotated[float, Field(ge=0, le=1 + 1e-6)]


class _CellFacts(Strict):
    pair: Name
    draft: Name
    target_revision: Name
    draft_revision: Name
    dtype: Name
    device: Name
    task: Name
    prompt: Count
    digest: Name
    mode: Name
    rules: list[Name] = Field(min_length=1, max_length=MOST_RULES)
    gamma: int = Field(ge=1, le=_LONGEST)
    temperature: Amount
    top_k: Count
    top_p: float = Field(gt=0, le=1)
    seed: Count
    max_new_tokens: int = Field(ge=1, lt=2**31)


class _Run(Strict):
    calls: int = Field(ge=1, lt=2**53)
    expected: Amount
    gained: Count
    shown: Count
    finish: Name | None


class _Positions(Strict):
    count: Annotated[list[Count], Field(max_length=_LONGEST)]
    tv: Amounts
    reached: dict[Name, Amounts]
    kept: dict[Name, Amounts]


class _Blocks(Strict):
    decoded_by: Name
    count: int = Field(ge=1, lt=2**53)
    expected: dict[Name, Amount]
    positions: _Positions


class _TextSums(Strict):
    calls: Amounts
    gained: Amounts


class _Text(Strict):
    tokens: Count
    finish: Name | None
    starts: Count
    longest: int = Field(ge=1, le=_LONGEST)
    rules: dict[Name, _TextSums]


class _Bytes(Strict):
    bytes: Name


class _Special(Strict):
    special: Name


class _Token(Strict):
    token: Count
    piece: Name | _Bytes | _Special
    target: Share
    draft: Share


class _Place(Strict):
    place: Count
    entropy: Amount
    acceptance: Share
    before: Name
    written: _Token
    wanted: _Token
    offered: _Token


class _Statistics(Strict):
    prompt_tokens: Count
    notice: Name | None
    runs: dict[Name, _Run]
    blocks: _Blocks
    text: _Text | None
    samples: Annotated[list[Annotated[list[Amount], Field(min_length=3, max_length=3)]], Field(max_length=32)]
    worst: list[_Place] = Field(max_length=8)


class _Times(Strict):
    calls: int = Field(ge=1, lt=2**53)
    tokens: int = Field(ge=1, lt=2**53)
    draft_ms: Amount
    target_ms: float = Field(gt=0, le=1e15)
    verify_ms: Amount
    rest_ms: Amount


class _Costs(Strict):
    draft_step_ms: Amount
    target_step_ms: Amount
    target_call_ms: Amount
    c: Amount
    v: float = Field(gt=0, le=1e15)


class _Timings(Strict):
    started: Name
    seconds: Amount
    load: Amount | None
    lanes: dict[Name, _Times]
    costs: _Costs | None


class _RowFacts(Strict):
    kind: Name
    key: Name
    cell: _CellFacts
    statistics: _Statistics
    timings: _Timings | None
    engine: Name = ""

    @model_validator(mode="after")
    def _fits_together(self) -> _RowFacts:
        rules, gamma, lanes = set(self.cell.rules), self.cell.gamma, {PLAIN, *self.cell.rules}
        for rule in rules:
            verifiers.get(rule)
        if set(self.statistics.runs) != lanes or (self.timings is not None and set(self.timings.lanes) != lanes):
            raise ValueError("its runs or times are not those of plain decoding and its rules")
        blocks, asked = self.statistics.blocks, rules | {TOKEN}
        at = blocks.positions
        if not set(blocks.expected) == set(at.reached) == set(at.kept) == asked:
            raise ValueError("its blocks are not those of its rules")
        if {len(at.count), *(len(part) for part in (at.tv, *at.reached.values(), *at.kept.values()))} != {gamma}:
            raise ValueError(f"it has not {gamma} positions, as its γ says")
        text = self.statistics.text
        if text is not None:
            sums = text.rules.values()
            if not set(text.rules) <= asked or (text.rules and TOKEN not in text.rules):
                raise ValueError("its text is of other rules")
            if any(len(part) != text.longest for one in sums for part in (one.calls, one.gained)):
                raise ValueError(f"its text has not {text.longest} block lengths")
        return self


class _Machine(Strict):
    architecture: Name
    cores: Count | None
    threads: Count | None


class _PairFacts(Strict):
    name: Name
    title: Name
    target_revision: Name
    vocab_size: Count
    context_limit: Count | None
    device: Name
    dtype: Name
    eos_token_ids: list[Count] = Field(max_length=100)


class _HeadFacts(Strict):
    schema_: Name = Field(alias="schema")
    kind: Name
    created: Name
    versions: dict[Name, Name | None] = Field(max_length=40)
    machine: _Machine
    pair: _PairFacts
    drafts: dict[Name, Name] = Field(max_length=40)


def checked_file(lines: Sequence[str], name: str) -> tuple[list[Row], list[Row]]:
    """Heads and rows of a file's lines; RequestError naming the first line that is wrong, and what is wrong with it.

    A file of several pairs, or with more rows than the page holds, is refused too.
    """
    whole = list(lines)
    while whole and not whole[-1].strip():
        whole.pop()
    try:
        heads, rows = parsed([line.encode() for line in whole], name)
    except ValueError as error:
        raise RequestError(str(error)) from None
    if not heads:
        raise RequestError(f"{name} has no head: it is not a file of a lab sweep")
    if len(rows) > LIMITS["lab_cells"]:
        raise RequestError(
            f"{name} has {len(rows):,} rows, and at most {LIMITS['lab_cells']:,} are looked at here: the command `lab` has no bound"
        )
    for number, line in enumerate(whole, 1):
        _check(_HeadFacts if "schema" in json.loads(line) else _RowFacts, line, f"line {number} of {name}")
    for row in rows:
        _check_pair(row["cell"], heads[-1], name)
    return heads, rows


def _check(kind: type[BaseModel], line: str, place: str) -> None:
    try:
        kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        words = first["msg"].removeprefix("Value error, ")
        raise RequestError(f"{place}: {where + ': ' if where else ''}{words}") from None


def _check_pair(cell: Mapping[str, Any], head: Mapping[str, Any], name: str) -> None:
    pair = head["pair"]
    there = (cell["pair"], cell["target_revision"], cell["dtype"], cell["device"])
    known = (pair["name"], pair["target_revision"], pair["dtype"], pair["device"].split(":")[0])
    if there != known or head["drafts"].get(cell["draft"]) != cell["draft_revision"]:
        raise RequestError(
            f"{name} holds measurements of other models than its last head says ({cell['pair']}, draft {cell['draft']})"
        )
