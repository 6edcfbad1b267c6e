"""What the race says in words, from planted figures, and its settings: what is asked for, refused, running, cancelled, out of date."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.lab.statistics import FEW_GROUPS
from tests.viewer.javascript import call
from tests.viewer.measure_page import Open, check_numbers, collisions, drawn_words, open_page, served, show
from tests.viewer.measure_records import lossless_by_rule, race_record, with_figures

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["open_page", "served"]  # fixtures
pytestmark = pytest.mark.browser


def sentences(page: Page, record: dict[str, Any]) -> str:
    show(page, "race", record)
    return page.inner_text(".pic-race-table .measure-findings >> nth=0")


def test_a_difference_is_measured_by_its_interval(open_page: Open) -> None:
    page = open_page()
    more = sentences(page, with_figures("block", "over_token", 0.31, 0.23, 0.39))
    said = "The block rule’s block efficiency is above the token rule’s: difference +0.310 [+0.230, +0.390], and its interval leaves 0 out."
    assert said in more
    less = sentences(page, with_figures("block", "over_token", -0.31, -0.39, -0.23))
    assert "is below the token rule’s: difference −0.310 [−0.390, −0.230], and its interval leaves 0 out." in less
    same = sentences(page, with_figures("block", "over_token", 0.0, 0.0, 0.0))
    assert "The block rule’s block efficiency is the token rule’s" in same


@pytest.mark.parametrize("groups", ["prompt", "seed"])
def test_intervals_from_few_groups_have_a_word(open_page: Open, groups: str) -> None:
    page = open_page()
    for count in (1, 2, FEW_GROUPS - 1, FEW_GROUPS, 40):
        record = race_record()
        record["summary"].update(groups=groups, group_count=count)
        show(page, "race", record)
        said = f"Fewer than six {groups}s: intervals may be too narrow." in page.inner_text(".pic-race-table")
        assert said == (1 < count < FEW_GROUPS)


@pytest.mark.parametrize(("groups", "count"), [("prompt", 3), ("prompt", 40), ("seed", 6)])
def test_no_sample_size_is_projected_from_a_difference_inside_its_interval(
    open_page: Open, groups: str, count: int
) -> None:
    """−0.004 ± 0.35 would ask for 22505 seeds, and any number up to infinity is as likely."""
    record = with_figures("block", "over_token", -0.004, -0.354, 0.346, groups=groups, group_count=count)
    record["settings"].update(seeds=2 if groups == "prompt" else count)
    [line] = [x for x in sentences(open_page(), record).splitlines() if "The block rule’s block eff" in x]
    assert f"with so few {groups}s: difference −0.00400 [−0.354, +0.346], and its interval holds 0. " in line
    assert line.endswith("How many would tell them apart cannot be said from these.")


def test_a_rule_with_memory_is_asked_afresh_on_the_first_block(open_page: Open) -> None:
    page = open_page()
    note = "sked from a fresh memory: what it pays in later blocks is not in this figure"
    show(page, "race", race_record(), config={"rules": lossless_by_rule(), "prompt_sets": [], "limits": {}})
    marked = page.locator(".race-table td", has_text="†")
    assert marked.count() == 1 and note in (marked.get_attribute("title") or "")
    assert marked.evaluate("(node) => [node.parentNode.dataset.rule, node.cellIndex]") == ["greedy_block", 4]
    assert page.locator(".race-table th").nth(4).inner_text() == "on the first block"
    assert page.inner_text(".race-fresh") == f"† A{note}."
    show(page, "race", race_record(), config={"rules": [], "prompt_sets": [], "limits": {}})
    assert page.locator(".race-fresh").is_hidden() and "†" not in page.inner_text(".race-table")


def test_what_is_continued_stands_before_the_texts(open_page: Open) -> None:
    record = race_record()
    record["runs"][0].update(prompt=1, seed=9)
    record["prompts"][1].update(text="<b>a dog</b>\nran \u202eup", notice="only its end is read")
    page = open_page()
    show(page, "race", record)
    shown = page.locator(".race-prompt .race-line")
    assert shown.inner_text() == "<b>a dog</b>⏎\nran ‹U+202E›up"
    assert shown.evaluate("(node) => Boolean(node.compareDocumentPosition(document.querySelector('.race-text')) & 4)")
    assert "They continue prompt 2 of 3, seed 9 (only its end is read):" in page.inner_text(".race-prompt")
    assert page.inner_text(".pic-race-lanes h3") == "Lanes of the first run: prompt 2 of 3, seed 9"
    assert page.inner_text(".race-begun") == "<b>a dog</b>⏎ ran ‹U+202E›up …"
    soft = page.evaluate("getComputedStyle(document.querySelector('.measure-status')).color")
    assert page.locator(".race-begun, .race-prompt .race-line").evaluate_all(
        "(nodes) => nodes.map((node) => getComputedStyle(node).color)"
    ) == [soft, soft]
    one = race_record()
    one["prompts"] = one["prompts"][:1]
    show(page, "race", one)
    assert page.inner_text(".pic-race-lanes h3") == "Lanes of the first run: seed 0"
    assert "this prompt, seed 0" in page.inner_text(".race-prompt")
    show(page, "race", None, status="empty")
    assert page.inner_text(".pic-race-lanes h3") == "Lanes of the first run"


def test_ordinals(request: pytest.FixtureRequest) -> None:
    found = call(
        request, "compare/race_words.js", "return payload.map(m.ordinal);", [1, 2, 3, 4, 10, 11, 13, 21, 112, 122]
    )
    assert found == ["1st", "2nd", "3rd", "4th", "10th", "11th", "13th", "21st", "112th", "122nd"]


def test_what_an_interval_counts(open_page: Open) -> None:
    page = open_page()
    prompts = sentences(page, race_record())
    assert (
        "95 % intervals, from 6 finished runs: the 3 prompts are counted as independent, their blocks are not."
        in prompts
    )
    seeds = race_record()
    seeds["summary"].update(groups="seed", group_count=5, runs=5)
    words = sentences(page, seeds)
    assert "the 5 seeds of this one prompt" in words and "This says nothing of other prompts." in words


def test_one_run_proves_nothing_and_has_no_interval(open_page: Open) -> None:
    record = race_record()
    record["summary"].update(groups="seed", group_count=1, runs=1)
    for figures in record["summary"]["rules"].values():
        for name in ("efficiency", "over_token", "first_block", "speedup"):
            if figures[name]:
                figures[name].update(standard_error=None, low=None, high=None)
    page = open_page()
    show(page, "race", record)
    words = page.inner_text(".pic-race-table")
    assert "One run proves nothing" in words and "One run proves nothing" in page.inner_text(
        ".pic-race-lanes .pic-caption"
    )
    assert "[" not in page.inner_text(".race-table") and "±" not in words
    assert page.locator(".race-dots [data-kind=interval]").count() == 0
    assert "one group leaves no interval" in page.inner_text(".pic-race-table .pic-caption")
    assert "without an interval" in words


def test_slower_than_plain_is_said_plainly(open_page: Open) -> None:
    page = open_page()

    def speed(mean: float, low: float, high: float) -> dict[str, Any]:
        """The block rule alone has a speed: the others' are measured, and may fall into any of the sentences."""
        record = with_figures("block", "speedup", mean, low, high)
        for rule, figures in record["summary"]["rules"].items():
            figures["speedup"] = figures["speedup"] if rule == "block" else None
        return record

    slow = sentences(page, speed(0.8, 0.7, 0.9))
    [slower] = [line for line in slow.splitlines() if " block at 0.800 [0.700, 0.900] times its speed" in line]
    assert slower.startswith("Speculation is slower than plain decoding on this machine with")
    fast = sentences(page, speed(1.4, 1.3, 1.5))
    assert (
        "Speculation is faster than plain decoding on this machine with block at 1.40 [1.30, 1.50] times its speed."
        in fast
    )
    unsure = sentences(page, speed(1.1, 0.9, 1.3))
    assert (
        "Neither measurably faster nor slower than plain decoding on this machine: block at 1.10 [0.900, 1.30]"
        in unsure
    )


