"""Where the mass of a block goes: every rule and mistake against the loop's own law and a walk along every path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from specdemo.transport import coupling, output_law
from specdemo.transport.exact import block_outcomes
from specdemo.transport.flows import flows_of
from specdemo.transport.tables import block_table
from specdemo.transport.trees import LawTree
from specdemo.verifiers import Plan, get, mistakes, names
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.mistakes.plans import recast
from tests.mutants import KeepsEverything
from tests.worlds import joint, random_trees, rows_along

EXACT = 1e-12
EVERY = [*names(), *mistakes.names()]
SIZES = [(2, 1), (2, 2), (3, 2), (2, 3)]


def deep_trees(seed: int, size: int, gamma: int) -> Any:
    """Trees as deep as any number of whole blocks goes before γ tokens are out."""
    return random_trees(seed, size, 2 * gamma + 1, ["plain", "mixed"][seed % 2])


@pytest.mark.parametrize("rule", EVERY)
def test_column_sums_are_the_output_law(rule: str) -> None:
    for size, gamma in SIZES:
        for seed in range(2):
            draft, target = deep_trees(seed, size, gamma)
            matrix = coupling(rule, draft, target, gamma)
            assert np.abs(matrix.sum(axis=0) - output_law(rule, draft, target, gamma, gamma).ravel()).max() < EXACT
            assert np.abs(matrix.sum(axis=1) - joint(draft, gamma).ravel()).max() < EXACT


class NotingPlan(Plan):
    """Remembers the drafted block and Y."""

    def memory_after(self, i: int, next_token: int) -> list[int]:
        return [*self.tokens.tolist(), next_token]


class Remembering(BlockVerifier):
    """A rule of whose memory nothing is known: it is the whole block, and by it the next block is the token rule's or block's."""

    remembers = True

    def check_memory(self, memory: Any) -> None:
        pass

    def core_plan(self, tokens: Any, draft: Any, target: Any, memory: Any = None) -> Any:
        rule = get("token" if memory and sum(memory) % 2 else "block")
        return recast(rule.core_plan(tokens, draft, target), NotingPlan)


def texts(
    rule: Any, trees: Any, text: tuple[int, ...], gamma: int, memory: Any
) -> Iterator[tuple[tuple[int, ...], float]]:
    """The first γ tokens and their probability, path by path."""
    if len(text) >= gamma:
        yield text[:gamma], 1.0
        return
    draft, target = trees
    for emitted, after, mass in block_outcomes(rule, draft, target, text, gamma, memory):
        for whole, share in texts(rule, trees, (*text, *emitted), gamma, after):
            yield whole, mass * share


@pytest.mark.parametrize(
    "rule", ["token", "block", "greedy_block", "lenience", "uncapped_ratio_at_gamma", Remembering(), KeepsEverything()]
)
def test_flows_are_the_sums_over_all_paths(rule: Any) -> None:
    """τ, drafted block and text together. The last two are unknown to the shortcuts: a subclass, and a memory of any kind."""
    rule = get(rule)
    for size, gamma in SIZES:
        draft, target = deep_trees(5, size, gamma)
        trees = LawTree("draft", draft), LawTree("target", target)
        found = flows_of(rule, *trees, block_table(rule, *trees, (), gamma))
        expected, place = np.zeros_like(found), {b: i for i, b in enumerate(np.ndindex(*(size,) * gamma))}
        for block, mass in joint_blocks(draft, gamma):
            plan = rule.core_plan(
                np.array(block), rows_along(draft, block, gamma), rows_along(target, block, gamma + 1)
            )
            for i, chance in enumerate(plan.length_law.tolist()):
                for y, share in enumerate(plan.next_law(i).tolist() if chance > 0 else []):
                    if share > 0:
                        for text, p in texts(rule, trees, (*block[:i], y), gamma, plan.memory_after(i, y)):
                            expected[i, place[block], place[text]] += mass * chance * share * p
        assert np.abs(found - expected).max() < EXACT


def joint_blocks(draft: Any, gamma: int) -> Iterator[tuple[tuple[int, ...], float]]:
    law = joint(draft, gamma)
    return ((block, float(law[block])) for block in np.ndindex(*law.shape) if law[block] > 0)


def test_a_table_asks_for_no_law_that_cannot_be_reached() -> None:
    asked: list[tuple[int, ...]] = []

    def law(prefix: tuple[int, ...]) -> list[float]:
        asked.append(prefix)
        assert 1 not in prefix, "the draft never proposes 1"
        return [0.5, 0.0, 0.5]

    table = block_table(get("block"), LawTree("draft", law), LawTree("target", law), (), 2)
    assert table.masses.tolist() == [0.25, 0, 0.25, 0, 0, 0, 0.25, 0, 0.25] and table.plans[1] is None and asked
    assert table.expected_accepted == pytest.approx(2)


def test_a_lossy_rule_needs_trees_as_deep_as_its_blocks_go() -> None:
    draft, target = random_trees(1, 2, 3, "plain")
    assert coupling("block", draft, target, 2).sum() == pytest.approx(1)
    assert coupling("threshold", draft, target, 2).sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="tree has 3 levels"):
        coupling("residual_without_weight", draft, target, 2)


def test_trees_are_passed_on_as_they_are() -> None:
    draft, target = random_trees(2, 3, 3, "plain")
    trees = LawTree("draft", draft), LawTree("target", target)
    assert np.array_equal(coupling("block", *trees, 2), coupling("block", draft, target, 2))
