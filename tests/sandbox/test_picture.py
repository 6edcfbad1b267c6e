"""The picture record: the numbers that are known, and every rule and mistake against an enumeration of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdemo.transport import accepted_mass, closed_form_accepted, coupling, expected_accepted, output_law
from specdemo.verifiers import get, mistakes, names
from specdemo.verifiers.mistakes import Mistake
from tests.sandbox.checks import EXACT, assert_right, law_of
from tests.sandbox.states import free, model_c, picture, random_state, two_symbols

EVERY = [*names(), *mistakes.names()]
LOSSLESS = [name for name in names() if get(name).lossless == "always"]
RULES_OF_MASS = ("token", "block", "greedy_block")
FRACTIONS = {
    1: {"token": "2/3", "block": "2/3", "greedy_block": "2/3"},
    2: {"token": "10/9", "block": "11/9", "greedy_block": "4/3"},
    3: {"token": "38/27", "block": "5/3", "greedy_block": "50/27"},
}
NINTHS = {
    "token": [[1, 1, 2 / 3, 4 / 3], [0, 1, 1 / 3, 2 / 3], [0, 0, 1, 1], [0, 0, 0, 1]],
    "block": [[1, 0, 1, 2], [0, 2, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]],
    "greedy_block": [[1, 0, 0, 3], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]],
}


@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("rule", RULES_OF_MASS)
def test_the_papers_fractions(rule: str, gamma: int) -> None:
    record = picture(two_symbols(gamma, rule, "sampled_match"))
    assert record["rules"][rule]["expected_fraction"] == FRACTIONS[gamma][rule]
    assert record["rules"][rule]["expected"] == pytest.approx(float(Fraction(FRACTIONS[gamma][rule])), abs=EXACT)


def test_costs_and_gaps_of_the_paper() -> None:
    record = picture(two_symbols(2, "token", "block"))
    assert record["optimum"]["cost_fraction"] == "2/3"
    token, block = record["rules"]["token"], record["rules"]["block"]
    assert (token["cost_fraction"], token["gap_fraction"]) == ("8/9", "2/9")
    assert (block["cost_fraction"], block["gap_fraction"]) == ("7/9", "1/9")
    assert picture(two_symbols(2, "greedy_block", "block"))["rules"]["greedy_block"]["gap_fraction"] == "0"


@pytest.mark.parametrize("rule", NINTHS)
def test_couplings_in_ninths(rule: str) -> None:
    record = picture(two_symbols(2, rule, rule))
    assert np.abs(np.array(record["rules"][rule]["coupling"]) * 9 - np.array(NINTHS[rule])).max() < EXACT


def test_model_c() -> None:
    first, second = picture(model_c("token", "block")), picture(model_c("greedy_block", "sampled_match"))
    found = {rule: record["expected"] for rule, record in {**first["rules"], **second["rules"]}.items()}
    assert found == pytest.approx({"token": 0.75, "block": 0.86, "greedy_block": 0.91, "sampled_match": 0.425})
    assert second["rules"]["sampled_match"]["expected_fraction"] == "17/40"


STATES = [
    random_state(seed, size, gamma, context)
    for size, gamma in ((2, 2), (3, 2), (2, 3))
    for context in ("free", "position", "prefix")
    for seed in range(2)
]


@pytest.mark.parametrize("rule", EVERY)
def test_every_rule_and_mistake(rule: str) -> None:
    """Every number from its definition; whole γ-token blocks to the end, no place or continuation shared."""
    for state in STATES if rule in ("token", "block", "greedy_block") else STATES[::3]:
        given = {**state, "rules": ["token", rule]}
        assert_right(given, picture(given))


@pytest.mark.parametrize("rule", EVERY)
def test_the_same_numbers_as_the_library(rule: str) -> None:
    for state in (random_state(7, 3, 2, "prefix", rule, "token"), random_state(8, 2, 3, "position", rule, "token")):
        gamma, record = state["gamma"], picture(state)["rules"][rule]
        trees = law_of(state, "draft"), law_of(state, "target")
        assert np.abs(np.array(record["coupling"]) - coupling(rule, *trees, gamma)).max() < EXACT
        assert np.abs(np.array(record["output"]) - output_law(rule, *trees, gamma, gamma).ravel()).max() < EXACT
        assert record["expected"] == pytest.approx(expected_accepted(rule, *trees, gamma), abs=EXACT)


@pytest.mark.parametrize("size_and_gamma", [(2, 4), (3, 3), (5, 2)])
@pytest.mark.parametrize("rule", RULES_OF_MASS)
def test_accepted_mass_by_the_closed_forms(rule: str, size_and_gamma: tuple[int, int]) -> None:
    state = random_state(3, *size_and_gamma, "prefix", rule, "token", parts=30)
    trees = law_of(state, "draft"), law_of(state, "target")
    record, nodes = picture(state), accepted_mass(*trees, state["gamma"])
    for prefix, node in nodes.items():
        word = "".join("ABCDE"[x] for x in prefix)
        assert record["rules"][rule]["nodes"][word]["accepted"] == pytest.approx(node.accepted[rule], abs=EXACT)
        assert record["tree"][word]["target"] == pytest.approx(node.target_mass, abs=EXACT)
    expected = closed_form_accepted(rule, *trees, state["gamma"])
    assert record["rules"][rule]["expected"] == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("rule", LOSSLESS)
@pytest.mark.parametrize("size_and_gamma", [(3, 4), (4, 4), (5, 3), (2, 4)])
def test_lossless_rules_output_the_target_on_the_largest_states(rule: str, size_and_gamma: tuple[int, int]) -> None:
    record = picture(random_state(5, *size_and_gamma, "prefix", rule, "block", parts=40))
    said = record["rules"][rule]
    assert said["tv"] < EXACT and said["bonus_tv"] < EXACT and said["worst"] is None
    assert np.abs(np.array(said["coupling"]).sum(axis=1) - np.array(record["draft"])).max() < EXACT
    for word, node in said["nodes"].items():
        assert node["accepted"] + node["corrected"] + node["continued"] == pytest.approx(node["emitted"], abs=EXACT)
        assert node["emitted"] == pytest.approx(record["tree"][word]["target"], abs=EXACT)


def test_greedy_block_attains_the_optimum() -> None:
    for seed in range(6):
        record = picture(random_state(seed, 3, 3, "prefix", "greedy_block", "block"))
        assert record["rules"]["greedy_block"]["gap"] == pytest.approx(0, abs=EXACT)
        assert record["rules"]["block"]["gap"] > -EXACT


def test_where_the_mass_goes_wrong() -> None:
    """The cell that differs most from the right rule's coupling, with its sign."""
    for name in ("correction_from_target", "greedy_without_continuation", "threshold"):
        rule = get(name)
        right = rule.right.name if isinstance(rule, Mistake) else "token"
        state = two_symbols(2, name, right)
        record = picture(state)
        difference = np.array(record["rules"][name]["coupling"]) - np.array(record["rules"][right]["coupling"])
        worst = record["rules"][name]["worst"]
        assert worst["excess"] == pytest.approx(difference[worst["row"], worst["column"]], abs=EXACT)
        assert (
            abs(worst["excess"]) == pytest.approx(np.abs(difference).max(), abs=EXACT) and abs(worst["excess"]) > 0.05
        )
        assert worst["against"] == right
        assert worst["right"] == record["rules"][right]["coupling"][worst["row"]][worst["column"]]
        assert record["rules"][name]["goes_wrong"] and record["rules"][name]["tv"] > 0.05


