"""A state's laws as trees that never end: beyond γ the laws of the last level hold."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import chain
from math import inf, nextafter
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.sandbox.state import Laws
from specdemo.transport.trees import LawTree, Prefix

At = tuple[int, int]  # (level, row)


class RepeatingLaws(LawTree):
    """The tree of one side: free of context, by position, or by prefix (then the last γ − 1 tokens decide from level γ on)."""

    def __init__(self, name: str, levels: list[FloatArray], context: str) -> None:
        self.levels = levels
        self._symbols = self.levels[0].shape[1]
        self._by_prefix = context == "prefix"
        super().__init__(name, lambda prefix: self.levels[0][0])
        self._places = self._same_futures()

    def at(self, prefix: Prefix) -> At:
        """The level and the row of the law that holds after a prefix."""
        level = min(len(prefix), len(self.levels) - 1)
        row = 0
        if self._by_prefix:
            for symbol in prefix[len(prefix) - level :]:
                row = row * self._symbols + symbol
        return level, row

    def __call__(self, prefix: Prefix) -> FloatArray:
        """The law after `prefix`, of any length."""
        level, row = self.at(prefix)
        law: FloatArray = self.levels[level][row]
        return law

    def place(self, prefix: Prefix) -> Hashable:
        """The class of prefixes after which all laws are the same for ever."""
        return self._places[self.at(prefix)]

    def _same_futures(self) -> dict[At, int]:
        """Laws apart first, then whatever leads to classes apart, until nothing is told apart any more (Moore's algorithm)."""
        states = [(i, j) for i, level in enumerate(self.levels) for j in range(len(level))]
        after = {state: [self._after(state, symbol) for symbol in range(self._symbols)] for state in states}
        classes = _numbered({(i, j): self.levels[i][j].tobytes() for i, j in states})
        while True:
            finer = _numbered({s: (classes[s], *(classes[t] for t in after[s])) for s in states})
            if max(finer.values()) == max(classes.values()):
                return classes
            classes = finer

    def _after(self, state: At, symbol: int) -> At:
        level, row = state
        following = min(level + 1, len(self.levels) - 1)
        return following, (row * self._symbols + symbol) % len(self.levels[following])


def _numbered(signatures: dict[At, Any]) -> dict[At, int]:
    numbers: dict[Any, int] = {}
    return {state: numbers.setdefault(signature, len(numbers)) for state, signature in signatures.items()}


def trees_of(laws: Laws) -> tuple[RepeatingLaws, RepeatingLaws]:
    """Draft and target, in floats that compare as the fractions do, so that no rounding decides a tie."""
    pairs = [
        [_floats(*rows) for rows in zip(*levels, strict=True)] for levels in zip(laws.draft, laws.target, strict=True)
    ]
    draft, target = ([np.array([pair[side] for pair in level]) for level in pairs] for side in (0, 1))
    return RepeatingLaws("draft", draft, laws.context), RepeatingLaws("target", target, laws.context)


def _floats(*rows: list[Fraction]) -> list[list[float]]:
    """The rows' nearest floats; where two fractions have the same one, the larger gets the next."""
    floats: dict[Fraction, float] = {}
    least = -inf
    for value in sorted(set(chain(*rows))):
        floats[value] = least = max(float(value), nextafter(least, inf))
    return [[floats[value] for value in row] for row in rows]
