"""What the page asks besides the picture: the optimum, the presets, and the auditor with its counterexample."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from specdemo.auditor import audit
from specdemo.auditor.trees import World
from specdemo.sandbox.answers import ANSWERS
from specdemo.sandbox.counterexample import state_of, world_state
from specdemo.sandbox.laws import trees_of
from specdemo.sandbox.longrun import long_run_of
from specdemo.sandbox.presets import presets
from specdemo.transport import closed_form_accepted
from specdemo.verifiers import get
from tests.sandbox.checks import law_of
from tests.sandbox.states import free, laws_of, model_c, picture, random_state, two_symbols


def ask(name: str, question: Any) -> Any:
    return json.loads(ANSWERS[name](json.dumps(question)))


RARE = free(["1/2", "1/2"], ["0.00001", "0.99999"], 3)


@pytest.mark.parametrize("state", [two_symbols(2), two_symbols(4), model_c(), random_state(1, 3, 3, "prefix"), RARE])
def test_the_optimum(state: dict[str, Any]) -> None:
    answer, record = ask("optimum", state), picture(state)
    coupling = np.array(answer["coupling"])
    assert np.abs(coupling.sum(axis=1) - np.array(record["draft"])).max() < 1e-9
    assert np.abs(coupling.sum(axis=0) - np.array(record["target"])).max() < 1e-9
    assert answer["cost"] == pytest.approx(record["optimum"]["cost"], abs=1e-9)
    best = closed_form_accepted("greedy_block", law_of(state, "draft"), law_of(state, "target"), state["gamma"])
    assert answer["cost"] == pytest.approx(state["gamma"] - best, abs=1e-9)
    assert "problems" in ask(
        "optimum", {**state, "draft": [[["nan"] * state["symbols"]] * len(level) for level in state["draft"]]}
    )


def test_every_preset_is_a_state_with_a_picture() -> None:
    found = ask("presets", {})
    assert [entry["name"] for entry in found] == [
        "two_symbols", "model_c", "identical", "disjoint", "near_identical", "one_hot_draft", "markov", "greedy_later", "random",
    ]  # fmt: skip
    for entry in found:
        assert set(entry) == {"name", "title", "about", "state"} and entry["about"].endswith(".")
        record = ask("sandbox", entry["state"])
        assert "problems" not in record and record["normalised"] == [], entry["name"]


def test_what_the_presets_say_is_so() -> None:
    states = {entry["name"]: entry["state"] for entry in presets()}
    assert picture(states["two_symbols"])["rules"]["block"]["expected_fraction"] == "11/9"
    assert picture(states["model_c"])["rules"]["block"]["expected"] == pytest.approx(0.86)
    same = picture({**states["identical"], "rules": ["block", "sampled_match"]})["rules"]
    assert same["block"]["expected"] == pytest.approx(2) and same["sampled_match"]["expected"] < 1
    assert np.abs(np.array(same["block"]["coupling"]) - np.diag(np.diag(same["block"]["coupling"]))).max() < 1e-15
    assert all(rule["expected"] == 0 for rule in picture(states["disjoint"])["rules"].values())
    hot = picture(states["one_hot_draft"])["rules"]
    assert np.abs(np.array(hot["token"]["coupling"]) - np.array(hot["block"]["coupling"])).max() < 1e-12
    markov = picture(states["markov"])["rules"]
    assert markov["block"]["expected"] > markov["token"]["expected"] + 0.01
    later = states["greedy_later"]
    for rule, first, long in (("greedy_block", 3.37, 2.65), ("block", 3.05, 3.05)):
        found = long_run_of(get(rule), trees_of(laws_of(later)), later["gamma"], 1)
        assert (round(found.expected[0], 2), round(found.long_run, 2)) == (first, long)


def test_random_presets_follow_their_seed_and_sizes() -> None:
    one, again, other = (ask("presets", {"seed": seed})[-1]["state"] for seed in (3, 3, 4))
    assert one == again != other
    for size, gamma, context in ((2, 4, "prefix"), (5, 3, "position"), (4, 4, "prefix")):
        state = ask("presets", {"seed": 9, "symbols": size, "gamma": gamma, "context": context})[-1]["state"]
        assert (state["symbols"], state["gamma"], state["context"]) == (size, gamma, context)
        laws_of(state)
    for question in ({"seed": -1}, {"seed": 2**53}, {"seed": 1.5}, {"symbols": 5, "gamma": 4}):
        with pytest.raises(ValueError, match=r"seed|blocks"):
            ask("presets", question)


@pytest.mark.parametrize(
    ("rule", "world"),
    [
        ("correction_from_target", "two_symbols V=2 γ=1 #0"),
        ("residual_without_weight", "model_c V=3 γ=2 #0"),
        ("bonus_from_wrong_row", "plain V=2 γ=2 #0"),
        ("greedy_without_continuation", "two_symbols V=2 γ=2 #0"),
        ("lenience", "two_symbols V=2 γ=1 #0"),
    ],
)
def test_a_counterexample_as_a_state_shows_the_mistake(rule: str, world: str) -> None:
    answer = ask("audit", {"rule": rule})
    assert answer["report"]["lossless"] is False and answer["report"]["subject"] and answer["text"]
    assert answer["world"] == world
    assert next(line for line in answer["report"]["worlds"] if line["name"] == world)["lossless"] is False
    said = ask("sandbox", answer["state"])["rules"]
    right, wrong = answer["state"]["rules"]
    assert wrong == rule and max(said[rule]["tv"], said[rule]["bonus_tv"]) > 1e-3
    assert max(said[right]["tv"], said[right]["bonus_tv"]) < 1e-12
    worst, blocks = said[rule]["worst"], ask("sandbox", answer["state"])["blocks"]
    assert answer["cell"] == (worst and [blocks[worst["row"]], blocks[worst["column"]]])
    assert (answer["cell"] is None) == (said[rule]["tv"] < 1e-12)


def test_a_lossless_rule_has_no_counterexample() -> None:
    answer = ask("audit", {"rule": "token"})
    assert answer["report"]["lossless"] and answer["state"] is None and answer["world"] is None
    # Asked again it is the same text: an audit is made once.
    assert ANSWERS["audit"]('{"rule": "token"}') is ANSWERS["audit"]('{"rule":"token"}')
    for question in ({}, {"rule": "nosuch"}, {"rule": 1}, {"rule": "token", "budget": "thorough"}):
        with pytest.raises(ValueError, match=r"rule|budget"):
            ask("audit", question)


def test_a_mistake_that_no_law_shows_has_no_state() -> None:
    """Accepting with ≤ is wrong for uniforms of probability 0 only."""
    rule = get("accepts_on_equal_in_token")
    report = audit(rule, budget="quick")
    assert not report.lossless and state_of(report, rule) is None


def test_worlds_become_states_with_their_own_laws() -> None:
    for world in (
        World("plain", 3, (2,), 1),
        World("ties", 2, (3,), 0),
        World("two_symbols", 2, (4,)),
        World("model_c", 3, (2,)),
    ):
        state = world_state(world, get("threshold"))
        assert state is not None and state["rules"] == ["token", "threshold"]
        assert state["context"] == {"two_symbols": "free", "model_c": "position"}.get(world.kind, "prefix")
        for prefix in [(), (1,), (0,), (1, 0)][: 1 if world.gamma == 1 else 3 if world.gamma == 2 else 4]:
            assert law_of(state, "draft")(prefix) == pytest.approx(world.draft(prefix).tolist(), abs=1e-15)
            assert law_of(state, "target")(prefix) == pytest.approx(world.target(prefix).tolist(), abs=1e-15)
    for world in (
        World("plain", 3, (0,)),
        World("plain", 6, (1,)),
        World("plain", 2, (5,)),
        World("plain", 2, (2, 1)),
        World("plain", 1, (2,)),
    ):
        assert world_state(world, get("threshold")) is None
