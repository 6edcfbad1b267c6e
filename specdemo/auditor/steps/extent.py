"""How far a log reaches: the widest laws, the largest ids, where each law's support ends, the temperatures it names."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.auditor.steps.reading import StepRecord


@dataclass
class Support:
    """Of one law and the tokens that should follow it: `end` is one more than the last column that ever has mass.

    `least_impossible` is the least token that was met where its law gave it 0.
    """

    end: int = 0
    largest: int = 0
    least_impossible: int | None = None

    def add(self, laws: FloatArray, tokens: IntArray) -> None:
        """Take in `tokens` (n,) and their `laws` (≥ n, V)."""
        if not len(tokens):
            return
        self.end = max(self.end, int(np.nonzero(laws.any(axis=0))[0][-1]) + 1)
        self.largest = max(self.largest, int(tokens.max()))
        impossible = tokens[laws[np.arange(len(tokens)), tokens] <= 0]
        if len(impossible):
            least = int(impossible.min())
            self.least_impossible = least if self.least_impossible is None else min(self.least_impossible, least)

    @property
    def cut(self) -> int | None:
        """The id at which the vocabulary seems cut: every impossible token lies behind all mass; None if that is not so."""
        return self.end if self.least_impossible is not None and self.least_impossible >= self.end else None


@dataclass
class Extent:
    """What the first pass saw of sizes."""

    columns: int = 1
    drafted: Support = field(default_factory=Support)
    emitted: Support = field(default_factory=Support)
    temperatures: dict[float, None] = field(default_factory=dict)
    # Whether every target law is one-hot, as at temperature 0.
    greedy: bool = True

    def add(self, record: StepRecord) -> None:
        """Take in one usable record."""
        self.columns = max(self.columns, record.target.shape[1])
        self.drafted.add(record.draft[: record.gamma], record.tokens)
        self.emitted.add(record.target, record.emitted)
        self.greedy = self.greedy and bool((record.target.max(axis=1) == 1.0).all())
        if record.temperature is not None and len(self.temperatures) < 4:
            self.temperatures[round(record.temperature, 4)] = None
