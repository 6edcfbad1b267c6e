"""Typical acceptance (Medusa): keep x_i when T(x_i) > min(ε, δ·e^{−H(T)}), with ε = 0.09 and δ = 0.3. Lossy by intent.

H(T) is the entropy of T(·│x^{i−1}) in nats. After a stop Y ~ T.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.left_to_right import TargetPlan, drafted_probabilities, left_to_right_plan
from specdemo.verifiers.records import Plan


class TypicalVerifier(Verifier):
    """Keeps whatever the target finds plausible, so that the text is plausible, not the target's."""

    name = "typical"
    title = "Typical acceptance (lossy)"
    source = "Cai et al. 2024, Medusa (arXiv 2401.10774), section 2.3.1"
    lossless = "never"
    has_residual = False

    def __init__(self, epsilon: float = 0.09, delta: float = 0.3) -> None:
        self.epsilon, self.delta = epsilon, delta

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        rows = target[:-1]
        logarithms = np.log(rows, out=np.zeros_like(rows), where=rows > 0)
        entropy = -(rows * logarithms).sum(axis=1)
        bound = np.minimum(self.epsilon, self.delta * np.exp(-entropy))
        accept = (drafted_probabilities(tokens, target) > bound).astype(np.float64)
        return left_to_right_plan(TargetPlan, tokens, draft, target, accept)
