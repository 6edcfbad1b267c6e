"""Reading a log, one record at a time: never more in memory than one line and its laws.

What cannot be read is a LogError naming line and field. What can be read but is wrong (a row that sums to 0.93, a token
outside the vocabulary) is a Defect of the record, for the report.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.auditor.steps.laws import LawFiles
from specdemo.auditor.steps.record import SCHEMA, Header, LogError, StepLine, is_header, parsed
from specdemo.verifiers import Verifier, get

MAX_LINE_BYTES = 1 << 27
# How far a row's sum may be off 1, and how near a knife edge a decision must be to be set aside, by the laws' precision.
# Inline numbers are read as float32: printed digits say little about what the engine computed with.
SUM_TOLERANCE = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2, "bfloat16": 1e-2}
EDGE_TOLERANCE = {"float64": 1e-9, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2}


@dataclass(frozen=True)
class Defect:
    """Something wrong with a record's laws or tokens: `code` says which kind, `text` where."""

    code: str
    text: str


@dataclass(frozen=True)
class StepRecord:
    """One verified block. Shapes: tokens (γ,), draft (γ or γ+1, V), target (γ+1, V), uniforms (γ or γ+1,) or None.

    `usable` is False where a token lies outside the laws, so that no rule can be applied.
    """

    line: int
    id: str | int | None
    stream: tuple[int, str | int]  # a log's sequences begin anew after a header, as in logs put one after another
    starts: bool
    rule: Verifier | None
    temperature: float | None
    tokens: IntArray
    draft: FloatArray
    target: FloatArray
    uniforms: FloatArray | None
    accepted: int
    next_token: int
    tolerance: float
    defects: tuple[Defect, ...]
    usable: bool

    @property
    def gamma(self) -> int:
        """γ, the number of drafted tokens."""
        return len(self.tokens)

    @property
    def emitted(self) -> IntArray:
        """The τ+1 emitted tokens."""
        return np.append(self.tokens[: self.accepted], self.next_token)

    @property
    def where(self) -> str:
        """How a report names the record."""
        return f"line {self.line}" + (f" (id {self.id!r})" if self.id is not None else "")


def read_steps(path: Path, tolerance: float | None = None) -> Iterator[StepRecord]:
    """The records of a log, in order. LogError naming line and field; OSError where the file cannot be opened."""
    files, header = LawFiles(path.parent), parsed(Header, f'{{"schema": "{SCHEMA}"}}'.encode(), 0)
    with path.open("rb") as file:
        number = headers = 0
        while text := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            text = text.removeprefix(codecs.BOM_UTF8) if number == 1 else text
            if len(text) > MAX_LINE_BYTES:
                raise LogError(f"line {number} is longer than {MAX_LINE_BYTES} bytes: put its laws into a .npy file")
            if not text.strip():
                continue
            if is_header(text):
                header, headers = parsed(Header, text, number), headers + 1
            else:
                step = parsed(StepLine, text, number)
                yield _record(step, (headers, step.stream), header, files, number, tolerance)


