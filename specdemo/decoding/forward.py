"""One forward pass after what is cached: through transformers for any model, or leaner where that is known to be the same.

CachedModel decides what is fed; a Forward only feeds it and can step back.
"""

from __future__ import annotations

import inspect
import weakref
from typing import Any, Protocol

import torch
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

from specdemo.decoding.lean import LeanForward
from specdemo.decoding.lean_weights import lean_weights_of
from specdemo.pairs.errors import CannotStepBack
from specdemo.pairs.spread import device_of

# The layers of transformers' caches that can forget their last tokens and leave no trace (windows: see new_cache). A dummy is that of a layer
# that looks at another one's keys and values.
_REVERSIBLE = {"DynamicLayer", "DynamicSlidingWindowLayer", "DummyLayer"}
# Where modules keep a state of their own, beside any cache: RecurrentGemma's, and that of sparse attention in older versions of transformers.
_STATES = ("recurrent_states", "conv1d_state", "_cached_keys")
# Models, and why they cannot be decoded: asked at every run's start, and a walk through all of their parts.
_known: weakref.WeakKeyDictionary[Any, str | None] = weakref.WeakKeyDictionary()


class Forward(Protocol):
    """A model with a cache of `length` tokens."""

    @property
    def length(self) -> int: ...

    def __call__(self, ids: list[int], kept: int) -> torch.Tensor:
        """Feed `ids` after what is cached; the logits (kept, V) after the last `kept` of them. An exception may leave it unusable."""

    def step_back(self, length: int) -> None:
        """Forget tokens until at most `length` are cached."""

    def nbytes(self) -> int:
        """Bytes of the cache and of what goes with it; weights, which all share, aside."""


def call_style_of(model: Any) -> tuple[str, bool]:
    """The name of the model's cache argument, and whether it can be asked for the last rows of logits only."""
    parameters = inspect.signature(model.forward).parameters
    # transformers 5.24 renamed the argument and removes the old name in 5.40.
    return "cache" if "cache" in parameters else "past_key_values", "logits_to_keep" in parameters


def check_models(draft_model: Any, target_model: Any) -> None:
    """CannotStepBack, in a sentence that names the model, unless both forget rejected tokens exactly."""
    for what, model in (("draft model", draft_model), ("target model", target_model)):
        check_model(model, what)


def check_model(model: Any, what: str = "model") -> None:
    """The same for one model, which the sentence calls `what`."""
    if model not in _known:
        _known[model] = _why_not(model)
    why = _known[model]
    if why is not None:
        raise CannotStepBack(
            f"the {what} ({type(model).__name__}) cannot be used here: {why}. Choose a decoder with attention in all of its layers"
        )


def new_cache(model: Any) -> DynamicCache:
    """An empty cache as the model's configuration asks for, from which any number of tokens can be taken back."""
    # Made so, it has plain layers beyond these where they are asked for: some configurations count those of an encoder.
    cache = DynamicCache()
    # A layer that drops what is behind its window has nothing to put in the place of rejected tokens. The mask hides it as well.
    cache.layers = [DynamicLayer() if type(layer) is DynamicSlidingWindowLayer else layer for layer in _layers(model)]
    return cache


def attends_to_all(model: Any) -> bool:
    """Whether every layer has keys and values of its own and looks at those of all tokens."""
    return all(type(layer) is DynamicLayer for layer in _layers(model))


def _layers(model: Any) -> list[Any]:
    """The layers of the cache that transformers makes for this model."""
    return DynamicCache(config=model.config.get_text_config(decoder=True)).layers


def _why_not(model: Any) -> str | None:
    try:
        kinds = {type(layer).__name__ for layer in _layers(model)}
    except (AttributeError, KeyError, TypeError, ValueError):  # transformers has no such cache either
        kinds = set()
    own = any(hasattr(module, name) for module in model.modules() for name in _STATES)
    if own or getattr(model, "_is_stateful", False) or kinds - _REVERSIBLE:
        return (
            "its layers keep a state beside keys and values (recurrent, convolutional or sparse ones), "
            "which cannot be put back exactly when drafted tokens are rejected"
        )
    # What is wrapped around a model may hand its arguments on without naming them.
    named = call_style_of(model)[0] in inspect.signature(model.forward).parameters
    if not kinds or (isinstance(model, PreTrainedModel) and not named):
        return "it has no cache of keys and values"
    if any(_looks_ahead(module) for module in model.modules()):
        return (
            "its attention looks at the tokens that follow, so that a drafted token changes the distributions before it"
        )
    if any(name.endswith("position_embeddings") and _pads(module) for name, module in model.named_modules()):
        return "it leaves padding tokens out when it counts positions, as encoders do, so that a text with one is read otherwise after a cache"
    return None


def _looks_ahead(module: Any) -> bool:
    """Whether this is the self-attention, or a layer, of an encoder; cross-attention is not causal either, but a decoder's."""
    decodes = getattr(module, "is_decoder", None)
    causal, cached = getattr(module, "is_causal", None), getattr(module, "layer_idx", None) is not None
    return decodes is False or (causal is False and cached and not decodes)


def _pads(positions: Any) -> bool:
    return getattr(positions, "padding_idx", None) is not None


class TransformersForward:
    """A causal language model of transformers, with the cache that it asks for; CannotStepBack where that cannot be rolled back."""

    def __init__(self, model: Any) -> None:
        check_model(model)
        self._model = model
        self._cache_argument, self._keeps_logits = call_style_of(model)
        self.device = device_of(model)
        self._forget()

    def _forget(self) -> None:
        self._cache: Any = new_cache(self._model)
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
        if length == 0:
            self._forget()
        else:
            self._cache.crop(length - self.length)
            self.length = length

    def nbytes(self) -> int:
        """See Forward."""
        held = [vars(layer).values() for layer in self._cache.layers]
        return sum(part.nbytes for parts in held for part in parts if isinstance(part, torch.Tensor))


def forward_of(model: Any, lean: bool = True) -> Forward:
    """The fastest forward known for this model: the lean one where it applies and is not declined, else transformers' own."""
    weights = lean_weights_of(model) if lean else None
    return TransformersForward(model) if weights is None else LeanForward(weights)
