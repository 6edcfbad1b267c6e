"""The law of the first token, estimated from drafted blocks: for rules by which the block's later rows reach back to it.

Given the block a rule's law of the first token is exact (the coins are summed over, only the block is random). What it has in common with the
right rule's law on the same block is taken away, since that is T on average: a control variate without a factor to choose.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.decoding.loop import Step
from specdemo.lab.law_exact import first_token_law
from specdemo.verifiers import Plan, Verifier
from specdemo.verifiers.mistakes import Mistake


class LawEstimate:
    """T + the mean over blocks of (the rule's law − the right rule's); without a known right rule, the mean of the rule's law.

    `count` is the number of blocks; each must be drawn independently of the others, as first blocks of runs are.
    """

    def __init__(self, rule: Verifier, target: FloatArray) -> None:
        self.count = 0
        self._right = rule.right if isinstance(rule, Mistake) else None
        self._target = target
        self._sum = np.zeros(len(target))
        self._squares = np.zeros(len(target))

    def add(self, step: Step, plan: Plan) -> None:
        """Take in one block: the step that drafted it, and the rule's plan of it."""
        # T comes from the step itself: another forward pass may differ from it in the last bits.
        common = step.target[0]
        if self._right is not None:
            common = first_token_law(self._right.core_plan(step.tokens, step.draft, step.target))
        difference = first_token_law(plan) - common
        self.count += 1
        self._sum += difference
        self._squares += difference**2

    def paused(self) -> dict[str, Any]:
        """The sums so far, as plain data that `resume` takes."""
        return {"count": self.count, "sum": _text(self._sum), "squares": _text(self._squares)}

    def resume(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.count = state["count"]
        self._sum, self._squares = _array(state["sum"]), _array(state["squares"])

    @property
    def difference(self) -> FloatArray:
        """The estimate of law − T (V,), for at least one block."""
        return self._sum / self.count

    @property
    def law(self) -> FloatArray:
        """The estimate of the law (V,); sampling noise may carry a rare token's below 0."""
        return self._target + self.difference

    @property
    def error(self) -> FloatArray | None:
        """The standard error (V,) of each token's probability; None for a single block."""
        if self.count < 2:
            return None
        spread = np.maximum(self._squares - self._sum**2 / self.count, 0.0)
        return np.sqrt(spread / (self.count - 1) / self.count)

    @property
    def total_variation_error(self) -> float | None:
        """A bound on the mean of |TV(estimate, T) − TV(law, T)|: ½ Σ_v of the standard errors; None for a single block.

        By the triangle inequality the difference is at most TV(estimate, law) = ½ Σ_v |estimate(v) − law(v)|, and the mean of an absolute
        error is at most the standard error. It also covers that noise alone has a total variation above 0.
        """
        error = self.error
        return None if error is None else float(0.5 * error.sum())


def _text(values: FloatArray) -> str:
    """The float64 values bit by bit: as decimal numbers a large vocabulary's would be three times as long."""
    return base64.b64encode(values.tobytes()).decode()


def _array(text: str) -> FloatArray:
    return np.frombuffer(base64.b64decode(text), dtype=np.float64).copy()
