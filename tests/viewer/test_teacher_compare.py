"""Teacher mode on the Compare page: fixed columns, bets on every column before anything of a block is shown, and the handout."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer import tiny_runs
from tests.viewer.compare_page import READY, address, link, open_page, place, trace, wrong_numbers

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
__all__ = ["address", "open_page"]  # fixtures
Open = Callable[..., "Page"]


@pytest.fixture(scope="module", autouse=True)
def _models() -> None:
    """Imports what decodes before a page waits for it."""
    tiny_runs.pair()


def test_fixed_columns_and_a_handout(open_page: Open) -> None:
    page = open_page(link(max=12, b=1), READY, "?fix=rule,follow&hide=export")
    assert page.locator("#compare-rule-0").is_disabled() and page.locator("#compare-add").is_disabled()
    page.evaluate("compare.actions.removeRule(0)")
    assert page.evaluate("compare.store.state.form.rules") == ["token", "block"]
    assert page.locator("#compare-export:visible").count() == 0
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    text = page.inner_text(".sd-handout")
    assert "block 2 of" in text and "What the rules make of it" in text and "Your prediction" not in text
    assert wrong_numbers(page) == [] and page.locator(".sd-handout [data-path]").count() > 40
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.keyboard.press("l")
    assert page.get_attribute("#compare", "data-big") is not None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [1280, 390])
def test_every_column_is_bet_on_before_the_block_is_shown(open_page: Open, width: int) -> None:
    page = open_page(link(max=12, b=1), READY, "?predict=tau,rescued")
    page.set_viewport_size({"width": width, "height": 800})
    block, base = trace(page)["blocks"][1], "/blocks/1"
    html = page.evaluate("document.querySelector('#compare').outerHTML")
    assert f"{base}/uniforms" not in html and "/accepted" not in html and "length_law" not in html
    assert f"{base}/verdicts/block/accept_prob/0" in html and wrong_numbers(page) == []
    assert page.locator(".sd-tok[data-block='1']").count() == 0 and page.locator("#compare-race").count() == 0
    page.keyboard.press("End")
    page.keyboard.press("n")
    assert place(page)[0] == "1" and "the columns differ" not in page.inner_text("#compare")
    for rule in ("token", "block"):
        page.focus(f"[data-question='tau:{rule}'] [data-guess='{block['verdicts'][rule]['accepted']}']")
        page.keyboard.press("Enter")
    page.focus("[data-question=rescued] [data-guess=none]")
    page.keyboard.press("Enter")
    assert page.locator("[data-right=true][data-question^=tau]").count() == 2
    assert page.locator(f"#compare [data-path='{base}/verdicts/block/accepted']").count() >= 1
    assert wrong_numbers(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("ArrowRight")
    assert place(page)[0] == "2" and page.locator(".sd-bets [data-question]").count() == 3
