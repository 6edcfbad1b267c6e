"""The tour's questions: the answer that the browser computes is the library's, on many states; a wrong one is told from a right one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from specdemo import transport, verifiers
from specdemo.lab.statistics import predicted_speedup
from tests.viewer import make_trace, sandbox_records
from tests.viewer.javascript import call
from tests.viewer.learn_answers import MISTAKE, sandbox_answer

pytestmark = pytest.mark.browser

MODULE = "../../tests/viewer/learn_questions.js"
SEEDS = list(range(24))
Record = dict[str, Any]


@pytest.fixture(scope="module")
def run() -> Record:
    return make_trace.make_run("Once upon a time there was", gamma=4, max_new_tokens=60, seed=3)


def laws(run: Record, block: Record) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tokens, draft laws and target laws of a made-up block, in full."""
    ids = list(run["prompt"]["ids"])
    for earlier in run["blocks"][: block["index"]]:
        ids += earlier["committed"]
    tokens = block["paths"][0]["tokens"]
    pairs = [make_trace.logits(ids + tokens[:i]) for i in range(len(tokens) + 1)]
    draft, target = ([make_trace.law(pair[side], run["settings"]) for pair in pairs] for side in (0, 1))
    return np.array(tokens), np.array(draft[:-1]), np.array(target)


def library(name: str, run: Record, index: int, given: Record) -> float:
    block = run["blocks"][index]
    tokens, draft, target = laws(run, block)
    plan = verifiers.get("block" if name in ("gain", "kept") else "token").plan(tokens, draft, target)
    if name in ("gain", "kept"):
        kept = plan.decide(np.array(block["uniforms"]["verify"])).accepted
        return float(kept + (name == "gain"))
    if name == "ratio":
        assert plan.accept_prob is not None
        return float(plan.accept_prob[given["row"]])
    if name == "bonus":
        return float(plan.length_law[-1])
    assert name == "next_law"
    out = transport.output_law("token", lambda _: draft[0], lambda _: target[0], 1, 1)
    return float(out[given["token"]])


@pytest.mark.parametrize(
    ("name", "rule"),
    [("gain", "block"), ("next_law", "token"), ("ratio", "token"), ("bonus", "token"), ("kept", "block")],
)
def test_questions_of_a_run(request: pytest.FixtureRequest, run: Record, name: str, rule: str) -> None:
    payload = {"name": name, "trace": run, "rule": rule, "seeds": SEEDS}
    found = call(request, MODULE, "return m.askOfTrace(payload);", payload)
    asked = [one for one in found if one["asked"]]
    assert len(asked) > len(SEEDS) // 2 and len({one["block"] for one in asked}) > 2
    for one in asked:
        answer = one["asked"]["answer"]
        assert answer == pytest.approx(library(name, run, one["block"], one["asked"]["given"]), abs=1e-7)
        for slip in one["asked"]["slips"]:
            assert abs(slip["value"] - answer) > one["asked"]["tolerance"]
    assert len({round(one["asked"]["answer"], 6) for one in asked}) > 1


def test_another_block_has_another_answer(request: pytest.FixtureRequest, run: Record) -> None:
    """A good draft's blocks are mostly kept whole: drawn at random, the same answer would come again and again."""
    payload = {"name": "kept", "trace": run, "rule": "block", "seeds": SEEDS}
    found = call(request, MODULE, "return m.askOfTrace(payload);", payload)
    for seed, one in zip(SEEDS, found, strict=True):
        now = run["blocks"][seed % len(run["blocks"])]["verdicts"]["block"]["accepted"]
        assert one["asked"] and one["asked"]["answer"] != now


def test_the_speed_up_of_a_run(request: pytest.FixtureRequest, run: Record) -> None:
    payload = {"name": "speedup", "trace": run, "rule": "block", "seeds": [0]}
    (found,) = call(request, MODULE, "return m.askOfTrace(payload);", payload)
    steps = [ms for block in run["blocks"] for ms in block["timings"]["draft_steps"]]
    cost = np.mean(steps) / np.mean([block["timings"]["target"] for block in run["blocks"]])
    gain = np.mean(
        [verifiers.get("block").plan(*laws(run, block)).length_law @ np.arange(5) for block in run["blocks"]]
    )
    assert found["asked"]["answer"] == pytest.approx(predicted_speedup(float(gain) + 1, 4, float(cost), 1), abs=1e-7)


