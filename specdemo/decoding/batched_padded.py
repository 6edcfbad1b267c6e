"""Several texts in one forward pass of transformers: a left-padded batch with attention mask and position ids.

Each text's keys and values are kept apart, from its first token on. A pass is given those of its texts, what is behind a shorter text masked,
and then the new tokens, padded on the left. Sums in attention run over more (masked) places than alone and products over more rows, so logits
agree with those of a text alone within rounding (tests: 1e-5 of the largest in float32), not to the bit.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from transformers import DynamicCache

from specdemo.decoding.batched_forward import Feed
from specdemo.decoding.forward import attends_to_all, call_style_of, check_model
from specdemo.decoding.limits import turns_of
from specdemo.pairs.spread import device_of, is_spread

_FIRST_ROOM = 128


def can_be_padded(model: Any) -> bool:
    """Whether a row of this model looks at every earlier token alike, however long the texts beside it are, and is told where it stands.

    CannotStepBack as for any Forward.
    """
    check_model(model)
    parameters = inspect.signature(model.forward).parameters
    return (
        {"attention_mask", "position_ids"} <= set(parameters)
        # GPT-Neo, which cannot, counts places in the cache for its windows, and with them the padding.
        and getattr(model, "_can_compile_fullgraph", False)
        and attends_to_all(model)
        and not turns_of(model)
        and not is_spread(model)
    )


class BatchedPadded:
    """A BatchedForward through a transformers model for which `can_be_padded`."""

    def __init__(self, model: Any, slots: int) -> None:
        self._model = model
        self._cache_argument, self._keeps_logits = call_style_of(model)
        self._device = device_of(model)
        self._store: list[torch.Tensor] = []  # a layer: (2, slots, heads, room, size), keys and values
        self.lengths = [0] * slots

    def step_back(self, slot: int, length: int) -> None:
        """See BatchedForward."""
        self.lengths[slot] = min(self.lengths[slot], length)

    @torch.inference_mode()
    def __call__(self, feeds: Sequence[Feed]) -> torch.Tensor:
        """See BatchedForward."""
        # Whole prompts beside single tokens would be mostly padding.
        prompts = [n for n, feed in enumerate(feeds) if not self.lengths[feed.slot]]
        others = [n for n, feed in enumerate(feeds) if self.lengths[feed.slot]]
        rows: dict[int, torch.Tensor] = {}
        for group in (prompts, others):
            if group:
                rows.update(zip(group, self._pass([feeds[n] for n in group]), strict=True))
        return torch.cat([rows[n] for n in range(len(feeds))])

    def _pass(self, feeds: Sequence[Feed]) -> list[torch.Tensor]:
        held = [self.lengths[feed.slot] for feed in feeds]
        cached, width = max(held), max(len(feed.ids) for feed in feeds)
        fresh, mask, positions = [], [], []
        for feed, length in zip(feeds, held, strict=True):
            padding = width - len(feed.ids)
            fresh.append([0] * padding + feed.ids)
            mask.append([1] * length + [0] * (cached - length + padding) + [1] * len(feed.ids))
            positions.append([0] * padding + list(range(length, length + len(feed.ids))))
        slots = torch.tensor([feed.slot for feed in feeds], device=self._device)
        cache: Any = DynamicCache()
        if cached:
            for number, store in enumerate(self._store):
                cache.update(*store[:, slots, :, :cached], number)
        arguments: dict[str, Any] = {self._cache_argument: cache, "use_cache": True}
        most = max(feed.kept for feed in feeds)
        if self._keeps_logits:
            arguments["logits_to_keep"] = most
        logits = self._model(
            input_ids=torch.tensor(fresh, device=self._device), attention_mask=torch.tensor(mask, device=self._device),
            position_ids=torch.tensor(positions, device=self._device), **arguments,
        ).logits  # fmt: skip
        self._keep(cache, feeds, cached, width)
        return [row[-feed.kept :] for row, feed in zip(logits, feeds, strict=True)]

    def _keep(self, cache: Any, feeds: Sequence[Feed], cached: int, width: int) -> None:
        """Take each text's new keys and values out of the cache of a pass."""
        needed = max(self.lengths[feed.slot] + len(feed.ids) for feed in feeds)
        for number, layer in enumerate(cache.layers):
            store = self._roomy(number, layer.keys, needed)
            for row, feed in enumerate(feeds):
                start, count = self.lengths[feed.slot], len(feed.ids)
                new = slice(cached + width - count, cached + width)
                for part, of in enumerate((layer.keys, layer.values)):
                    store[part, feed.slot, :, start : start + count] = of[row, :, new]
        for feed in feeds:
            self.lengths[feed.slot] += len(feed.ids)

    def _roomy(self, number: int, like: torch.Tensor, needed: int) -> torch.Tensor:
        """The store of a layer, with room for so many tokens."""
        known = self._store[number] if number < len(self._store) else None
        if known is not None and known.shape[3] >= needed:
            return known
        room = max(_FIRST_ROOM, needed, 0 if known is None else 2 * known.shape[3])
        # Zeros: what is masked is multiplied by 0, and 0 times what memory held before may be no number.
        store = torch.zeros(
            2, len(self.lengths), like.shape[1], room, like.shape[3], dtype=like.dtype, device=like.device
        )
        if known is None:
            self._store.append(store)
        else:
            store[:, :, :, : known.shape[3]] = known
            self._store[number] = store
        return store