def test_a_wrong_bonus_shows_only_after_the_block() -> None:
    state = random_state(2, 3, 2, "prefix", "bonus_from_wrong_row", "block", parts=20)
    said = picture(state)["rules"]["bonus_from_wrong_row"]
    assert said["tv"] < EXACT and said["bonus_tv"] > 0.01


def test_the_worst_cell_is_measured_against_the_mistake_s_right_rule_whatever_is_shown() -> None:
    worst = picture(model_c("token", "residual_without_weight"))["rules"]["residual_without_weight"]["worst"]
    block = picture(model_c("token", "block"))["rules"]["block"]["coupling"]
    assert worst["against"] == "block" and worst["right"] == block[worst["row"]][worst["column"]]


def test_every_lossy_rule_says_what_goes_wrong() -> None:
    for name in EVERY:
        said = picture(two_symbols(1, name, "token"))["rules"][name]
        assert (said["goes_wrong"] is None) == (get(name).lossless == "always"), name
        assert said["mistake"] == (name in mistakes.names())


def test_the_mistakes_that_no_law_can_show_say_so() -> None:
    found = {name for name in EVERY if picture(two_symbols(1, name, "token"))["rules"][name]["unseen"]}
    assert found == {"accepts_on_equal", "accepts_on_equal_in_token"}
    for seed in range(3):
        for name in found:
            said = picture(random_state(seed, 2, 2, "prefix", name, "token"))["rules"][name]
            assert said["tv"] < EXACT and said["bonus_tv"] < EXACT


EDGES: list[dict[str, Any]] = [
    free(["1", "0"], ["0", "1"], 3, "greedy_block", "block"),
    free(["0.5", "0.3", "0.2"], ["0.5", "0.3", "0.2"], 2, "greedy_block", "block"),
    free(["0", "1", "0"], ["0.5", "0.3", "0.2"], 3, "soft_law_for_argmax_drafter", "block"),
    free(["1e-30", "1"], ["1", "1e-30"], 2, "greedy_block", "token"),
    free(["1e-12", "0.999999999999"], ["0.999999999999", "1e-12"], 3, "block", "greedy_block"),
]


@pytest.mark.parametrize("state", EDGES, ids=["disjoint", "equal", "one_hot", "tiny", "steep"])
def test_the_edges(state: dict[str, Any]) -> None:
    if state["draft"][0][0][0] == "1e-30":
        # Sums miss 1 by 1e-30: divided by them, which no float sees.
        assert len(picture(state)["normalised"]) == 2
    assert_right(state, picture(state))