@pytest.mark.parametrize("name", ["correction", "acceptance", "cell", "surplus", "long_run"])
def test_questions_of_a_sandbox_state(request: pytest.FixtureRequest, name: str) -> None:
    first = {
        "correction": (3, 1, ("token", MISTAKE)),
        "acceptance": (3, 1, ("token", "sampled_match")),
        "cell": (2, 2, ("token", "block")),
        "surplus": (3, 1, ("token", MISTAKE)),
        "long_run": (2, 3, ("block", "greedy_block")),
    }[name]
    symbols, gamma, rules = first
    state = sandbox_records.random_state(symbols, gamma, "free", *rules, seed=1)
    seeds = list(range(3 if name == "long_run" else 8))
    drawn = {"name": name, "seeds": seeds, "state": state}
    states = call(request, MODULE, "return m.drawStates(payload);", drawn)
    longruns = [
        sandbox_records.answered("longrun", {**state, "blocks": 12}) if name == "long_run" else None for state in states
    ]
    payloads = [
        {"name": name, "seed": seed, "picture": sandbox_records.answered("sandbox", state), "longrun": longrun}
        for seed, state, longrun in zip(seeds, states, longruns, strict=True)
    ]
    found = call(request, MODULE, "return m.askOfSandboxes(payload);", payloads)
    for asked, state, longrun in zip(found, states, longruns, strict=True):
        assert asked["answer"] == pytest.approx(sandbox_answer(name, state, asked["given"], longrun), abs=1e-7)
        for slip in asked["slips"]:
            assert abs(slip["value"] - asked["answer"]) > asked["tolerance"]
        if longrun:  # what the chapter says of every state that it draws
            block, greedy = (longrun["rules"][rule] for rule in rules)
            assert greedy["expected"][0] > block["expected"][0] and greedy["long_run"] < block["long_run"]
    assert len({round(asked["answer"], 6) for asked in found}) > 1


def test_a_state_without_an_answer_asks_nothing(request: pytest.FixtureRequest) -> None:
    same = [[["0.5", "0.5"]]]
    state = sandbox_records.state_of(same, same, 1, "free", ("token", MISTAKE))
    picture = sandbox_records.answered("sandbox", state)
    asked = [{"name": name, "seed": 0, "picture": picture, "longrun": None} for name in ("correction", "surplus")]
    assert call(request, MODULE, "return m.askOfSandboxes(payload);", asked) == [None, None]


def test_typed_numbers(request: pytest.FixtureRequest) -> None:
    typed = ["0.25", "1/4", " 25 % ", "0,25", ".25", "2/9", "−0.5", "", "abc", "1/0", "0x10", "1/2/3", "1e-1", "０．２５", "１／４"]
    found = call(request, MODULE, "return m.numbersOf(payload);", typed)
    assert found[:5] == [0.25] * 5 and found[5] == pytest.approx(2 / 9) and found[6] == -0.5
    assert found[7:12] == [None] * 5 and found[12:] == [0.1, 0.25, 0.25]


def test_an_answer_is_judged_by_its_tolerance_and_a_slip_by_its_number(request: pytest.FixtureRequest) -> None:
    asked = {
        "answer": 0.25,
        "tolerance": 0.005,
        "right": "yes",
        "wrong": "no",
        "slips": [{"value": 0.4, "words": "slip"}],
    }
    count = {"answer": 3, "tolerance": 0, "right": "yes", "wrong": "no"}
    cases = [
        (asked, 0.255, "yes"),
        (asked, 0.256, "no"),
        (asked, 0.398, "slip"),
        (asked, 0.245, "yes"),
        (count, 3, "yes"),
        (count, 3.1, "no"),
    ]
    found = call(request, MODULE, "return m.judged(payload);", [[one, typed] for one, typed, _ in cases])
    assert found == [{"right": words == "yes", "words": words} for _, _, words in cases]
