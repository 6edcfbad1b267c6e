"""Exact match: keep x_i while it is the target's argmax, then emit the argmax. The temperature-0 limit of token and block."""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.left_to_right import ArgmaxPlan, left_to_right_plan
from specdemo.verifiers.records import Plan


class ExactMatchVerifier(Verifier):
    """Greedy verification: the text is the target's greedy text, whatever the temperature says."""

    name = "exact_match"
    title = "Exact match with the argmax"
    source = "Stern et al. 2018 (arXiv 1811.03115), section 3; the temperature-0 case of Leviathan et al. 2023 (arXiv 2211.17192)"
    lossless = "temperature_0"
    has_residual = False

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        accept = (tokens == target[:-1].argmax(axis=1)).astype(np.float64)
        return left_to_right_plan(ArgmaxPlan, tokens, draft, target, accept)