def test_a_lossy_rule_s_win_is_never_shown_without_its_price(open_page: Open, served: str) -> None:
    record = with_figures("exact_match", "over_token", 0.9, 0.8, 1.0)
    record["summary"]["rules"]["exact_match"]["speedup"] = {
        "mean": 2.0,
        "standard_error": 0.05,
        "low": 1.9,
        "high": 2.1,
    }
    page = open_page()
    show(page, "race", record, config={"rules": lossless_by_rule(), "prompt_sets": [], "limits": {}})
    price = "not lossless: pays with the text"
    found = page.locator(".pic-race-table .measure-findings p").all_inner_texts()
    naming = [words for words in found if "exact match" in words]
    assert len(naming) == 3
    assert all(price in words for words in naming[:2]) and "lossless at temperature 0 only: at T = 1" in naming[2]
    assert price in page.inner_text(".race-table tr[data-rule=exact_match]") and price not in page.inner_text(
        ".race-table tr[data-rule=block]"
    )
    assert price in drawn_words(page, ".race-lane[data-rule=exact_match]")
    assert price in page.locator(".race-dots [data-rule=exact_match] circle title >> nth=0").text_content().__str__()
    assert drawn_words(page, ".race-dots").count("pays with the text") == 1
    # Not the first, though it needs fewest calls: only lossless lanes are compared.
    short = copy.deepcopy(record)
    lane = short["runs"][0]["lanes"]["exact_match"]
    lane["calls"] = [[24, 24, 23, 24.0, 1.0, 1.0, 0.1, 0.1]]
    show(page, "race", short)
    assert "exact match" not in page.inner_text(".pic-race-lanes .pic-caption")
    cold = copy.deepcopy(record)
    cold["settings"]["temperature"] = 0
    show(page, "race", cold)
    assert price not in page.inner_text("#measure")
    assert "At temperature 0 there is nothing to draw" in page.inner_text(".pic-race-texts")


