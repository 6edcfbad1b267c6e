"""The bridge and the service together, through a real browser and Gradio's queue."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.conftest import DECODE, request

pytestmark = pytest.mark.browser


def digests(told: dict[str, Any]) -> list[str]:
    assert told["error"] is None
    return [block["digest"] for block in told["blocks"]]


def test_a_run_arrives_whole_and_in_order(app: Any, open_tab: Any) -> None:
    told = open_tab(app).decode(max_new_tokens=200)
    assert told["error"] is None
    assert told["head"]["schema"] == "specdemo.trace/1"
    assert [block["index"] for block in told["blocks"]] == list(range(len(told["blocks"])))
    assert told["firsts"][0] == 0 and told["firsts"] == sorted(told["firsts"])
    assert sum(len(block["committed"]) for block in told["blocks"]) == 200
    assert told["end"] == {"finish": "length"}


def test_stepping_and_running_give_the_same_blocks(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    whole = tab.decode()
    ids = list(whole["head"]["prompt"]["ids"])
    for number, block in enumerate(whole["blocks"]):
        resume = number and {
            "ids": ids,
            "prompt_length": len(whole["head"]["prompt"]["ids"]),
            "block": number,
            "memory": None,
            "digest": whole["blocks"][number - 1]["digest"],
        }
        step = tab.decode(blocks=1, resume=resume or None)
        assert digests(step) == [block["digest"]]
        assert step["end"] == {"finish": block["finish"]}
        ids += block["committed"]


def test_two_tabs_with_the_same_run_do_not_mix(app: Any, open_tab: Any) -> None:
    first, second = open_tab(app), open_tab(app)
    expected = [digests(first.decode(seed=seed)) for seed in (1, 2)]
    first.begin(seed=1)
    second.begin(seed=2)
    assert [digests(first.finish()), digests(second.finish())] == expected


def test_cancelling_stops_the_run_and_frees_the_model(app: Any, open_tab: Any) -> None:
    tab, other = open_tab(app), open_tab(app)
    told = tab.decode(max_new_tokens=512, cancel_after=1)
    assert told["end"] is None and told["error"] is None
    assert len(told["blocks"]) < 512 // 5, "a whole run has more blocks than this: each gains five tokens at most"
    assert other.decode(blocks=1)["milliseconds"] < 3000


def test_a_closed_tab_frees_the_model(app: Any, open_tab: Any) -> None:
    tab, other = open_tab(app), open_tab(app)
    other.decode(blocks=1)
    tab.begin(max_new_tokens=512, prompt="closed")
    tab.wait_for_blocks(1)
    tab.page.close()
    assert other.decode(blocks=1)["milliseconds"] < 3000


def test_an_error_is_a_sentence(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    for changes, word in (
        ({"gamma": 99}, "γ"),
        ({"temperature": -1}, "temperature"),
        ({"pair": "nobody"}, "nobody"),
        ({"draft": "nobody"}, "nobody"),
        ({"verifier": "hope"}, "There is no rule “hope”"),
        ({"prompt": "x" * 20_001}, "prompt"),
        ({"resume": {"ids": [10**6], "prompt_length": 1, "block": 0, "memory": None, "digest": None}}, "ids"),
    ):
        told = tab.decode(**changes)
        assert told["blocks"] == [] and told["end"] is None
        assert word in told["error"] and told["error"].endswith(".") and "Traceback" not in told["error"]


def test_a_gap_in_what_arrives_is_asked_for_again(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    expected = tab.decode(max_new_tokens=200)
    asked: list[int] = []

    def lose_some(route: Any) -> None:
        asked.append(1)
        answer = route.fetch()
        events = answer.text().split("\n\n")
        blocks = [number for number, event in enumerate(events) if '"kind":"blocks"' in event]
        if len(asked) == 1 and len(blocks) > 2:
            del events[blocks[1]]
        route.fulfill(response=answer, body="\n\n".join(events))

    tab.page.route("**/specdemo-run/decode", lose_some)
    told = tab.decode(max_new_tokens=200)
    assert len(asked) == 2
    assert digests(told) == digests(expected)


@pytest.mark.parametrize("blocks", [2, 0])
def test_an_end_that_is_lost_asks_for_nothing_more(app: Any, open_tab: Any, blocks: int) -> None:
    """All that was asked for has come: asked again, "no more blocks" would mean all the rest."""
    tab = open_tab(app)
    expected = tab.decode(blocks=blocks)
    asked: list[int] = []

    def lose_the_end(route: Any) -> None:
        asked.append(1)
        answer = route.fetch()
        events = [event for event in answer.text().split("\n\n") if '"kind":"end"' not in event]
        route.fulfill(response=answer, body="\n\n".join(events))

    tab.page.route("**/specdemo-run/decode", lose_the_end)
    told = tab.decode(blocks=blocks)
    assert digests(told) == digests(expected) and told["end"] == expected["end"] and len(asked) == 1
    assert told["end"] == {"finish": None if blocks else "length"}


def test_a_server_that_is_busy_is_told_and_asked_again(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    answers = iter([429, 429])

    def busy(route: Any) -> None:
        status = next(answers, None)
        route.continue_() if status is None else route.fulfill(status=status, json={"detail": "full"})

    tab.page.route("**/specdemo-run/decode", busy)
    told = tab.decode(blocks=1, options={"retryAfter": [20, 20, 20]})
    assert len(told["blocks"]) == 1 and any("is busy" in text for text in told["progress"])
    tab.page.route("**/specdemo-run/decode", lambda route: route.fulfill(status=429, json={"detail": "full"}))
    told = tab.decode(blocks=1, options={"retryAfter": [20]})
    assert "is busy" in told["error"] and "Try again" in told["error"] and told["blocks"] == []


def test_a_run_survives_a_restart_and_a_server_that_stays_away_is_told(new_app: Any, open_tab: Any) -> None:
    new_app.start()
    tab = open_tab(new_app)
    expected = tab.decode(max_new_tokens=300)
    tab.begin(max_new_tokens=300, options={"retryAfter": [500] * 200})
    tab.wait_for_blocks(2)
    new_app.stop()
    impatient = tab.decode(run="r2", options={"retryAfter": [50, 50]})
    assert "does not answer" in impatient["error"] and impatient["end"] is None
    new_app.start()
    told = tab.finish()
    assert digests(told) == digests(expected)
    assert told["end"] == expected["end"]
    assert any("connection" in text for text in told["progress"])
    assert digests(tab.decode(run="r3", blocks=1, max_new_tokens=300)) == digests(expected)[:1]


def test_half_a_character_is_told_and_not_taken_for_a_lost_connection(app: Any, open_tab: Any) -> None:
    """The server cannot read such a request, its run included, so its answer names no run."""
    halved = (
        f"(argument) => {{ argument.request.prompt = 'a' + String.fromCharCode(0xd800); return ({DECODE})(argument); }}"
    )
    told = open_tab(app).page.evaluate(halved, {"request": request(blocks=1), "options": {}})
    assert "half a character" in told["error"] and told["progress"] == []
