"""The race on tiny models: every lane is the run that the loop makes alone, and events and record say the same."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

from specdemo.decoding import decode_run, speculative_decode
from specdemo.decoding.loop import BlockLoop, Step
from specdemo.decoding.static_forward import StaticForward
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.race import race, whole_race
from specdemo.lab.race_lanes import Lane
from specdemo.pairs import Pair
from tests.decoding.graphs import Counting, recording, stay_on_device
from tests.lab.raced import PROMPTS, RULES, SETTINGS, stopped_after, the_pair, the_race
from tests.tiny import tiny_pair

GAINED, SHOWN, GAMMA, EXPECTED = range(4)


@pytest.fixture(scope="module")
def pair() -> Pair:
    return the_pair()


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return the_race()


def trace_of(pair: Pair, run: dict[str, Any], rule: str) -> dict[str, Any]:
    """The same run, decoded alone."""
    settings = {**SETTINGS, "seed": run["seed"], "stream": run["prompt"], "rules": []}
    settings |= {"gamma": 0, "verifier": "token"} if rule == "plain" else {"verifier": rule}
    return decode_run(pair, PROMPTS[run["prompt"]], **settings)


def test_every_lane_is_the_run_decoded_alone(pair: Pair, record: dict[str, Any]) -> None:
    assert [(run["prompt"], run["seed"]) for run in record["runs"]] == [(0, 7), (1, 7), (0, 8), (1, 8)]
    remembered = 0
    for run in record["runs"]:
        for rule in ["plain", *RULES]:
            trace, lane = trace_of(pair, run, rule), run["lanes"][rule]
            assert [call[:3] for call in lane["calls"]] == [
                [block["gained"], block["shown_tokens"], block["gamma"]] for block in trace["blocks"]
            ]
            for call, block in zip(lane["calls"], trace["blocks"], strict=True):
                assert call[EXPECTED] == pytest.approx(
                    1 + block["verdicts"][block["verifier"]]["expected_accepted"], abs=1e-9
                )
                remembered += block["memory"] is not None
            assert lane["finish"] == trace["finish"] and lane["finish"] is not None
            if run is record["runs"][0]:
                assert lane["ids"] == [i for block in trace["blocks"] for i in block["committed"]]
            else:
                assert lane["ids"] is None
    assert remembered > 3, "greedy_block never had to remember anything: the test asks nothing of the lane's memory"


def test_the_first_run_is_what_speculative_decode_returns(pair: Pair, record: dict[str, Any]) -> None:
    ids = torch.tensor([pair.encode(PROMPTS[0]).ids])
    for rule in ["plain", *RULES]:
        found = speculative_decode(
            pair.draft_model, pair.target_model, ids, 0 if rule == "plain" else SETTINGS["gamma"], verifier="token" if rule == "plain" else rule,
            temperature=0.8, top_k=100, max_new_tokens=16, uniforms=PhiloxUniforms(7, 0),
        )  # fmt: skip
        assert record["runs"][0]["lanes"][rule]["ids"] == found[0, ids.shape[1] :].tolist()


def test_the_record(record: dict[str, Any], pair: Pair) -> None:
    assert record["schema"] == "specdemo.race/1" and record["planned"] == len(record["runs"]) == 4
    assert record["settings"] == {**SETTINGS, "top_p": 1.0, "seeds": 2, "prompt_set": "cats", "prompt_mode": "text"}
    assert record["rules"] == ["plain", *RULES]
    assert record["lossless"] == dict(zip(RULES, ["always", "always", "always", "never"], strict=True))
    assert record["prompts"] == [
        {"text": text, "tokens": len(pair.encode(text).ids), "notice": None} for text in PROMPTS
    ]
    assert record["pair"]["name"] == "tiny" and "numpy" in record["versions"] and record["created"].endswith("+00:00")
    shown = {i for lane in record["runs"][0]["lanes"].values() for i in lane["ids"]}
    assert record["pieces"] == {str(i): pair.pieces(i) for i in shown}
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    for run in record["runs"]:
        for lane in run["lanes"].values():
            for call in lane["calls"]:
                assert len(call) == len(record["columns"]) == 8
                assert 1 <= call[SHOWN] <= call[GAINED] <= call[GAMMA] + 1 and 1 <= call[EXPECTED] <= call[GAMMA] + 1
                assert min(call[4:]) >= 0 and sum(call[4:]) > 0
            assert sum(call[SHOWN] for call in lane["calls"]) == 16 or lane["finish"] == "eos"


def test_nothing_is_rounded_or_lost_on_the_way_to_the_summary(record: dict[str, Any]) -> None:
    figures = record["summary"]["rules"]
    for rule in record["rules"]:
        calls = [call for run in record["runs"] for call in run["lanes"][rule]["calls"]]
        assert figures[rule]["calls"] == len(calls) and figures[rule]["gained"] == sum(c[GAINED] for c in calls)
        assert figures[rule]["observed"] == pytest.approx(np.mean([c[GAINED] for c in calls]))
        assert figures[rule]["efficiency"]["mean"] == pytest.approx(np.mean([c[EXPECTED] for c in calls]), abs=1e-12)
        seconds = sum(sum(c[4:]) for c in calls) / 1e3
        assert figures[rule]["tokens_per_second"] == pytest.approx(sum(c[SHOWN] for c in calls) / seconds)
    assert figures["plain"]["efficiency"] == {"mean": 1.0, "standard_error": 0.0, "low": 1.0, "high": 1.0}
    assert record["summary"]["groups"] == "prompt" and record["summary"]["group_count"] == 2


def test_the_first_block_is_the_same_for_all(record: dict[str, Any], pair: Pair) -> None:
    """The difference on block 0 is the difference of two verdicts of one trace, memory or not."""
    found: dict[str, list[float]] = {rule: [] for rule in RULES}
    for run in record["runs"]:
        trace = decode_run(
            pair, PROMPTS[run["prompt"]], **{**SETTINGS, "seed": run["seed"], "max_new_tokens": 1}, stream=run["prompt"], rules=RULES
        )  # fmt: skip
        verdicts = trace["blocks"][0]["verdicts"]
        for rule in RULES:
            found[rule].append(verdicts[rule]["expected_accepted"] - verdicts["token"]["expected_accepted"])
    for rule in RULES[1:]:
        assert record["summary"]["rules"][rule]["first_block"]["mean"] == pytest.approx(np.mean(found[rule]), abs=1e-9)
        assert any(abs(value) > 1e-3 for value in found[rule])


def test_costs_are_medians_of_single_calls(record: dict[str, Any], pair: Pair) -> None:
    costs = record["costs"]
    later = [
        call
        for run in record["runs"]
        for rule in RULES
        for call in run["lanes"][rule]["calls"][1:]
        if call[GAMMA] == SETTINGS["gamma"]
    ]
    plain = [call for run in record["runs"] for call in run["lanes"]["plain"]["calls"][1:]]
    target = record["columns"].index("target_ms")
    assert costs["target_call_ms"] == pytest.approx(np.median([call[target] for call in later]), abs=1e-4)
    assert costs["target_step_ms"] == pytest.approx(np.median([call[target] for call in plain]), abs=1e-4)
    assert costs["c"] == costs["draft_step_ms"] / costs["target_step_ms"] and costs["c"] > 0
    assert costs["v"] == costs["target_call_ms"] / costs["target_step_ms"]
    assert whole_race(race(pair, ["the cat"], ["token"], max_new_tokens=1))["costs"] is None, "only first calls"


def test_what_is_gained_counts_before_the_end_cuts(pair: Pair) -> None:
    """A draft that is the target itself: every block gains γ + 1 tokens, and of the last the limit leaves one."""
    twins = dataclasses.replace(pair, draft_model=pair.target_model, eos_token_ids=frozenset())
    found = whole_race(race(twins, PROMPTS[:1], ["token", "block"], **SETTINGS))
    for rule in ("token", "block"):
        calls = found["runs"][0]["lanes"][rule]["calls"]
        assert [call[:3] for call in calls] == [[5, 5, 4]] * 3 + [[5, 1, 4]]
        figures = found["summary"]["rules"][rule]
        assert (figures["gained"], figures["observed"]) == (20, 5.0)
        assert figures["efficiency"]["mean"] == pytest.approx(5.0, abs=1e-9)
        assert figures["tokens_per_second"] == pytest.approx(16e3 / sum(sum(call[4:]) for call in calls))


def test_an_end_of_text_ends_its_lane_only() -> None:
    """What is gained counts before the end cuts, what is shown after it; the other lanes go on."""
    free = whole_race(race(tiny_pair(eos=None), PROMPTS[:1], ["token", "block"], **SETTINGS))["runs"][0]["lanes"]
    end = next(i for i in free["block"]["ids"][3:] if i not in free["token"]["ids"])
    ending = tiny_pair(eos=end)
    lanes = whole_race(race(ending, PROMPTS[:1], ["token", "block"], **SETTINGS))["runs"][0]["lanes"]
    assert lanes["block"]["finish"] == "eos" and lanes["block"]["ids"][-1] == end
    assert lanes["block"]["ids"] == free["block"]["ids"][: free["block"]["ids"].index(end) + 1]
    assert lanes["token"]["ids"] == free["token"]["ids"] and lanes["token"]["finish"] == "length"
    calls = len(lanes["block"]["calls"])
    assert [c[GAINED] for c in lanes["block"]["calls"]] == [c[GAINED] for c in free["block"]["calls"][:calls]]
    assert sum(c[SHOWN] for c in lanes["block"]["calls"]) == len(lanes["block"]["ids"])


def test_settings_are_recorded_as_plain_numbers(pair: Pair) -> None:
    start: dict[str, Any] = next(
        race(pair, ["cat"], ["token"], gamma=np.int64(2), seed=np.uint64(3), max_new_tokens=4.0)  # type: ignore[arg-type]
    )["race"]
    assert json.dumps(start["settings"]) == (
        '{"gamma": 2, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 3, "max_new_tokens": 4, "seeds": 1, "prompt_set": null, '
        '"prompt_mode": "text"}'
    )


def numbers(value: Any) -> Iterator[float]:
    """Every number in a record."""
    if isinstance(value, (int, float)):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from numbers(part)


@pytest.mark.parametrize("shape", [lambda: (PROMPTS[:1], 1), lambda: (PROMPTS[:1], 3), lambda: (PROMPTS, 1)])
def test_groups_are_prompts_or_else_seeds_and_one_group_has_no_interval(
    pair: Pair, shape: Callable[[], tuple[list[str], int]]
) -> None:
    prompts, seeds = shape()
    found = whole_race(race(pair, prompts, ["token", "block"], seeds=seeds, max_new_tokens=8))
    summary = found["summary"]
    groups = len(prompts) if len(prompts) > 1 else seeds
    assert (summary["groups"], summary["group_count"]) == ("prompt" if len(prompts) > 1 else "seed", groups)
    block = summary["rules"]["block"]
    for name in ("efficiency", "over_token", "first_block", "speedup"):
        part = block[name]
        assert math.isfinite(part["mean"])
        assert [part[of] is None for of in ("standard_error", "low", "high")] == [groups == 1] * 3
    assert all(map(math.isfinite, numbers(found)))


def test_without_the_token_rule_nothing_is_compared_with_it(pair: Pair) -> None:
    rules = whole_race(race(pair, PROMPTS, ["block", "sampled_match"], max_new_tokens=6))["summary"]["rules"]
    for rule in ("plain", "block", "sampled_match"):
        assert rules[rule]["over_token"] is None and rules[rule]["first_block"] is None
    assert rules["plain"]["speedup"] is None and rules["block"]["speedup"]["mean"] > 0


def test_on_a_device_a_race_measures_what_steps_and_calls_cost(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """There a block crosses as a whole, and yet its draft's steps are told from the target's call."""
    stay_on_device(monkeypatch)
    found = whole_race(race(pair, PROMPTS[:1], ["block"], gamma=3, max_new_tokens=12))
    costs = found["costs"]
    assert costs is not None and min(costs.values()) > 0
    assert costs["c"] == costs["draft_step_ms"] / costs["target_step_ms"]
    for call in found["runs"][0]["lanes"]["plain"]["calls"]:
        drafted, scored, *_ = call[EXPECTED + 1 :]
        assert drafted == 0 and scored > 0


REPLAYED: dict[str, tuple[dict[str, Any] | None, str]] = {
    "recorded": ({}, "graphed"),
    "wrong": ({"lies_at": 1}, "eager"),
    "not to be recorded": ({"unrecordable": True}, "eager"),
    "not wanted": (None, "eager"),
}


@pytest.mark.parametrize("case", REPLAYED)
def test_all_lanes_replay_recorded_passes_from_their_first_block_on_or_none_does(
    case: str, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what the other lanes have had in the memory is put aside before a block is timed, not in it."""
    recorder, kind = REPLAYED[case]
    stay_on_device(monkeypatch)
    call, block, bring_back = Lane.call, BlockLoop.block, StaticForward.bring_back
    passes: dict[str, set[str | None]] = {}
    inside: list[int] = []
    fetched: list[int] = []

    def called(lane: Lane) -> list[int]:
        ids = call(lane)
        assert lane.last is not None
        passes.setdefault(lane.rule, set()).add(lane.last.passes)
        return ids

    def timed(loop: BlockLoop, ids: list[int], index: int, *rest: Any) -> Step:
        inside[:] = [index]
        step = block(loop, ids, index, *rest)
        inside.clear()
        return step

    def brought(forward: StaticForward, *given: Any) -> None:
        fetched.extend(inside)
        bring_back(forward, *given)

    def raced() -> dict[str, Any]:
        return whole_race(race(pair, PROMPTS[:1], ["token", "block"], gamma=3, max_new_tokens=12))

    expected = raced()
    monkeypatch.setattr(Lane, "call", called)
    monkeypatch.setattr(BlockLoop, "block", timed)
    monkeypatch.setattr(StaticForward, "bring_back", brought)
    if recorder is None:
        found = raced()
    else:
        with recording(pair.draft_model, pair.target_model, Counting(**recorder)):
            found = raced()
    assert passes == {rule: {kind} for rule in ("plain", "token", "block")}
    assert found["costs"] is not None
    for rule, lane in found["runs"][0]["lanes"].items():
        assert lane["ids"] == expected["runs"][0]["lanes"][rule]["ids"]
    assert set(fetched) == ({0} if kind == "graphed" else set()), "a first block reads the prompt anyway"


