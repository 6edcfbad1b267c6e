"""A causal language model with the caches of several texts, asked for rows of all of them at once: the batched sibling of `cached.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from specdemo.decoding.batched_forward import Feed, batched_forward_of
from specdemo.decoding.cached import common_prefix, parts_of, turned
from specdemo.decoding.limits import turns_of


@dataclass(frozen=True)
class Asked:
    """The logits after each of the last `count` of `ids`, the whole text in `slot`; 1 ≤ count ≤ len(ids)."""

    slot: int
    ids: list[int]
    count: int


class BatchedModel:
    """`rows(asked)` on a plain transformers model with `slots` caches, as many forward passes a call as CachedModel. `lean` as there."""

    def __init__(self, model: Any, slots: int, lean: bool = True) -> None:
        self.model = model
        self._slots, self._lean, self._turns = slots, lean, turns_of(model)
        self._readable = int(model.get_input_embeddings().weight.shape[0])
        self.reset()

    def reset(self) -> None:
        """Forget everything that is cached."""
        self._forward = batched_forward_of(self.model, self._slots, self._lean)
        self._held: list[list[int]] = [[] for _ in range(self._slots)]

    def forget(self, slot: int) -> None:
        """Make a slot ready for another text."""
        self._forward.step_back(slot, 0)
        self._held[slot] = []

    @torch.inference_mode()
    def rows(self, asked: Sequence[Asked]) -> torch.Tensor:
        """The logits (Σ count, V) of every text, one after the other; each slot at most once.

        What is fed of a text is what CachedModel would feed of it.
        """
        if self._turns:
            parts = [
                Asked(one.slot, one.ids[:end], part)
                for one in asked for end, part in parts_of(self._turns, len(one.ids), one.count)
            ]  # fmt: skip
            if len(parts) > len(asked):
                return torch.cat([self.rows([part]) for part in parts])
        feeds = [self._feed(one) for one in asked]
        try:
            logits = self._forward(feeds)
        except BaseException:
            self.reset()  # some layers may hold the new tokens already, others not
            raise
        for one in asked:
            self._held[one.slot] = list(one.ids)
        return logits

    def _feed(self, asked: Asked) -> Feed:
        slot, ids, count = asked.slot, asked.ids, asked.count
        if not 1 <= count <= len(ids):
            raise ValueError(f"{count} rows were asked of a text of {len(ids)} tokens")
        common = min(common_prefix(self._held[slot], ids), len(ids) - count)
        if turned(self._turns, len(ids)) != turned(self._turns, len(self._held[slot])):
            common = 0  # as CachedModel
        if common < len(self._held[slot]):
            self._forward.step_back(slot, common)
            common = self._forward.lengths[slot]
        # An id of the other model's larger vocabulary has no embedding here: see CachedModel.
        return Feed(slot, [i if i < self._readable else 0 for i in ids[common:]], count)
