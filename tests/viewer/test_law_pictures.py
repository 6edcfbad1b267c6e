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
    per_difference = []
    for rule in record["rules"]:
        law = record["next"]["rules"][rule]["law"]
        bars = boxes(page, f".law-row[data-rule={rule}] [data-kind=law]", "data-value", "width")
        assert [bar["data-value"] for bar in bars[:-1]] == [law[n] for n in order]
        scales = [bar["width"] / bar["data-value"] for bar in bars[:-1] if bar["width"] > 3]
        assert max(scales) - min(scales) < 0.03 * max(scales)
        gaps = boxes(page, f".law-row[data-rule={rule}] [data-kind=difference]", "data-value", "width", "x", "class")
        shown = [law[n] - target[n] for n in order if abs(law[n] - target[n]) >= 5e-7]
        spread = page.locator(f".pic-law-next [data-rule={rule}][data-spread]")
        reach = float(spread.get_attribute("data-spread") or 0)
        assert spread.text_content() == (f"−{reach:g} … {reach:g}" if shown else "no difference")
        assert [gap["data-value"] for gap in gaps[: len(shown)]] == pytest.approx(shown, abs=1e-12)
        for gap in gaps[: len(shown)]:
            assert gap["class"].split()[0] == ("law-more" if gap["data-value"] > 0 else "law-less")
            if gap["width"] > 2 and abs(gap["data-value"]) < reach:
                per_difference.append(gap["width"] / (abs(gap["data-value"]) / reach))
    assert max(per_difference) - min(per_difference) < 0.03 * max(per_difference), "a scale for each rule, as written"
    assert page.locator(".law-row[data-rule=token] [data-kind=difference]").count() == 0
    assert page.locator(f".law-row[data-rule={WRONG}] [data-kind=difference]").count() > 3


def badly_wrong(record: dict[str, Any]) -> dict[str, Any]:
    """One rule puts nearly everything on one token, another is off by 0.01, most of the probability is in the rest."""
    following, pairs = record["next"], record["pairs"]
    count = len(following["ids"])
    following["target"] = [0.15 / count] * count
    following["rest"]["target"] = 0.85
    for rule in record["rules"]:
        following["rules"][rule].update(law=list(following["target"]), rest=0.85, tv=0.0, exact=True, error=None)
    following["rules"][WRONG].update(law=[0.97, *[0.0] * (count - 1)], rest=0.03, tv=0.96)
    following["rules"]["block"]["law"][:3] = [
        following["target"][0] + 0.01, following["target"][1] - 0.01, following["target"][2] + 3e-7,
    ]  # fmt: skip
    cells = len(pairs["cells"])
    pairs.update(target=[0.1 / cells] * cells, rest_target=0.9)
    for rule in record["rules"]:
        pairs["rules"][rule].update(counts=[2] * cells, rest=300 - 2 * cells)
    pairs["rules"][WRONG].update(counts=[300, *[0] * (cells - 1)], rest=0)
    return record


@pytest.mark.parametrize("width", WIDTHS)
def test_a_small_bias_is_seen_beside_a_large_one(open_page: Open, served: str, width: int) -> None:
    record = badly_wrong(law_record())
    page = open_page(width)
    show(page, "law", record)

    def gaps(rule: str) -> list[dict[str, Any]]:
        return boxes(page, f".law-row[data-rule={rule}] [data-kind=difference]", "data-value", "width")

    def broken(rule: str) -> list[str]:
        path = f".pic-law-next .law-row[data-rule={rule}]:has(> .pic-break)"
        return page.locator(path).evaluate_all("(nodes) => nodes.map((node) => node.dataset.tokenId)")

    small, large, first = gaps("block"), gaps(WRONG), str(record["next"]["ids"][0])
    # The half axis is as long in every panel: the broken bar's length.
    half = max(gap["width"] for gap in large)
    assert [gap["data-value"] for gap in small] == pytest.approx([0.01, -0.01])
    assert min(gap["width"] for gap in small) == pytest.approx(half, abs=0.05)
    assert "−0.01 … 0.01" in drawn_words(page, ".law-chart") and "−1 … 1" not in drawn_words(page, ".law-chart")
    # One huge cell and the rest are cut, with their numbers; the others keep to the scale that is written.
    spread = page.locator(f".pic-law-next [data-rule={WRONG}][data-spread]").get_attribute("data-spread")
    assert float(spread or 0) == pytest.approx(0.15 / len(record["next"]["ids"]), rel=0.5)
    assert broken(WRONG) == [first, "rest"] and broken("block") == []
    assert [gap["width"] for gap in large if abs(gap["data-value"]) > float(spread or 0)] == pytest.approx([half, half])
    assert "+0.96" in drawn_words(page, ".law-chart") and "−0.820" in drawn_words(page, ".law-chart")
    caption = page.inner_text(".pic-law-next .pic-caption")
    assert "a scale of their own" in caption and "A bar with a gap goes beyond the scale" in caption
    # The flat law's bars are not shrunk by the rest or by the huge cell.
    bars = boxes(page, ".pic-law-next .law-row[data-rule=token] [data-kind=law]", "width")
    longest = max(box["width"] for box in boxes(page, f".law-row[data-rule={WRONG}] [data-kind=law]", "width"))
    assert bars[0]["width"] > longest / 3
    # So it is with the pairs: a row with a zigzag for the huge cell and for the rest, the other dots spread over the axis.
    zigzags = page.locator(".pic-law-pairs .law-row:has(.law-zigzag)").evaluate_all(
        "(nodes) => nodes.map((node) => node.dataset.rule)"
    )
    assert zigzags == [rule for rule in record["rules"] for _ in range(2 if rule == WRONG else 1)]
    dots = boxes(page, ".pic-law-pairs .law-row[data-rule=token] [data-kind=share]", "cx")
    places = """(nodes) => nodes.map((node) => Number(node.getAttribute('x1')))"""
    begin, end = (page.locator(f".pic-law-pairs .{name}").evaluate_all(places)[0] for name in ("pic-axis", "race-grid"))
    assert dots[0]["cx"] - begin > 0.1 * (end - begin), "a share of 1/150 on an axis of 1 would be at 0"
    assert "A row with a zigzag" in page.inner_text(".pic-law-pairs .pic-caption")
    assert collisions(page, served) == []
    check_numbers(page, law=record)


