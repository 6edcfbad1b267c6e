"""One line of a log of recorded steps, as pydantic models: the border at which foreign data is read.

docs/audit-log.md says what the fields mean. Shapes that only the arrays can tell are checked in reading.py.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError

SCHEMA = "specdemo.steps/1"
MAX_GAMMA = 1024

Precision = Literal["float64", "float32", "float16", "bfloat16"]
Count = Annotated[int, Field(ge=0, lt=1 << 63)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Uniform = Annotated[float, Field(allow_inf_nan=False, ge=0, lt=1)]
Rows = Annotated[list[Count], Field(min_length=2, max_length=2)]
Name = Annotated[str, Field(min_length=1, max_length=1024)]


class LogError(ValueError):
    """A log that cannot be read; the message names line and field."""


class Strict(BaseModel):
    """No unknown fields (a misspelt `uniforms` would silently weaken the audit), no silent conversions."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Part(Strict):
    index: Count | None = None
    rows: Rows | None = None


class NpyReference(_Part):
    """Laws in a .npy file: all of it, element `index` of it, or its rows `rows` = [first, last + 1]."""

    npy: Name


class NpzReference(_Part):
    """Laws in the array `key` of a .npz file."""

    npz: Name
    key: Name


class SafetensorsReference(_Part):
    """Laws in the tensor `key` of a .safetensors file."""

    safetensors: Name
    key: Name


Reference = NpyReference | NpzReference | SafetensorsReference


def _kind(value: Any) -> str | None:
    if isinstance(value, list):
        return "inline"
    fields = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    return next((kind for kind in ("npy", "npz", "safetensors") if kind in fields), None)


Laws = Annotated[
    Annotated[list[list[float]], Tag("inline")]
    | Annotated[NpyReference, Tag("npy")]
    | Annotated[NpzReference, Tag("npz")]
    | Annotated[SafetensorsReference, Tag("safetensors")],
    Discriminator(
        _kind,
        custom_error_type="laws",
        custom_error_message="must be a list of rows, or a reference with npy, npz or safetensors",
    ),
]


class Header(Strict):
    """An optional line, mostly the first: what holds for every record after it that does not say otherwise."""

    schema_: Annotated[Literal["specdemo.steps/1"], Field(alias="schema")]
    rule: Name | None = None
    temperature: Annotated[Number, Field(ge=0)] | None = None
    precision: Precision | None = None
    meta: Any = None


class StepLine(Strict):
    """One verified block."""

    id: str | int | None = None
    stream: str | int = 0
    block: Count | None = None
    rule: Name | None = None
    temperature: Annotated[Number, Field(ge=0)] | None = None
    precision: Precision | None = None
    tokens: Annotated[list[Count], Field(max_length=MAX_GAMMA)]
    draft: Laws
    target: Laws
    uniforms: list[Uniform] | None = None
    accepted: Count
    next_token: Count
    meta: Any = None


def parsed(model: type[Strict], text: bytes, line: int) -> Any:
    """`text` as `model`; LogError naming line and field."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = _place(first["loc"])
        if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
            known = ", ".join(model.model_fields)
            raise LogError(f"line {line}, {place}: there is no such field; the fields are {known}") from error
        raise LogError(f"line {line}{', ' + place if place else ''}: {first['msg']}{_got(first)}") from error


def is_header(text: bytes) -> bool:
    """Whether a line is a header: it has `schema` and no `tokens`."""
    try:
        value = json.loads(text) if len(text) < 1 << 16 and b'"schema"' in text else None
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "schema" in value and "tokens" not in value


def json_schema() -> dict[str, Any]:
    """The JSON Schema of one record."""
    return StepLine.model_json_schema()


def _place(location: tuple[int | str, ...]) -> str:
    # The tag of a union is pydantic's own name, not a field of the log.
    parts = [
        part for i, part in enumerate(location) if not (i == 1 and part in ("inline", "npy", "npz", "safetensors"))
    ]
    return "".join(
        f"[{part}]" if isinstance(part, int) else f"{'.' if i else ''}{part}" for i, part in enumerate(parts)
    )


def _got(error: Any) -> str:
    value = error["input"]
    return f" (got {value!r})" if isinstance(value, (int, float, str)) and len(repr(value)) < 80 else ""
