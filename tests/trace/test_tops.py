"""The tops against a full sort."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.trace.tops import CHUNK, Others, highest_first, top_ids


@pytest.mark.parametrize("size", [1, 5, 8 * CHUNK, 8 * CHUNK + 1, 2048, 5000])
@pytest.mark.parametrize("kind", ["law", "residual", "one_hot", "ties", "zeros"])
def test_top_ids_are_those_of_a_stable_sort(size: int, kind: str) -> None:
    rng = np.random.default_rng(size)
    values = rng.dirichlet(np.full(size, 0.1))
    if kind == "residual":
        values = np.maximum(values - rng.dirichlet(np.full(size, 0.1)), 0)
    elif kind == "one_hot":
        values = np.eye(size)[size // 2]
    elif kind == "ties":
        values = rng.integers(0, 3, size).astype(float)
    elif kind == "zeros":
        values = np.zeros(size)
    for count in (1, 6, 8, 16):
        expected = [i for i in np.argsort(-values, kind="stable")[:count].tolist() if values[i] > 0]
        assert top_ids(values, count).tolist() == expected


@pytest.mark.parametrize("size", [1, 2, 7, 300])
def test_others_are_all_but_those(size: int) -> None:
    rng = np.random.default_rng(size)
    values = rng.random(size)
    for shown in (0, 1, size // 2, size):
        ids = rng.permutation(size)[:shown]
        others = Others(size, ids)
        expected = np.delete(values, ids)
        assert len(others) == len(expected) and others.sum(values) == expected.sum()


def test_highest_first() -> None:
    height = np.array([0.1, 0.4, 0.4, 0.1])
    assert highest_first(height, [np.array([3, 2]), np.array([1, 2, 0])]).tolist() == [1, 2, 0, 3]
