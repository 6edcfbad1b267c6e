"""How a race goes: whose turn it is, under which lock, what is said meanwhile, how it is stopped, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from specdemo.decoding import decode_run
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.race import race, whole_race
from specdemo.lab.race_lanes import Lane
from specdemo.pairs import Pair
from tests.lab.raced import PROMPTS, RULES, SETTINGS, raced_events, the_pair, the_race


@pytest.fixture(scope="module")
def pair() -> Pair:
    return the_pair()


def test_run_0_grows_call_by_call_and_the_others_come_whole() -> None:
    events = raced_events()
    kinds = [event["kind"] for event in events]
    rounds = kinds.count("race_calls")
    assert kinds == ["race_start", *["race_calls"] * rounds, *["race_run"] * 4]
    assert events[0]["race"]["runs"] == [] and events[0]["race"]["summary"] is None
    grown: dict[str, Any] = {rule: {"calls": [], "ids": []} for rule in ["plain", *RULES]}
    for event in events[1 : rounds + 1]:
        assert event["at"] == 0
        for rule, part in event["lanes"].items():
            assert part["first"] == len(grown[rule]["calls"]) and len(part["calls"]) == 1, "one call a round"
            grown[rule]["calls"] += part["calls"]
            grown[rule]["ids"] += part["ids"]
            assert {str(i) for i in part["ids"]} <= set(event["pieces"])
    whole = events[rounds + 1]["record"]["lanes"]
    assert {rule: {"calls": lane["calls"], "ids": lane["ids"]} for rule, lane in whole.items()} == grown
    assert [event["at"] for event in events[-4:]] == [0, 1, 2, 3]
    assert [event["summary"]["runs"] for event in events[-4:]] == [1, 2, 3, 4]


def test_lanes_that_draft_different_first_blocks_are_an_error(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Restless(PhiloxUniforms):
        def draft(self, block: int, gamma: int) -> Any:
            made.append(block)
            return (super().draft(block, gamma) + len(made) / 7) % 1

    monkeypatch.setattr("specdemo.lab.race_lanes.PhiloxUniforms", Restless)
    with pytest.raises(RuntimeError, match="two lanes drafted different first blocks"):
        list(race(pair, PROMPTS, ["token", "block"], gamma=8))


class Lock:
    """A context manager that counts how often it is taken, and that nobody takes it twice."""

    def __init__(self) -> None:
        self.taken, self.held = 0, False

    def __enter__(self) -> None:
        assert not self.held
        self.taken, self.held = self.taken + 1, True

    def __exit__(self, *error: Any) -> None:
        self.held = False


def test_the_lock_is_held_for_each_single_call(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, calls = Lock(), 0
    call = Lane.call

    def watched(lane: Any) -> list[int]:
        nonlocal calls
        assert lock.held
        calls += 1
        return call(lane)

    monkeypatch.setattr(Lane, "call", watched)
    for _ in race(pair, PROMPTS, ["token"], max_new_tokens=6, lock=lock):
        assert not lock.held, "whoever reads the events must not keep others from the models"
    assert lock.taken == calls + 3, "once for each call, once for the caches of each run and of the warm-up"


@pytest.mark.parametrize("after", [0, 1, 12, 100, 200])
def test_a_cancelled_race_keeps_what_is_finished(pair: Pair, after: int) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > after

    kept = whole_race(race(pair, PROMPTS, RULES, seeds=2, cancelled=cancelled, **SETTINGS))
    assert asked == after + 1, "asked between calls, and never again"
    done = len(kept["runs"])
    assert done < kept["planned"] and (after < 100 or done > 0)
    for mine, whole in zip(kept["runs"], the_race()["runs"], strict=False):
        for rule, lane in mine["lanes"].items():
            assert [c[:4] for c in lane["calls"]] == [c[:4] for c in whole["lanes"][rule]["calls"]]
    assert (kept["summary"] is None) == (done == 0)
    if done:
        assert kept["summary"]["runs"] == done


def test_the_order_of_turns_rotates_and_a_warm_up_comes_first(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    call = Lane.call

    def watched(lane: Any) -> list[int]:
        seen.append((lane.rule, len(lane.calls)))
        return call(lane)

    monkeypatch.setattr(Lane, "call", watched)
    list(race(pair, PROMPTS, ["token", "block"], seeds=2, gamma=2, max_new_tokens=4))
    assert seen[:6] == [(rule, at) for rule in ("plain", "token", "block") for at in (0, 1)]
    openings = [rule for rule, at in seen[6:] if at == 0]
    assert openings == [
        "plain",
        "token",
        "block",
        "token",
        "block",
        "plain",
        "block",
        "plain",
        "token",
        "plain",
        "token",
        "block",
    ]
    round_of_all = seen[6:12]
    assert round_of_all == [(rule, at) for at in (0, 1) for rule in ("plain", "token", "block")]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rules": ["token", "tokens"]}, "there is no verifier 'tokens': choose one of token, block"),
        ({"rules": []}, "one to 4 different rules"),
        ({"rules": ["token", "token"]}, "one to 4 different rules"),
        ({"rules": ["token", "block", "greedy_block", "sampled_match", "typical"]}, "one to 4 different rules"),
        ({"seeds": 41}, "2 prompts with 41 seeds are 82 runs: a race has 1 to 80"),
        ({"seeds": 0}, "seeds must be an integer ≥ 1"),
        ({"seeds": 1.5}, "seeds must be an integer ≥ 1"),
        ({"prompts": []}, "are 0 runs"),
        ({"gamma": 0}, "no lane of this race would draft anything"),
        ({"gamma": 65}, "gamma"),
        ({"temperature": -1.0}, "temperature"),
        ({"top_p": 0.0}, "top_p"),
        ({"seed": 2**64 - 1, "seeds": 2}, "seed must be"),
        ({"max_new_tokens": 0}, "max_new_tokens"),
    ],
)
def test_what_cannot_be_raced_is_refused_before_it_begins(pair: Pair, change: dict[str, Any], says: str) -> None:
    asked: dict[str, Any] = {"prompts": ["c", "a dog ran up the hill to see"], "rules": ["token"], **change}
    with pytest.raises(ValueError, match=says):
        race(pair, **asked)


def test_a_prompt_that_leaves_no_room_keeps_its_end_and_says_so(pair: Pair) -> None:
    long = "the cat sat on the mat " * 20
    record = whole_race(race(pair, [long], ["token"], gamma=3, max_new_tokens=40))
    told = record["prompts"][0]
    assert told["tokens"] == 96 - 44 and "only the last 52 are used" in told["notice"]
    ids = pair.encode(long).ids[-52:]
    plain = decode_run(pair, pair.tokenizer.decode(ids), gamma=0, verifier="token", max_new_tokens=40)
    assert plain["prompt"]["ids"] == ids
    assert record["runs"][0]["lanes"]["plain"]["ids"] == [i for block in plain["blocks"] for i in block["committed"]]
    short = whole_race(race(pair, ["the cat"], ["token"], gamma=3, max_new_tokens=4))
    assert short["prompts"][0]["notice"] is None
