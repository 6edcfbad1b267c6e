"""The lean forward (`lean.py`) for several texts at once: the rows of all texts in one product, attention text by text.

A row gets the bits it gets alone, wherever the model's products promise that (`specdemo/pairs/products.py`: all but `Plain`), because nothing
that is summed up is summed in another order: a product and a norm sum within a row; attention is asked for each text in the very shape in
which it is asked alone, never padded; the rest works number by number. (Vectorised functions compute what is left over behind the last
whole vector by other instructions, which may round otherwise: rows that are not whole vectors go through them text by text.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

import torch
from torch import Tensor
from torch.nn import functional

from specdemo.decoding.batched_forward import Feed
from specdemo.decoding.lean_weights import Layer, LeanWeights
from specdemo.decoding.prefixes import PIECE

_FIRST_ROOM = 128
_MOST_ROWS = PIECE  # of one text at once, as alone: attention over other pieces would sum otherwise
_WHOLE_VECTORS = 64  # numbers: two of the longest vectors of the narrowest type


class BatchedLean:
    """A BatchedForward over `LeanWeights`; the caches of all slots lie side by side and grow together."""

    def __init__(self, weights: LeanWeights, slots: int) -> None:
        self._weights = weights
        self._room = 0
        self._cache = torch.empty(0)
        self.lengths = [0] * slots

    def step_back(self, slot: int, length: int) -> None:
        """See BatchedForward."""
        self.lengths[slot] = min(self.lengths[slot], length)

    @torch.inference_mode()
    def __call__(self, feeds: Sequence[Feed]) -> Tensor:
        """See BatchedForward."""
        weights = self._weights
        needed = max(self.lengths[feed.slot] + len(feed.ids) for feed in feeds)
        if needed > self._room:
            self._grow(needed)
        states: list[list[Tensor]] = [[] for _ in feeds]
        longest = max(len(feed.ids) for feed in feeds)
        for at in range(0, longest, _MOST_ROWS):
            going = [n for n, feed in enumerate(feeds) if len(feed.ids) > at]
            pieces = [(feeds[n].slot, feeds[n].ids[at : at + _MOST_ROWS]) for n in going]
            for n, rows in zip(going, self._pass(pieces), strict=True):
                states[n].append(rows)
        kept = [torch.cat(rows)[-feed.kept :] for rows, feed in zip(states, feeds, strict=True)]
        return weights.head(self._normed(torch.cat(kept), weights.norm))

    def _pass(self, pieces: Sequence[tuple[int, list[int]]]) -> Sequence[Tensor]:
        """The last states (rows, width) of every piece."""
        weights, room = self._weights, self._room
        ranges = [(slot, self.lengths[slot], self.lengths[slot] + len(ids)) for slot, ids in pieces]
        counts = [len(ids) for _, ids in pieces]
        x = functional.embedding(torch.tensor([*chain.from_iterable(ids for _, ids in pieces)]), weights.embedding)
        positions = torch.tensor([*chain.from_iterable(range(start, end) for _, start, end in ranges)])
        places = torch.tensor([*chain.from_iterable(range(s * room + a, s * room + b) for s, a, b in ranges)])
        texts = _Texts(
            counts,
            self._rotation[positions],
            places,
            [
                None if count == 1 else torch.full((count, end), -math.inf, dtype=x.dtype).triu_(start + 1)
                for count, (_, start, end) in zip(counts, ranges, strict=True)
            ],
        )
        cache = self._cache.view(len(weights.layers), 1, 2 * weights.key_heads, -1, room, weights.head_size)
        keys = zip(*(cache[:, :, : weights.key_heads, slot, :end].unbind(0) for slot, _, end in ranges), strict=True)
        values = zip(*(cache[:, :, weights.key_heads :, slot, :end].unbind(0) for slot, _, end in ranges), strict=True)
        for layer, key, value, held in zip(weights.layers, keys, values, self._cache.unbind(0), strict=True):
            x = self._layer(layer, x, texts, key, value, held)
        for slot, _, end in ranges:
            self.lengths[slot] = end
        return x.split(counts)

    def _layer(
        self, layer: Layer, x: Tensor, texts: _Texts, key: Sequence[Tensor], value: Sequence[Tensor], held: Tensor
    ) -> Tensor:
        weights = self._weights
        heads, key_heads, size = weights.heads, weights.key_heads, weights.head_size
        joined = layer.attention(self._normed(x, layer.norm)).float()
        for some, turns in texts.apart(joined, texts.rotation):
            some.view(torch.complex64).mul_(turns)
        joined = joined.view(len(x), heads + 2 * key_heads, size)
        held.index_copy_(1, texts.places, joined[:, heads:].transpose(0, 1).to(held.dtype))
        queries = joined[:, :heads].transpose(0, 1)[None].to(x.dtype).split(texts.counts, 2)
        mixed = torch.cat(
            [
                functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=heads != key_heads)
                for q, k, v, mask in zip(queries, key, value, texts.masks, strict=True)
            ],
            2,
        )
        x = layer.output(mixed[0].transpose(0, 1).reshape(len(x), heads * size)).add_(x)
        normed = self._normed(x, layer.second_norm)
        gate = layer.gate(normed)
        for (some,) in texts.apart(gate):
            functional.silu(some, inplace=True)
        return layer.down(gate.mul_(layer.up(normed))).add_(x)

    def _normed(self, x: Tensor, scaled_weight: Tensor) -> Tensor:
        """As LeanForward's."""
        exact = x.float()
        root = torch.hypot(torch.linalg.vector_norm(exact, 2, -1, True), self._weights.norm_floor)
        return exact.div(root).mul_(scaled_weight).to(x.dtype)

    def _grow(self, needed: int) -> None:
        weights, slots = self._weights, len(self.lengths)
        heads, key_heads, size = weights.heads, weights.key_heads, weights.head_size
        room = max(_FIRST_ROOM, 2 * self._room, needed)
        shape = len(weights.layers), 2 * key_heads, slots, room, size
        cache = torch.empty(shape, dtype=weights.embedding.dtype)
        if self._room:
            cache[:, :, :, : self._room] = self._cache.view(*shape[:3], self._room, size)
        self._cache, self._room = cache.view(*shape[:2], slots * room, size), room
        angles = torch.outer(torch.arange(room).float(), weights.inverse_frequencies)
        turns = torch.polar(torch.full_like(angles, weights.rope_scaling), angles)
        still = torch.ones(room, key_heads * size // 2, dtype=turns.dtype)
        self._rotation = torch.cat([turns.repeat(1, heads + key_heads), still], 1)


class _Texts:
    """What the layers of one pass share: rows of each text, their rotations, their places in the cache, a mask for each text."""

    def __init__(self, counts: list[int], rotation: Tensor, places: Tensor, masks: list[Tensor | None]) -> None:
        self.counts, self.rotation, self.places, self.masks = counts, rotation, places, masks
        # Several threads cut a large tensor anywhere.
        self._together = torch.get_num_threads() == 1

    def apart(self, *tensors: Tensor) -> Sequence[tuple[Tensor, ...]]:
        """The tensors (rows, …) as they are, or text by text, for functions that do not treat every number alike."""
        if self._together and tensors[0].shape[1] % _WHOLE_VECTORS == 0:
            return [tensors]
        return [*zip(*(tensor.split(self.counts) for tensor in tensors), strict=True)]
