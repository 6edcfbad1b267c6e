"""One forward pass for several texts at once, each with a cache of its own in a numbered slot: the batched sibling of `forward.py`.

Leaner where that is known to be the same, through transformers with padding where a model allows it, else one text after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from specdemo.decoding.forward import Forward, forward_of
from specdemo.decoding.lean_weights import lean_weights_of


@dataclass(frozen=True)
class Feed:
    """`ids` to be fed after what is cached in `slot`; the logits after the last `kept` ≥ 1 of them are wanted."""

    slot: int
    ids: list[int]
    kept: int


class BatchedForward(Protocol):
    """A model with caches of `lengths[slot]` tokens."""

    lengths: list[int]

    def __call__(self, feeds: Sequence[Feed]) -> torch.Tensor:
        """Feed every text, each slot at most once; the logits (Σ kept, V), text after text. An exception may leave it unusable."""

    def step_back(self, slot: int, length: int) -> None:
        """Forget tokens until at most `length` are cached in this slot; a cache that cannot step back forgets them all."""


class Separate:
    """Any model, one text after the other: nothing is gained and nothing can go wrong."""

    def __init__(self, model: Any, slots: int, lean: bool = True) -> None:
        self._forwards: list[Forward] = [forward_of(model, lean) for _ in range(slots)]
        self.lengths = [0] * slots

    def __call__(self, feeds: Sequence[Feed]) -> torch.Tensor:
        """See BatchedForward."""
        rows = []
        for feed in feeds:
            rows.append(self._forwards[feed.slot](feed.ids, feed.kept))
            self.lengths[feed.slot] = self._forwards[feed.slot].length
        return torch.cat(rows)

    def step_back(self, slot: int, length: int) -> None:
        """See BatchedForward."""
        self._forwards[slot].step_back(length)
        self.lengths[slot] = self._forwards[slot].length


def batched_forward_of(model: Any, slots: int, lean: bool = True) -> BatchedForward:
    """The fastest batched forward known for this model; `lean` False keeps to transformers' own passes."""
    from specdemo.decoding.batched_lean import BatchedLean
    from specdemo.decoding.batched_padded import BatchedPadded, can_be_padded

    weights = lean_weights_of(model) if lean else None
    if weights is not None:
        return BatchedLean(weights, slots)
    return BatchedPadded(model, slots) if can_be_padded(model) else Separate(model, slots, lean)
