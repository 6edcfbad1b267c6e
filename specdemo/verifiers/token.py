"""The token rule: Leviathan et al. (arXiv 2211.17192) Algorithm 1, Chen et al. (arXiv 2302.01318) Algorithm 2.

Stop at the first i with η_i ≥ min(1, r_i). Y ~ norm((T − D)₊) of that position, or T(·│x^γ) after full acceptance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier, ratios
from specdemo.verifiers.left_to_right import left_to_right_plan
from specdemo.verifiers.records import Plan


class TokenVerifier(Verifier):
    """The standard rule of speculative sampling, one token at a time."""

    name = "token"
    title = "Token verification"
    source = "Leviathan et al. 2023 (arXiv 2211.17192), Algorithm 1; Chen et al. 2023 (arXiv 2302.01318), Algorithm 2"
    lossless = "always"

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        accept = np.minimum(1.0, ratios(tokens, draft, target))
        return left_to_right_plan(Plan, tokens, draft, target, accept, residual_scale=np.ones(len(tokens) + 1))
