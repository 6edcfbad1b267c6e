"""Block verification: Sun et al., "Block Verification Accelerates Speculative Decoding" (arXiv 2403.10444, ICLR 2025), Algorithm 2.

With the running clip w_i = min(1, w_{i−1} r_i), w_0 = 1, every prefix i gets a coin h_i, computed from the NEXT position's
rows; the last success wins. Y ~ norm((w_τ T(·│x^τ) − D(·│x^τ))₊), or T(·│x^γ) if τ = γ. Then P(τ ≥ i │ x^i) = w_i.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier, ratios
from specdemo.verifiers.records import Plan, length_law_of
from specdemo.verifiers.sums import residual_sums, running


class BlockVerifier(Verifier):
    """Accepts the longest prefix that the block as a whole can afford; a later token can rescue an earlier one."""

    name = "block"
    title = "Block verification"
    source = "Sun et al. 2024 (arXiv 2403.10444, ICLR 2025), Algorithm 2"
    lossless = "always"

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        gamma = len(tokens)
        weights = [1.0]
        for ratio in ratios(tokens, draft, target).tolist():
            # Once zero it stays zero, also where the ratio overflows to infinity: R = ∞ is a branch, never ∞ · 0.
            weights.append(min(1.0, weights[-1] * ratio) if weights[-1] > 0 else 0.0)
        coins = []
        sums: list[tuple[float, ...] | None] = [None] * (gamma + 1)
        for i in range(1, gamma):
            if weights[i] == 1.0:  # A / (A + (1 − w)) is 1, whatever the row says
                coins.append(1.0)
                continue
            mass = 0.0
            if weights[i] > 0:
                sums[i] = parts = residual_sums(weights[i], target[i], draft[i])
                mass = running(parts)[-1]
            coins.append(mass / (mass + (1.0 - weights[i])))
        if gamma:
            coins.append(weights[-1])
        weight, accept = np.array(weights), np.array(coins)
        return Plan(
            tokens=tokens,
            draft=draft,
            target=target,
            effective_target=target,
            accept_prob=accept,
            prefix_weight=weight,
            residual_scale=weight.copy(),
            length_law=length_law_of(accept, "right_to_left"),
            order="right_to_left",
            residual_sums=tuple(sums),
        )
