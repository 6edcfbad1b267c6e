"""What a rule's own plans say of every block that can be drafted after a context: the one enumeration that couplings, nodes and E[τ] share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.transport.trees import LawTree, Prefix
from specdemo.verifiers import Plan, Verifier


@dataclass(frozen=True)
class BlockTable:
    """The N = V^n blocks of n drafted tokens in lexicographic order.

    `masses` (N,): D of the block; `lengths` (N, n+1): P(τ = i │ block); `next_laws` (N, n+1, V): the law of Y given τ = i. Rows of blocks
    that cannot be drafted, and laws after a τ that cannot happen, are zeros; `plans` holds None for such blocks.
    """

    masses: FloatArray
    lengths: FloatArray
    next_laws: FloatArray
    plans: list[Plan | None]

    @property
    def drafted(self) -> int:
        """n, the number of drafted tokens."""
        return self.lengths.shape[1] - 1

    @property
    def expected_accepted(self) -> float:
        """E[τ]."""
        return float(self.masses @ self.lengths @ np.arange(self.drafted + 1))

    def stopped(self, i: int) -> FloatArray:
        """The mass (N, V) of a block, τ = i and each next token."""
        return (self.masses * self.lengths[:, i])[:, None] * self.next_laws[:, i]


def block_table(
    rule: Verifier, draft: LawTree, target: LawTree, context: Prefix, count: int, memory: Any = None
) -> BlockTable:
    """The table of `count` tokens drafted after `context`; laws are asked for only where the draft can get."""
    size = target.vocab_size
    draft_levels, target_levels, masses = [], [], np.ones(1)
    rows = rule.draft_rows_wanted(count, memory)
    for i in range(count + 1):
        reached = list(zip(product(range(size), repeat=i), (masses > 0).tolist(), strict=True))
        target_levels.append(_level(target, context, reached))
        if i < max(rows, count):
            draft_levels.append(_level(draft, context, reached))
        if i < count:
            masses = (masses[:, None] * draft_levels[i]).ravel()
    draft_rows = _along(draft_levels[:rows], len(masses), size)
    target_rows = _along(target_levels, len(masses), size)
    tokens = _blocks(size, count)
    lengths, next_laws = np.zeros((len(masses), count + 1)), np.zeros((len(masses), count + 1, size))
    plans: list[Plan | None] = []
    for n, possible in enumerate((masses > 0).tolist()):
        plan = rule.core_plan(tokens[n], draft_rows[n], target_rows[n], memory) if possible else None
        plans.append(plan)
        if plan is not None:
            lengths[n] = plan.length_law
            for i, chance in enumerate(plan.length_law.tolist()):
                if chance > 0:
                    next_laws[n, i] = plan.next_law(i)
    return BlockTable(masses, lengths, next_laws, plans)


@lru_cache(maxsize=32)
def _blocks(size: int, count: int) -> IntArray:
    blocks = np.array(list(product(range(size), repeat=count)), dtype=np.int64).reshape(size**count, count)
    blocks.setflags(write=False)
    return blocks


def _level(tree: LawTree, context: Prefix, reached: list[tuple[Prefix, bool]]) -> FloatArray:
    """The laws (V^i, V) after the context and each prefix, zeros where the draft cannot get."""
    laws = np.zeros((len(reached), tree.vocab_size))
    for place, (prefix, possible) in enumerate(reached):
        if possible:
            laws[place] = tree((*context, *prefix))
    return laws


def _along(levels: list[FloatArray], count: int, size: int) -> FloatArray:
    """The rows (N, levels, V) along each block."""
    if not levels:
        return np.zeros((count, 0, size))
    return np.stack([np.repeat(level, count // len(level), axis=0) for level in levels], axis=1)
