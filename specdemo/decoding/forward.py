"""One forward pass after what is cached: through transformers for any model, or leaner where that is known to be the same.

CachedModel decides what is fed; a Forward only feeds it and can step back.
"""

from __future__ import annotations

import inspect
from typing import Any, Protocol

import torch
from transformers import DynamicCache

from specdemo.decoding.lean import LeanForward
from specdemo.decoding.lean_weights import lean_weights_of
from specdemo.pairs.spread import device_of


class Forward(Protocol):
    """A model with a cache of `length` tokens."""

    @property
    def length(self) -> int: ...

    def __call__(self, ids: list[int], kept: int) -> torch.Tensor:
        """Feed `ids` after what is cached; the logits (kept, V) after the last `kept` of them. An exception may leave it unusable."""

    def step_back(self, length: int) -> None:
        """Forget tokens until at most `length` are cached; a cache that cannot step back forgets them all."""

    def nbytes(self) -> int:
        """Bytes of the cache and of what goes with it; weights, which all share, aside."""


def call_style_of(model: Any) -> tuple[str, bool]:
    """The name of the model's cache argument, and whether it can be asked for the last rows of logits only."""
    parameters = inspect.signature(model.forward).parameters
    # transformers 5.24 renamed the argument and removes the old name in 5.40.
    return "cache" if "cache" in parameters else "past_key_values", "logits_to_keep" in parameters


class TransformersForward:
    """Any causal language model of transformers, with its own cache."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache_argument, self._keeps_logits = call_style_of(model)
        self.device = device_of(model)
        self._forget()

    def _forget(self) -> None:
        self._cache: Any = DynamicCache()
        self.length = 0

    @torch.inference_mode()
    def __call__(self, ids: list[int], kept: int) -> torch.Tensor:
        """See Forward."""
        return self.feed(torch.tensor([ids], device=self.device), kept)

    def feed(self, fresh: torch.Tensor, kept: int) -> torch.Tensor:
        """The same for ids (1, n) that are on the device already, and that nobody has looked at."""
        arguments: dict[str, Any] = {self._cache_argument: self._cache, "use_cache": True}
        if self._keeps_logits:
            arguments["logits_to_keep"] = kept
        logits: torch.Tensor = self._model(input_ids=fresh, **arguments).logits[0, -kept:]
        self.length += fresh.shape[1]
        return logits

    def step_back(self, length: int) -> None:
        """See Forward."""
        if length >= self.length:
            return
        try:
            if length == 0:
                self._forget()
            else:
                self._cache.crop(length - self.length)
                self.length = length
        except (RuntimeError, NotImplementedError, AttributeError):
            # A cache that cannot step back (sliding window, recurrent state) starts anew: slower, never wrong.
            self._forget()

    def nbytes(self) -> int:
        """See Forward."""
        held = [vars(layer).values() for layer in self._cache.layers]
        return sum(part.nbytes for parts in held for part in parts if isinstance(part, torch.Tensor))


def forward_of(model: Any, lean: bool = True) -> Forward:
    """The fastest forward known for this model: the lean one where it applies and is not declined, else transformers' own."""
    weights = lean_weights_of(model) if lean else None
    return TransformersForward(model) if weights is None else LeanForward(weights)
