"""Drafted blocks of small worlds as the loop hands them over, with the very rows that `output_law` enumerates."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from specdemo.decoding.loop import Step
from specdemo.transport.trees import as_trees, draft_blocks, laws_along
from specdemo.verifiers import Plan, Verifier
from tests.worlds import Tree


def steps(rule: Verifier, draft: Tree, target: Tree, gamma: int) -> Iterator[tuple[Step, Plan, float]]:
    """Every block of positive draft probability: the step, the rule's plan, the probability.

    The rows go through the trees' normalisation: where D and T agree up to rounding, some mistakes' coins hang on the last bit.
    """
    drafts, targets, _ = as_trees(draft, target, gamma)
    for block, mass in draft_blocks(drafts, (), gamma):
        tokens = np.array(block, dtype=np.int64)
        rows, scored = laws_along(drafts, (), block, gamma), laws_along(targets, (), block, gamma + 1)
        plan = rule.core_plan(tokens, rows, scored)
        verify = np.full(gamma + 1, 0.5)
        verdict = plan.decide_unchecked(verify)
        yield Step(0, 1, rule.name, None, tokens, rows, scored, verify[:-1], verify, verdict, (), None, {}), plan, mass
