"""The page's records of a race and of a law check, grown from the library's own messages, and the page's link."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

import pytest

from specdemo.lab.race import race, whole_race
from tests.viewer.compare_page import PROMPT, decoded, link
from tests.viewer.javascript import call
from tests.viewer.tiny_runs import law, pair

GROW = """
const before = JSON.stringify(payload);
const records = [];
let record = null;
for (const message of payload) { record = m.raceWith(record, message); records.push(JSON.stringify(record)); }
return { record, runs: records.map((text) => (JSON.parse(text) || {}).runs), untouched: JSON.stringify(payload) === before };
"""


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.fixture(scope="module")
def messages() -> list[dict[str, Any]]:
    events = race(pair(), [PROMPT], ["token", "block"], gamma=4, temperature=2.0, max_new_tokens=20, seeds=3)
    return plain(list(events))


def test_a_race_grows_to_the_librarys_record(request: pytest.FixtureRequest, messages: list[dict[str, Any]]) -> None:
    grown = call(request, "compare/records.js", GROW, messages)
    assert grown["record"] == plain(whole_race(messages)) and grown["untouched"]
    # What run 0 is while it goes on: a beginning of what it will be, ids and calls alike.
    for runs in grown["runs"][1:-3]:
        for rule, lane in runs[0]["lanes"].items():
            final = grown["record"]["runs"][0]["lanes"][rule]
            assert lane["calls"] == final["calls"][: len(lane["calls"])] and lane["calls"]
            assert lane["ids"] == final["ids"][: sum(call_[1] for call_ in lane["calls"])]


def test_a_repeated_message_changes_nothing(request: pytest.FixtureRequest, messages: list[dict[str, Any]]) -> None:
    twice = [message for message in messages for _ in range(2)]
    grown = call(request, "compare/records.js", GROW, twice)
    assert grown["record"] == plain(whole_race(messages))
    assert grown["runs"][::2] == grown["runs"][1::2]


MEASURE = """
const asked = [], cancelled = [], states = [];
const bridge = { measure: (kind, request, handlers) => void asked.push([kind, request, handlers]), cancel: (run) => void cancelled.push(run) };
const store = {
  state: { form: payload.form, race: { record: null, options: payload.options }, law: { record: null, options: { samples: 3 } } },
  measure(kind, change) { store.state = { ...store.state, [kind]: { ...store.state[kind], ...change } }; },
};
const measurer = m.createMeasurer(store, bridge), race = () => JSON.parse(JSON.stringify(store.state.race));
measurer.start("race");
measurer.start("race");
const [, request, old] = asked[0];
old.onMessage({ kind: "race_start", race: { columns: ["gained", "shown"], runs: [], mark: 1 } });
measurer.cancel("race");
const stopped = race();
old.onMessage({ kind: "race_start", race: { columns: [], runs: [], mark: 2 } });
old.onError("late");
const after = race();
measurer.start("race");
const again = race();
old.onEnd();
old.onMessage({ kind: "race_start", race: { columns: [], runs: [], mark: 2 } });
asked[1][2].onMessage({ kind: "race_calls", at: 0, lanes: {} });
const still = race();
asked[1][2].onMessage({ kind: "race_start", race: { columns: [], runs: [], mark: 3 } });
asked[1][2].onEnd();
return { request, count: asked.length, cancelled, stopped, after, again, still, end: race() };
"""


def test_what_comes_too_late_is_not_heard(request: pytest.FixtureRequest) -> None:
    form = view()["form"]
    found = call(request, "compare/measure.js", MEASURE, {"form": form, "options": {"seeds": 4, "prompt_set": None}})
    asked = found["request"]
    assert asked["rules"] == ["token", "block"] and asked["seeds"] == 4 and asked["settings"]["max_new_tokens"] == 9
    assert (
        "rules" not in asked["settings"]
        and "verifier" not in asked["settings"]
        and found["cancelled"] == [asked["run"]]
    )
    assert found["count"] == 2  # a second start while it runs is none
    assert found["stopped"]["status"] == "cancelled" and found["stopped"]["record"]["mark"] == 1
    assert found["after"] == found["stopped"]
    assert found["again"]["status"] == "running" and found["again"]["record"]["mark"] == 1
    assert found["still"] == found["again"]
    assert found["end"]["status"] == "done" and found["end"]["record"]["mark"] == 3


def test_a_message_before_its_beginning_is_nothing(
    request: pytest.FixtureRequest, messages: list[dict[str, Any]]
) -> None:
    assert call(request, "compare/records.js", GROW, messages[1:])["record"] is None


def test_a_law_check_is_its_last_record(request: pytest.FixtureRequest) -> None:
    settings = {"gamma": 3, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 0}
    asked = {"prompt": PROMPT, "rules": ["token", "block"], "samples": 3, "settings": settings}
    messages = plain(list(law(asked)))
    body = "let record = null; for (const message of payload) record = m.lawWith(record, message); return record;"
    record = call(request, "compare/records.js", body, messages)
    assert record == messages[-2]["law"] and record["pairs"]["done"] == 3


def view(**changes: Any) -> dict[str, Any]:
    run = decoded(max_new_tokens=8)
    form = {
        "prompt": "typed",
        "pair": "tiny",
        "draft": "tiny-draft",
        "rules": ["token", "block"],
        "follow": "token",
        "gamma": 2,
    }
    form |= {"temperature": 1, "top_k": 0, "top_p": 1, "seed": 0, "max_new_tokens": 9}
    empty = {"record": None, "options": {"axis": "calls", "c": None, "v": None}}
    shown = {
        "trace": run,
        "block": run["blocks"][1],
        "blockIndex": 1,
        "position": 2,
        "form": form,
        "race": empty,
        "law": empty,
    }
    return plain(shown | changes)


def encoded(request: pytest.FixtureRequest, shown: dict[str, Any]) -> dict[str, str]:
    text = call(request, "compare/link.js", "return m.encode(payload);", shown)
    return {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}


def test_a_link_holds_what_is_shown_not_what_is_typed(request: pytest.FixtureRequest) -> None:
    shown = view()
    found = encoded(request, shown)
    assert (
        found["page"] == "compare"
        and found["prompt"] == PROMPT
        and found["gamma"] == "5"
        and found["follow"] == "block"
    )
    assert (found["b"], found["pos"], found["digest"]) == ("1", "2", shown["trace"]["digest"])
    assert not {"race", "law"} & set(found)
    found = encoded(request, view(trace=None, block=None))
    assert found["prompt"] == "typed" and found["gamma"] == "2" and "b" not in found and "digest" not in found


def run_of(finish: str | None) -> dict[str, Any]:
    lane = {"calls": [[2, 2]], "ids": None, "finish": finish}
    return {"prompt": 0, "seed": 0, "lanes": {"plain": lane, "token": lane, "block": lane}}


def test_a_law_check_without_a_sample_is_not_in_the_link(request: pytest.FixtureRequest) -> None:
    made = {"gamma": 5, "temperature": 2.0, "top_k": 0, "top_p": 1.0, "seed": 0, "samples": 30}
    record = {"pair": {"name": "tiny", "draft": "tiny-draft"}, "settings": made, "rules": ["token", "block"]}
    record |= {"prompt": {"text": PROMPT}, "pairs": {"done": 1}}
    assert encoded(request, view(law={"record": record, "options": {}}))["samples"] == "30"
    assert "law" not in encoded(request, view(law={"record": record | {"pairs": {"done": 0}}, "options": {}}))


def test_a_race_of_other_settings_is_not_in_the_link(request: pytest.FixtureRequest) -> None:
    made: dict[str, Any] = {"gamma": 5, "temperature": 2.0, "top_k": 0, "top_p": 1.0, "seed": 0, "max_new_tokens": 8}
    made |= {"seeds": 7, "prompt_set": None}
    record: dict[str, Any] = {
        "pair": {"name": "tiny", "draft": "tiny-draft"},
        "settings": made,
        "rules": ["plain", "token", "block"],
        "prompts": [{"text": PROMPT}],
        "runs": [run_of("length")],
    }
    options = {"axis": "predicted", "c": 0.25, "v": None}
    found = encoded(request, view(race={"record": record, "options": options}))
    assert (found["race"], found["seeds"], found["axis"], found["c"]) == ("1", "7", "predicted", "0.25")
    assert "v" not in found and "set" not in found
    for change in (
        {"settings": {**made, "gamma": 4}},
        {"settings": {**made, "max_new_tokens": 12}},
        {"runs": [run_of(None)]},
    ):
        assert "race" not in encoded(request, view(race={"record": record | change, "options": options})), change
    with_set = {**record, "settings": {**made, "prompt_set": "austen"}}
    assert encoded(request, view(race={"record": with_set, "options": options}))["set"] == "austen"


def test_a_link_is_read_as_it_is_written(request: pytest.FixtureRequest) -> None:
    def read(text: str) -> Any:
        return call(request, "compare/link.js", "return m.decode(payload);", text)

    assert read("#prompt=x") is None and read("#page=step&prompt=x") is None
    assert read("#page=compare")["decodes"] is False
    found = read(
        link(b="-3", pos="x", gamma="many", race=1, seeds="1e3", axis="sideways", c="-1", rules="token,<b>,block")
    )
    assert found["decodes"] and found["place"] == {"blockIndex": 0, "position": None}
    assert found["form"]["gamma"] == "many" and found["form"]["rules"] == ["token", "<b>", "block"]
    assert found["options"] == {"race": {"seeds": "1e3", "axis": "sideways", "c": "-1"}, "law": {}}
    assert found["measures"] == ["race"] and [words.split(":")[0] for words in found["wrong"]] == ["block", "position"]
    assert read(link(race="yes", law=1))["wrong"] == ["The race: 1, or left out, not “yes”"]


def test_columns_are_two_to_four_known_ones(request: pytest.FixtureRequest) -> None:
    names = ["token", "block", "greedy_block", "threshold", "typical"]
    body = "return payload.map(([w, f, n]) => m.columnsOf(w, f, n));"
    cases = [
        [[], "block", names],
        [["block"], "x", names],
        [["block", "block", "nothing"], "block", names],
        [names, "typical", names],
        [["typical", "token"], "typical", names],
    ]
    assert call(request, "compare/store.js", body, cases) == [
        {"rules": ["token", "block"], "follow": "block"},
        {"rules": ["block", "token"], "follow": "block"},
        {"rules": ["block", "token"], "follow": "block"},
        {"rules": names[:4], "follow": "block"},
        {"rules": ["typical", "token"], "follow": "typical"},
    ]
