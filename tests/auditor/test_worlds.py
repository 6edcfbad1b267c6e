"""The worlds made by hand show, whatever the seed, what random ones show by luck: cut residuals, and coins that matter late in a block."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from specdemo.arrays import FloatArray
from specdemo.auditor import audit
from specdemo.auditor.feeding import Feed
from specdemo.auditor.run import BUDGETS
from specdemo.auditor.subjects import FunctionSubject
from specdemo.auditor.texts import result_of
from specdemo.auditor.trees import World, sampled_worlds, worlds
from tests.auditor.foreign import block_law, block_rule, pick, token_law, token_rule
from tests.auditor.test_docs import DOCUMENT

Verify = Callable[[Any, Any, Any, Any], tuple[int, Any]]
BY_HAND = [World("wide_residual", 4, (1,)), World("wide_residual", 4, (2,)), World("few_drafts", 3, (3,))]


def cut(rule: Verify, change: Callable[[FloatArray], FloatArray]) -> Verify:
    """The rule with its residual changed; what follows a block that is kept whole stays right."""

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        kept, law = rule(tokens, draft, target, uniforms)
        if kept < len(tokens):
            law = change(np.array(law))
            law = law / law.sum()
        return kept, pick(law, uniforms[-1])

    return verify


def two_largest(law: FloatArray) -> FloatArray:
    law[np.argsort(law)[:-2]] = 0.0
    return law


def argmax_of_three(law: FloatArray) -> FloatArray:
    return np.asarray(np.arange(len(law)) == law.argmax(), np.float64) if (law > 0).sum() >= 3 else law


def uniform_on_three(law: FloatArray) -> FloatArray:
    return np.asarray(law > 0, np.float64) if (law > 0).sum() >= 3 else law


def coin_again(rule: Verify, earlier: int, later: int, gamma: int = 0) -> Verify:
    """A coin of blocks of γ tokens (and more: γ = 0) is an earlier one once more."""

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        coins = np.array(uniforms)
        if len(tokens) > later and gamma in (0, len(tokens)):
            coins[later] = coins[earlier]
        return rule(tokens, draft, target, coins)

    return verify


def weight_forgotten_from(place: int, longest: int = 0) -> Verify:
    """The block rule whose residual has no weight after `place` kept tokens and more, in blocks that are longer than `longest`."""

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        kept, law = block_law(tokens, draft, target, uniforms)
        if place <= kept < len(tokens) and len(tokens) > longest:
            plain = np.maximum(target[kept] - draft[kept], 0)
            law = plain / plain.sum() if plain.sum() > 0 else target[kept]
        return kept, pick(law, uniforms[-1])

    return verify


MISTAKES: dict[str, Verify] = {
    **{
        f"{rule.__name__}, residual cut: {change.__name__}": cut(rule, change)
        for rule in (token_law, block_law)
        for change in (two_largest, argmax_of_three, uniform_on_three)
    },
    **{
        f"{rule.__name__}, coin {later} is coin {earlier}": coin_again(rule, earlier, later, 3)
        for rule in (token_rule, block_rule)
        for earlier, later in combinations(range(3), 2)
    },
    "no weight after two kept": weight_forgotten_from(2),
    "no weight in blocks of three": weight_forgotten_from(1, longest=2),
}


def deviation(verify: Verify, world: World) -> float:
    subject = FunctionSubject(verify, "verify", Feed(), "plain")
    return result_of(subject, world, np.random.default_rng(0), 2).deviation


@pytest.mark.parametrize("name", MISTAKES)
def test_worlds_made_by_hand_show_it(name: str) -> None:
    assert max(deviation(MISTAKES[name], world) for world in BY_HAND) > 3e-3


@pytest.mark.parametrize("rule", [token_rule, block_rule])
def test_right_rules_are_right_there(rule: Verify) -> None:
    assert max(deviation(rule, world) for world in BY_HAND) < 1e-12


def test_every_seed_tries_them() -> None:
    for seed in range(10):
        for budget in BUDGETS:
            tried = worlds(budget, Feed(), seed)
            for world in BY_HAND:
                same = [
                    w for w in tried if (w.kind, w.vocab_size, w.gammas) == (world.kind, world.vocab_size, world.gammas)
                ]
                assert len(same) == 1
                for prefix in ((), (0,), (2, 0)):
                    assert np.array_equal(same[0].draft(prefix), world.draft(prefix))
                    assert np.array_equal(same[0].target(prefix), world.target(prefix))
        assert "wide_residual" in {world.kind for world in worlds("quick", Feed(), seed, remembers=True)}
        assert "wide_residual" in {world.kind for world in sampled_worlds("quick", Feed(), seed)}


def test_the_residual_is_wide() -> None:
    world = BY_HAND[1]
    for prefix in ((), (0,)):
        residual = np.maximum(world.target(prefix) - world.draft(prefix), 0)
        assert len(set(np.round(residual[residual > 0], 12))) == 3


def test_blocks_of_four_on_three_symbols_are_tried_thoroughly() -> None:
    tried = [w for w in worlds("thorough", Feed()) if (w.gamma, w.vocab_size, w.kind) == (4, 3, "few_drafts")]
    assert deviation(weight_forgotten_from(1, longest=3), tried[0]) > 3e-3
    assert deviation(weight_forgotten_from(3), tried[0]) > 3e-3
    assert deviation(block_rule, tried[0]) < 1e-12


ROWS = {
    "`quick`": [worlds("quick", Feed())],
    "`thorough`": [worlds("thorough", Feed())],
    "with memory, `quick` and `thorough`": [worlds(budget, Feed(), remembers=True) for budget in BUDGETS],
    "sampled, `quick`": [sampled_worlds("quick", Feed())],
    "sampled, `thorough`": [sampled_worlds("thorough", Feed())],
}


@pytest.mark.parametrize("row", ROWS)
def test_the_document_says_what_is_covered(row: str) -> None:
    (line,) = re.findall(rf"^\| {re.escape(row)} \|(.*)\|$", DOCUMENT, flags=re.MULTILINE)
    said = [{int(size) for size in cell.split(",") if size.strip()} for cell in line.split("|")]
    for tried in ROWS[row]:
        assert said == [{world.vocab_size for world in tried if world.gamma == gamma} for gamma in range(5)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", [
    "token_law, residual cut: two_largest", "token_law, residual cut: argmax_of_three", "block_rule, coin 2 is coin 0",
])  # fmt: skip
def test_the_default_budget_finds_it_with_any_seed(name: str, seed: int) -> None:
    assert not audit(MISTAKES[name], seed=seed).lossless
