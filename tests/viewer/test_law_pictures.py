"""The law check's pictures in Chromium: bars and errors are the record's, words say what its numbers mean and no more."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from tests.viewer.measure_page import (
    WIDTHS,
    Open,
    boxes,
    busy_times,
    check_numbers,
    collisions,
    drawn_words,
    open_page,
    served,
    show,
)
from tests.viewer.measure_records import law_record, lossless_by_rule, with_hostile_pieces

__all__ = ["open_page", "served"]  # fixtures
pytestmark = pytest.mark.browser

WRONG, ESTIMATED = "correction_from_target", "break_at_first_failure"


def by_target(values: list[float]) -> list[int]:
    return sorted(range(len(values)), key=lambda n: -values[n])


def with_pairs(rule: str, **found: Any) -> dict[str, Any]:
    record = law_record()
    record["pairs"]["rules"][rule].update(found)
    return record


@pytest.mark.parametrize("width", WIDTHS)
def test_every_number_is_the_record_s(open_page: Open, served: str, width: int) -> None:
    record = law_record()
    page = open_page(width)
    show(page, "law", record)
    seen = check_numbers(page, law=record)
    for rule in record["rules"]:
        assert {
            f"law:/next/rules/{rule}/{name}"
            for name in ("tv", "rest", "law/0", f"law/{len(record['next']['ids']) - 1}")
        } <= seen
        assert {
            f"law:/pairs/rules/{rule}/{name}"
            for name in ("tv", "p_value", "rest", "counts/0", "tv_by_chance/mean", "tv_by_chance/high")
        } <= seen
    assert collisions(page, served) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_and_differences_are_in_proportion(open_page: Open, width: int) -> None:
    record = law_record()
    page = open_page(width)
    show(page, "law", record)
    target, order = record["next"]["target"], by_target(record["next"]["target"])
    per_difference = set()
    for rule in record["rules"]:
        law = record["next"]["rules"][rule]["law"]
        bars = boxes(page, f".law-row[data-rule={rule}] [data-kind=law]", "data-value", "width")
        assert [bar["data-value"] for bar in bars[:-1]] == [law[n] for n in order]
        scales = [bar["width"] / bar["data-value"] for bar in bars[:-1] if bar["width"] > 3]
        assert max(scales) - min(scales) < 0.03 * max(scales)
        gaps = boxes(page, f".law-row[data-rule={rule}] [data-kind=difference]", "data-value", "width", "x", "class")
        shown = [law[n] - target[n] for n in order if abs(law[n] - target[n]) >= 1e-9]
        assert [gap["data-value"] for gap in gaps[: len(shown)]] == pytest.approx(shown, abs=1e-12)
        for gap in gaps[: len(shown)]:
            assert gap["class"].split()[0] == ("law-more" if gap["data-value"] > 0 else "law-less")
            if gap["width"] > 2:
                per_difference.add(round(gap["width"] / abs(gap["data-value"]) / 10))
    assert len(per_difference) <= 2, "one scale for every rule's differences"
    assert page.locator(".law-row[data-rule=token] [data-kind=difference]").count() == 0
    assert page.locator(f".law-row[data-rule={WRONG}] [data-kind=difference]").count() > 3


def test_a_lossless_rule_equals_the_target_and_a_lossy_one_does_not(open_page: Open) -> None:
    record = law_record()
    page = open_page()
    show(page, "law", record, config={"rules": lossless_by_rule(), "limits": {}, "prompt_sets": []})
    heads = drawn_words(page, ".law-chart")
    assert heads.count("equal to the target (< 10⁻⁹)") == 2 and "exact total variation" in heads
    assert f"TV {record['next']['rules'][WRONG]['tv']:.3g}" in heads
    words = page.inner_text(".pic-law-next .measure-findings")
    assert "The token rule: the next token has exactly the target’s law." in words
    assert (
        f"The correction from target rule: the next token follows another law: {record['next']['rules'][WRONG]['tv']:.0%}".replace(
            "%", "\u202f%"
        )
        in words
    )
    assert "NOT lossless" in page.inner_text(".measure-law .measure-warning >> nth=0")
    noise = copy.deepcopy(record)
    noise["next"]["rules"]["token"]["tv"] = 2e-9
    show(page, "law", noise)
    assert drawn_words(page, ".law-chart").count("equal to the target") == 1


def test_an_estimate_has_error_bars_and_says_so(open_page: Open) -> None:
    record = law_record()
    page = open_page()
    show(page, "law", record)
    found = record["next"]["rules"][ESTIMATED]
    assert not found["exact"] and found["error"]
    assert f"estimated from {record['pairs']['done']} blocks" in drawn_words(page, ".law-chart")
    bars = page.locator(f".pic-law-next [data-rule={ESTIMATED}] [data-kind=error]").evaluate_all(
        "(nodes) => nodes.map((node) => node.getBBox().width)"
    )
    errors = [found["error"][n] for n in by_target(record["next"]["target"]) if found["error"][n] > 0]
    scales = [bar / error for bar, error in zip(bars, errors, strict=True) if bar > 4]
    assert len(bars) == len(errors) and max(scales) - min(scales) < 0.03 * max(scales)
    assert page.locator(".pic-law-next [data-rule=token] [data-kind=error]").count() == 0
    quiet = copy.deepcopy(record)
    quiet["next"]["rules"][ESTIMATED].update(tv=0.004, tv_error=0.003)
    show(page, "law", quiet)
    assert "shows no bias beyond the estimate’s error (total variation 0.00400 ± 0.00300)" in page.inner_text(
        ".pic-law-next"
    )
    quiet["next"]["rules"][ESTIMATED].update(tv=0.04, tv_error=0.003)
    show(page, "law", copy.deepcopy(quiet))
    assert "is estimated to follow another law, by a total variation of 0.0400 ± 0.00300" in page.inner_text(
        ".pic-law-next"
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_pairs_are_shares_with_binomial_errors(open_page: Open, width: int) -> None:
    record = law_record()
    pairs, done = record["pairs"], record["pairs"]["done"]
    page = open_page(width)
    show(page, "law", record)
    order = by_target(pairs["target"])
    for rule in record["rules"]:
        dots = boxes(page, f".pic-law-pairs .law-row[data-rule={rule}] [data-kind=share]", "data-value", "cx")
        marks = boxes(page, f".pic-law-pairs .law-row[data-rule={rule}] [data-kind=target]", "x")
        assert [dot["data-value"] for dot in dots] == pytest.approx(
            [pairs["rules"][rule]["counts"][k] / done for k in order] + [pairs["rules"][rule]["rest"] / done]
        )
        ends = page.locator(f".pic-law-pairs .law-row[data-rule={rule}] [data-kind=error]").evaluate_all(
            "(nodes) => nodes.map((node) => { const box = node.getBBox(); return [box.x, box.x + box.width]; })"
        )
        low, high = order[-1], order[0]
        scale = (marks[0]["x"] - marks[-2]["x"]) / (pairs["target"][high] - pairs["target"][low])
        zero = marks[0]["x"] + 1.25 - scale * pairs["target"][high]
        for k, dot, (_, end) in zip(order, dots, ends, strict=False):
            p = pairs["target"][k]
            assert dot["cx"] == pytest.approx(zero + scale * dot["data-value"], abs=0.1)
            assert end == pytest.approx(
                zero + scale * (dot["data-value"] + 1.96 * math.sqrt(p * (1 - p) / done)), abs=0.1
            )


@pytest.mark.parametrize(
    ("rule", "found", "words"),
    [
        ("token", {"p_value": 0.43}, "shows a deviation at least this large in 43\u202f% of such samples: no sign of a bias."),
        (WRONG, {"p_value": 0.43}, "which does not make the rule lossless"),
        ("token", {"p_value": 0.03}, "in 3.0\u202f% of such samples: a hint at most"),
        (WRONG, {"p_value": 0.005}, "in 0.5\u202f% of such samples: hard to put down to chance"),
        (WRONG, {"p_value": 1 / 2001}, "in fewer than 1 in 2,000 such samples: this is not the target’s law."),
        (WRONG, {"p_value": 2 / 2001}, "in about 1 in 1,000 such samples: this is not the target’s law."),
        ("block", {"p_value": 1 / 2001}, "said to be lossless: this would be a mistake in it, or a very rare chance"),
        (WRONG, {"p_value": 0.0, "impossible": 7}, "in 7 of 300 samples it wrote a pair to which the target gives probability 0"),
    ],
)  # fmt: skip
def test_a_p_value_in_words(open_page: Open, rule: str, found: dict[str, Any], words: str) -> None:
    page = open_page()
    show(page, "law", with_pairs(rule, **found))
    sentence = page.locator(".pic-law-pairs .measure-findings p").nth(law_record()["rules"].index(rule)).inner_text()
    assert words in sentence


def test_before_and_while_samples_are_drawn(open_page: Open, served: str) -> None:
    page = open_page()
    assert "will stand here" in page.inner_text(".pic-law-next") and page.locator(".pic-law-pairs").is_hidden()
    record = law_record()
    early = copy.deepcopy(record)
    early["pairs"]["done"] = 0
    for found in early["pairs"]["rules"].values():
        found.update(
            counts=[0] * len(found["counts"]),
            rest=0,
            impossible=0,
            tv=None,
            tv_by_chance=None,
            statistic=None,
            p_value=None,
        )
    show(page, "law", early, status="running")
    assert page.inner_text("#law-status").startswith("0 of 300 samples") and page.locator("#law-cancel").is_visible()
    assert page.locator(".pic-law-pairs [data-kind=share]").count() == 0 and "no samples yet" in page.inner_text(
        ".pic-law-pairs"
    )
    assert collisions(page, served) == []
    check_numbers(page, law=early)
    stripped = {**early, "pairs": None}
    show(page, "law", stripped, status="running")
    assert "will stand here" in page.inner_text(".pic-law-pairs")
    half = copy.deepcopy(record)
    half["pairs"]["done"] = 150
    show(page, "law", half, status="cancelled")
    assert page.inner_text("#law-status") == "Cancelled after 150 of 300 samples; what had come is kept."
    show(page, "law", half, status="error", message="The server is gone.")
    assert page.inner_text("#law-status") == "The server is gone." and page.locator(".law-row").count() > 0
    page.fill("#law-samples", "50")
    assert "a whole number from 100 to 5000; 600 stays" in page.inner_text("#law-samples-problem")
    page.fill("#law-samples", "900")
    page.click("#law-start")
    assert page.evaluate("measure.calls") == [["law.samples", 900], ["startLaw"]]


def test_hostile_tokens_stay_text_and_a_growing_record_is_light(open_page: Open) -> None:
    record = with_hostile_pieces(law_record())
    page = open_page()
    show(page, "law", record)
    tips = page.locator(".law-chart .pic-token title").all_text_contents()
    assert any("<script>window.hurt" in words for words in tips) and any("${1+1}" in words for words in tips)
    assert page.evaluate("[window.hurt, document.querySelectorAll('#measure script').length]") == [None, 0]
    page.evaluate("(record) => { window.given = record; }", record)
    step = "given = structuredClone(given); given.pairs.done += 1; measure.show({ law: { ...measure.view.law, record: given } })"
    assert max(busy_times(page, [step] * 6)) < 200


def test_one_hot_laws_and_a_single_cell(open_page: Open, served: str) -> None:
    record = law_record()
    record["next"].update(
        ids=record["next"]["ids"][:1], target=[1.0], draft=[1.0], rest={"count": 299, "target": 0.0, "draft": 0.0}
    )
    for found in record["next"]["rules"].values():
        found.update(law=[1.0], rest=0.0, error=None, exact=True, tv=0.0, tv_error=None)
    record["pairs"].update(cells=record["pairs"]["cells"][:1], target=[1.0], rest_target=0.0)
    for found in record["pairs"]["rules"].values():
        found.update(
            counts=[300],
            rest=0,
            impossible=0,
            tv=0.0,
            tv_by_chance={"mean": 0.0, "high": 0.0},
            statistic=0.0,
            p_value=1.0,
        )
    page = open_page()
    show(page, "law", record)
    check_numbers(page, law=record)
    assert "100\u202f% of such samples: no sign of a bias" in page.inner_text(".pic-law-pairs")
    assert collisions(page, served) == []
