"""What the Compare page keeps and gives away: its link, what was typed, and the address among several pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.compare_page import FOUR, PROMPT, READY, address, link, open_page, place, trace, without_times

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_a_link_restores_the_comparison(open_page: Callable[..., Page]) -> None:
    page = open_page(link(FOUR, "token", b=2, pos=3), wait=READY)
    page.wait_for_timeout(500)
    assert place(page) == ("2", "3") and "digest=sha256" in page.url
    again = open_page(page.url[page.url.index("#") :], wait=READY)
    assert place(again) == place(page) and without_times(trace(again)) == without_times(trace(page))
    assert again.inner_text("#compare-block") == page.inner_text("#compare-block")
    page.keyboard.press("n")
    moved = place(page)
    page.wait_for_timeout(500)
    page.reload()
    page.wait_for_selector(READY)
    page.evaluate("compare.ready")
    assert place(page) == moved
    other = open_page(link(b=1, digest="sha256:00"), wait=READY)
    assert "digests differ" in other.inner_text(".sd-notices")
    odd = open_page(link("token,nonsense,block,token", gamma=99), wait=READY)
    assert "make no sense" in odd.inner_text(".sd-notices") and odd.evaluate("compare.store.state.form.rules") == [
        "token",
        "block",
    ]


def test_race_and_law_start_again_from_the_link(open_page: Callable[..., Page]) -> None:
    page = open_page(link(max=12, b=1, race=1, seeds=2, axis="predicted", c=0.5, law=1, samples=4), wait=READY)
    page.wait_for_function("compare.store.state.race.status === 'done' && compare.store.state.law.status === 'done'")
    race, law = page.evaluate("[compare.store.state.race, compare.store.state.law]")
    assert len(race["record"]["runs"]) == 2 and race["options"]["axis"] == "predicted" and race["options"]["c"] == 0.5
    assert law["record"]["pairs"]["done"] == 4 and law["record"]["settings"]["samples"] == 4
    page.wait_for_timeout(500)
    assert all(
        part in page.url for part in ("race=1", "seeds=2", "axis=predicted", "c=0.5", "law=1", "samples=4", "b=1")
    )
    page.fill("#compare-seed", "5")
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace.settings.seed === 5 && compare.store.state.status === 'ready'")
    page.wait_for_timeout(500)
    assert "race=1" not in page.url and "law=1" not in page.url  # measured with other settings than those shown


def test_the_step_page_gets_the_same_block(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,exact_match", b=2), wait=READY)
    page.click("#compare-open-step")
    hash_ = page.evaluate("window.stepHash")
    blocks = len(trace(page)["blocks"])
    assert f"rules=block*{blocks}" in hash_.replace("%2A", "*") and "b=2" in hash_ and "page=compare" not in hash_
    page.check("#compare-follow-2")
    page.wait_for_function("compare.store.state.trace.settings.verifier === 'exact_match'")
    page.wait_for_selector(READY)
    assert not page.locator("#compare-open-step").is_visible()


def test_nothing_typed_is_lost_on_reload(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.fill("#compare-prompt", "typed & kept")
    page.fill("#compare-gamma", "7")
    page.select_option("#compare-rule-0", "typical")
    page.select_option("#compare-add", "lenience")
    page.evaluate("compare.actions.setLawOption('samples', 77)")
    page.reload()
    page.wait_for_function("window.compare?.store")
    assert page.input_value("#compare-prompt") == "typed & kept" and page.input_value("#compare-gamma") == "7"
    assert page.evaluate("compare.store.state.form.rules") == ["typical", "block", "lenience"]
    assert page.evaluate("compare.store.state.law.options.samples") == 77
    assert page.locator("#compare").get_attribute("data-state") == "empty" and page.url.endswith("#page=compare")
    shown = open_page(link(b=1), wait=READY)
    shown.fill("#compare-seed", "12")
    shown.wait_for_timeout(500)
    shown.reload()
    shown.wait_for_selector(READY)
    shown.evaluate("compare.ready")
    assert shown.input_value("#compare-seed") == "12" and trace(shown)["settings"]["seed"] == 0


def test_keys_and_address_are_its_own_only_while_it_is_visible(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=1), wait=READY)
    page.focus("#compare-prompt")
    page.keyboard.press("End")
    page.keyboard.type("n?")
    assert place(page)[0] == "1" and page.input_value("#compare-prompt") == PROMPT + "n?"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1 and "thick line" in page.inner_text("dialog[open]")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.wait_for_timeout(400)
    page.evaluate("location.hash = 'prompt=mine&rules=block*2'")  # given away, and not taken back while the tabs change
    page.evaluate("compare.actions.goTo(2)")
    page.wait_for_timeout(400)
    assert page.url.endswith("#prompt=mine&rules=block*2")
    page.evaluate("setVisible(false); location.hash = 'prompt=other&rules=block*2'")
    page.keyboard.press("ArrowRight")
    page.evaluate("compare.actions.goTo(3)")
    page.wait_for_timeout(400)
    assert place(page)[0] == "3" and page.url.endswith("#prompt=other&rules=block*2")
    page.evaluate("setVisible(true)")
    page.wait_for_timeout(400)
    assert "page=compare" in page.url and "b=3" in page.url and place(page)[0] == "3"
    before = trace(page)
    page.evaluate(f"setVisible(false); location.hash = '{link(b=2, seed=4)}'")
    page.wait_for_timeout(200)
    assert trace(page) == before
    page.evaluate("setVisible(true); setVisible(true)")
    page.wait_for_function("compare.store.state.trace?.settings.seed === 4 && compare.store.state.status === 'ready'")
    page.wait_for_timeout(400)
    assert place(page)[0] == "2" and "seed=4" in page.url


def test_a_page_that_begins_hidden_waits_until_it_is_seen(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=2), query="?hidden")
    page.wait_for_timeout(300)
    assert trace(page) is None and page.locator("#compare").get_attribute("data-state") == "empty"
    page.evaluate("setVisible(true)")
    page.wait_for_function("compare.store.state.trace?.finish && compare.store.state.status === 'ready'")
    page.wait_for_function("location.hash.includes('digest')")
    assert place(page)[0] == "2"
    page.fill("#compare-seed", "31")
    page.wait_for_timeout(400)
    page.reload()
    page.wait_for_function("window.compare?.store")
    assert trace(page) is None
    page.evaluate("setVisible(true)")
    page.wait_for_function("compare.store.state.trace?.finish && compare.store.state.status === 'ready'")
    assert page.input_value("#compare-seed") == "31" and trace(page)["settings"]["seed"] == 0 and place(page)[0] == "2"
