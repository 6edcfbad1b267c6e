"""Tokens per target call over many blocks, for laws without context: by the law of what the rule remembers, and simulated beside it.

Without context a block is decided by the rule's memory before it alone, so memories are the states of a Markov chain (`memories.py`).
Rules that remember nothing have one state, and every block is as good as the first.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.sandbox.laws import RepeatingLaws
from specdemo.sandbox.memories import Chain, chain_of
from specdemo.verifiers import Plan, Verifier
from specdemo.verifiers.sampling import draw

MOST_BLOCKS = 64
# An estimated error below this is rounding.
EXACT = 1e-12
# So many blocks are simulated in all; a block by a rule that remembers costs a plan of its own.
SIMULATED_BLOCKS = 4000
# Memories nearer than this say nothing of what a distance is worth; what others say is taken so many times.
_NEAR, _CARE = 1e-4, 2.0

Trees = tuple[RepeatingLaws, RepeatingLaws]


@dataclass(frozen=True)
class Simulated:
    """Means of τ + 1 of blocks 1 … n over independent runs, with their standard errors."""

    runs: int
    mean: list[float]
    standard_error: list[float]


@dataclass(frozen=True)
class LongRun:
    """E[τ + 1] of blocks 1 … n and in the long run, each up to `error`; `exact` where that is rounding. Of `states` memories the law is known."""

    expected: list[float]
    long_run: float
    exact: bool
    error: float
    states: int
    simulated: Simulated

    def to_json(self) -> dict[str, Any]:
        """The record of one rule in the answer to `longrun`."""
        return asdict(self)


def long_run_of(rule: Verifier, trees: Trees, gamma: int, blocks: int) -> LongRun:
    """The long run of a rule on laws without context, over `blocks` ≥ 1 blocks of γ drafted tokens."""
    chain = chain_of(rule, trees, gamma)
    laws = [np.eye(len(chain.gained))[0]]
    for _ in range(blocks - 1):
        laws.append(laws[-1] @ chain.matrix)
    settled = _settled(chain.matrix)
    long_run = float(settled @ chain.gained)
    expected = [float(law @ chain.gained) for law in laws]
    error = _error(chain, gamma, laws, settled, long_run)
    return LongRun(expected, long_run, error <= EXACT, error, len(chain.gained), simulated(rule, trees, gamma, blocks))


def _settled(matrix: FloatArray) -> FloatArray:
    """The law in the long run from state 0: of the chain that stands still half the time, so that it settles where the chain itself goes round."""
    lazy = (matrix + np.eye(len(matrix))) / 2
    for _ in range(40):
        lazy = lazy @ lazy
        lazy /= lazy.sum(axis=1, keepdims=True)
    law: FloatArray = lazy[0]
    return law


def _error(chain: Chain, gamma: int, laws: list[FloatArray], settled: FloatArray, long_run: float) -> float:
    """What the merging of memories may have moved any of the numbers by: those of the blocks, whose memories have the `laws`, and the long run's.

    Where a memory is led to another one at a distance (total variation) d, the block that follows gains at most γ d more or less: with the joint
    laws B and B' of what it emits, E[τ] = Σ_v min(S(v), B(v)) differs by at most the total variation of B and B' at each of the γ depths. What
    it does to the blocks after that one has no such proof: it is the most that a distance is worth between any two memories of the chain,
    doubled, and no less than γ/2, γ/4, … A number is off by the sum over what was moved before it, each by its age; in the long run that is what
    a memory is worth in all later blocks, doubled, and γ + γ/2 + … = 2γ.
    """
    moved = [float(law @ chain.moved) for law in laws]
    if not any(moved) and float(settled @ chain.moved) == 0:
        return 0.0
    apart = 0.5 * np.abs(chain.laws[:, None] - chain.laws[None]).sum(axis=2)
    told = apart > _NEAR

    def steepest(worth: FloatArray) -> float:
        return float(np.max(np.abs(worth[:, None] - worth[None])[told] / apart[told], initial=0.0))

    ages, later = [float(gamma)], chain.gained
    for age in range(1, len(laws)):
        later = chain.matrix @ later
        ages.append(max(_CARE * steepest(later), gamma * 0.5**age))
    blocks = [sum(moved[m] * ages[n - 1 - m] for m in range(n)) for n in range(len(laws))]
    # What a memory is worth in all later blocks: h = g − long run + P h.
    worth = np.linalg.lstsq(np.eye(len(settled)) - chain.matrix, chain.gained - long_run, rcond=None)[0].astype(np.float64)
    return max(*blocks, float(settled @ chain.moved) * (2 * gamma + _CARE * steepest(worth)))


def simulated(rule: Verifier, trees: Trees, gamma: int, blocks: int, seed: int = 0) -> Simulated:
    """Runs of `blocks` blocks decoded with drawn tokens and uniforms by the rule itself."""
    runs = max(16, SIMULATED_BLOCKS // blocks)
    rng = np.random.default_rng(seed)
    draft, target = trees[0](()), trees[1](())
    rows, target_rows = np.tile(draft, (gamma + 1, 1)), np.tile(target, (gamma + 1, 1))
    plans: dict[Any, Plan] = {}
    gained = np.zeros((runs, blocks))
    for run in range(runs):
        memory: Any = None
        for n in range(blocks):
            tokens = np.array([draw(draft, u) for u in rng.random(gamma).tolist()])
            key = (tokens.tobytes(), repr(memory))
            if key not in plans:
                drafted = rows[: rule.draft_rows_wanted(gamma, memory)]
                plans[key] = rule.core_plan(tokens, drafted, target_rows, memory)
            verdict = plans[key].decide_unchecked(rng.random(gamma + 1))
            gained[run, n], memory = verdict.accepted + 1, verdict.memory
    errors = gained.std(axis=0, ddof=1) / np.sqrt(runs)
    return Simulated(runs, gained.mean(axis=0).tolist(), errors.tolist())
