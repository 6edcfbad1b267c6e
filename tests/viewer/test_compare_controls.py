"""The Compare page's controls: where the focus goes when one disappears, what a field takes, what reduced motion means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.compare_page import READY, address, link, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_the_focus_stays_beside_what_disappears(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,exact_match,typical", max=12), wait=READY)

    def pressed(control: str) -> str:
        page.focus(f"#{control}")
        page.keyboard.press("Enter")
        return page.evaluate("document.activeElement.id")

    assert pressed("compare-remove-3") == "compare-remove-2"
    page.evaluate("void compare.actions.addRule('typical')")
    assert pressed("compare-remove-0") == "compare-remove-0"
    assert pressed("compare-remove-2") == "compare-rule-1" and page.evaluate("compare.store.view.rules.length") == 2
    page.wait_for_timeout(100)  # a browser takes the focus of a disabled control a frame later
    assert page.evaluate("document.activeElement.id") == "compare-rule-1"
    page.wait_for_function("compare.store.state.status === 'ready'")
    assert pressed("compare-last") == "compare-previous" and pressed("compare-first") == "compare-next"
    for kind in ("race", "law"):
        assert pressed(f"{kind}-start") == f"{kind}-cancel"
        assert page.evaluate("document.activeElement.getClientRects().length") == 1
        assert pressed(f"{kind}-cancel") == f"{kind}-start"
    page.evaluate("compare.actions.setRaceOption('seeds', 1)")
    assert pressed("race-start") == "race-cancel"
    page.wait_for_function("compare.store.state.race.status === 'done'")
    assert page.evaluate("document.activeElement.id") == "race-start"


def test_play_says_why_it_does_not_move(open_page: Callable[..., Page]) -> None:
    page = open_page(link(max=5, race=1, seeds=1))
    page.wait_for_function("compare.store.state.race.status === 'done'")
    assert page.locator("#race-play").is_enabled() and "true relative speed" in str(
        page.get_attribute("#race-play", "title")
    )
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("compare.actions.setRaceOption('axis', 'measured')")
    assert page.locator("#race-play").is_disabled()
    assert "reduced motion" in str(page.get_attribute("#race-play", "title"))


def test_half_a_character_is_no_prompt(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.fill("#compare-prompt", "whole 🦊")
    page.evaluate("document.getElementById('compare-prompt').value = 'a\\ud800b'")
    page.dispatch_event("#compare-prompt", "input")
    assert "half a character: type it again" in page.inner_text("#compare-prompt-problem")
    assert page.evaluate("compare.store.state.form.prompt") == "whole 🦊"
    page.fill("#compare-prompt", "a🦊b")
    assert page.inner_text("#compare-prompt-problem") == ""
    assert page.evaluate("compare.store.state.form.prompt") == "a🦊b"
