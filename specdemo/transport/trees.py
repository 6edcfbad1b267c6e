"""Laws on a prefix tree: how draft and target are given on small alphabets.

A tree is a list whose entry i has shape (V,)*i + (V,), the law after each prefix of length i; or a function prefix → law.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, checked_laws

Prefix = tuple[int, ...]
Tree = Sequence[Any] | Callable[[Prefix], Any]  # or a LawTree, which is such a function


class LawTree:
    """A tree of laws, validated: `tree(prefix)` is the law (V,) after a prefix.

    `depth` is the number of levels, or None for a function, which is asked as deep as the blocks go.
    """

    def __init__(self, name: str, tree: Tree) -> None:
        self._name = name
        self._function = tree if callable(tree) else None
        self._levels: list[FloatArray] = []
        self._memo: dict[Prefix, FloatArray] = {}
        self.depth: int | None = None
        if not callable(tree):
            self._levels = [self._level(i, level) for i, level in enumerate(tree)]
            self.depth = len(self._levels)
            for i, level in enumerate(self._levels):
                if level.shape[0] != self._levels[0].shape[0]:
                    raise ValueError(
                        f"{name}[{i}] has {level.shape[0]} symbols, but {name}[0] has {self._levels[0].shape[0]}"
                    )
        self.vocab_size = len(self(()))

    def _level(self, i: int, level: Any) -> FloatArray:
        values = level if hasattr(level, "reshape") else np.asarray(level, dtype=np.float64)
        shape = tuple(values.shape)
        if len(shape) != i + 1 or len(set(shape)) != 1:
            raise ValueError(
                f"{self._name}[{i}] must have shape (V,)*{i + 1}, the law after each prefix of length {i}; got {shape}"
            )
        # Reshaped as it came, so that the sums are judged by the precision in which they were computed.
        return checked_laws(f"{self._name}[{i}]", values.reshape(-1, shape[-1])).reshape(shape)

    def __call__(self, prefix: Prefix) -> FloatArray:
        """The law after `prefix`; ValueError if the tree does not reach that deep."""
        if self._function is not None:
            if prefix not in self._memo:
                law = self._function(prefix)
                rows = law[None] if hasattr(law, "reshape") else [law]
                self._memo[prefix] = checked_laws(f"{self._name}{prefix}", rows)[0]
            return self._memo[prefix]
        if len(prefix) >= len(self._levels):
            raise ValueError(
                f"the {self._name} tree has {len(self._levels)} levels, but the law after a prefix of length {len(prefix)} is needed"
            )
        found: FloatArray = self._levels[len(prefix)][prefix]
        return found

    def place(self, prefix: Prefix) -> Hashable:
        """The same for prefixes after which all laws are the same, as far as is known; by itself a tree knows nothing of that."""
        return prefix


def as_trees(draft_tree: Tree, target_tree: Tree, gamma: int | None) -> tuple[LawTree, LawTree, int]:
    """Both trees and γ (the draft tree's depth where None); ValueError where alphabets differ or γ cannot be told."""
    draft, target = (
        tree if isinstance(tree, LawTree) else LawTree(name, tree)
        for name, tree in (("draft", draft_tree), ("target", target_tree))
    )
    if draft.vocab_size != target.vocab_size:
        raise ValueError(f"draft has {draft.vocab_size} symbols and target {target.vocab_size}: both need one alphabet")
    if gamma is None:
        if draft.depth is None:
            raise ValueError("gamma must be given when the draft is a function")
        gamma = draft.depth
    if gamma < 0:
        raise ValueError(f"gamma must be ≥ 0, got {gamma}")
    return draft, target, gamma


def draft_blocks(draft: LawTree, context: Prefix, gamma: int) -> Iterator[tuple[Prefix, float]]:
    """Every block of γ tokens the draft can propose after `context`, with its probability."""
    for block in product(range(draft.vocab_size), repeat=gamma):
        probability = 1.0
        for i, token in enumerate(block):
            probability *= float(draft((*context, *block[:i]))[token])
            if probability == 0:
                break
        if probability > 0:
            yield block, probability


def laws_along(tree: LawTree, context: Prefix, block: Prefix, rows: int) -> FloatArray:
    """The laws (rows, V) after context, context + block[:1], …"""
    if rows == 0:
        return np.zeros((0, tree.vocab_size))
    return np.stack([tree((*context, *block[:i])) for i in range(rows)])
