"""Wrong parts around a rule: caches, laws, drafters, uniforms and the end of the text, each with one published mistake."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from specdemo.arrays import FloatArray
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import BlockLoop, Step
from specdemo.decoding.uniforms import PhiloxUniforms, UniformSource
from specdemo.verifiers.sampling import draw
from tests.toy_models import RememberingModel, ToyWorld

GREEDY = Processing(temperature=0.0)


class OneTooMany(CachedModel):
    """Rolls back one token too few, and believes to have rolled back."""

    def _crop(self, length: int) -> None:
        if 0 < length < len(self._ids) - 1:
            self._forward.step_back(length + 1)
            self._ids = self._ids[:length]
        else:
            super()._crop(length)


class NeverRollsBack(CachedModel):
    """Keeps what was refused in the cache."""

    def _crop(self, length: int) -> None:
        self._ids = self._ids[:length]


class LastTokenOnly(CachedModel):
    """Feeds only as many tokens as rows are asked for: after full acceptance the draft has not seen x_γ."""

    def rows(self, ids: list[int], count: int = 1) -> torch.Tensor:
        if self._ids and ids[: len(self._ids)] == self._ids:
            self._ids = ids[:-count]
        return super().rows(ids, count)


class ZeroIsPadding(CachedModel):
    """Treats token id 0 as padding that nobody attends to."""

    def rows(self, ids: list[int], count: int = 1) -> torch.Tensor:
        mask = torch.tensor([[int(i != 0) for i in ids]])
        with torch.no_grad():
            return self.model(input_ids=torch.tensor([ids]), attention_mask=mask, use_cache=False).logits[0, -count:]


class TargetUnprocessed(LawMaker):
    """Temperature and cuts for the draft only."""

    def __call__(self, logits: torch.Tensor, model: str, first_position: int) -> FloatArray:
        if model == "target":
            return LawMaker(Processing(), self._vocab_size)(logits, model, first_position)
        return super().__call__(logits, model, first_position)


class SmallerVocabulary(LawMaker):
    """Cuts the larger model's laws to the common entries."""

    def __call__(self, logits: torch.Tensor, model: str, first_position: int) -> FloatArray:
        return super().__call__(logits[:, : min(logits.shape[1], 3)], model, first_position)


class BrokenLogitsPass(LawMaker):
    """Repairs NaN logits silently."""

    def __call__(self, logits: torch.Tensor, model: str, first_position: int) -> FloatArray:
        return super().__call__(torch.nan_to_num(logits), model, first_position)


class ShowsAnotherLaw(ModelDrafter):
    """Draws from the right law but returns another one for the verifier."""

    def __init__(self, world: ToyWorld, shown: Callable[[torch.Tensor], FloatArray]) -> None:
        self._rows = RememberingModel(world.draft_model)
        self._sampled = LawMaker(world.draft_processing or world.processing, 3)
        self._shown = shown

    def propose(self, context_ids: list[int], gamma: int, uniforms: FloatArray) -> tuple[list[int], FloatArray]:
        ids, laws = list(context_ids), np.empty((gamma, 3))
        for i in range(gamma):
            logits = self._rows.rows(ids)
            laws[i] = self._shown(logits)[0]
            ids.append(draw(self._sampled(logits, "draft", 0)[0], float(uniforms[i])))
        return ids[len(context_ids) :], laws


def raw_law(logits: torch.Tensor) -> FloatArray:
    """The law before temperature and cuts."""
    return LawMaker(Processing(), 3)(logits, "draft", 0)


def coarse_law(logits: torch.Tensor) -> FloatArray:
    """The law computed from logits in half precision, eight bits of it."""
    return LawMaker(Processing(), 3)(logits.to(torch.float8_e4m3fn).double(), "draft", 0)


class SameForAllPositions:
    """One uniform for the whole block."""

    def __init__(self, seed: int) -> None:
        self._source = PhiloxUniforms(seed)

    def draft(self, block: int, gamma: int) -> FloatArray:
        return np.full(gamma, self._source.draft(block, 1)[0])

    def verify(self, block: int, gamma: int) -> FloatArray:
        return np.full(gamma + 1, self._source.verify(block, 1)[0])


class SameForBothRoles(SameForAllPositions):
    """The uniforms that draw the draft decide about it too."""

    def draft(self, block: int, gamma: int) -> FloatArray:
        return self._source.verify(block, gamma)[:gamma]

    def verify(self, block: int, gamma: int) -> FloatArray:
        return self._source.verify(block, gamma)


class SameForAllBlocks(SameForAllPositions):
    """The block's number is forgotten."""

    def draft(self, block: int, gamma: int) -> FloatArray:
        return self._source.draft(0, gamma)

    def verify(self, block: int, gamma: int) -> FloatArray:
        return self._source.verify(0, gamma)


def seed_zero_is_no_seed(seed: int) -> UniformSource:
    """Seed 0 becomes the time."""
    return PhiloxUniforms(seed or time.perf_counter_ns())


class KeyedByTextPosition(BlockLoop):
    """Uniforms belong to the absolute place in the text: after a rejection they are used again."""

    def block(self, ids: list[int], index: int, memory: Any, remaining: int) -> Step:
        start = len(ids)

        class ByPlace:
            def draft(self, block: int, gamma: int) -> FloatArray:
                return np.array([PhiloxUniforms(0).draft(start + i, 1)[0] for i in range(gamma)])

            def verify(self, block: int, gamma: int) -> FloatArray:
                return np.array([PhiloxUniforms(0).verify(start + i, 1)[0] for i in range(gamma + 1)])

        self.uniforms = ByPlace()
        return super().block(ids, index, memory, remaining)


def commit_ignores_inner_ends(
    gained: Sequence[int], eos_token_ids: frozenset[int], remaining: int
) -> tuple[tuple[int, ...], Any]:
    """Looks for the end of the text at the end of the block only."""
    kept = tuple(gained[:remaining])
    if kept[-1] in eos_token_ids:
        return kept, "eos"
    return kept, "length" if len(kept) == remaining else None


def commit_without_id_zero(
    gained: Sequence[int], eos_token_ids: frozenset[int], remaining: int
) -> tuple[tuple[int, ...], Any]:
    """Takes token id 0 for "no end-of-text token"."""
    from specdemo.decoding.loop import commit

    return commit(gained, frozenset(i for i in eos_token_ids if i), remaining)