def test_without_the_token_rule_and_with_a_text_that_ends(open_page: Open, served: str) -> None:
    record = race_record()
    record["rules"].remove("token")
    for run in record["runs"]:
        del run["lanes"]["token"]
    del record["summary"]["rules"]["token"]
    for figures in record["summary"]["rules"].values():
        figures.update(over_token=None, first_block=None)
    record["runs"][0]["lanes"]["block"]["finish"] = "eos"
    page = open_page()
    show(page, "race", record)
    assert "token rule" not in page.inner_text("#measure")
    assert page.locator(".race-dots [data-panel]").evaluate_all(
        "(nodes) => nodes.map((node) => node.dataset.panel)"
    ) == ["efficiency", "speedup"]
    assert "Marked is the first token that differs from the block rule’s." in page.inner_text(".pic-race-texts")
    assert page.locator(".race-text[data-rule=block] [data-first-difference]").count() == 0
    assert "(end of text)" in drawn_words(page, ".race-lane[data-rule=block]")
    assert collisions(page, served) == []
    check_numbers(page, race=record)


def test_settings_are_asked_for_and_refused(open_page: Open) -> None:
    page = open_page()
    show(page, "race", None, status="empty")
    assert "10 runs × 3 lanes" in page.inner_text("#race-status")
    page.click("#race-start")
    page.select_option("#race-set", "stories")
    assert page.input_value("#race-seeds") == "1" and "40 runs × 3 lanes" in page.inner_text("#race-status")
    page.select_option("#race-set", "austen")
    assert page.input_value("#race-seeds") == "1"
    page.fill("#race-seeds", "10")
    assert "40 prompts × 10 seeds are 400 runs and at most 80 are made: choose at most 2 seeds." in page.inner_text(
        "#race-status"
    )
    assert page.locator("#race-start").is_disabled()
    page.press("#race-seeds", "Enter")
    page.fill("#race-seeds", "0")
    assert "a whole number from 1 to 80; 10 stays" in page.inner_text("#race-seeds-problem")
    page.fill("#race-seeds", "2")
    assert page.inner_text("#race-seeds-problem") == "" and page.locator("#race-start").is_enabled()
    page.click("#race-axis input[value=predicted]")
    assert page.evaluate("measure.calls") == [
        ["startRace"],
        ["race.prompt_set", "stories"],
        ["race.seeds", 1],
        ["race.prompt_set", "austen"],
        ["race.seeds", 10],
        ["race.seeds", 2],
        ["race.axis", "predicted"],
    ]
    page.evaluate(
        "measure.show({ form: { max_new_tokens: 512 }, config: { ...measure.view.config, limits: { race_runs: [1, 80], race_tokens: 60000 } } })"
    )
    assert (
        "at most 60000 tokens are decoded" in page.inner_text("#race-status")
        and page.locator("#race-start").is_disabled()
    )


def test_running_cancelled_failed_and_out_of_date(open_page: Open, served: str) -> None:
    record = race_record()
    page = open_page()
    assert page.locator("#race-cancel").is_hidden()
    show(page, "race", None, status="running", progress={"text": "Starting the models", "fraction": 0.2})
    assert page.inner_text("#race-status") == "Starting the models"
    going = {**record, "runs": record["runs"][:3]}
    show(page, "race", going, status="running")
    page.wait_for_timeout(600)
    show(page, "race", going, status="running")
    words = page.inner_text("#race-status")
    assert words.startswith("run 4 of 6, about ") and words.endswith(" s left")
    page.click("#race-cancel")
    assert page.evaluate("measure.calls.at(-1)") == ["cancelRace"]
    show(page, "race", going, status="cancelled")
    assert page.inner_text("#race-status") == "Cancelled: 3 of 6 runs finished; what had come is kept."
    assert page.locator(".race-call").count() > 0 and page.locator(".race-table tbody tr").count() == 5
    show(page, "race", going, status="error", message="The server is gone.")
    assert page.inner_text("#race-status") == "The server is gone." and page.locator(".race-call").count() > 0
    begun = {**record, "runs": [], "summary": None, "costs": None, "pieces": {}}
    show(page, "race", begun, status="running")
    assert page.locator(".race-call").count() == 0 and "No race yet" in page.inner_text(".pic-race-lanes")
    settings = record["settings"]
    form = {
        **settings,
        "pair": record["pair"]["name"],
        "draft": record["pair"]["draft"],
        "prompt": record["prompts"][0]["text"],
    }
    show(page, "race", record, rules=record["rules"][1:], form=form)
    assert page.inner_text("#race-changed") == ""
    show(page, "race", record, rules=["token", "block"], form={**form, "gamma": 7, "seed": 1, "prompt": "another"})
    assert "other settings (γ, seed, prompt, rules)" in page.inner_text("#race-changed")
    assert collisions(page, served) == []
