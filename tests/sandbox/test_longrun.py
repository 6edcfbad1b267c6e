"""Tokens per target call, block after block: the known numbers, an evolution of its own, and what is simulated beside it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from specdemo.sandbox.answers import ANSWERS
from specdemo.sandbox.laws import trees_of
from specdemo.sandbox.longrun import LongRun, long_run_of, simulated
from specdemo.sandbox.memories import chain_of
from specdemo.verifiers import get, mistakes, names
from tests.sandbox.checks import law_of, outcomes
from tests.sandbox.states import free, laws_of, picture, random_state, two_symbols


def long_run(state: dict[str, Any], rule: str, blocks: int = 6) -> LongRun:
    return long_run_of(get(rule), trees_of(laws_of(state)), state["gamma"], blocks)


@pytest.mark.parametrize(
    ("gamma", "rule", "per_call"),
    [
        (2, "token", 2.11),
        (2, "block", 2.22),
        (2, "greedy_block", 2.1111),
        (4, "token", 2.60),
        (4, "block", 3.05),
        (4, "greedy_block", 2.6465),
    ],
)
def test_the_known_numbers(gamma: int, rule: str, per_call: float) -> None:
    found = long_run(two_symbols(gamma), rule)
    assert round(found.long_run, len(str(per_call).split(".")[1])) == per_call
    assert found.error < 1e-5 and found.exact == (found.error <= 1e-12)


def test_one_target_call_more_than_the_picture_says() -> None:
    for rule in ("token", "block", "greedy_block", "threshold"):
        state = two_symbols(3, rule, "token")
        assert long_run(state, rule).expected[0] == pytest.approx(
            picture(state)["rules"][rule]["expected"] + 1, abs=1e-12
        )


def test_greedy_block_was_never_found_to_keep_more_than_block() -> None:
    """Random worlds of two and three symbols: more in the first block, never in the long run (not proved), mostly fewer."""
    gaps = []
    for seed, (symbols, gamma) in enumerate([(2, 2), (2, 2), (2, 3), (3, 2)]):
        state = random_state(seed, symbols, gamma, "free")
        block, greedy = (long_run(state, rule, 2) for rule in ("block", "greedy_block"))
        assert greedy.expected[0] >= block.expected[0] - 1e-12
        gaps.append(block.long_run - greedy.long_run)
        assert gaps[-1] > -1e-9 - greedy.error
    assert sum(gap > 1e-3 for gap in gaps) > len(gaps) / 2


@pytest.mark.parametrize("rule", [name for name in [*names(), *mistakes.names()] if not get(name).remembers])
def test_rules_without_memory_gain_the_same_in_every_block(rule: str) -> None:
    found = long_run(random_state(4, 3, 2, "free"), rule, 4)
    assert found.exact and found.error == 0 and found.states == 1
    assert found.expected == pytest.approx([found.long_run] * 4, abs=1e-12)


def evolved(state: dict[str, Any], rule: str, blocks: int) -> list[float]:
    """E[τ + 1] block by block with every memory by itself, none merged."""
    draft, target = law_of(state, "draft"), law_of(state, "target")
    expected, open_states = [], {"None": (None, 1.0)}
    for _ in range(blocks):
        following: dict[str, tuple[Any, float]] = {}
        gained = 0.0
        for memory, mass in open_states.values():
            for _, accepted, _, after, p in outcomes(get(rule), draft, target, (), state["gamma"], memory):
                gained += mass * p * (accepted + 1)
                following[repr(after)] = after, following.get(repr(after), (None, 0.0))[1] + mass * p
        expected.append(gained)
        open_states = following
    return expected


@pytest.mark.parametrize(("size", "gamma", "blocks"), [(2, 2, 6), (2, 3, 5), (3, 2, 4), (3, 3, 3)])
def test_greedy_block_by_block(size: int, gamma: int, blocks: int) -> None:
    differs = 0
    for seed in range(3):
        state = random_state(seed, size, gamma, "free", parts=20)
        found = long_run(state, "greedy_block", blocks)
        assert found.expected == pytest.approx(evolved(state, "greedy_block", blocks), abs=max(1e-10, found.error))
        differs += abs(found.expected[0] - found.expected[1]) > 1e-3
    assert differs, "laws by which the memory does nothing prove nothing"


def test_merging_more_moves_the_long_run_by_no_more_than_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    state, exact = two_symbols(4), 2.64652578239  # by 2,500 states, up to 1e-10
    for most, least in ((10, 0.1), (40, 2e-3), (200, 1e-5)):
        monkeypatch.setattr("specdemo.sandbox.memories.MOST_STATES", most)
        rough = long_run(state, "greedy_block")
        assert rough.states == most and not rough.exact
        assert abs(rough.long_run - exact) <= rough.error < least
    found = long_run(two_symbols(2), "greedy_block")
    assert abs(found.long_run - 19 / 9) <= 1e-12 and found.exact


@pytest.mark.parametrize(
    ("draft", "target", "gamma", "most"),
    [
        (["0.025", "0.975"], ["0.971", "0.029"], 3, 4),
        (["0.79", "0.21"], ["0.323", "0.677"], 3, 10),
        (["0.873", "0.067", "0.06"], ["0.001", "0.009", "0.99"], 2, 2),
        (["0.251", "0.191", "0.558"], ["0.755", "0.221", "0.024"], 2, 4),
        (["0.665", "0.335"], ["0.459", "0.541"], 3, 4),
    ],
)  # fmt: skip
def test_merging_moves_no_block_by_more_than_the_error(
    draft: list[str], target: list[str], gamma: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers per call of chains cut to a few memories, against every memory by itself."""
    monkeypatch.setattr("specdemo.sandbox.memories.MOST_STATES", most)
    state = free(draft, target, gamma)
    found = long_run(state, "greedy_block", 5)
    off = np.abs(np.array(found.expected) - evolved(state, "greedy_block", 5))
    assert found.states == most and 1e-9 < off.max() <= found.error, (off, found.error)


