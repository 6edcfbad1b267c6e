"""The race's lanes in Chromium under the hand: keys, Play, readable lanes, and a large race that streams in."""

from __future__ import annotations

import itertools

import pytest

from tests.viewer.measure_page import WIDTHS, Open, busy_times, check_numbers, open_page, served, show
from tests.viewer.measure_records import calls, large_race, messages, race_record
from tests.worse_conditions import OFFLINE, SLOWDOWN

__all__ = ["open_page", "served"]  # fixtures
pytestmark = pytest.mark.browser
TIMES = ("draft_ms", "target_ms", "verify_ms", "rest_ms")


def test_keys_walk_through_the_calls_and_do_not_reach_the_page(open_page: Open) -> None:
    record = race_record()
    page = open_page()
    show(page, "race", record)
    page.evaluate("window.reached = []; document.addEventListener('keydown', (event) => reached.push(event.key))")
    assert page.locator(".race-call[tabindex='0']").count() == 1
    page.locator(".race-call[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    at = page.locator(".race-call[tabindex='0']")
    assert (at.get_attribute("data-rule"), at.get_attribute("data-call")) == ("token", "3")
    assert page.evaluate("document.activeElement.dataset.call") == "3"
    call = calls(record, "token")[3]
    words = page.inner_text(".race-detail")
    assert f"target call 4: drafted {call['gamma']}, kept {call['gained'] - 1}" in words
    base = "race:/runs/0/lanes/token/calls/3/"
    for name in ("expected", *TIMES):
        cell = page.locator(f".race-detail [data-path='{base}{record['columns'].index(name)}']")
        assert float(cell.get_attribute("data-value") or "nan") == call[name]
    first = sum(call["shown"] for call in calls(record, "token")[:3])
    shown = page.locator(".race-chips [data-token-id]").evaluate_all(
        "(nodes) => nodes.map((n) => Number(n.dataset.tokenId))"
    )
    assert shown == record["runs"][0]["lanes"]["token"]["ids"][first : first + call["shown"]]
    page.keyboard.press("End")
    assert at.get_attribute("data-call") == str(len(calls(record, "token")) - 1)
    assert page.evaluate("reached") == []
    page.keyboard.press("n")
    assert page.evaluate("reached") == ["n"]


def test_readable_lanes_show_every_token_and_scroll_inside_themselves(open_page: Open) -> None:
    record = race_record()
    page = open_page(390)
    show(page, "race", record)
    assert page.locator(".race-word").count() == 0
    page.click("[data-choice=read]")
    page.wait_for_selector(".race-word")
    ids = [i for rule in record["rules"] for i in record["runs"][0]["lanes"][rule]["ids"]]
    assert page.locator(".race-word").evaluate_all("(nodes) => nodes.map((n) => Number(n.dataset.tokenId))") == ids
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".race-chart").evaluate("(node) => node.parentNode.scrollWidth > node.parentNode.clientWidth")


def test_play_runs_at_one_speed_and_only_on_demand(open_page: Open) -> None:
    record = race_record()
    page = open_page()
    show(page, "race", record)
    assert page.locator(".race-playhead").count() == 0
    page.click("#race-play")
    reached = []
    for _ in range(4):
        page.wait_for_timeout(150 / SLOWDOWN)  # pauses are made longer, and playing is not
        reached.append(
            page.evaluate(
                """() => [Number(document.querySelector('.race-playhead').getAttribute('x1')), [...document.querySelectorAll('.race-label')]
                  .map((node) => Number(node.querySelector('[data-path="derived:race_calls"]').dataset.value))]"""
            )
        )
    assert all(a[0] < b[0] for a, b in itertools.pairwise(reached))
    longest = max(len(calls(record, rule)) for rule in record["rules"])
    scale = (page.locator(".race-chart").evaluate("(node) => node.viewBox.baseVal.width") - 3) / longest
    for at, done in reached:
        for rule, count in zip(record["rules"], done, strict=True):
            assert count == min(len(calls(record, rule)), int((at - 1) / scale + 1e-6))
    page.wait_for_function("!document.querySelector('.race-playhead')")
    labels = page.locator(".race-label [data-path='derived:race_calls']").evaluate_all(
        "(nodes) => nodes.map((n) => Number(n.dataset.value))"
    )
    assert labels == [len(calls(record, rule)) for rule in record["rules"]]
    still = open_page(reduced_motion="reduce")
    show(still, "race", record)
    assert still.locator("#race-play").is_disabled() and "reduced motion" in str(
        still.get_attribute("#race-play", "title")
    )
    assert still.locator(".race-playhead").count() == 0 and still.inner_text("#race-play") == "Play"


@pytest.mark.skipif(OFFLINE, reason="imports a module itself when the page stands")
@pytest.mark.parametrize("width", WIDTHS)
def test_no_long_task_while_a_large_race_streams_in(open_page: Open, width: int) -> None:
    record = large_race(runs=40, tokens=64)
    stream = messages(record)
    page = open_page(width)
    page.evaluate(
        """async (stream) => {
          const { raceWith } = await import(new URL('records.js', location.href).href);
          let race = null, at = 0;
          window.arrive = (count) => {
            for (const end = Math.min(at + count, stream.length); at < end; at++) {
              race = raceWith(race, stream[at]);
              measure.show({ race: { ...measure.view.race, status: 'running', record: race } });
            }
          };
        }""",
        stream,
    )
    times = busy_times(page, ["arrive(1)"] * len(stream))
    assert max(times) < 200, sorted(times)[-5:]
    assert page.locator(".race-call").count() == sum(len(lane["calls"]) for lane in record["runs"][0]["lanes"].values())
    check_numbers(page, race=record)
    for script in (
        "measure.show({ race: { ...measure.view.race, record: null } })",
        "measure.show({ race: { ...measure.view.race, record: whole } })",
    ):
        page.evaluate("(record) => { window.whole = record; }", record)
        assert busy_times(page, [script])[0] < 200
