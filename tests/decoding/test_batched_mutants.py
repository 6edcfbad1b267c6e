"""What can go wrong between the texts of a batch is caught by the comparison with each text alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import torch

from specdemo.decoding.batched_forward import Feed
from specdemo.decoding.batched_lean import BatchedLean
from specdemo.decoding.batched_models import Asked, BatchedModel
from specdemo.decoding.laws import NonFiniteLogits
from specdemo.pairs import Pair
from tests.batches import Way, alone, assert_same_texts, batched_loop, decoded, texts_of
from tests.decoding.test_batched import ids_of
from tests.decoding.test_batched import packed as packed
from tests.decoding.test_batched import tiny as tiny
from tests.pairs.packing import needs_half

WAY = Way("block", 3, most=8)


def rows_swapped(patch: pytest.MonkeyPatch) -> None:
    rows = BatchedModel.rows

    def swapped(self: BatchedModel, asked: Sequence[Asked]) -> torch.Tensor:
        logits = rows(self, asked)
        counts = [one.count for one in asked]
        if len(asked) > 1 and counts[0] == counts[1]:
            first, second, *others = logits.split(counts)
            return torch.cat([second, first, *others])
        return logits

    patch.setattr(BatchedModel, "rows", swapped)


def one_token_too_many_kept(patch: pytest.MonkeyPatch) -> None:
    feed = BatchedModel._feed

    def off(self: BatchedModel, asked: Asked) -> Feed:
        before = self._forward.lengths[asked.slot]
        found = feed(self, asked)
        if self._forward.lengths[asked.slot] < before:  # a refused token stays in the cache
            self._forward.lengths[asked.slot] += 1
        return found

    patch.setattr(BatchedModel, "_feed", off)


def a_place_is_not_cleared(patch: pytest.MonkeyPatch) -> None:
    def forget(self: BatchedModel, slot: int) -> None:
        self._held[slot] = []  # the next text is read behind the last one

    patch.setattr(BatchedModel, "forget", forget)


def neighbours_cache(patch: pytest.MonkeyPatch) -> None:
    passed = BatchedLean._pass

    def shifted(self: BatchedLean, pieces: Sequence[tuple[int, list[int]]]) -> Sequence[torch.Tensor]:
        states = passed(self, pieces)
        heads = self._weights.key_heads
        cache = self._cache.view(len(self._weights.layers), 2 * heads, len(self.lengths), self._room, -1)
        cache[:, heads:] = cache[:, heads:].roll(1, 2)  # values of the text beside
        return states

    patch.setattr(BatchedLean, "_pass", shifted)


MUTANTS: list[Callable[[pytest.MonkeyPatch], None]] = [rows_swapped, one_token_too_many_kept, a_place_is_not_cleared]


def compared(pair: Pair, within: float | None = None, stream: Callable[[int], int] = lambda number: number) -> None:
    ids = ids_of(pair)
    found = decoded(batched_loop(pair, 3), texts_of(pair, ids, WAY, stream))
    assert_same_texts(found, alone(pair, ids, WAY), within)


def test_the_right_parts_pass(tiny: Pair) -> None:
    compared(tiny, 1e-9)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_are_caught(
    tiny: Pair, mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant(monkeypatch)
    with pytest.raises(AssertionError):
        compared(tiny, 1e-9)


@needs_half
def test_the_lean_parts_pass(packed: Pair) -> None:
    compared(packed)


@needs_half
@pytest.mark.parametrize("mutant", [*MUTANTS, neighbours_cache])
def test_lean_mutants_are_caught(
    packed: Pair,
    mutant: Callable[[pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mutant(monkeypatch)
    with pytest.raises((AssertionError, NonFiniteLogits)):  # a place beside may never have been written to
        compared(packed)


def test_a_shared_uniform_is_caught(tiny: Pair) -> None:
    with pytest.raises(AssertionError):
        compared(tiny, 1e-9, lambda number: 0)
