"""The trace as pydantic models: its JSON Schema, and the validation of a trace that comes from outside.

docs/trace.md says what the fields mean. Numerics do not import this module: it is for borders.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

MAX_GAMMA = 64
MAX_BLOCKS = 4096

Number = Annotated[float, Field(allow_inf_nan=False)]
Probability = Annotated[float, Field(allow_inf_nan=False, ge=0, le=1 + 1e-9)]
Mass = Annotated[float, Field(allow_inf_nan=False, ge=0)]
Uniform = Annotated[float, Field(allow_inf_nan=False, ge=0, lt=1)]
TokenId = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Finish = Literal["eos", "length", "context"] | None
Piece = str | dict[Literal["bytes", "special"], str]


class Record(BaseModel):
    """What all parts have in common: no unknown fields, no silent conversions."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PairPart(Record):
    """Which models, at which revisions, where."""

    name: str
    title: str
    draft: str
    draft_revision: str
    target_revision: str
    vocab_size: Annotated[int, Field(ge=1)]
    context_limit: Annotated[int, Field(ge=1)]
    device: str
    dtype: str
    eos_token_ids: list[TokenId]


class Settings(Record):
    """What was asked."""

    verifier: str
    gamma: Annotated[int, Field(ge=0, le=MAX_GAMMA)]
    temperature: Mass
    top_k: Count
    top_p: Annotated[float, Field(gt=0, le=1)]
    seed: Count
    stream: Count
    max_new_tokens: Annotated[int, Field(ge=1)]
    prompt_mode: Literal["text", "chat"]
    eos_token_ids: list[TokenId] | None = None


class Prompt(Record):
    """The prompt as typed and as read."""

    text: str
    ids: Annotated[list[TokenId], Field(min_length=1)]
    notice: str | None
    message: Annotated[list[Count], Field(min_length=2, max_length=2)] | None = None

    @model_validator(mode="after")
    def _inside(self) -> Prompt:
        if self.message is not None and not self.message[0] <= self.message[1] <= len(self.ids):
            raise ValueError(f"message must be a range of the {len(self.ids)} ids")
        return self


class Uniforms(Record):
    """The block's random numbers."""

    draft: list[Uniform]
    verify: list[Uniform]


class Shown(Record):
    """The tokens a row shows, the highest first."""

    ids: list[TokenId]
    draft: list[Probability] | None
    target: list[Probability]


class Rest(Record):
    """The exact mass of the tokens a row does not show."""

    count: Count
    draft: Probability | None
    target: Probability


class Row(Record):
    """The laws after a prefix of the drafted block."""

    token: TokenId | None
    draft: Probability | None
    target: Probability | None
    ratio: Mass | Literal["inf"] | None
    tv: Probability | None
    draft_entropy: Mass | None
    target_entropy: Mass
    shown: Shown
    rest: Rest


class Path(Record):
    """One drafted path."""

    tokens: Annotated[list[TokenId], Field(max_length=MAX_GAMMA)]
    rows: Annotated[list[Row], Field(min_length=1)]


class RowSums(Record):
    """Whole-vocabulary sums of one row under one rule."""

    overlap: Mass
    residual: Mass
    excess: Mass
    rest_overlap: Mass
    rest_residual: Mass
    rest_excess: Mass


class EffectiveLaw(Record):
    """The law a rule works with in a row instead of T: the drafted token's, the shown tokens' and the rest's probability."""

    drafted: Probability | None
    shown: list[Probability]
    rest: Probability


class VerdictPart(Record):
    """What one rule says of the block."""

    accept_prob: list[Probability] | None
    prefix_weight: list[Probability] | None
    residual_scale: list[Mass] | None
    length_law: list[Probability]
    expected_accepted: Mass
    accepted: Count
    next_token: TokenId
    next_kind: Literal["correction", "bonus"]
    next_draft: Probability | None
    next_target: Probability
    next_prob: Probability
    order: Literal["left_to_right", "right_to_left"]
    compared: list[Uniform] | None = None
    rows: list[RowSums | None]
    effective_target: list[EffectiveLaw | None] | None = None


