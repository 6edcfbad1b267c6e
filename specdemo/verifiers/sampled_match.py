"""Sampled match: sample the target at every position and keep the draft while it agrees.

x_i is kept with probability T(x_i│x^{i−1}); at the first failure Y ~ T restricted to v ≠ x_{τ+1}. Lossless, needs no D; its
acceptance Σ_v T D a position is never above the token rule's Σ_v min(T, D).
"""

from __future__ import annotations

from typing import Any

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.left_to_right import OtherTokenPlan, drafted_probabilities, left_to_right_plan
from specdemo.verifiers.records import Plan


class SampledMatchVerifier(Verifier):
    """What an engine does that samples the target as always and then looks how far the draft agrees."""

    name = "sampled_match"
    title = "Match with a sample of the target"
    source = "Practice of serving engines that sample the target first; an independent coupling of D and T"
    lossless = "always"
    has_residual = False

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        return left_to_right_plan(OtherTokenPlan, tokens, draft, target, drafted_probabilities(tokens, target))