def test_what_is_no_difference_has_no_tick_and_no_scale(open_page: Open) -> None:
    record = law_record()
    for rule in record["rules"]:
        record["next"]["rules"][rule].update(
            law=list(record["next"]["target"]), error=None, exact=True, tv=0.0, tv_error=None
        )
        record["next"]["rules"][rule]["rest"] = record["next"]["rest"]["target"]
    tiny = record["next"]["rules"][WRONG]
    tiny["law"][:4] = [p + gap for p, gap in zip(tiny["law"], [4e-7, -4e-7, 8e-7, -8e-7], strict=False)]
    page = open_page()
    show(page, "law", record)
    ticks = boxes(page, f".law-row[data-rule={WRONG}] [data-kind=difference]", "data-value")
    assert sorted(tick["data-value"] for tick in ticks) == pytest.approx([-8e-7, 8e-7])
    shown = page.locator(f".law-row[data-rule={WRONG}] > .pic-figure").all_text_contents()
    assert sorted(words.split("0.")[0] for words in shown if "0.000001" in words) == ["+", "−"]
    assert page.locator(".pic-law-next text", has_text="no difference").count() == len(record["rules"]) - 1
    tiny["law"] = list(record["next"]["target"])
    show(page, "law", copy.deepcopy(record))
    caption = page.inner_text(".pic-law-next .pic-caption")
    assert (
        "scale" not in caption.replace("goes beyond the scale", "")
        and page.locator("[data-kind=difference]").count() == 0
    )


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
    assert "would have to move to make it the target’s." in words and "stands on other tokens" not in words
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
    assert f"from {record['pairs']['done']} blocks, error ≤ " in drawn_words(page, ".law-chart")
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
    assert "shows no bias beyond the estimate’s error (total variation 0.00400, on average at most 0.00300 off)" in page.inner_text(
        ".pic-law-next"
    )
    quiet["next"]["rules"][ESTIMATED].update(tv=0.04, tv_error=0.003)
    show(page, "law", copy.deepcopy(quiet))
    assert "is estimated to follow another law, by a total variation of 0.0400, on average at most 0.00300 off" in page.inner_text(
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
        ("token", {"p_value": 0.03}, "would happen by chance in 3.0\u202f% of such samples: weak evidence; more samples decide."),
        (WRONG, {"p_value": 0.056, "tv": 0.3}, "would happen by chance in 5.6\u202f% of such samples: weak evidence; more samples decide."),
        ("block", {"p_value": 0.099, "tv": 0.001}, "in 9.9\u202f% of such samples: weak evidence"),
        ("token", {"p_value": 0.2, "tv": 0.3, "tv_by_chance": {"mean": 0.1, "high": 0.2}}, "total variation in fewer than 5 % of them; more"),
        (WRONG, {"p_value": 0.005}, "in 0.5\u202f% of such samples: hard to put down to chance"),
        (WRONG, {"p_value": 1 / 2001}, "in fewer than 1 in 2\u202f000 such samples: this is not the target’s law."),
        (WRONG, {"p_value": 2 / 2001}, "in about 1 in 1\u202f000 such samples: this is not the target’s law."),
        ("block", {"p_value": 1 / 2001}, "said to be lossless: this would be a mistake in it, or a very rare chance"),
        (WRONG, {"p_value": 0.0, "impossible": 7}, "in 7 of 300 samples it wrote a pair to which the target gives probability 0"),
    ],
)  # fmt: skip
def test_a_p_value_in_words(open_page: Open, rule: str, found: dict[str, Any], words: str) -> None:
    page = open_page()
    show(page, "law", with_pairs(rule, **found))
    sentence = page.locator(".pic-law-pairs .measure-findings p").nth(law_record()["rules"].index(rule)).inner_text()
    assert words in sentence


def test_columns_of_pairs_are_no_independent_evidence(open_page: Open) -> None:
    note = "All rules are counted on the same drafts and uniforms: their columns are no independent evidence."
    page = open_page()
    show(page, "law", law_record())
    assert page.inner_text(".pic-law-pairs .measure-note") == note
    one = law_record()
    one["rules"] = ["token"]
    show(page, "law", one)
    assert note not in page.inner_text(".pic-law-pairs")


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
