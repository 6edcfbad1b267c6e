"""Numbers that make no sense yet, on the Step page: the value from before stays, never a beginning of the new one, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.step_page import READY, address, link, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser
Open = Callable[..., "Page"]

CHANGED = "viewer.store.view.changed"


def retype(page: Page, field: str, text: str) -> None:
    """As somebody does it: all of the old text chosen, the new one key by key."""
    page.focus(field)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


# Every one of them begins with a text that makes sense.
@pytest.mark.parametrize(
    ("field", "typed", "stays"),
    [
        ("gamma", "17", "γ: a whole number from 1 to 16; 5 stays"),
        ("max-tokens", "513", "a whole number from 1 to 512; 160 stays"),
        ("top-p", "0.1e-400", "a number above 0, up to 1; 1 stays"),
        ("seed", "9007199254740992", "a whole number from 0 to 9007199254740991; 0 stays"),
        ("temperature", "51", "a number from 0 to 5; 1 stays"),
    ],
)
def test_the_value_from_before_stays_not_a_beginning(open_page: Open, field: str, typed: str, stays: str) -> None:
    page = open_page(link(b=1), wait=READY)
    retype(page, f"#{field}", typed)
    assert stays in page.inner_text(f"#{field}-problem") and page.input_value(f"#{field}") == typed
    assert page.evaluate(CHANGED) == [] and page.inner_text("#settings-changed") == ""
    page.keyboard.press("Tab")
    assert page.evaluate(CHANGED) == [] and page.input_value(f"#{field}") == typed


def test_a_value_that_was_finished_is_what_stays(open_page: Open) -> None:
    page = open_page(link(b=1), wait=READY)
    for finish in ("Enter", "Tab"):
        retype(page, "#gamma", "7")
        page.keyboard.press(finish)
        retype(page, "#gamma", "170")
        assert "; 7 stays" in page.inner_text("#gamma-problem")
        assert page.evaluate("viewer.store.state.form.gamma") == 7
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
        assert page.evaluate("viewer.store.state.form.gamma") == 1 and page.inner_text("#gamma-problem") == ""
    # A value from elsewhere is what a mistake goes back to, too.
    retype(page, "#gamma", "99")
    page.evaluate("viewer.actions.setField('gamma', 4)")
    assert "; 4 stays" in page.inner_text("#gamma-problem") and page.input_value("#gamma") == "99"


def test_what_makes_no_sense_outlives_a_reload(open_page: Open) -> None:
    page = open_page(link(b=1), wait=READY)
    retype(page, "#gamma", "17")
    page.fill("#top-p", "2")
    page.fill("#prompt", "x" * 20001)
    page.fill("#seed", "12")
    page.reload()
    page.wait_for_function("window.viewer")
    page.wait_for_selector(READY)
    page.wait_for_function("document.querySelector('#gamma').value === '17'")
    assert "; 5 stays" in page.inner_text("#gamma-problem") and "; 1 stays" in page.inner_text("#top-p-problem")
    assert page.input_value("#top-p") == "2" and page.input_value("#seed") == "12"
    assert len(page.input_value("#prompt")) == 20001 and page.inner_text("#prompt-problem")
    assert page.evaluate(CHANGED) == ["seed"]
    # Another link is another run: its values are shown, and no mistake of the old ones.
    page.evaluate("(hash) => { location.hash = hash; }", link("token*1", gamma=3).replace("gamma=5&", ""))
    page.wait_for_function("viewer.store.state.trace?.settings.gamma === 3")
    page.wait_for_selector(READY)
    assert page.input_value("#gamma") == "3" and page.inner_text("#gamma-problem") == ""
    assert len(page.input_value("#prompt")) < 100


def test_a_setting_changed_while_the_first_block_comes_is_kept(open_page: Open) -> None:
    page = open_page(link(b=1), wait=READY)
    page.evaluate("viewer.actions.restart(); viewer.actions.setField('gamma', 9)")
    page.wait_for_function("viewer.store.state.trace.blocks.length === 1")
    page.wait_for_selector(READY)
    assert page.input_value("#gamma") == "9" and page.evaluate(CHANGED) == ["gamma"]


def test_a_link_with_two_pages_is_said(open_page: Open) -> None:
    page = open_page("#page=step&page=lab")
    page.wait_for_selector(".sd-notice.error")
    assert "page: one value, not “step”, “lab”" in page.inner_text(".sd-notice.error")


def test_names_of_phases_that_are_their_words_are_said_once(open_page: Open) -> None:
    page = open_page(link(b=1, phase="x"), wait=READY)
    page.wait_for_selector(".sd-notice.error")
    assert "Phase: draft, score, verify, correct or commit, not “x”" in page.inner_text(".sd-notice.error")
