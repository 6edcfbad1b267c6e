"""Threshold: keep x_i while T(x_i) ≥ D(x_i), the simplified comparison of introductory texts. NOT lossless: the wrong way.

After a stop Y ~ T. (Code of this kind often emits nothing after a stop, and can then stand still for ever.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.left_to_right import TargetPlan, drafted_probabilities, left_to_right_plan
from specdemo.verifiers.records import Plan


class ThresholdVerifier(Verifier):
    """No coin at all: a token is kept when the target likes it at least as much as the draft."""

    name = "threshold"
    title = "Keep while T ≥ D (wrong)"
    source = "Simplified accounts of speculative decoding; no paper claims it"
    lossless = "never"
    has_residual = False

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        likes = drafted_probabilities(tokens, target) >= drafted_probabilities(tokens, draft)
        return left_to_right_plan(TargetPlan, tokens, draft, target, likes.astype(np.float64))
