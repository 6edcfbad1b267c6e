"""Who is compared: plain and assisted generation of transformers, and our loop, on equal terms.

Equal terms: the same models in memory, the same thread count, the same temperature, no top-k or top-p (transformers'
default is top-k 50), exactly the asked number of tokens for everyone (no text ends early), and γ held fixed for both
kinds of speculation.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from transformers import GenerationConfig

from specdemo.arrays import setting_of
from specdemo.decoding import speculative_decode
from specdemo.decoding.recorded import Decoding
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.pairs.pair import Pair

Clock = Callable[[], float]
CLOCKS: dict[str, Clock] = {"wall": time.perf_counter, "cpu": time.process_time}


@dataclass(frozen=True)
class Setting:
    """What is asked of every competitor. `temperature` 0 is greedy; `seed` starts every prompt's own stream of random numbers."""

    gamma: int = 4
    temperature: float = 1.0
    max_new_tokens: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "temperature", setting_of(self.temperature))


@dataclass(frozen=True)
class Prompt:
    """One prompt: its number (the stream of its random numbers), its text, and its ids, a list."""

    number: int
    text: str
    ids: list[int]

    @property
    def rows(self) -> torch.Tensor:
        """The ids as a batch of one."""
        return torch.tensor([self.ids])


@contextmanager
def on_equal_terms(pair: Pair, setting: Setting) -> Iterator[None]:
    """Both models' generation settings, for as long as the context lasts.

    Assisted generation reads γ from the draft's settings and the schedule from both, so both get the same.
    """
    models = (pair.draft_model, pair.target_model)
    before = [copy.deepcopy(model.generation_config) for model in models]
    for model in models:
        sampling: dict[str, Any] = {"do_sample": False}
        if setting.temperature > 0:
            sampling = {"do_sample": True, "temperature": setting.temperature, "top_k": 0, "top_p": 1.0}
        model.generation_config = GenerationConfig(
            **sampling,
            max_new_tokens=setting.max_new_tokens,
            pad_token_id=0,
            eos_token_id=None,
            num_assistant_tokens=setting.gamma,
            num_assistant_tokens_schedule="constant",
            assistant_confidence_threshold=0.0,
        )
    try:
        yield
    finally:
        for model, config in zip(models, before, strict=True):
            model.generation_config = config


def generate(pair: Pair, prompt: Prompt, setting: Setting, *, assisted: bool) -> list[int]:
    """The new ids of transformers' own `generate`; inside `on_equal_terms`."""
    torch.manual_seed(setting.seed * 100_003 + prompt.number)
    rows = prompt.rows.to(pair.device)
    helper = {"assistant_model": pair.draft_model} if assisted else {}
    ids = pair.target_model.generate(rows, attention_mask=torch.ones_like(rows), **helper)
    new: list[int] = ids[0, len(prompt.ids) :].tolist()
    return new


def ours(pair: Pair, prompt: Prompt, setting: Setting, verifier: str) -> list[int]:
    """The new ids of `speculative_decode`, the path without a record."""
    ids = speculative_decode(
        pair.draft_model, pair.target_model, prompt.rows.to(pair.device), setting.gamma, max_new_tokens=setting.max_new_tokens,
        verifier=verifier, temperature=setting.temperature, eos_token_id=(),
        uniforms=PhiloxUniforms(setting.seed, prompt.number),
    )  # fmt: skip
    new: list[int] = ids[0, len(prompt.ids) :].tolist()
    return new


def ours_recorded(
    pair: Pair, prompt: Prompt, setting: Setting, verifier: str
) -> tuple[list[int], list[dict[str, Any]]]:
    """The same run with a full record of every block: the new ids, and the blocks' timings in milliseconds."""
    decoding = Decoding(
        pair, prompt.text, gamma=setting.gamma, verifier=verifier, temperature=setting.temperature,
        max_new_tokens=setting.max_new_tokens, eos_token_id=(), uniforms=PhiloxUniforms(setting.seed, prompt.number),
    )  # fmt: skip
    ids: list[int] = []
    timings: list[dict[str, Any]] = []
    for record in decoding:
        ids += record.committed
        timings.append(record.data["timings"])
    return ids, timings
