"""Rows of several texts at once are those of each text's own CachedModel: asked again, of tokens that cannot be read, after a failure."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from specdemo.decoding.batched_forward import BatchedForward, Feed, Separate
from specdemo.decoding.batched_lean import BatchedLean
from specdemo.decoding.batched_models import Asked, BatchedModel
from specdemo.decoding.batched_padded import BatchedPadded
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.lean_weights import lean_weights_of
from tests.decoding.test_lean import small_llama
from tests.tiny import tiny_llama


@pytest.fixture(scope="module")
def model() -> Any:
    return tiny_llama(8, seed=1, layers=2, spread=0.4)


def assert_rows_are_those_alone(rows: BatchedModel, texts: list[list[int]], count: int) -> None:
    found = rows.rows([Asked(slot, ids, count) for slot, ids in enumerate(texts)])
    alone = torch.cat([CachedModel(rows.model).rows(ids, count) for ids in texts])
    assert found.shape == alone.shape and torch.allclose(found, alone, rtol=0, atol=1e-9)


def test_rows_of_what_is_held_already_are_read_again(model: Any) -> None:
    rows = BatchedModel(model, 2)
    texts = [[1, 2, 3, 4], [5, 6, 7]]
    for count in (1, 3, 2, 1):
        assert_rows_are_those_alone(rows, texts, count)


def test_tokens_of_a_larger_vocabulary_are_read_as_the_first(model: Any) -> None:
    assert_rows_are_those_alone(BatchedModel(model, 2), [[1, 8, 3], [900, 2, 2]], 1)


def test_a_failure_leaves_nothing_behind(model: Any) -> None:
    rows = BatchedModel(model, 2)
    rows._forward = Separate(model, 2)
    with pytest.raises(IndexError):
        rows.rows([Asked(0, [1, 2, 3], 1), Asked(1, [-1], 1)])
    assert_rows_are_those_alone(rows, [[1, 2, 4], [3]], 1)


def lean() -> BatchedForward:
    weights = lean_weights_of(small_llama())
    assert weights is not None
    return BatchedLean(weights, 2)


@pytest.mark.parametrize("kind", ["lean", "padded", "separate"])
def test_stepping_back_goes_no_further_than_what_is_cached(kind: str, model: Any) -> None:
    forward = {"lean": lean, "padded": lambda: BatchedPadded(model, 2), "separate": lambda: Separate(model, 2)}[kind]()
    forward([Feed(0, [1, 2, 3], 1), Feed(1, [4, 5], 1)])
    for length, left in ((5, 3), (3, 3), (1, 1), (2, 1)):
        forward.step_back(0, length)
        assert forward.lengths == [left, 2]
