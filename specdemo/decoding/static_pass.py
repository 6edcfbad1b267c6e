"""A forward pass of a fixed shape on memory that never moves, which is what a CUDA graph can record and replay.

The cache is as long as it will ever be, and the token after which a pass reads is a number on the device: stepping back is a smaller number.
A pass looks at the whole cache, behind a mask; keys and values of tokens that were taken back stay there until others are written over them.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from transformers import Cache, StaticCache
from transformers.cache_utils import StaticLayer

from specdemo.decoding.forward import call_style_of
from specdemo.decoding.limits import MAX_GAMMA, context_limit_of, ropes_of
from specdemo.pairs.spread import device_of

MOST_TOKENS = 2048  # every pass looks at all of them, so that a longer cache makes every pass slower
LEAST_TOKENS = 256  # of a model that reads more: a shorter cache would not be worth its passes
MOST_BYTES = 512 * 2**20
_ROUND = 16  # SDPA's kernels copy a mask whose rows are not aligned
_MASKED = ("sdpa", "eager")  # ways of attention that take a mask of numbers to be added
_LOOKING_ROPES = ("dynamic", "longrope")  # they ask how long the text is, and a graph cannot


class _Where:
    """The places of the tokens that are being read, in the order of the text: one tensor, which all layers write by."""

    def __init__(self) -> None:
        self.places = torch.empty(0)


class _Layer(StaticLayer):
    """transformers' static cache of a layer; it would count the tokens anew in each layer, three launches for what is known."""

    def __init__(self, room: int, where: _Where) -> None:
        super().__init__(max_cache_len=room)
        self._where = where

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        """Zeros: what a mask hides is multiplied by 0, which would not hide infinity."""
        self.keys, self.values = (
            states.new_zeros(*states.shape[:2], self.max_cache_len, states.shape[3])
            for states in (key_states, value_states)
        )
        self.is_initialized = True

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """See StaticLayer."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        keys, values = self.keys, self.values
        assert keys is not None and values is not None
        keys.index_copy_(2, self._where.places, key_states)
        values.index_copy_(2, self._where.places, value_states)
        return keys, values


def room_of(model: Any) -> int:
    """How many tokens a static cache of this model holds; 0 where the model cannot have one, or not a useful one.

    It needs a model that transformers itself calls fit for whole graphs, plain attention in every layer, and rotations that do not depend
    on the text's length.
    """
    try:
        return _room_of(model)
    except (AttributeError, KeyError, TypeError, ValueError):  # a model that says of itself other things than most
        return 0


def _room_of(model: Any) -> int:
    config = model.config.get_text_config()
    if (
        not getattr(model, "_can_compile_fullgraph", False)
        or model.training
        or model.config._attn_implementation not in _MASKED
        or any(rope.get("rope_type") in _LOOKING_ROPES for rope in ropes_of(model))
    ):
        return 0
    layers = StaticCache(config=model.config, max_cache_len=_ROUND).layers
    if any(type(layer) is not StaticLayer for layer in layers):
        return 0
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    limit = min(context_limit_of(model), MOST_TOKENS)
    tokens = min(limit, MOST_BYTES // (2 * len(layers) * heads * size * model.dtype.itemsize))
    return 0 if tokens < min(limit, LEAST_TOKENS) else -(-tokens // _ROUND) * _ROUND


class StaticPass:
    """The passes of one model and their memory, for one text at a time. The model itself is not kept alive."""

    def __init__(self, model: Any, room: int) -> None:
        self._model = weakref.ref(model)
        self._cache_argument, self._keeps_logits = call_style_of(model)
        self.room, self.device = room, device_of(model)
        self._where = _Where()
        count = len(StaticCache(config=model.config, max_cache_len=_ROUND).layers)
        self._cache: Any = Cache(layers=[_Layer(room, self._where) for _ in range(count)])
        self._all = torch.arange(room, device=self.device)
        self._start = torch.zeros((), dtype=torch.long, device=self.device)
        self._given = torch.zeros((1, MAX_GAMMA + 1), dtype=torch.long, device=self.device)

    def fixed(self, count: int) -> Callable[[], Tensor]:
        """The pass that reads the `count` tokens that were given last; its logits (count, V)."""
        given = self._given[:, :count]
        return lambda: self._logits(given, count)

    def give(self, fresh: Tensor, start: int) -> None:
        """The tokens (1, n) that the next fixed pass of n reads, after the first `start` of the cache."""
        self._given[:, : fresh.shape[1]].copy_(fresh)
        self._start.fill_(start)

    def direct(self, fresh: Tensor, start: int, kept: int) -> Tensor:
        """The same for any tokens (1, n), without a record; the logits (kept, V) after the last of them."""
        self._start.fill_(start)
        return self._logits(fresh, kept)

    def _logits(self, ids: Tensor, kept: int) -> Tensor:
        # All of it may be recorded: no look at the device, and no number that only the host knows.
        places = self._all[: ids.shape[1]] + self._start
        model = self._model()
        assert model is not None
        mask = torch.zeros(len(places), self.room, dtype=model.dtype, device=self.device)
        mask.masked_fill_(self._all > places[:, None], float("-inf"))
        self._where.places = places
        arguments: dict[str, Any] = {self._cache_argument: self._cache, "use_cache": True}
        if self._keeps_logits:
            arguments["logits_to_keep"] = kept
        logits: Tensor = model(
            input_ids=ids, attention_mask=mask[None, None], position_ids=places[None], **arguments
        ).logits
        return logits[0, -kept:]

    def states(self, length: int) -> list[Tensor]:
        """Copies of the keys and values of the first `length` tokens."""
        return [part[:, :, :length].clone() for part in self._parts()]

    def bring_back(self, states: list[Tensor], length: int) -> None:
        """Put such copies back, of the first `length` tokens."""
        for part, held in zip(self._parts(), states, strict=True):
            part[:, :, :length].copy_(held[:, :, :length])

    def nbytes(self) -> int:
        """Bytes of the cache."""
        return sum(part.nbytes for part in self._parts())

    def _parts(self) -> list[Tensor]:
        return [part for layer in self._cache.layers if layer.is_initialized for part in (layer.keys, layer.values)]