def test_the_chain_is_one() -> None:
    chain = chain_of(get("greedy_block"), trees_of(laws_of(two_symbols(3))), 3)
    assert np.abs(chain.matrix.sum(axis=1) - 1).max() < 1e-12 and chain.matrix.min() >= 0
    assert chain.gained[0] == pytest.approx(1 + 50 / 27, abs=1e-12)


@pytest.mark.parametrize("rule", ["token", "block", "greedy_block"])
def test_what_is_simulated_agrees(rule: str) -> None:
    """Means of independent runs; 5 standard errors, so that a right one fails once in a million."""
    state = free(["0.6", "0.3", "0.1"], ["0.2", "0.3", "0.5"], 3)
    found = long_run(state, rule, 8)
    assert found.simulated.runs == 500 and len(found.simulated.mean) == 8
    for mean, error, expected in zip(found.simulated.mean, found.simulated.standard_error, found.expected, strict=True):
        assert abs(mean - expected) < 5 * error + found.error and 0 < error < 0.1


def test_simulations_are_reproducible() -> None:
    trees = trees_of(laws_of(two_symbols(2)))
    assert simulated(get("token"), trees, 2, 5) == simulated(get("token"), trees, 2, 5)
    assert simulated(get("token"), trees, 2, 5) != simulated(get("token"), trees, 2, 5, seed=1)


def test_disjoint_laws_gain_one_token_a_call() -> None:
    for rule in ("token", "block", "greedy_block"):
        assert long_run(free(["1", "0"], ["0", "1"], 4), rule).long_run == pytest.approx(1, abs=1e-12)


def test_equal_laws_gain_all_of_them() -> None:
    for rule in ("token", "block", "greedy_block"):
        assert long_run(free(["0.3", "0.7"], ["0.3", "0.7"], 4), rule).long_run == pytest.approx(5, abs=1e-12)


def test_the_answer() -> None:
    answer = json.loads(ANSWERS["longrun"](json.dumps({**two_symbols(2, "block", "greedy_block"), "blocks": 5})))
    assert answer["blocks"] == 5 and list(answer["rules"]) == ["block", "greedy_block"]
    for record in answer["rules"].values():
        assert set(record) == {"expected", "long_run", "exact", "error", "states", "simulated"}
        assert len(record["expected"]) == 5
    with pytest.raises(ValueError, match="without context"):
        ANSWERS["longrun"](json.dumps(random_state(0, 2, 2, "prefix")))
    for blocks in (0, 65, 2.5, "8"):
        with pytest.raises(ValueError, match="blocks"):
            ANSWERS["longrun"](json.dumps({**two_symbols(2), "blocks": blocks}))