class Timings(Record):
    """Milliseconds."""

    draft: Mass
    target: Mass
    verify: Mass
    rest: Mass
    record: Mass
    draft_steps: list[Mass]


class Block(Record):
    """One decoded block."""

    index: Count
    start: Annotated[int, Field(ge=1)]
    gamma: Annotated[int, Field(ge=0, le=MAX_GAMMA)]
    verifier: str
    memory: Any
    uniforms: Uniforms
    paths: Annotated[list[Path], Field(min_length=1, max_length=1)]
    verdicts: dict[str, VerdictPart]
    kept: Count
    gained: Count
    committed: Annotated[list[TokenId], Field(min_length=1)]
    shown_tokens: Count
    finish: Finish
    pieces: dict[str, Piece]
    margin: Mass
    digest: str
    # Blocks were written without it at first.
    passes: Literal["lean", "eager", "graphed", "refused"] | None = None
    timings: Timings

    @model_validator(mode="after")
    def _shapes(self) -> Block:
        gamma, path = self.gamma, self.paths[0]
        sizes = {"paths.0.tokens": len(path.tokens) - gamma, "paths.0.rows": len(path.rows) - gamma - 1}
        sizes |= {
            "uniforms.draft": len(self.uniforms.draft) - gamma,
            "uniforms.verify": len(self.uniforms.verify) - gamma - 1,
        }
        for name, verdict in self.verdicts.items():
            sizes[f"verdicts.{name}.length_law"] = len(verdict.length_law) - gamma - 1
            sizes[f"verdicts.{name}.rows"] = len(verdict.rows) - gamma - 1
            if verdict.accept_prob is not None:
                sizes[f"verdicts.{name}.accept_prob"] = len(verdict.accept_prob) - gamma
            if verdict.compared is not None:
                sizes[f"verdicts.{name}.compared"] = len(verdict.compared) - gamma
            if verdict.effective_target is not None:
                sizes[f"verdicts.{name}.effective_target"] = len(verdict.effective_target) - gamma - 1
                for i, (law, row) in enumerate(zip(verdict.effective_target, path.rows, strict=False)):
                    if law is not None:
                        sizes[f"verdicts.{name}.effective_target.{i}.shown"] = len(law.shown) - len(row.shown.ids)
            sizes[f"verdicts.{name}.accepted"] = max(0, verdict.accepted - gamma)
        wrong = [place for place, difference in sizes.items() if difference]
        if wrong:
            raise ValueError(f"{wrong[0]} does not fit the block's gamma of {gamma}")
        if self.verifier not in self.verdicts:
            raise ValueError(f"the deciding rule {self.verifier!r} has no verdict")
        return self


class Trace(Record):
    """A whole run."""

    schema_: Annotated[Literal["specdemo.trace/1"], Field(alias="schema")]
    created: str
    versions: dict[str, str]
    pair: PairPart
    settings: Settings
    prompt: Prompt
    pieces: dict[str, Piece]
    verifiers: list[str]
    blocks: Annotated[list[Block], Field(max_length=MAX_BLOCKS)]
    finish: Finish
    smallest_margin: Mass | None
    memory: Any
    head_digest: str
    digest: str


class InvalidTrace(ValueError):
    """A record is not a trace of the schema this version reads."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the trace."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "specdemo.trace/1",
        **Trace.model_json_schema(by_alias=True),
    }


def check_trace(trace: Any) -> dict[str, Any]:
    """`trace` itself, if it is one; InvalidTrace naming the first place that is wrong, and the schema that is read."""
    found = trace.get("schema") if isinstance(trace, dict) else None
    if found != "specdemo.trace/1":
        raise InvalidTrace(
            f"this is not a trace that can be read: its schema is {found!r:.80}, this version reads 'specdemo.trace/1'"
        )
    try:
        Trace.model_validate(trace)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "/".join(str(part) for part in first["loc"])
        raise InvalidTrace(f"the trace is wrong at {place[:200] or 'its top'}: {first['msg']}") from None
    return trace
