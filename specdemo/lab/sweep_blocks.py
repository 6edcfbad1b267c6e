"""What every rule keeps of the same drafted blocks: sums over one run, from which block efficiency, acceptance and TV by position follow.

Tokens drafted behind an end of text are nobody's: they are neither counted as gained nor as positions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.decoding.loop import Step
from specdemo.verifiers import get


def survival(length_law: FloatArray) -> FloatArray:
    """P(τ ≥ i) for i = 0…γ of a law of τ (γ+1,).

    >>> survival(np.array([0.25, 0.5, 0.25])).tolist()
    [1.0, 0.75, 0.25]
    """
    tail: FloatArray = np.cumsum(length_law[::-1])[::-1]
    return tail


def end_place(tokens: Sequence[int], eos_token_ids: Collection[int]) -> int:
    """The place, from 1, of the first end-of-text token drafted; one behind the block where there is none.

    >>> end_place([5, 2, 7], {2}), end_place([5, 6, 7], {2})
    (2, 4)
    """
    return next((i for i, token in enumerate(tokens, 1) if token in eos_token_ids), len(tokens) + 1)


def expected_gain(length_law: FloatArray, end: int) -> float:
    """E[min(τ + 1, e) │ block]: the tokens a call gives, up to an end of text at place `end`. Σ_{i < e} P(τ ≥ i)."""
    gained = np.minimum(np.arange(len(length_law)) + 1, end)
    return float(length_law @ gained)


class RunSums:
    """The sums over a rule's own run, its memory included: `calls`, `expected`, `gained`, and the tokens `shown`."""

    def __init__(self, eos_token_ids: Collection[int]) -> None:
        self._eos = eos_token_ids
        self.calls, self.gained, self.shown, self.expected = 0, 0, 0, 0.0
        self.finish: str | None = None

    def add(self, step: Step) -> None:
        """Take in a block of the run."""
        end = end_place(step.tokens.tolist(), self._eos)
        self.calls += 1
        self.expected += expected_gain(step.verdict.length_law, end)
        self.gained += min(step.verdict.accepted + 1, end)
        self.shown += len(step.committed)
        self.finish = step.finish

    def to_json(self) -> dict[str, Any]:
        """The sums by name."""
        return {name: getattr(self, name) for name in ("calls", "expected", "gained", "shown", "finish")}


class BlockSums:
    """The sums over the drafted blocks of the run that `decoded_by` decodes, for every rule of `rules`, each asked afresh.

    Position i of a block counts where it was drafted and no end of text was drafted before it.
    """

    def __init__(self, decoded_by: str, rules: Sequence[str], gamma: int, eos_token_ids: Collection[int]) -> None:
        self.decoded_by = decoded_by
        self._rules = {rule: get(rule) for rule in rules}
        self._eos = eos_token_ids
        self._count = 0
        self._expected = dict.fromkeys(rules, 0.0)
        self._positions = np.zeros(gamma, dtype=np.int64)
        self._distance = np.zeros(gamma)
        self._reached = {rule: np.zeros(gamma) for rule in rules}
        self._kept = {rule: np.zeros(gamma) for rule in rules}

    def add(self, step: Step) -> None:
        """Take in a block of the run."""
        end = end_place(step.tokens.tolist(), self._eos)
        seen = min(step.gamma, end)
        self._count += 1
        self._positions[:seen] += 1
        self._distance[:seen] += 0.5 * np.abs(step.target[:seen] - step.draft[:seen]).sum(axis=1)
        for name, rule in self._rules.items():
            law = rule.core_plan(step.tokens, step.draft, step.target).length_law
            self._expected[name] += expected_gain(law, end)
            tail = survival(law)
            self._reached[name][:seen] += tail[:seen]
            self._kept[name][:seen] += tail[1 : seen + 1]

    def to_json(self) -> dict[str, Any]:
        """The sums, as docs/lab.md defines them."""
        return {
            "decoded_by": self.decoded_by,
            "count": self._count,
            "expected": self._expected,
            "positions": {
                "count": self._positions.tolist(),
                "tv": self._distance.tolist(),
                "reached": {rule: sums.tolist() for rule, sums in self._reached.items()},
                "kept": {rule: sums.tolist() for rule, sums in self._kept.items()},
            },
        }


def decoding_rule(rules: Sequence[str], temperature: float) -> str:
    """Whose run the blocks are taken from: block, else the first rule that is lossless at this temperature, else the first."""
    if "block" in rules:
        return "block"
    return next((rule for rule in rules if lossless_at(rule, temperature)), rules[0])


def lossless_at(rule: str, temperature: float) -> bool:
    """Whether a rule's text follows the target's law at this temperature."""
    lossless = get(rule).lossless
    return lossless == "always" or (lossless == "temperature_0" and temperature == 0)
