"""Exact laws on small alphabets, by enumeration of drafted blocks and of every plan's outcomes: no sampling anywhere.

What is enumerated is the rule's own Plan, the code that decodes; the closed forms of `mass.py` are the independent check.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.transport.flows import flows_of
from specdemo.transport.tables import block_table
from specdemo.transport.trees import LawTree, Prefix, Tree, as_trees, draft_blocks, laws_along
from specdemo.verifiers import Plan, Verifier, get


def expected_accepted(verifier: str | Verifier, draft_tree: Tree, target_tree: Tree, gamma: int | None = None) -> float:
    """E[τ] of one block from a fresh memory, exactly.

    The target tree must reach depth γ + 1. Source: enumeration of E[τ] = Σ_x D^γ(x) Σ_i i P(τ = i | x).

    >>> expected_accepted("block", [[2/3, 1/3], [[2/3, 1/3]] * 2], [[1/3, 2/3], [[1/3, 2/3]] * 2, [[[1/3, 2/3]] * 2] * 2]) * 9
    11.0
    """
    draft, target, gamma = as_trees(draft_tree, target_tree, gamma)
    return block_table(get(verifier), draft, target, (), gamma).expected_accepted


def output_law(
    verifier: str | Verifier, draft_tree: Tree, target_tree: Tree, length: int, gamma: int | None = None
) -> FloatArray:
    """The exact law (V,)*length of the first `length` emitted tokens, over as many blocks as that needs, memory included.

    ValueError for a negative length. For a lossless rule it equals the target's law. Both trees must reach as deep as the blocks go.
    """
    if length < 0:
        raise ValueError(f"length must be ≥ 0, got {length}")
    draft, target, gamma = as_trees(draft_tree, target_tree, gamma)
    rule = get(verifier)
    law = np.zeros((target.vocab_size,) * length)
    open_states: dict[Any, tuple[Prefix, Any, float]] = {"start": ((), None, 1.0)}
    while open_states:
        following: dict[Any, tuple[Prefix, Any, float]] = {}
        for prefix, memory, mass in open_states.values():
            for emitted, next_memory, probability in block_outcomes(rule, draft, target, prefix, gamma, memory):
                text = (*prefix, *emitted)
                if len(text) >= length:
                    law[text[:length]] += mass * probability
                else:
                    key = (text, repr(next_memory))
                    _, _, before = following.get(key, (text, next_memory, 0.0))
                    following[key] = (text, next_memory, before + mass * probability)
        open_states = following
    return law


def coupling(verifier: str | Verifier, draft_tree: Tree, target_tree: Tree, gamma: int | None = None) -> FloatArray:
    """The joint law (V^γ, V^γ) of the drafted block (rows) and the first γ emitted tokens (columns), both in lexicographic order.

    What the first block leaves open is filled by decoding on with γ tokens a block, memory included; the column sums are `output_law`. For a
    lossless rule that needs no law deeper than the first block's; for others both trees must reach as deep as the later blocks go.
    """
    draft, target, gamma = as_trees(draft_tree, target_tree, gamma)
    rule = get(verifier)
    return flows_of(rule, draft, target, block_table(rule, draft, target, (), gamma)).sum(axis=0)


def block_outcomes(
    rule: Verifier, draft: LawTree, target: LawTree, context: Prefix, gamma: int, memory: Any
) -> list[tuple[Prefix, Any, float]]:
    """Every (emitted tokens, memory after, probability) of one block after `context`."""
    outcomes: list[tuple[Prefix, Any, float]] = []
    for block, mass in draft_blocks(draft, context, gamma):
        plan = _plan(rule, draft, target, context, block, memory)
        outcomes += [(emitted, after, mass * probability) for emitted, after, probability in _outcomes_of(plan, block)]
    return outcomes


def _outcomes_of(plan: Plan, block: Prefix) -> list[tuple[Prefix, Any, float]]:
    outcomes: list[tuple[Prefix, Any, float]] = []
    for i, chance in enumerate(plan.length_law.tolist()):
        if chance > 0:
            law = plan.next_law(i)
            outcomes += [
                ((*block[:i], y), plan.memory_after(i, y), chance * float(law[y]))
                for y in range(len(law))
                if law[y] > 0
            ]
    return outcomes


def _plan(rule: Verifier, draft: LawTree, target: LawTree, context: Prefix, block: Prefix, memory: Any) -> Plan:
    gamma = len(block)
    return rule.core_plan(
        np.asarray(block, dtype=np.int64),
        laws_along(draft, context, block, rule.draft_rows_wanted(gamma, memory)),
        laws_along(target, context, block, gamma + 1),
        memory,
    )
