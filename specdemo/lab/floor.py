"""The floor under a run: its own forward passes, called directly and nothing else.

The calls are taken from the models themselves, with hooks (and from the lean forward, which tells its observers), so that the
floor counts what the loop really did: how many tokens each pass was fed, after how many cached ones, how many rows of logits were kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import torch

from specdemo.decoding import lean
from specdemo.decoding.forward import Forward, forward_of
from specdemo.lab.competitors import Clock
from specdemo.pairs.pair import Pair

Role = Literal["draft", "target"]
Forwards = Callable[[Any], Forward]


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

    def seen(model: Any, ids: list[int], cached: int, kept: int) -> None:
        role: Role = "target" if model is pair.target_model else "draft"
        calls.append(ForwardCall(role, torch.tensor([ids]), cached, kept))

    with ExitStack() as stack:
        models: dict[Role, Any] = {"draft": pair.draft_model, "target": pair.target_model}
        for role, model in models.items():
            stack.callback(model.register_forward_pre_hook(hook_of(role), with_kwargs=True).remove)
        lean.observers.append(seen)
        stack.callback(lean.observers.remove, seen)
        yield calls


class Bare:
    """One model with a cache, called directly; `seconds(ids, kept)` is the time of the forward pass alone.

    By the path the loop takes, with `lean` False by transformers' own, or by `forwards(model)`.
    """

    def __init__(self, model: Any, clock: Clock, lean: bool = True, forwards: Forwards | None = None) -> None:
        self._forward, self._clock = forward_of(model, lean) if forwards is None else forwards(model), clock

    def step_back(self, length: int) -> None:
        """Drop cached tokens until `length` are left; not part of any time."""
        self._forward.step_back(length)

    def seconds(self, ids: torch.Tensor, kept: int) -> float:
        """Feed `ids` (1, n) after what is cached; `kept` 0 keeps the logits after all of them."""
        fed: list[int] = ids[0].tolist()
        started = self._clock()
        self._forward(fed, kept or len(fed))
        return self._clock() - started


@torch.inference_mode()
def floor_seconds(pair: Pair, calls: list[ForwardCall], clock: Clock, forwards: Forwards | None = None) -> float:
    """The time of these forward passes alone, after the same cache lengths, in seconds."""
    models = {"draft": pair.draft_model, "target": pair.target_model}
    bare = {role: Bare(model, clock, forwards=forwards) for role, model in models.items()}
    total = 0.0
    for call in calls:
        bare[call.role].step_back(call.cached)
        total += bare[call.role].seconds(call.ids, call.kept)
    return total


@torch.inference_mode()
def step_costs(
    pair: Pair, ids: list[int], gamma: int, clock: Clock, repeats: int = 5, forwards: Forwards | None = None
) -> dict[str, list[float]]:
    """Seconds of a draft step, a target step (one token each) and a target call on γ+1 tokens, after all but γ+1 of `ids`."""
    rows = torch.tensor([ids], device=pair.device)
    cached = rows.shape[1] - gamma - 1
    found: dict[str, list[float]] = {"draft_step": [], "target_step": [], "target_call": []}
    draft, target = (Bare(model, clock, forwards=forwards) for model in (pair.draft_model, pair.target_model))
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
