"""Small worlds: draft and target laws on two to four symbols, hand-made and random, as trees and as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from tests.reference import Law, Text, exact

Tree = list[FloatArray]

# Kinds of random laws: where rules go wrong is at the edges, so most of them are edges.
KINDS = ("plain", "steep", "zeros", "ties", "near", "equal", "one_hot", "disjoint", "hot_draft", "hot_target")


def by_position(laws: list[list[float]]) -> Tree:
    """A tree whose law depends on the position only."""
    size = len(laws[0])
    return [np.broadcast_to(np.asarray(law), (size,) * (i + 1)).copy() for i, law in enumerate(laws)]


def two_symbols(gamma: int) -> tuple[Tree, Tree]:
    """D = (2/3, 1/3), T = (1/3, 2/3), whatever came before."""
    return by_position([[2 / 3, 1 / 3]] * gamma), by_position([[1 / 3, 2 / 3]] * (gamma + 1))


MODEL_C_DRAFT = [[0.1, 0.2, 0.7], [0.3, 0.1, 0.6]]
MODEL_C_TARGET = [[0.6, 0.0, 0.4], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4]]


def model_c() -> tuple[Tree, Tree]:
    """Three symbols, context by position: two symbols hide mistakes in the residual."""
    return by_position(MODEL_C_DRAFT), by_position(MODEL_C_TARGET)


def _row(rng: np.random.Generator, size: int, kind: str) -> FloatArray:
    if kind == "one_hot" or kind.startswith("hot"):
        return np.eye(size)[rng.integers(size)]
    if kind == "steep":
        return rng.dirichlet(np.full(size, 0.3)) + 1e-9
    row = rng.dirichlet(np.ones(size))
    if kind == "zeros":
        row[rng.random(size) < 0.4] = 0.0
        row[rng.integers(size)] += 0.5
    if kind == "ties":
        row = rng.integers(1, 3, size).astype(float)
    return row


def _rows(rng: np.random.Generator, size: int, kind: str) -> tuple[FloatArray, FloatArray]:
    draft, target = _row(rng, size, kind), _row(rng, size, kind)
    if kind == "equal":
        draft = target.copy()
    if kind == "near":
        draft = target * (1 + 1e-15 * rng.standard_normal(size))
    if kind == "hot_draft":
        target = _row(rng, size, "plain")
    if kind == "hot_target":
        draft = _row(rng, size, "plain")
    if kind == "disjoint" and size > 1:
        side = rng.permutation(size) < max(1, size // 2)
        draft, target = np.where(side, draft, 0.0), np.where(side, 0.0, target)
    return draft / draft.sum(), target / target.sum()


def random_trees(seed: int, size: int, depth: int, kind: str = "mixed") -> tuple[Tree, Tree]:
    """A draft and a target tree of `depth` levels; "mixed" takes another kind for every prefix."""
    rng = np.random.default_rng(seed)
    draft: Tree = [np.zeros((size,) * (i + 1)) for i in range(depth)]
    target: Tree = [np.zeros((size,) * (i + 1)) for i in range(depth)]
    for i in range(depth):
        for prefix in np.ndindex(*(size,) * i):
            one = KINDS[rng.integers(len(KINDS))] if kind == "mixed" else kind
            draft[i][prefix], target[i][prefix] = _rows(rng, size, one)
    return draft, target


def law_of(tree: Tree) -> Callable[[Text], Law]:
    """A tree as a function to exact laws, for the reference."""

    @cache
    def law(prefix: Text) -> Any:
        return exact(tree[len(prefix)][prefix].tolist())

    return law


def joint(tree: Tree, length: int) -> FloatArray:
    """The law (V,)*length of the first `length` symbols of a tree."""
    law = np.ones(())
    for i in range(length):
        law = law[..., None] * tree[i]
    return law


def drafted_blocks(draft: Tree, gamma: int) -> Iterator[tuple[Text, float]]:
    """Every block of positive draft probability, with it."""
    law = joint(draft, gamma)
    for block in np.ndindex(*law.shape):
        if law[block] > 0:
            yield block, float(law[block])


def rows_along(tree: Tree, block: Text, count: int) -> FloatArray:
    """The laws (count, V) after block[:0], block[:1], …"""
    return np.array([tree[i][block[:i]] for i in range(count)]).reshape(count, tree[0].shape[-1])


def fractions(values: list[Any]) -> list[Fraction]:
    """Floats or strings like "2/3" as fractions, for tables of expected numbers."""
    return [Fraction(v) for v in values]