@pytest.mark.parametrize("each", [23, 61])  # calls of a slice, ten of them to warm up
def test_a_race_that_paused_again_and_again_is_the_race_in_one_go(
    pair: Pair, record: dict[str, Any], each: int
) -> None:
    state: dict[str, Any] | None = None
    events: list[dict[str, Any]] = []
    for _ in range(200):
        arguments = {"seeds": 2, "prompt_set": "cats", "cancelled": stopped_after(each), "resume": state, **SETTINGS}
        events += race(pair, PROMPTS, RULES, **arguments)
        if events[-1]["kind"] != "race_paused":
            break
        state = json.loads(json.dumps(events.pop()["state"], allow_nan=False))
    found = whole_race(events)
    assert [event["kind"] for event in events].count("race_start") == 1
    untimed = [
        [(run["prompt"], run["seed"], {rule: ([[*call[:3], round(call[3], 9)] for call in lane["calls"]], lane["ids"], lane["finish"])
          for rule, lane in run["lanes"].items()}) for run in one["runs"]]
        for one in (found, record)
    ]  # fmt: skip
    assert untimed[0] == untimed[1] and len(untimed[0]) == 4
    assert found["pieces"] == record["pieces"] and found["costs"].keys() == record["costs"].keys()
    calls = [event for event in events if event["kind"] == "race_calls"]
    for rule in ["plain", *RULES]:  # what a page that follows run 0 has seen is the run, without a gap
        shown = [event["lanes"][rule] for event in calls if rule in event["lanes"]]
        assert [lane["first"] for lane in shown] == list(range(len(shown)))
        assert [i for lane in shown for i in lane["ids"]] == record["runs"][0]["lanes"][rule]["ids"]
