"""Where the mass of the drafted block goes: P(τ = i, drafted block, first γ emitted tokens), exactly and for every rule.

What the first block leaves open is filled by decoding on with the rule itself, γ tokens a block. Where it is known that fewer
drafted tokens give the same law, fewer are enumerated: none for the lossless rules, by which the text follows the target (or the
modified one that greedy block verification remembers) whatever is drafted; as many as are still missing for rules that stop at the first failure.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.transport.tables import BlockTable, block_table
from specdemo.transport.trees import LawTree, Prefix
from specdemo.verifiers import Verifier
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.exact_match import ExactMatchVerifier
from specdemo.verifiers.greedy_block import GreedyBlockVerifier
from specdemo.verifiers.lenience import LenienceVerifier
from specdemo.verifiers.mistakes import Mistake
from specdemo.verifiers.sampled_match import SampledMatchVerifier
from specdemo.verifiers.threshold import ThresholdVerifier
from specdemo.verifiers.token import TokenVerifier
from specdemo.verifiers.typical import TypicalVerifier

# Known and tested against whole blocks. A subclass may do something else, so it does not count.
_LOSSLESS = (TokenVerifier, BlockVerifier, GreedyBlockVerifier, SampledMatchVerifier)
_FIRST_FAILURE_STOPS = (ExactMatchVerifier, ThresholdVerifier, TypicalVerifier, LenienceVerifier)


def flows_of(rule: Verifier, draft: LawTree, target: LawTree, table: BlockTable) -> FloatArray:
    """P(τ = i, drafted block, first γ emitted tokens) (γ+1, V^γ, V^γ), both in lexicographic order; `table` is that of the first block.

    Summed over τ it is the coupling; summed over the drafted block it is how far each emitted text was kept.
    """
    gamma, blocks, size = table.drafted, len(table.masses), target.vocab_size
    flows = np.zeros((gamma + 1, blocks, blocks))
    going_on = GoingOn(rule, draft, target, gamma)
    for i in range(gamma):
        # A kept prefix is a prefix of what is emitted: the mass lies in the squares along the diagonal.
        kept = np.arange(size**i)
        squares = flows[i].reshape(size**i, blocks // size**i, size**i, blocks // size**i)
        squares[kept, :, kept, :] = going_on.stopped(table, (), gamma, i).reshape(size**i, blocks // size**i, -1)
    flows[gamma] = np.diag(table.masses * table.lengths[:, gamma])
    return flows


class GoingOn:
    """The laws of what later blocks emit, each computed once: after a context, with what the rule remembers."""

    def __init__(self, rule: Verifier, draft: LawTree, target: LawTree, gamma: int) -> None:
        self._rule, self._draft, self._target, self._gamma = rule, draft, target, gamma
        self._laws: dict[Any, FloatArray] = {}

    def law(self, context: Prefix, missing: int, memory: Any = None) -> FloatArray:
        """The law (V^missing,) of the next `missing` tokens after `context`."""
        key = self._draft.place(context), self._target.place(context), missing, repr(memory)
        if key not in self._laws:
            self._laws[key] = self._law(context, missing, memory)
        return self._laws[key]

    def _law(self, context: Prefix, missing: int, memory: Any) -> FloatArray:
        size = self._target.vocab_size
        if missing == 0:
            return np.ones(1)
        table = block_table(self._rule, self._draft, self._target, context, self._enough(missing), memory)
        law = np.zeros(size**missing)
        for i in range(min(table.drafted + 1, missing)):
            law += self.stopped(table, context, missing, i).reshape(size**i, -1, size ** (missing - i)).sum(1).ravel()
        if table.drafted >= missing:
            kept = table.masses * table.lengths[:, missing:].sum(axis=1)
            law += kept.reshape(size**missing, -1).sum(axis=1)
        return law

    def _enough(self, missing: int) -> int:
        """How many drafted tokens give the law of the next `missing` ones."""
        rule = self._rule
        if type(rule) in _LOSSLESS:
            return 0
        if type(rule) in _FIRST_FAILURE_STOPS or (type(rule) is Mistake and rule.rule == "token"):
            return min(missing, self._gamma)
        return self._gamma

    def stopped(self, table: BlockTable, context: Prefix, missing: int, i: int) -> FloatArray:
        """P(block, τ = i, the tokens i+1 … missing) (N, V^(missing−i)) of a table after `context`."""
        stopped, size = table.stopped(i), self._target.vocab_size
        blocks, rest = len(stopped), missing - i - 1
        # What follows depends on the kept prefix and Y alone, except for what an unknown rule may remember of the whole block.
        groups = blocks if self._rule.remembers and type(self._rule) is not GreedyBlockVerifier else size**i
        each = blocks // groups
        after = np.zeros((groups, size, size**rest))
        wanted = (stopped.reshape(groups, each, size) > 0).any(axis=1)
        for group, y in np.argwhere(wanted).tolist():
            members = table.plans[group * each : (group + 1) * each]
            plan = next(plan for n, plan in enumerate(members) if plan and stopped[group * each + n, y] > 0)
            prefix = tuple(plan.tokens[:i].tolist())
            memory = plan.memory_after(i, y) if self._rule.remembers else None
            after[group, y] = self.law((*context, *prefix, y), rest, memory)
        return (stopped[:, :, None] * np.repeat(after, each, axis=0)).reshape(blocks, size ** (rest + 1))
