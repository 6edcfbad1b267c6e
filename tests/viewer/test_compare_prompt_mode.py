"""The Compare page's prompt mode: what is decoded, raced and checked, the link, and the results of another mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer import tiny_runs
from tests.viewer.compare_page import PROMPT, READY, address, decoded, link, open_page, trace, without_times

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

FIELD = "#compare-prompt-mode"


@pytest.fixture(scope="module", autouse=True)
def models() -> None:
    """The server's models, so that no page waits while they are imported."""
    tiny_runs.pair()


def test_a_link_is_decoded_in_its_mode_and_gives_itself_back(open_page: Callable[..., Page]) -> None:
    page = open_page(link(mode="chat", max=12, b=1), wait=READY)
    assert page.input_value(FIELD) == "chat"
    assert without_times(trace(page)) == without_times(decoded(prompt_mode="chat", max_new_tokens=12))
    page.wait_for_timeout(500)
    assert "mode=chat" in page.url
    again = open_page(page.url[page.url.index("#") :], wait=READY)
    assert trace(again)["digest"] == trace(page)["digest"] and again.inner_text(".sd-notices").strip() == ""
    page.click("#compare-open-step")
    assert "mode=chat" in page.evaluate("window.stepHash")
    assert page.locator(".sd-tok.special").count() > 2 and not page.locator(".sd-tok.special").first.is_visible()
    plain = open_page(link(max=12).replace("pair=tiny&", "pair=talking&"), wait=READY)
    assert trace(plain)["settings"]["prompt_mode"] == "text" and plain.input_value(FIELD) == "text"
    odd = open_page(link(max=12, mode="chat", race=1).replace("pair=tiny&", "pair=plain&"), wait=".sd-notice.error")
    said = odd.inner_text(".sd-notice.error")
    assert "mode: Plain pair has no chat template, so text" in said and "race was not started" in said


def test_race_and_law_are_asked_in_the_mode_and_marked_when_it_changes(open_page: Callable[..., Page]) -> None:
    page = open_page(link(max=8, mode="chat", race=1, seeds=1, law=1, samples=4), wait=READY)
    page.wait_for_function("['race', 'law'].every((kind) => compare.store.state[kind].status === 'done')")
    race, law = page.evaluate("[compare.store.state.race.record, compare.store.state.law.record]")
    assert race["settings"]["prompt_mode"] == law["settings"]["prompt_mode"] == "chat"
    tokens = len(trace(page)["prompt"]["ids"])
    assert race["prompts"][0]["tokens"] == law["prompt"]["tokens"] == tokens
    assert race["runs"][0]["lanes"]["block"]["ids"] == [i for b in trace(page)["blocks"] for i in b["committed"]]
    assert "They answer this instruction, seed 0:" in page.inner_text(".race-prompt")
    page.wait_for_timeout(500)
    assert "race=1" in page.url and "law=1" in page.url and page.inner_text("#race-changed") == ""
    page.select_option(FIELD, "text")
    assert "prompt mode" in page.inner_text("#race-changed") and "(prompt mode)" in page.inner_text(
        "#compare-settings-changed"
    )
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace.settings.prompt_mode === 'text'")
    page.wait_for_selector(READY)
    page.wait_for_timeout(500)
    assert "race=1" not in page.url and "law=1" not in page.url and "mode=" not in page.url


def test_the_mode_follows_the_pair_and_is_kept(open_page: Callable[..., Page]) -> None:
    page = open_page()
    assert page.input_value(FIELD) == "text"
    page.select_option("#compare-pair", "talking")
    assert page.input_value(FIELD) == "chat"
    page.select_option("#compare-pair", "plain")
    assert page.input_value(FIELD) == "text" and page.is_disabled(FIELD)
    page.select_option("#compare-pair", "tiny")
    page.select_option(FIELD, "chat")
    page.fill("#compare-prompt", PROMPT)
    page.reload()
    page.wait_for_function("window.compare?.store")
    assert page.input_value(FIELD) == "chat" and page.input_value("#compare-prompt") == PROMPT
    page.fill("#compare-max-tokens", "4")
    page.click(".sd-examples-list button >> nth=0")
    page.wait_for_selector(READY)
    assert trace(page)["settings"]["prompt_mode"] == "text", "the examples are texts to go on with"
