"""Race events sent together: nothing is lost, nothing changes its order, and the page is told seldom enough."""

from __future__ import annotations

from typing import Any

from specdemo.lab.race import race, whole_race
from specdemo.pages.batches import together
from tests.tiny import tiny_pair


def events() -> list[dict[str, Any]]:
    return list(race(tiny_pair(context=128, eos=None), ["the cat"], ["token", "block"], seeds=2, max_new_tokens=30))


def calls_of(found: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Everything a lane was told to have done, with the places it was told to be at checked."""
    lanes: dict[str, list[Any]] = {}
    for event in found:
        for rule, lane in event.get("lanes", {}).items():
            assert lane["first"] == len(lanes.setdefault(rule, []))
            lanes[rule] += lane["calls"]
    return lanes


def test_joined_events_tell_the_same_race() -> None:
    told = events()
    now = iter(0.04 * i for i in range(100_000))
    joined = list(together(told, 0.1, lambda: next(now)))
    assert len(told) / 4 < len(joined) < len(told)
    assert calls_of(joined) == calls_of(told) and whole_race(joined) == whole_race(told)
    for event in joined:
        ids = [i for lane in event.get("lanes", {}).values() for i in lane["ids"]]
        assert {str(i) for i in ids} <= {str(i) for i in event.get("pieces", {})}


def test_the_first_goes_at_once_and_the_rest_before_the_next_kind() -> None:
    told = events()
    kinds = [event["kind"] for event in together(told, 1e9)]
    assert kinds == ["race_start", "race_calls", "race_calls", "race_run", "race_run"]
    assert [event["kind"] for event in together(told, 0.0)] == [event["kind"] for event in told]
    unfinished = told[:6]
    assert calls_of(list(together(unfinished, 1e9))) == calls_of(unfinished)
