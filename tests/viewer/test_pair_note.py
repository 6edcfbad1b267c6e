"""What is said of the chosen pair: how to get one that is not here, and prompts to try until it has decoded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer import tiny_runs
from tests.viewer.compare_page import READY, address, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

HINT = "Far is not installed here. To have it offline: make <b>far</b>."
PROMPTS = ["once upon a time", "the <i>cat</i> sat"]


@pytest.fixture
def page(open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch) -> Page:
    """The page with a pair that can be used and one that cannot."""
    tiny_runs.pair()  # its imports would take part of the time that the page is given
    known = tiny_runs.config()
    here = known["pairs"][0]
    here |= {"examples": PROMPTS, "hint": ""}
    far = here | {"name": "far", "title": "Far", "available": False, "hint": HINT, "note": "A pair."}
    monkeypatch.setattr(tiny_runs, "config", lambda: known | {"pairs": [here, far]})
    return open_page()


def test_a_pair_that_is_not_here_can_be_looked_at(page: Page) -> None:
    options = page.locator("#compare-pair option")
    assert options.all_inner_texts() == ["Tiny pair", "Far (not available here)"] and options.nth(1).is_enabled()
    assert page.input_value("#compare-pair") == "tiny"
    assert HINT not in page.inner_text("#compare-pair-note")
    page.select_option("#compare-pair", "far")
    note = page.locator("#compare-pair-note")
    assert note.inner_text() == HINT  # as text, and no prompts to try in vain
    page.select_option("#compare-pair", "tiny")
    assert HINT not in note.inner_text()


def test_prompts_are_offered_until_the_pair_has_decoded(page: Page) -> None:
    note = page.locator("#compare-pair-note")
    assert note.locator("button").all_inner_texts() == PROMPTS
    note.locator("button").nth(1).click()
    assert page.input_value("#compare-prompt") == PROMPTS[1]
    assert note.locator("[aria-current=true]").all_inner_texts() == [PROMPTS[1]]
    note.locator("button").nth(0).focus()
    page.keyboard.press("Enter")
    assert page.input_value("#compare-prompt") == PROMPTS[0]
    page.evaluate("void compare.actions.setField('max_new_tokens', 3)")
    page.click("#compare-run")
    page.wait_for_selector(READY)
    assert not note.is_visible()
    page.fill("#compare-prompt", "")
    assert note.is_visible()
