"""What a browser may ask for, and the bounds within which it is answered. Nothing here trusts its caller."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from specdemo import verifiers

LIMITS: dict[str, Any] = {
    "prompt_characters": 20_000,
    "gamma": [1, 16],
    "temperature": [0, 5],
    "top_k": [0, 1_000_000],
    "top_p": [0, 1],
    "seed": [0, 2**53 - 1],
    "max_new_tokens": [1, 512],
}
MAX_IDS = 20_000

Token = Annotated[int, Field(ge=0, lt=2**31)]


def step_rules() -> list[str]:
    """The rules that decode on the Step page: lossless ones whose corrections it can draw."""
    rules = map(verifiers.get, verifiers.names())
    return [rule.name for rule in rules if rule.lossless == "always" and rule.has_residual]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Settings(_Strict):
    """How to decode: rule, block length γ, the laws' temperature and cuts (`top_k` 0 and `top_p` 1 mean off), seed, length."""

    verifier: str = "block"
    gamma: int = Field(4, ge=1, le=16)
    temperature: float = Field(1.0, ge=0, le=5)
    top_k: int = Field(0, ge=0, le=1_000_000)
    top_p: float = Field(1.0, gt=0, le=1)
    seed: int = Field(0, ge=0, le=2**53 - 1)
    max_new_tokens: int = Field(64, ge=1, le=512)

    @field_validator("verifier")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in step_rules():
            raise ValueError(f"there is no rule of this name; there are {', '.join(step_rules())}")
        return name


class Resume(_Strict):
    """Where to go on: all committed ids, prompt included, and what the next block needs of the blocks before it."""

    ids: list[Token] = Field(min_length=1, max_length=MAX_IDS)
    prompt_length: int = Field(ge=1)
    block: int = Field(ge=0, le=MAX_IDS)
    memory: Any = None
    digest: str | None = Field(None, pattern=r"^sha256:[0-9a-f]{64}$")

    @model_validator(mode="after")
    def _consistent(self) -> Resume:
        new_tokens = len(self.ids) - self.prompt_length
        if new_tokens < self.block:
            raise ValueError("every block adds a token at least: there are more blocks than new tokens")
        if self.memory is not None and not _plain(self.memory):
            raise ValueError("the memory must be lists of finite numbers")
        return self


class DecodeRequest(_Strict):
    """One request of the Step page: `blocks` more blocks (0: to the end), from the prompt or from `resume`."""

    run: str = Field(pattern=r"^[\w-]{1,64}$")
    pair: str = Field(max_length=200)
    draft: str | None = Field(None, max_length=200)
    prompt: str = Field(max_length=20_000)
    settings: Settings
    blocks: int = Field(0, ge=0, le=1024)
    resume: Resume | None = None


class RequestError(ValueError):
    """A request that cannot be answered; its text is for the person at the page."""


def read_request(text: str) -> DecodeRequest:
    """The request in a JSON text; RequestError with one readable sentence where it is not one."""
    try:
        return DecodeRequest.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        if first["type"] == "json_invalid":
            raise RequestError(
                "The request is not JSON, or its prompt holds half a character (a lone surrogate): type it again."
            ) from None
        place = ".".join(str(part) for part in first["loc"]) or "request"
        raise RequestError(f"{place}: {first['msg'].removeprefix('Value error, ')}.") from None


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
