"""Three-symbol worlds made of real (tiny, float64) transformers models, and their laws read without cache and without the package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import BlockLoop
from specdemo.decoding.uniforms import PhiloxUniforms, UniformSource
from specdemo.verifiers import get
from tests.reference import Law, Text, exact
from tests.tiny import tiny_llama


def plain_logits(model: Any, ids: Iterable[int]) -> Any:
    """The logits (n, V) after each id: one forward pass over everything, no cache."""
    with torch.no_grad():
        return model(input_ids=torch.tensor([list(ids)]), use_cache=False).logits[0]


def processed(logits: list[float], temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0) -> list[float]:
    """The law of a row of logits, in plain Python: temperature, then the k most probable, then the nucleus of mass p."""
    if temperature == 0:
        return [float(i == logits.index(max(logits))) for i in range(len(logits))]
    scores = [score / temperature for score in logits]
    powers = [float(np.exp(score - max(scores))) for score in scores]
    kept = sorted(range(len(powers)), key=lambda i: -powers[i])
    if top_k:
        kept = [i for i in kept if powers[i] >= powers[kept[min(top_k, len(kept)) - 1]]]
    nucleus: list[int] = []
    total, mass = sum(powers[i] for i in kept), 0.0
    for i in kept:
        if mass < top_p * total or not nucleus:
            nucleus.append(i)
        mass += powers[i]
    total = sum(powers[i] for i in nucleus)
    return [powers[i] / total if i in nucleus else 0.0 for i in range(len(powers))]


class RememberingModel(CachedModel):
    """A CachedModel that computes every question once: enumerations ask the same ones thousands of times."""

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self._answers: dict[tuple[int, ...], torch.Tensor] = {}

    def rows(self, ids: list[int], count: int = 1) -> torch.Tensor:
        key = (count, *ids)
        if key not in self._answers:
            self._answers[key] = super().rows(ids, count).clone()
        return self._answers[key]


@dataclass
class ToyWorld:
    """A draft and a target model on a few symbols, a prompt, and how logits become laws (the draft's: the same, unless told)."""

    draft_model: Any
    target_model: Any
    prompt: tuple[int, ...] = (1, 2)
    processing: Processing = field(default_factory=Processing)
    draft_processing: Processing | None = None

    def __post_init__(self) -> None:
        self._laws: dict[tuple[str, Text], Law] = {}

    def draft(self, text: Text) -> Law:
        """D after prompt and text, from the whole text without a cache."""
        return self._law("draft", self.draft_model, text, self.draft_processing or self.processing)

    def target(self, text: Text) -> Law:
        """T after prompt and text."""
        return self._law("target", self.target_model, text, self.processing)

    def _law(self, name: str, model: Any, text: Text, how: Processing) -> Law:
        if (name, text) not in self._laws:
            last = plain_logits(model, [*self.prompt, *text])[-1].tolist()
            self._laws[name, text] = exact(processed(last, how.temperature, how.top_k, how.top_p))
        return self._laws[name, text]

    def loop(
        self,
        rule: str,
        gamma: int,
        *,
        cached: type[CachedModel] = RememberingModel,
        uniforms: UniformSource | None = None,
        eos: Iterable[int] = (),
        context_limit: int = 64,
    ) -> BlockLoop:
        """A fresh block loop over both models."""
        size = max(m.config.vocab_size for m in (self.draft_model, self.target_model))
        laws = LawMaker(self.processing, size)
        draft_laws = LawMaker(self.draft_processing or self.processing, size)
        drafter = ModelDrafter(cached(self.draft_model), draft_laws, size)
        return BlockLoop(
            drafter, cached(self.target_model), laws, get(rule), uniforms or PhiloxUniforms(0), gamma, frozenset(eos), context_limit,
        )  # fmt: skip


def always(law: Sequence[float]) -> Any:
    """A model that gives the same law after every text: all tokens are embedded alike, and no layer adds anything."""
    model = tiny_llama(len(law), seed=0)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        model.model.embed_tokens.weight.fill_(1.0)
        hidden = model.model.norm(torch.ones(model.config.hidden_size, dtype=torch.float64))
        model.lm_head.weight.copy_(torch.tensor(law, dtype=torch.float64).log()[:, None] * hidden / (hidden @ hidden))
    return model


def three_symbols(draft_processing: Processing | None = None, **processing: Any) -> ToyWorld:
    """The world of most tests: three symbols, draft and target clearly different, every law far from uniform."""
    return ToyWorld(
        tiny_llama(3, seed=11, spread=1.5),
        tiny_llama(3, seed=12, spread=1.5),
        processing=Processing(**processing),
        draft_processing=draft_processing,
    )
