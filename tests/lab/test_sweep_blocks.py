"""Sums over drafted blocks, exact on small worlds: what a rule keeps, by position, up to an end of text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from specdemo.arrays import FloatArray
from specdemo.decoding.loop import Step
from specdemo.lab import sweep_blocks
from specdemo.lab.sweep_blocks import BlockSums, RunSums, decoding_rule, end_place, expected_gain
from specdemo.transport import expected_accepted
from specdemo.verifiers import get
from tests.lab.law_steps import steps
from tests.worlds import random_trees, two_symbols

RULES = ("token", "block", "greedy_block", "sampled_match", "threshold")
EXACT = 1e-12
NO_END: frozenset[int] = frozenset()


def sums(step: Step, gamma: int, eos: frozenset[int] = NO_END) -> dict[str, Any]:
    found = BlockSums("block", RULES, gamma, eos)
    found.add(step)
    return found.to_json()


def test_the_mean_over_all_blocks_is_the_exact_expectation() -> None:
    gamma = 3
    for seed, kind in enumerate(("plain", "zeros", "disjoint", "one_hot", "mixed")):
        draft, target = random_trees(seed, 3, gamma + 1, kind)
        total = dict.fromkeys(RULES, 0.0)
        for step, _, mass in steps(get("block"), draft, target, gamma):
            for rule, value in sums(step, gamma)["expected"].items():
                total[rule] += mass * value
        for rule in RULES:
            assert total[rule] == pytest.approx(1 + expected_accepted(rule, draft, target, gamma), abs=EXACT)


def by_position(gamma: int) -> dict[str, Any]:
    """The expected sums of the two-symbol example."""
    draft, target = two_symbols(gamma)
    found: dict[str, Any] = {"tv": np.zeros(gamma), "kept": {}, "reached": {}}
    for step, _, mass in steps(get("block"), draft, target, gamma):
        positions = sums(step, gamma)["positions"]
        found["tv"] = found["tv"] + mass * np.array(positions["tv"])
        for part in ("kept", "reached"):
            for rule, values in positions[part].items():
                found[part][rule] = found[part].get(rule, 0) + mass * np.array(values)
    return found


def test_positions_of_the_worked_example() -> None:
    """D = (2/3, 1/3), T = (1/3, 2/3): TV is 1/3 everywhere, the token rule keeps 2/3 at every position it reaches; E[τ] is Σ kept."""
    found = by_position(3)
    assert found["tv"] == pytest.approx([1 / 3] * 3, abs=EXACT)
    assert found["kept"]["token"] / found["reached"]["token"] == pytest.approx([2 / 3] * 3, abs=EXACT)
    assert found["kept"]["token"] == pytest.approx([2 / 3, 4 / 9, 8 / 27], abs=EXACT)
    for rule, tau in (("token", 38 / 27), ("block", 5 / 3), ("greedy_block", 50 / 27)):
        assert found["kept"][rule].sum() == pytest.approx(tau, abs=EXACT)
        assert found["reached"][rule][0] == pytest.approx(1.0, abs=EXACT)
        assert found["reached"][rule][1:] == pytest.approx(found["kept"][rule][:-1], abs=EXACT)


def one_step(tokens: list[int], uniforms: list[float]) -> Step:
    draft, target = two_symbols(len(tokens))
    step = next(
        step for step, _, _ in steps(get("token"), draft, target, len(tokens)) if step.tokens.tolist() == tokens
    )
    verdict = get("token").core_plan(step.tokens, step.draft, step.target).decide_unchecked(np.array(uniforms))
    return dataclasses.replace(step, verdict=verdict, committed=(0,) * 2)


def test_what_is_drafted_behind_an_end_of_text_is_nobodys() -> None:
    """Token rule on 0, 1, 0: min(1, r) = 1/2, 1, 1/2. The end at place 2: min(τ + 1, 2)."""
    step, ends = one_step([0, 1, 0], [0.1, 0.1, 0.1, 0.5]), frozenset([1])
    assert end_place([0, 1, 0], ends) == 2
    found = sums(step, 3, ends)
    assert found["expected"]["token"] == pytest.approx(0.5 * 1 + 0.5 * 2)
    assert sums(step, 3)["expected"]["token"] == pytest.approx(0.5 * 1 + 0.25 * 3 + 0.25 * 4)
    assert found["positions"]["count"] == [1, 1, 0], "the end of text itself is a position, what follows it is none"
    assert found["positions"]["kept"]["token"] == pytest.approx([0.5, 0.5, 0.0])
    assert found["positions"]["reached"]["token"] == pytest.approx([1.0, 0.5, 0.0])
    assert found["positions"]["tv"] == pytest.approx([1 / 3, 1 / 3, 0.0])
    run = RunSums(ends)
    run.add(step)
    assert run.to_json() == {"calls": 1, "expected": pytest.approx(1.5), "gained": 2, "shown": 2, "finish": None}
    assert step.verdict.accepted == 3, "the coins kept all three"


def test_a_shorter_block_has_fewer_positions() -> None:
    """Where the context ends the drafter proposes less than γ."""
    found = sums(one_step([0, 1], [0.9, 0.9, 0.5]), 4)
    assert found["positions"]["count"] == [1, 1, 0, 0] and found["positions"]["tv"][2:] == [0.0, 0.0]
    nothing = BlockSums("block", ["token"], 2, NO_END)
    step = one_step([0], [0.5, 0.5])
    empty = dataclasses.replace(step, tokens=step.tokens[:0], draft=step.draft[:0], target=step.target[:1])
    nothing.add(empty)
    assert nothing.to_json()["expected"] == {"token": 1.0}


def test_whose_run_the_blocks_are_taken_from() -> None:
    assert decoding_rule(("token", "block"), 1.0) == "block"
    assert decoding_rule(("exact_match", "sampled_match"), 1.0) == "sampled_match"
    assert decoding_rule(("exact_match", "sampled_match"), 0.0) == "exact_match"
    assert decoding_rule(("threshold", "typical"), 1.0) == "threshold"


def one_draw(length_law: FloatArray, end: int) -> float:
    """τ of one draw instead of its expectation."""
    return float(min(int(np.argmax(length_law.cumsum() > 0.5)) + 1, end))


def end_forgotten(length_law: FloatArray, end: int) -> float:
    return expected_gain(length_law, len(length_law))


def without_the_extra_token(length_law: FloatArray, end: int) -> float:
    return expected_gain(length_law, end) - 1


def next_position(length_law: FloatArray) -> FloatArray:
    """Positions off by one: P(τ > i)."""
    return np.append(np.cumsum(length_law[::-1])[::-1][1:], 0.0)


@pytest.mark.parametrize(
    ("name", "mutant", "test"),
    [
        ("expected_gain", one_draw, test_the_mean_over_all_blocks_is_the_exact_expectation),
        ("expected_gain", without_the_extra_token, test_the_mean_over_all_blocks_is_the_exact_expectation),
        ("expected_gain", end_forgotten, test_what_is_drafted_behind_an_end_of_text_is_nobodys),
        ("survival", next_position, test_positions_of_the_worked_example),
    ],
)
def test_mistakes_are_noticed(
    name: str, mutant: Callable[..., Any], test: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_blocks, name, mutant)
    with pytest.raises(AssertionError):
        test()
