"""Lenience (Leviathan et al., appendix): keep x_i with probability min(1, r_i / l), l ≤ 1. Lossy for l < 1; l = 1 is the token rule.

After a stop Y ~ norm((T − D)₊).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier, ratios
from specdemo.verifiers.left_to_right import left_to_right_plan
from specdemo.verifiers.records import Plan


class LenienceVerifier(Verifier):
    """The token rule with its bar lowered: more tokens are kept, and the text leans towards the draft."""

    name = "lenience"
    title = "Lenience l = 0.5 (lossy)"
    source = "Leviathan et al. 2023 (arXiv 2211.17192), appendix A.5"
    lossless = "never"

    def __init__(self, lenience: float = 0.5) -> None:
        if not 0 < lenience <= 1:
            raise ValueError(f"lenience must be in (0, 1], got {lenience!r}")
        self.lenience = lenience

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        accept = np.minimum(1.0, ratios(tokens, draft, target) / self.lenience)
        return left_to_right_plan(Plan, tokens, draft, target, accept, residual_scale=np.ones(len(tokens) + 1))
