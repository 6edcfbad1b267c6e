"""Tokens against altered rows, whatever the rule: as if at which temperature, truncation or shift were they drawn?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.auditor.steps.changes import RowChange, row_changes
from specdemo.auditor.steps.reading import StepRecord
from specdemo.auditor.steps.statistics import UniformPool, placed

Which = Literal["drafted", "emitted"]

_FLOOR = 1e-9
_HOPELESS = 40.0
_LAP = 4
_FINALISTS = 6
_BUDGET = 1e10


@dataclass
class Guess:
    """One change of the rows and how probable it makes the tokens: `score` in nats."""

    change: RowChange
    other: bool = False
    score: float = 0.0
    tokens: int = 0
    impossible: int = 0
    pool: UniformPool = field(default_factory=UniformPool)

    def take(self, rows: FloatArray, others: FloatArray, tokens: IntArray, noise: np.random.Generator | None) -> None:
        """Score `tokens` (n,) against the changed rows (≥ n, V)."""
        given = others if self.other else rows
        place = np.arange(len(tokens)) + self.change.shift
        known = (place >= 0) & (place < len(given))
        # Tokens for which this guess has no row: what is next best known of their position, or nothing.
        elsewhere = others if given is rows else rows
        for i in np.nonzero(~known)[0].tolist():
            chance = float(elsewhere[i, tokens[i]]) if i < len(elsewhere) else 1 / rows.shape[1]
            self.score += math.log(max(chance, _FLOOR))
        tokens = tokens[known]
        count = len(tokens)
        laws = given[place[known]] if self.change.shift else self.change.apply(given)[:count]
        own = laws[np.arange(count), tokens]
        self.score += float(np.log(np.maximum(own, _FLOOR)).sum())
        self.tokens += count
        self.impossible += int((own <= 0).sum())
        if noise is not None and count:
            self.pool.add(placed(laws, tokens, laws, noise.random(count)))

    def complete(self, level: float) -> bool:
        """Whether the tokens look drawn from the changed rows, as far as can be seen."""
        return not self.impossible and self.pool.p_value() >= level


def guessed(
    which: Which,
    records: Iterable[StepRecord],
    columns: int,
    largest_id: int,
    temperatures: tuple[float, ...],
    most: int,
) -> list[Guess]:
    """The guesses still in the running after at most `most` records, the best first; "as logged" always stays, first or not."""
    as_logged = Guess(RowChange("as_logged", "from the rows as logged", lambda laws: laws))
    other = "from the target's rows" if which == "drafted" else "from the draft's rows"
    guesses = [
        as_logged,
        Guess(RowChange("other_law", f"{other} instead", lambda laws: laws), other=True),
        Guess(RowChange("uniformly", "uniformly", lambda laws: np.full_like(laws, 1 / laws.shape[1]))),
        *(Guess(change) for change in row_changes(columns, largest_id, temperatures)),
    ]
    noise = np.random.default_rng(11)
    seen, work = 0, 0.0
    for record in records:
        if not record.usable:
            continue
        tokens, rows, others = _parts(record, which)
        if not len(tokens):
            continue
        for guess in guesses:
            guess.take(rows, others, tokens, noise if len(guesses) <= _FINALISTS else None)
        seen += 1
        work += 8.0 * len(guesses) * rows.size
        if seen <= 2 * _LAP or seen % _LAP == 0:
            best = max(guess.score for guess in guesses)
            guesses = [g for g in guesses if g is as_logged or g.score > best - _HOPELESS]
        if seen >= most or work > _BUDGET:
            break
    return sorted(guesses, key=lambda guess: -guess.score)


def _parts(record: StepRecord, which: Which) -> tuple[IntArray, FloatArray, FloatArray]:
    if which == "drafted":
        return record.tokens, record.draft[: record.gamma], record.target[: record.gamma]
    return record.emitted, record.target, record.draft
