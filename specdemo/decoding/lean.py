"""A lean forward for small Llamas on a CPU: the same sums as transformers' own, without what surrounds them there.

At a few million weights most of a forward pass of transformers is Python and bookkeeping (masks, cache objects, a product for each of
query, key and value), and its products read their weights in a layout that few rows do not suit. Here a pass is the fewest operators
that compute the same numbers, on packed weights where a model has them (`specdemo/pairs/weights.py`): see docs/benchmarks.md, "Engine".
The results are the same to the last bits, which tests compare.

Applies to `LlamaForCausalLM` as transformers builds it, on a CPU, in float32, with packed weights also in bfloat16; everything else,
altered modules and hooks included, goes through transformers (`forward.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from specdemo.decoding.lean_weights import Layer, LeanWeights
from specdemo.decoding.prefixes import PIECE, Prefixes

_FIRST_ROOM = 128
_BLOCK = 16  # rows for which a mask is kept: those of a block, for most γ
_MOST_ROWS = (
    PIECE  # of a long prompt at once: bounds the memory of a pass, and what is shared is read in the same pieces
)

prefixes = Prefixes()  # shared by all runs of this process

# Called with (model, ids fed, tokens cached before, rows of logits kept) at every pass; for measurements.
observers: list[Callable[[Any, list[int], int, int], None]] = []


class LeanForward:
    """A Forward over `LeanWeights` with a cache of its own that grows with the text; stepping back costs nothing."""

    def __init__(self, weights: LeanWeights) -> None:
        self._weights = weights
        self.length = 0
        self._room = 0
        self._cache = torch.empty(0)

    def step_back(self, length: int) -> None:
        """See Forward."""
        self.length = min(self.length, length)

    def nbytes(self) -> int:
        """See Forward."""
        return sum(part.nbytes for part in vars(self).values() if isinstance(part, Tensor))

    def __call__(self, ids: list[int], kept: int) -> Tensor:
        """See Forward."""
        # A block enters this mode once: entering it for every pass costs more than an operator.
        if torch.is_inference_mode_enabled():
            return self._logits(ids, kept)
        with torch.inference_mode():
            return self._logits(ids, kept)

    def _logits(self, ids: list[int], kept: int) -> Tensor:
        weights = self._weights
        if self.length + len(ids) > self._room:
            self._grow(self.length + len(ids))
        for observer in observers:
            observer(weights.model(), ids, self.length, kept)
        read = 0 if self.length else self._read_pieces(ids, len(ids) - kept)
        states = [self._pass(ids[i : i + _MOST_ROWS]) for i in range(read, len(ids), _MOST_ROWS)]
        x = states[0] if len(states) == 1 else torch.cat(states)
        return weights.head(self._normed(x[len(x) - kept :], weights.norm))

    def _read_pieces(self, ids: list[int], most: int) -> int:
        """Read the whole pieces among the first `most` tokens of a text, those that are remembered without a pass; how many tokens that was.

        A piece is always read alone, so that its numbers do not depend on whether it was remembered, nor on what follows it.
        """
        name, read = self._weights.name, 0
        while read + _MOST_ROWS <= most:
            end = read + _MOST_ROWS
            states = prefixes.get(name, ids[:end])
            if states is None:
                self._pass(ids[read:end])
                prefixes.keep(name, ids[:end], self._cache[:, :, read:end].clone())
            else:
                self._cache[:, :, read:end] = states
                self.length = end
            read = end
        return read

    def _pass(self, ids: list[int]) -> Tensor:
        weights, start, count = self._weights, self.length, len(ids)
        end = start + count
        x = functional.embedding(torch.tensor(ids), weights.embedding)
        rotation = self._rotation[start:end]
        # One token may look at everything; several each at what is before them.
        mask = None if count == 1 else self._mask(start, count)
        # Views of all layers at once: one by one they would cost more than the sums on them.
        keys = self._cache[:, None, : weights.key_heads, :end].unbind(0)
        values = self._cache[:, None, weights.key_heads :, :end].unbind(0)
        fresh = self._cache[:, :, start:end].transpose(1, 2).unbind(0)
        for layer, *cache in zip(weights.layers, keys, values, fresh, strict=True):
            x = self._layer(layer, x, rotation, mask, *cache)
        self.length = end
        return x

    def _mask(self, start: int, count: int) -> Tensor:
        """What each of `count` tokens after `start` others may look at: 0 up to itself, −∞ behind."""
        if count > _BLOCK:
            return torch.full((count, start + count), -math.inf, dtype=self._band.dtype).triu_(start + 1)
        # The same staircase wherever it begins: a view of one that is as long as the cache.
        return self._band[:count, self._room - start : self._room + count]

    def _layer(
        self, layer: Layer, x: Tensor, rotation: Tensor, mask: Tensor | None, key: Tensor, value: Tensor, fresh: Tensor
    ) -> Tensor:  # fmt: skip
        weights = self._weights
        heads, key_heads, size = weights.heads, weights.key_heads, weights.head_size
        rows = len(x)
        # Every pair is a complex number and its rotation a multiplication; values are multiplied by 1.
        joined = layer.attention(self._normed(x, layer.norm)).float()
        joined.view(torch.complex64).mul_(rotation)
        joined = joined.view(rows, heads + 2 * key_heads, size)
        fresh.copy_(joined[:, heads:])
        query = joined[:, :heads].transpose(0, 1)[None].to(x.dtype)
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, enable_gqa=heads != key_heads
        )
        x = layer.output(mixed[0].transpose(0, 1).reshape(rows, heads * size)).add_(x)
        normed = self._normed(x, layer.second_norm)
        return layer.down(functional.silu(layer.gate(normed), inplace=True).mul_(layer.up(normed))).add_(x)

    def _normed(self, x: Tensor, scaled_weight: Tensor) -> Tensor:
        """x / √(mean x² + ε) · weight, as x / √(Σ x² + width · ε) · (weight · √width): four operators where PyTorch's own takes six."""
        exact = x.float()
        root = torch.hypot(torch.linalg.vector_norm(exact, 2, -1, True), self._weights.norm_floor)
        return exact.div(root).mul_(scaled_weight).to(x.dtype)

    def _grow(self, needed: int) -> None:
        weights = self._weights
        heads, key_heads, size = weights.heads, weights.key_heads, weights.head_size
        room = max(_FIRST_ROOM, 2 * self._room, needed)
        cache = torch.empty(len(weights.layers), 2 * key_heads, room, size, dtype=weights.embedding.dtype)
        if self.length:
            cache[:, :, : self.length] = self._cache[:, :, : self.length]
        self._cache, self._room = cache, room
        self._band = torch.full((_BLOCK, room + _BLOCK), -math.inf, dtype=cache.dtype).triu_(room + 1)
        angles = torch.outer(torch.arange(room).float(), weights.inverse_frequencies)
        turns = torch.polar(torch.full_like(angles, weights.rope_scaling), angles)
        still = torch.ones(room, key_heads * size // 2, dtype=turns.dtype)
        self._rotation = torch.cat([turns.repeat(1, heads + key_heads), still], 1)
