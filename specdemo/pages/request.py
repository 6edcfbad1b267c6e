"""What a browser may ask for, and the bounds within which it is answered. Nothing here trusts its caller."""

from __future__ import annotations

import math
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from specdemo import verifiers
from specdemo.pages.refusals import words_of
from specdemo.pairs.chat import PromptMode
from specdemo.sentences import Sentence, sentence

LIMITS: dict[str, Any] = {
    "prompt_characters": 20_000,
    "prompt_tokens": 1_024,
    "gamma": [1, 16],
    "temperature": [0, 5],
    "top_k": [0, 1_000_000],
    "top_p": [0, 1],
    "seed": [0, 2**53 - 1],
    "max_new_tokens": [1, 512],
    "race_runs": [1, 80],
    "race_tokens": 60_000,
    "law_samples": [100, 5_000],
    "lab_cells": 1_000,
    "lab_tokens": 200_000,
    "lab_minutes": [1, 15],
    "lab_own_characters": 200_000,
    "lab_file_bytes": 8_000_000,
}
MAX_IDS = 20_000

Token = Annotated[int, Field(ge=0, lt=2**31)]
Fact = Annotated[str, Field(max_length=200)] | Annotated[int, Field(ge=0, lt=2**53)] | float


def _distinct_rules(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        verifiers.get(name)
    if len(set(names)) < len(names):
        raise ValueError("every rule once")
    return names


# A tuple from a JSON list: pydantic's strictness is about Python values, JSON has no tuples.
Rules = Annotated[tuple[str, ...], Field(min_length=2, max_length=4, strict=False), AfterValidator(_distinct_rules)]


def step_rules() -> list[str]:
    """The rules that decode on the Step page: lossless ones whose corrections it can draw."""
    rules = map(verifiers.get, verifiers.names())
    return [rule.name for rule in rules if rule.lossless == "always" and rule.has_residual]


class Strict(BaseModel):
    """No unknown fields, no silent conversions, no NaN."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Settings(Strict):
    """How to decode: rule, block length γ, the laws' temperature and cuts (`top_k` 0 and `top_p` 1 mean off), seed, length,
    and whether the prompt is a text to go on with or a message in the chat template."""

    verifier: str = Field("block", max_length=100)
    gamma: int = Field(4, ge=1, le=16)
    temperature: float = Field(1.0, ge=0, le=5)
    top_k: int = Field(0, ge=0, le=1_000_000)
    top_p: float = Field(1.0, gt=0, le=1)
    seed: int = Field(0, ge=0, le=2**53 - 1)
    max_new_tokens: int = Field(64, ge=1, le=512)
    prompt_mode: PromptMode = "text"


class Resume(Strict):
    """Where to go on: all committed ids, prompt included, and what the next block needs of the blocks before it.

    `made_with`: of which models and settings the memory is, by the names of `specdemo.trace.made_with`.
    """

    ids: list[Token] = Field(min_length=1, max_length=MAX_IDS)
    prompt_length: int = Field(ge=1)
    block: int = Field(ge=0, le=MAX_IDS)
    memory: Any = None
    digest: str | None = Field(None, pattern=r"^sha256:[0-9a-f]{64}$")
    made_with: dict[str, Fact] = Field(default_factory=dict, max_length=20)

    @model_validator(mode="after")
    def _consistent(self) -> Resume:
        new_tokens = len(self.ids) - self.prompt_length
        if new_tokens < self.block:
            raise ValueError("every block adds a token at least: there are more blocks than new tokens")
        if self.memory is not None and not _plain(self.memory):
            raise ValueError("the memory must be lists of finite numbers")
        return self


class DecodeRequest(Strict):
    """A request for blocks: `blocks` more of them (0: to the end), from the prompt or from `resume`.

    With `rules`, every block carries the verdicts of these, and one of them decodes: the Compare page's request.
    """

    run: str = Field(pattern=r"^[\w-]{1,64}$")
    pair: str = Field(max_length=200)
    draft: str | None = Field(None, max_length=200)
    prompt: str = Field(max_length=20_000)
    settings: Settings
    blocks: int = Field(0, ge=0, le=1024)
    resume: Resume | None = None
    rules: Rules | None = None

    @model_validator(mode="after")
    def _known_verifier(self) -> DecodeRequest:
        known = step_rules() if self.rules is None else self.rules
        if self.settings.verifier not in known:
            rule, listed = self.settings.verifier, ", ".join(known)
            text = f"settings.verifier: there is no rule {rule!r} here; there are {listed}"
            raise ValueError(Sentence(text, "no_rule", {"name": rule, "names": listed}))
        return self


class RequestError(ValueError):
    """A request that cannot be answered; its text is for the person at the page."""


M = TypeVar("M", bound=BaseModel)


def read_request(text: str) -> DecodeRequest:
    """The request for blocks in a JSON text; RequestError with one readable sentence where it is not one."""
    return read_as(DecodeRequest, text)


def read_as(kind: type[M], text: str) -> M:
    """The request of a kind in a JSON text; RequestError as above."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise RequestError(sentence("request_json")) from None
        raise RequestError(words_of(dict(first))) from None


def run_of(text: str) -> str:
    """The run a text names, even where the rest of it is wrong, so that the page knows whose error it is; else ""."""
    try:
        return _RunOnly.model_validate_json(text).run
    except ValidationError:
        return ""


class _RunOnly(BaseModel):
    run: str = Field(pattern=r"^[\w-]{1,64}$")


def _plain(value: Any, depth: int = 0) -> bool:
    """Whether a memory is made of finite numbers, texts and bounded lists or objects of them."""
    if isinstance(value, (bool, str)) or value is None:
        return not isinstance(value, str) or len(value) <= 100
    if isinstance(value, int):
        return abs(value) < 2**53  # a larger one is no number that a browser can hold
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list) and depth < 4 and len(value) <= 64 and all(_plain(v, depth + 1) for v in value)
