"""The Compare page in a browser, with tiny real models: the numbers, the cells, the walk, what differs, the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.compare_page import (
    FOUR,
    PROMPT,
    READY,
    address,
    decoded,
    differing,
    link,
    open_page,
    outcome,
    place,
    trace,
    without_times,
    wrong_numbers,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def numbers(page: Page) -> dict[str, float]:
    """Every number of the table by its path."""
    script = "(l) => l.map((n) => [n.dataset.path, Number(n.dataset.value)])"
    return dict(page.locator("#compare-block table [data-path]").evaluate_all(script))


def test_decode_shows_the_librarys_run_and_its_numbers(open_page: Callable[..., Page]) -> None:
    page = open_page()
    assert page.locator("#compare").get_attribute("data-state") == "empty"
    assert page.locator("#compare").get_attribute("data-page") == "compare"
    page.fill("#compare-prompt", PROMPT)
    page.fill("#compare-temperature", "2")
    page.fill("#compare-max-tokens", "40")
    page.select_option("#compare-add", "exact_match")
    page.select_option("#compare-add", "product_of_uniforms")
    page.click("#compare-run")
    page.wait_for_selector(READY)
    expected = decoded(FOUR)
    assert without_times(trace(page)) == without_times(expected)
    for block in expected["blocks"]:
        assert wrong_numbers(page) == []
        shown = numbers(page)
        for rule in FOUR.split(","):
            base, verdict = f"/blocks/{block['index']}/verdicts/{rule}", block["verdicts"][rule]
            assert shown[f"{base}/accepted"] == verdict["accepted"]
            assert shown[f"{base}/expected_accepted"] == verdict["expected_accepted"]
            assert shown[f"{base}/next_prob"] == verdict["next_prob"]
            for i in range(block["gamma"]):
                assert shown[f"{base}/accept_prob/{i}"] == verdict["accept_prob"][i]
                assert shown[f"{base}/length_law/{i}"] == verdict["length_law"][i]
        page.keyboard.press("ArrowRight")
    means = page.locator("[data-path='derived:mean_expected_gained']").evaluate_all(
        "(l) => l.map((n) => Number(n.dataset.value))"
    )
    for mean, rule in zip(means, FOUR.split(","), strict=True):
        exact = sum(block["verdicts"][rule]["expected_accepted"] + 1 for block in expected["blocks"])
        assert mean == pytest.approx(exact / len(expected["blocks"]), abs=1e-12)


def test_cells_say_what_became_of_each_token(open_page: Callable[..., Page]) -> None:
    page = open_page(link(FOUR), wait=READY)
    for block in trace(page)["blocks"]:
        for column, rule in enumerate(FOUR.split(",")):
            verdict, tau = block["verdicts"][rule], block["verdicts"][rule]["accepted"]
            cells = page.locator(f"#compare-block tr[data-row] td:nth-child({column + 2})")
            fates = cells.evaluate_all("(l) => l.map((n) => [n.dataset.fate, n.dataset.coin, n.dataset.cut ?? null])")
            backwards = verdict["order"] == "right_to_left"
            for index, (fate, coin, cut) in enumerate(fates):
                i = index + 1
                kept = ("kept", "rescued", "decides") if backwards else ("kept",)
                assert (fate in kept) == (i <= tau)
                assert (fate == "decides") == (backwards and i == tau)
                assert (fate == "struck") == (i > tau if backwards else i == tau + 1)
                looked = i >= tau if backwards else i <= tau + 1
                assert coin == ("not tossed" if not looked else "passed" if i <= tau else "failed")
                assert cut == ("below" if i == tau else "above" if tau == 0 and i == 1 else None)
        page.keyboard.press("ArrowRight")
    # What a mistake compares is what the dot stands for, and it is said.
    dots = page.locator("#compare-block tr[data-row] td:nth-child(5) path.sd-dot")
    last = trace(page)["blocks"][-1]
    compared = last["verdicts"]["product_of_uniforms"]["compared"]
    assert dots.evaluate_all("(l) => l.map((n) => Number(n.dataset.value))") == compared
    assert page.locator("#compare-block tr[data-row] td:nth-child(5)").first.inner_text().count("not η") == 1
    assert "argmax" in page.locator("#compare-block tr[data-row] td:nth-child(4)").first.inner_text()


def test_the_gauge_is_to_scale(open_page: Callable[..., Page]) -> None:
    page = open_page(link(), wait=READY)
    script = """() => [...document.querySelectorAll('#compare-block .cmp-gauge')].map((gauge) => {
      const box = (name) => gauge.querySelector(name).getBoundingClientRect();
      const frame = box('.sd-gauge-frame'), zone = box('.sd-zone'), dot = box('.sd-dot');
      return {
        zone: zone.width / frame.width, dot: (dot.left + dot.width / 2 - frame.left) / frame.width,
        eta: Number(gauge.querySelector('.sd-dot').dataset.value), h: Number(gauge.closest('td').querySelector('.cmp-h').dataset.value),
      };
    })"""
    seen = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        seen += page.evaluate(script)
    assert len(seen) == 4 * 2 * 5
    for gauge in seen:
        assert gauge["dot"] == pytest.approx(gauge["eta"], abs=0.01)
        assert gauge["zone"] == pytest.approx(gauge["h"], abs=0.01 if gauge["h"] >= 0.02 else 0.03)
        assert (gauge["zone"] > 0) == (gauge["h"] > 0)


def test_keys_walk_in_lockstep_and_find_the_differences(open_page: Callable[..., Page]) -> None:
    page = open_page(link(), wait=READY)
    run = trace(page)
    last, apart = len(run["blocks"]) - 1, differing(run, ["token"], "block")
    assert 1 < len(apart) < last
    page.keyboard.press("End")
    assert place(page)[0] == str(last) and page.locator("#compare-next").is_disabled()
    assert f"Block {last + 1} of {last + 1}" in page.inner_text("#compare-sentence")
    page.keyboard.press("Home")
    assert place(page)[0] == "0" and f"block 1 of {last + 1}" in page.inner_text(".cmp-place")
    for wanted in [k for k in apart if k > 0] + [apart[0]]:
        page.keyboard.press("n")
        assert place(page)[0] == str(wanted)
        assert page.locator("#compare-differences li").count() == 1
    assert "From the start again" in page.inner_text("#compare .sd-notice.message")
    page.keyboard.press("Shift+N")
    assert place(page)[0] == str(apart[-1]) and "From the end again" in page.inner_text("#compare .sd-notice.message")
    page.click("#compare-next-difference")
    assert place(page)[0] == str(apart[0])
    page.keyboard.press("ArrowDown")
    row = int(place(page)[1] or -1)
    page.keyboard.press("ArrowUp")
    assert int(place(page)[1] or -1) == row - 1 and page.locator("tr.chosen").get_attribute("data-row") == str(row - 1)
    assert page.inner_text("#compare-position").startswith(f"Position {row}")
    page.click("#compare-block tr[data-row='4']")
    assert place(page)[1] == "4"


def test_differences_are_marked_and_said(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,greedy_block"), wait=READY)
    run = trace(page)
    for block in run["blocks"]:
        own = outcome(block, "block")
        parted = [rule for rule in ("token", "greedy_block") if outcome(block, rule) != own]
        said = page.locator("#compare-differences li[data-rule]").evaluate_all("(l) => l.map((n) => n.dataset.rule)")
        assert said == parted
        assert ("All columns agree on this block" in page.inner_text("#compare-sentence")) == (parted == [])
        for column, rule in ((2, "token"), (4, "greedy_block")):
            marked = page.locator(f"#compare-block tr[data-row] td:nth-child({column})").evaluate_all(
                "(l) => l.map((n) => 'differs' in n.dataset)"
            )
            low, high = sorted((own[0], block["verdicts"][rule]["accepted"]))
            assert marked == [low < i <= high for i in range(1, 6)]
            for row, differs in (
                ("kept", low != high),
                ("next", outcome(block, rule)[1] != own[1]),
                ("gained", low != high),
            ):
                cell = page.locator(f".cmp-row-{row} td:nth-child({column})")
                assert (cell.get_attribute("data-differs") is not None) == differs and cell.inner_text().count(
                    "≠"
                ) == differs
        assert page.locator("#compare-block td:nth-child(3)[data-differs]").count() == 0
        page.keyboard.press("ArrowRight")


def test_agreement_everywhere_is_said(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block,accepts_on_equal"), wait=READY)
    assert "the columns agree in all" in page.inner_text(".sd-transport")
    assert page.locator("#compare-next-difference").is_disabled()
    page.keyboard.press("n")
    assert "All columns agree on every block of this run" in page.inner_text("#compare .sd-notice.message")
    assert place(page)[0] == "0"


def test_the_text_is_the_whole_run_and_a_click_goes_to_its_block(open_page: Callable[..., Page]) -> None:
    page = open_page(link(), wait=READY)
    run = trace(page)
    shown = page.locator(".sd-line [data-token-id]").evaluate_all("(l) => l.map((n) => Number(n.dataset.tokenId))")
    assert shown == run["prompt"]["ids"] + [i for block in run["blocks"] for i in block["committed"]]
    page.locator(".sd-tok[data-block='4']").first.click()
    assert place(page)[0] == "4"
    now = page.locator(".sd-tok.now").evaluate_all("(l) => l.map((n) => n.dataset.block)")
    assert now and set(now) == {"4"}
