"""The next token of a law check: its law under every rule, exact where that can be said, else estimated from the drafted blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.lab.law_blocks import Decoded
from specdemo.lab.law_estimate import LawEstimate
from specdemo.lab.law_exact import exact_law
from specdemo.trace.tops import Others, highest_first, top_ids
from specdemo.verifiers import Verifier

TOP_OF_TARGET, TOP_OF_DRAFT, TOP_OF_BIAS = 16, 8, 4


class NextToken:
    """The `next` part of the record.

    Shown are, from the first record to the last, the tops of T, of D and of each exact law's distance from T; the rest is summed.
    """

    def __init__(self, rules: Sequence[Verifier], draft: FloatArray, target: FloatArray, gamma: int) -> None:
        self._draft, self._target = draft, target
        self._exact: dict[str, FloatArray] = {}
        self._estimates: dict[str, LawEstimate] = {}
        for rule in rules:
            law = exact_law(rule, draft, target, gamma)
            if law is None:
                self._estimates[rule.name] = LawEstimate(rule, target)
            else:
                self._exact[rule.name] = law
        self._names = [rule.name for rule in rules]
        biases = [top_ids(np.abs(law - target), TOP_OF_BIAS) for law in self._exact.values()]
        tops = [top_ids(target, TOP_OF_TARGET), top_ids(draft, TOP_OF_DRAFT), *biases]
        self.ids: IntArray = highest_first(np.maximum(draft, target), tops)
        self._others = Others(len(target), self.ids)

    @property
    def all_exact(self) -> bool:
        """Whether no law has to be estimated."""
        return not self._estimates

    def add(self, decoded: Mapping[str, Decoded]) -> None:
        """Take in the first block of one decoding."""
        for name, estimate in self._estimates.items():
            estimate.add(decoded[name].step, decoded[name].plan)

    def paused(self) -> dict[str, Any]:
        """The estimates so far, as plain data that `resume` takes."""
        return {name: estimate.paused() for name, estimate in self._estimates.items()}

    def resume(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        for name, sums in state.items():
            self._estimates[name].resume(sums)

    def to_json(self) -> dict[str, Any]:
        """The `next` part of the record, as far as the estimates have come (at least one block)."""
        return {
            "ids": self.ids.tolist(),
            "target": self._target[self.ids].tolist(),
            "draft": self._draft[self.ids].tolist(),
            "rest": {
                "count": len(self._others),
                "target": self._others.sum(self._target),
                "draft": self._others.sum(self._draft),
            },
            "rules": {name: self._rule(name) for name in self._names},
        }

    def _rule(self, name: str) -> dict[str, Any]:
        if name in self._exact:
            law = self._exact[name]
            total_variation = float(0.5 * np.abs(law - self._target).sum())
            return self._shown(law, total_variation) | {"exact": True, "error": None, "tv_error": None}
        estimate = self._estimates[name]
        error = estimate.error
        return self._shown(estimate.law, float(0.5 * np.abs(estimate.difference).sum())) | {
            "exact": False,
            "error": None if error is None else error[self.ids].tolist(),
            "tv_error": estimate.total_variation_error,
        }

    def _shown(self, law: FloatArray, total_variation: float) -> dict[str, Any]:
        return {"law": law[self.ids].tolist(), "rest": self._others.sum(law), "tv": total_variation}
