"""The floor under a run: its own forward passes, called directly and nothing else.

The calls are taken from the models themselves, with hooks, so that the floor counts what the loop really did: how many
tokens each pass was fed, after how many cached ones, and how many rows of logits were kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import torch
from transformers import DynamicCache

from specdemo.decoding.cached import call_style_of
from specdemo.lab.competitors import Clock
from specdemo.pairs.pair import Pair

Role = Literal["draft", "target"]


@dataclass(frozen=True)
class ForwardCall:
    """One forward pass: `role`, the ids it was fed (1, n), how many tokens were `cached` before it, rows of logits `kept`."""

    role: Role
    ids: torch.Tensor
    cached: int
    kept: int

    @property
    def fed(self) -> int:
        """The number of tokens fed."""
        return int(self.ids.shape[1])


@contextmanager
def recorded_calls(pair: Pair) -> Iterator[list[ForwardCall]]:
    """The list of forward passes both models make while the context lasts, in order."""
    calls: list[ForwardCall] = []

    def hook_of(role: Role) -> Any:
        def hook(module: Any, positional: Any, named: dict[str, Any]) -> None:
            cache = named.get("cache", named.get("past_key_values"))
            cached = int(cache.get_seq_length()) if cache is not None else 0
            calls.append(ForwardCall(role, named["input_ids"].clone(), cached, int(named.get("logits_to_keep", 0))))

        return hook

    with ExitStack() as stack:
        models: dict[Role, Any] = {"draft": pair.draft_model, "target": pair.target_model}
        for role, model in models.items():
            stack.callback(model.register_forward_pre_hook(hook_of(role), with_kwargs=True).remove)
        yield calls


class Bare:
    """One model with a cache, called directly; `seconds(ids, kept)` is the time of the forward pass alone."""

    def __init__(self, model: Any, clock: Clock) -> None:
        self._model, self._clock = model, clock
        self._name, self._keeps_logits = call_style_of(model)
        self._cache: Any = DynamicCache()

    def step_back(self, length: int) -> None:
        """Drop cached tokens until `length` are left; not part of any time."""
        surplus = int(self._cache.get_seq_length()) - length
        if length == 0:
            self._cache = DynamicCache()
        elif surplus:
            self._cache.crop(-surplus)

    def seconds(self, ids: torch.Tensor, kept: int) -> float:
        """Feed `ids` (1, n) after what is cached."""
        arguments: dict[str, Any] = {self._name: self._cache, "use_cache": True}
        if self._keeps_logits:
            arguments["logits_to_keep"] = kept
        started = self._clock()
        self._model(input_ids=ids, **arguments)
        return self._clock() - started


@torch.inference_mode()
def floor_seconds(pair: Pair, calls: list[ForwardCall], clock: Clock) -> float:
    """The time of these forward passes alone, after the same cache lengths, in seconds."""
    bare = {"draft": Bare(pair.draft_model, clock), "target": Bare(pair.target_model, clock)}
    total = 0.0
    for call in calls:
        bare[call.role].step_back(call.cached)
        total += bare[call.role].seconds(call.ids, call.kept)
    return total


@torch.inference_mode()
def step_costs(pair: Pair, ids: list[int], gamma: int, clock: Clock, repeats: int = 5) -> dict[str, list[float]]:
    """Seconds of a draft step, a target step (one token each) and a target call on γ+1 tokens, after all but γ+1 of `ids`."""
    rows = torch.tensor([ids], device=pair.device)
    cached = rows.shape[1] - gamma - 1
    found: dict[str, list[float]] = {"draft_step": [], "target_step": [], "target_call": []}
    draft, target = Bare(pair.draft_model, clock), Bare(pair.target_model, clock)
    for model in (draft, target):
        model.seconds(rows[:, :cached], 1)
    for _ in range(repeats):
        for name, model, fed in (
            ("draft_step", draft, 1),
            ("target_step", target, 1),
            ("target_call", target, gamma + 1),
        ):
            found[name].append(model.seconds(rows[:, cached : cached + fed], fed))
            model.step_back(cached)
    return found