def _record(
    step: StepLine,
    stream: tuple[int, str | int],
    header: Header,
    files: LawFiles,
    line: int,
    tolerance: float | None,
) -> StepRecord:
    gamma = len(step.tokens)
    rule = step.rule or header.rule
    try:
        verifier = get(rule) if rule is not None else None
    except ValueError as error:
        raise LogError(f"line {line}, rule: {error}") from error
    if step.accepted > gamma:
        raise LogError(f"line {line}, accepted: {step.accepted} of {gamma} drafted tokens cannot have been kept")
    if step.uniforms is not None and len(step.uniforms) not in (gamma, gamma + 1):
        raise LogError(
            f"line {line}, uniforms: {len(step.uniforms)} numbers for {gamma} drafted tokens: there must be {gamma + 1} "
            f"(the last draws the next token), or {gamma} where the last is not known"
        )
    defects: list[Defect] = []
    laws, precisions = {}, []
    for name, counts in (("draft", (gamma, gamma + 1)), ("target", (gamma + 1,))):
        laws[name], precision = _laws(name, step, header, files, line, counts, defects)
        precisions.append(precision)
    columns = max(law.shape[1] for law in laws.values())
    if len(laws["draft"]) and laws["draft"].shape[1] != laws["target"].shape[1]:
        widths = f"draft has {laws['draft'].shape[1]} columns, target {laws['target'].shape[1]}"
        defects.append(Defect("unequal_vocabularies", f"{widths}: the shorter is read as padded with zeros"))
    outside = [("tokens", i, x) for i, x in enumerate(step.tokens) if x >= columns]
    outside += [("next_token", 0, step.next_token)] if step.next_token >= columns else []
    for field, i, token in outside[:1]:
        place = f"tokens[{i}]" if field == "tokens" else field
        defects.append(
            Defect("token_outside", f"{place} is {token}, but the laws have only {columns} columns (0 … {columns - 1})")
        )
    return StepRecord(
        line=line,
        id=step.id,
        stream=stream,
        starts=step.block == 0,
        rule=verifier,
        temperature=step.temperature if step.temperature is not None else header.temperature,
        tokens=np.array(step.tokens, dtype=np.int64),
        draft=_padded(laws["draft"], columns),
        target=_padded(laws["target"], columns),
        uniforms=None if step.uniforms is None else np.array(step.uniforms, dtype=np.float64),
        accepted=step.accepted,
        next_token=step.next_token,
        tolerance=tolerance if tolerance is not None else max(EDGE_TOLERANCE.get(p, 1e-9) for p in precisions),
        defects=tuple(defects),
        usable=not outside,
    )


def _laws(
    name: str,
    step: StepLine,
    header: Header,
    files: LawFiles,
    line: int,
    counts: tuple[int, ...],
    defects: list[Defect],
) -> tuple[FloatArray, str]:
    given = getattr(step, name)
    said: str | None = step.precision or header.precision
    try:
        if isinstance(given, list):
            raw, precision = np.array(given, dtype=np.float64), said or "float32"
        else:
            stored, kind = files.read(given)
            raw, precision = np.array(stored, dtype=np.float64), said or kind
    except ValueError as error:
        reason = "its rows have different lengths" if isinstance(given, list) else str(error)
        raise LogError(f"line {line}, {name}: {reason}") from error
    if 0 in counts and raw.size == 0:
        return np.zeros((0, 1)), precision
    if raw.ndim != 2 or len(raw) not in counts or raw.shape[1] == 0:
        wanted = " or ".join(f"({count}, V)" for count in counts)
        raise LogError(
            f"line {line}, {name}: shape {raw.shape} for {len(step.tokens)} drafted tokens: it must be {wanted}"
        )
    bad = ~np.isfinite(raw) | (raw < 0) | (raw > 1.01)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise LogError(
            f"line {line}, {name}[{row}][{column}]: {raw[row, column]} is not a probability (are these logits? take their softmax)"
        )
    sums = raw.sum(axis=1)
    tolerance = SUM_TOLERANCE.get(precision, 1e-9)
    if (sums > 1 + tolerance).any() or (sums <= 0).any():
        row = int(np.argmax((sums > 1 + tolerance) | (sums <= 0)))
        raise LogError(f"line {line}, {name}[{row}]: the row sums to {float(sums[row])!r}: it must be 1")
    if (sums < 1 - tolerance).any():
        row = int(np.argmin(sums))
        defects.append(Defect("rows_below_one", f"{name}[{row}] sums to {float(sums[row]):.6g}"))
    return raw / sums[:, None], precision


def _padded(laws: FloatArray, columns: int) -> FloatArray:
    return laws if laws.shape[1] == columns else np.pad(laws, ((0, 0), (0, columns - laws.shape[1])))
