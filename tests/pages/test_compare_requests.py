"""What the Compare page may ask for, and the blocks it gets: several rules' verdicts on the same drafts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from specdemo.decoding import decode_run
from specdemo.lab.prompts import TEXTS
from specdemo.lab.race import MOST_RUNS
from specdemo.pages.measure_request import read_law, read_race
from specdemo.pages.models import Models
from specdemo.pages.request import LIMITS, RequestError, read_request
from specdemo.pages.service import Service
from specdemo.pages.turns import PairTurn
from specdemo.pairs import Pair
from tests.pages.test_service import told
from tests.tiny import tiny_pair

SETTINGS = {"gamma": 3, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 5, "max_new_tokens": 20}


def measure(**changes: Any) -> str:
    whole: dict[str, Any] = {
        "run": "r",
        "pair": "stories",
        "draft": None,
        "prompt": "the cat",
        "rules": ["token", "block"],
    }
    settings = (
        dict(SETTINGS) if "samples" not in changes else {k: v for k, v in SETTINGS.items() if k != "max_new_tokens"}
    )
    for name, value in changes.items():
        (settings if name in SETTINGS else whole)[name] = value
    return json.dumps({**whole, "settings": settings})


def blocks_of(**changes: Any) -> str:
    settings = {"verifier": "block", **SETTINGS, **{k: v for k, v in changes.items() if k in (*SETTINGS, "verifier")}}
    others = {k: v for k, v in changes.items() if k not in settings}
    whole = {"run": "r", "pair": "stories", "draft": None, "prompt": "the cat", "blocks": 0, "resume": None}
    return json.dumps({**whole, **others, "settings": settings})


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=256, eos=None)


@pytest.fixture
def service(pair: Pair) -> Service:
    return Service(Models(load=lambda name, draft, progress: pair))


@pytest.mark.parametrize("follow", ["greedy_block", "correction_from_target"])
def test_blocks_carry_the_chosen_rules_and_any_of_them_may_decode(service: Service, pair: Pair, follow: str) -> None:
    rules = ["token", "greedy_block", "correction_from_target", "typical"]
    messages = told(service.decode(blocks_of(rules=rules, verifier=follow)))
    found = [block for message in messages if message["kind"] == "blocks" for block in message["blocks"]]
    run = decode_run(pair, "the cat", verifier=follow, rules=rules, **SETTINGS)  # type: ignore[arg-type]
    assert [list(block["verdicts"]) for block in found] == [rules] * len(found)
    assert [(b["committed"], b["verdicts"], b["digest"]) for b in found] == [
        (b["committed"], b["verdicts"], b["digest"]) for b in json.loads(json.dumps(run["blocks"]))
    ]


def test_a_run_goes_on_with_its_own_rules_and_not_with_anothers(service: Service) -> None:
    first = told(service.decode(blocks_of(rules=["token", "block"], blocks=1)))
    block, head = first[1]["blocks"][0], first[0]["head"]
    prompt = head["prompt"]["ids"]
    resume = {"prompt_length": len(prompt), "block": 1, "memory": None, "digest": block["digest"]}
    resume["ids"] = prompt + block["committed"]
    for rules in (["typical", "block"], ["token", "block"]):
        second = told(service.decode(blocks_of(rules=rules, blocks=1, resume=resume)))
        assert list(second[0]["blocks"][0]["verdicts"]) == rules


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules": ["token"]}, "rules"),
        ({"rules": ["token"] * 2}, "every rule once"),
        ({"rules": ["token", "block", "typical", "threshold", "lenience"]}, "rules"),
        ({"rules": ["token", "nobody"]}, "nobody"),
        ({"rules": "token,block"}, "rules"),
        ({"rules": ["token", 3]}, "rules"),
        ({"rules": ["token", "block"], "verifier": "typical"}, "there are token, block"),
        ({"verifier": "typical"}, "there is no rule"),
    ],
)
def test_wrong_rules_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        read_request(blocks_of(**changes))
    if "verifier" not in changes:
        for read, text in ((read_race, measure(seeds=1, **changes)), (read_law, measure(samples=100, **changes))):
            with pytest.raises(RequestError, match=words):
                read(text)


def test_a_race_is_bounded_in_runs_and_in_tokens() -> None:
    most = LIMITS["race_runs"][1]
    assert most == MOST_RUNS
    assert read_race(measure(seeds=most)).prompts == ["the cat"]
    assert len(read_race(measure(seeds=2, prompt_set="austen")).prompts) == 40
    for changes, words in (
        ({"seeds": most + 1}, "seeds"),
        ({"seeds": 0}, "seeds"),
        ({"seeds": 3, "prompt_set": "austen"}, "at most 2 seeds"),
        ({"seeds": most, "max_new_tokens": 512}, "fewer seeds"),
        ({"seeds": 1, "prompt_set": "../../etc"}, "prompt_set"),
        ({"seeds": 1, "max_new_tokens": 0}, "max_new_tokens"),
        ({"seeds": 1, "gamma": 17}, "gamma"),
        ({"seeds": True}, "seeds"),
        ({"seeds": 1, "extra": 1}, "extra"),
    ):
        with pytest.raises(RequestError, match=words):
            read_race(measure(**changes))


def test_a_check_of_the_law_is_bounded_in_samples() -> None:
    low, high = LIMITS["law_samples"]
    for samples in (low, high):
        assert read_law(measure(samples=samples)).samples == samples
    for samples in (low - 1, high + 1, None, "600", 2.5):
        with pytest.raises(RequestError, match="samples"):
            read_law(measure(samples=samples))


def test_the_page_is_told_of_every_rule_and_what_goes_wrong_with_the_mistakes(service: Service) -> None:
    rules = {rule["name"]: rule for rule in service.config()["rules"]}
    assert rules["greedy_block"]["remembers"] and rules["greedy_block"]["lossless"] == "always"
    assert rules["block"]["goes_wrong"] is None and "twice" in rules["correction_from_target"]["goes_wrong"]
    assert {rule["name"] for rule in service.config()["verifiers"]} < set(rules)
    sets = service.config()["prompt_sets"]
    assert [(entry["name"], entry["count"]) for entry in sets] == [(name, 40) for name in TEXTS]
    assert {"name": "austen", "title": "Jane Austen", "count": 40} in sets


def test_a_measurement_stops_when_its_time_is_over_and_keeps_what_came(service: Service) -> None:
    service.run_seconds = 0.0
    *events, over = told(service.race(measure(seeds=3)))
    assert events[0]["kind"] == "race_start" and not [event for event in events if event["kind"] == "race_run"]
    assert (over["kind"], over["reason"]) == ("error", "time") and "fewer seeds" in over["text"]
    *_, over = told(service.law(measure(samples=100)))
    assert (over["kind"], over["reason"]) == ("error", "time")


def test_what_is_whole_when_its_time_is_over_is_no_error(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0] * 5)
    seconds = property(lambda turn: next(times, 1e9), lambda turn, value: None)
    monkeypatch.setattr(PairTurn, "seconds", seconds, raising=False)
    decoded = []

    def race(*arguments: Any, cancelled: Any, **settings: Any) -> Any:
        decoded.append(cancelled())
        yield {"kind": "race_run"}

    monkeypatch.setattr("specdemo.lab.race.race", race)
    assert told(service.race(measure(seeds=1)))[-1]["kind"] == "end" and decoded == [False]
