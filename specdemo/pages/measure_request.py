"""What a browser may ask to be measured, and how much of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from specdemo.lab.prompts import TEXTS, read_prompt_set
from specdemo.pages.request import LIMITS, Rules, Strict, read_as
from specdemo.pairs.chat import PromptMode
from specdemo.sentences import sentence

_RUNS, _SAMPLES = LIMITS["race_runs"], LIMITS["law_samples"]


class LawSettings(Strict):
    """How to decode, without a length."""

    gamma: int = Field(4, ge=1, le=16)
    temperature: float = Field(1.0, ge=0, le=5)
    top_k: int = Field(0, ge=0, le=1_000_000)
    top_p: float = Field(1.0, gt=0, le=1)
    seed: int = Field(0, ge=0, le=2**53 - 1)
    prompt_mode: PromptMode = "text"


class RaceSettings(LawSettings):
    """How to decode: the settings of a run, without its rule."""

    max_new_tokens: int = Field(64, ge=1, le=512)


class _Measure(Strict):
    run: str = Field(pattern=r"^[\w-]{1,64}$")
    pair: str = Field(max_length=200)
    draft: str | None = Field(None, max_length=200)
    prompt: str = Field(max_length=20_000)
    rules: Rules


class RaceRequest(_Measure):
    """A race: from `prompt`, or from every prompt of a set, with `seeds` seeds each."""

    settings: RaceSettings
    seeds: int = Field(1, ge=1, le=_RUNS[1])
    prompt_set: Literal[TEXTS] | None = None  # type: ignore[valid-type]

    @property
    def prompts(self) -> list[str]:
        """The texts that are decoded."""
        return [self.prompt] if self.prompt_set is None else read_prompt_set(self.prompt_set)

    @model_validator(mode="after")
    def _bounded(self) -> RaceRequest:
        prompts = len(self.prompts)
        if prompts * self.seeds > _RUNS[1]:
            most, fit = _RUNS[1], max(1, _RUNS[1] // prompts)
            asked = {"prompts": prompts, "seeds": self.seeds, "runs": prompts * self.seeds}
            raise ValueError(sentence("race_runs", **asked, most=most, fit=fit))
        tokens = prompts * self.seeds * (len(self.rules) + 1) * self.settings.max_new_tokens
        if tokens > LIMITS["race_tokens"]:
            raise ValueError(sentence("race_tokens", tokens=tokens, most=LIMITS["race_tokens"]))
        return self


class LawRequest(_Measure):
    """A check of the law of the next tokens after `prompt`, with `samples` decodings."""

    settings: LawSettings
    samples: int = Field(600, ge=_SAMPLES[0], le=_SAMPLES[1])


def read_race(text: str) -> RaceRequest:
    """The race a JSON text asks for; RequestError with one readable sentence where it asks for none."""
    return read_as(RaceRequest, text)


def read_law(text: str) -> LawRequest:
    """The same for a check of the law."""
    return read_as(LawRequest, text)
