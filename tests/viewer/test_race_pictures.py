"""The race's pictures in Chromium: numbers are the record's, segments are as long as the axis says, keys and Play work."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.viewer.measure_page import (
    WIDTHS,
    Open,
    boxes,
    check_numbers,
    collisions,
    numbers,
    open_page,
    served,
    show,
)
from tests.viewer.measure_records import calls, large_race, long_names, race_record, with_hostile_pieces

__all__ = ["open_page", "served"]  # fixtures
pytestmark = pytest.mark.browser

TIMES = ("draft_ms", "target_ms", "verify_ms", "rest_ms")


def lengths(record: dict[str, Any], rule: str, axis: str, c: float, v: float) -> list[float]:
    own = calls(record, rule)
    if axis == "calls":
        return [1.0] * len(own)
    if axis == "measured":
        return [sum(call[name] for name in TIMES) for call in own]
    return [call["gamma"] * c + v if call["gamma"] else 1.0 for call in own]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_number_is_the_record_s(open_page: Open, served: str, width: int) -> None:
    record = race_record()
    page = open_page(width)
    for axis in ("calls", "measured", "predicted"):
        show(page, "race", record, options={"axis": axis})
        seen = check_numbers(page, race=record)
        assert collisions(page, served) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for rule in record["rules"]:
        assert f"race:/summary/rules/{rule}/efficiency/mean" in seen and f"race:/summary/rules/{rule}/calls" in seen
    for name in ("low", "high", "mean"):
        assert {
            f"race:/summary/rules/block/{figure}/{name}" for figure in ("over_token", "speedup", "first_block")
        } <= seen
    assert {"race:/costs/c", "race:/costs/target_call_ms", "race:/summary/group_count", "race:/summary/runs"} <= seen


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("axis", ["calls", "measured", "predicted"])
@pytest.mark.parametrize("large", [False, True])
def test_segments_are_as_long_as_the_axis_says(open_page: Open, width: int, axis: str, large: bool) -> None:
    record = large_race(runs=2) if large else race_record()
    page = open_page(width)
    show(page, "race", record, options={"axis": axis, "c": 0.3, "v": 1.7})
    longest = max(sum(lengths(record, rule, axis, 0.3, 1.7)) for rule in record["rules"])
    chart = page.locator(".race-chart").evaluate("(node) => node.viewBox.baseVal.width")
    scale = (chart - 3) / longest
    for rule in record["rules"]:
        want = lengths(record, rule, axis, 0.3, 1.7)
        drawn = boxes(page, f".race-call[data-rule={rule}]", "x", "width", "data-value", "data-call")
        assert [box["data-value"] for box in drawn] == pytest.approx(want)
        start = 1.0
        for box, length in zip(drawn, want, strict=True):
            assert box["x"] == pytest.approx(start, abs=0.02)
            assert box["width"] == pytest.approx(max(length * scale, 0.5), abs=0.02)
            start += length * scale
        [end] = boxes(page, f".race-lane[data-rule={rule}] .race-end", "x1", "x2")
        assert end["x1"] == end["x2"] == pytest.approx(start, abs=0.02)


def test_marks_are_the_tokens_by_colour_and_shape(open_page: Open) -> None:
    record = race_record()
    page = open_page()
    show(page, "race", record)
    fills = {}
    for rule in record["rules"]:
        want = []
        for call in calls(record, rule):
            extra = "plain" if not call["gamma"] else "bonus" if call["gained"] - 1 == call["gamma"] else "correction"
            want += ["kept" if i < call["gained"] - 1 else extra for i in range(call["shown"])]
        drawn = page.evaluate(
            """(rule) => [...document.querySelectorAll(`.race-lane[data-rule=${rule}] .race-token`)].map((node) =>
              [node.dataset.kind, getComputedStyle(node).fill, node.getAttribute('d').replace(/[-\\d.\\s]+/g, '')])""",
            rule,
        )
        assert [kind for kind, _, _ in drawn] == want
        assert len(want) == len(record["runs"][0]["lanes"][rule]["ids"])
        fills.update({kind: (fill, shape) for kind, fill, shape in drawn})
    assert {"kept", "correction", "plain"} <= set(fills)
    assert len({fill for fill, _ in fills.values()}) == len({shape for _, shape in fills.values()}) == len(fills)


def test_a_lane_s_end_says_what_it_needed(open_page: Open) -> None:
    record = race_record()
    page = open_page()
    for axis, path in (("calls", "race_calls"), ("measured", "race_time"), ("predicted", "race_predicted")):
        show(page, "race", record, options={"axis": axis, "c": 0.25, "v": 2.0})
        for rule in record["rules"]:
            label = page.locator(f".race-lane[data-rule={rule}] .race-label")
            assert " in " in (label.text_content() or "")
            values = label.evaluate(
                "(node) => Object.fromEntries([...node.querySelectorAll('[data-path]')].map((n) => [n.dataset.path, Number(n.dataset.value)]))"
            )
            assert values["derived:race_tokens"] == len(record["runs"][0]["lanes"][rule]["ids"])
            assert values[f"derived:{path}"] == pytest.approx(sum(lengths(record, rule, axis, 0.25, 2.0)))


def test_texts_mark_the_first_difference_from_token(open_page: Open) -> None:
    record = race_record()
    page = open_page()
    show(page, "race", record)
    lanes = record["runs"][0]["lanes"]
    for rule in record["rules"]:
        line = page.locator(f".race-text[data-rule={rule}]")
        differing = [
            i for i, (a, b) in enumerate(zip(lanes[rule]["ids"], lanes["token"]["ids"], strict=False)) if a != b
        ]
        marks = line.locator("[data-first-difference]")
        if rule == "token" or not differing:
            assert marks.count() == 0
            continue
        assert marks.count() == 1 and marks.get_attribute("data-first-difference") == str(differing[0])
        place = line.locator("[data-path='derived:first_difference']")
        assert place.get_attribute("data-value") == str(differing[0] + 1)
        said = line.locator(".race-text-head").inner_text()
        assert re.search(rf"differs from its {differing[0] + 1}(st|nd|rd|th) token on", said)
    words = page.inner_text(".pic-race-texts")
    assert "Same law, not same text" in words and "exact match: another law, not only another text" in words


@pytest.mark.parametrize("width", WIDTHS)
def test_long_names_of_lossy_rules_have_room(open_page: Open, served: str, width: int) -> None:
    record = long_names(race_record())
    page = open_page(width)
    show(page, "race", record)
    assert collisions(page, served) == []
    rights, lines = page.evaluate(
        """() => [[...document.querySelectorAll('.race-dots .race-name, .race-dots .race-tag')].map((n) => n.getBBox().x + n.getBBox().width),
          [...document.querySelectorAll('.race-dots .race-grid')].map((n) => Number(n.getAttribute('x1')))]"""
    )
    assert max(rights) < min(lines)
    names: dict[str, str] = {}
    for rule in record["rules"]:
        parts = page.locator(f".race-dots g[data-rule={rule}]:has(.race-name) >> nth=0").locator(".race-name")
        names[rule] = " ".join(parts.all_text_contents())
    assert names == {rule: rule.replace("_", " ") for rule in record["rules"]}
    # A dot stands beside its name: rows of different heights in all panels.
    for rule in record["rules"][1:]:
        middle, dot = page.evaluate(
            """(rule) => {
              const box = document.querySelector(`.race-dots g[data-rule=${rule}]:has(.race-name)`).getBBox();
              return [box.y + box.height / 2, Number(document.querySelector(`.race-dots [data-rule=${rule}] circle`).getAttribute('cy'))];
            }""",
            rule,
        )
        assert dot == pytest.approx(middle, abs=4)


def test_predicted_speed_follows_the_sliders(open_page: Open) -> None:
    record = race_record()
    page = open_page()
    show(page, "race", record)

    def predicted() -> list[float]:
        return [float(n["value"]) for n in numbers(page) if n["path"] == "derived:predicted_speedup"]

    def expected(c: float, v: float) -> list[float]:
        rules = [rule for rule in record["rules"] if rule != "plain"]
        return [
            record["summary"]["rules"][r]["efficiency"]["mean"] / (record["settings"]["gamma"] * c + v) for r in rules
        ]

    costs = record["costs"]
    assert sorted(predicted()) == pytest.approx(sorted(2 * expected(costs["c"], costs["v"])))
    assert not page.locator("#race-costs-reset").is_visible()
    page.fill("#race-c", "0.05")
    page.fill("#race-v", "1.25")
    assert sorted(predicted()) == pytest.approx(sorted(2 * expected(0.05, 1.25)))
    assert page.locator("#race-c-slider").input_value() == "0.05"
    page.fill("#race-c", "-1")
    assert page.locator("#race-c").get_attribute("aria-invalid") == "true"
    page.locator("#race-v-slider").fill("2")
    assert sorted(predicted()) == pytest.approx(sorted(2 * expected(0.05, 2.0)))
    page.click("#race-costs-reset")
    assert sorted(predicted()) == pytest.approx(sorted(2 * expected(costs["c"], costs["v"])))
    assert page.locator("#race-c").get_attribute("aria-invalid") is None


def test_hostile_tokens_stay_text(open_page: Open) -> None:
    record = with_hostile_pieces(race_record())
    page = open_page()
    show(page, "race", record)
    page.click("[data-choice=read]")
    page.wait_for_selector(".race-word")
    words = page.inner_text(".race-texts")
    assert (
        "<script>window.hurt = 1</script>" in words and "&amp;" in words and "${1+1}" in words and "‹U+202E›" in words
    )
    assert page.evaluate("[window.hurt, document.querySelectorAll('#measure script').length]") == [None, 0]
