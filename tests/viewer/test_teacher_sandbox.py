"""Teacher mode in the Sandbox: what is fixed, the bet before the numbers, and the handout."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.sandbox_page import address, library, link, open_page, paper, settled, state, three

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
__all__ = ["address", "open_page"]  # fixtures
Open = Callable[..., "Page"]


def opened(open_page: Open, query: str, hash_: str) -> Page:
    page = open_page(hash_)
    page.goto(page.url.split("#")[0].split("?")[0] + query + hash_)
    page.wait_for_function("window.sandbox?.store")  # without one it is the element of that name
    settled(page)
    return page


def test_fixed_laws_cannot_be_moved(open_page: Open) -> None:
    page = opened(open_page, "?fix=laws,gamma&hide=longrun", link(three()))
    assert (
        page.get_attribute(".sb-field >> nth=0", "readonly") is not None
        and page.locator("#sandbox-gamma").is_disabled()
    )
    assert page.locator("#sandbox-preset").is_disabled() and page.locator("#sandbox-left-rule").is_enabled()
    page.evaluate("sandbox.actions.drag('draft', 0, 0, 0, 0.9, false)")
    assert state(page)["draft"] == three()["draft"] and page.locator(".pic-longrun:visible").count() == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_the_numbers_wait_for_the_bet(open_page: Open, width: int) -> None:
    page = opened(open_page, "?predict=tau", link(paper()))
    page.set_viewport_size({"width": width, "height": 800})
    picture = library(paper())["rules"]
    html = page.evaluate("document.querySelector('#sandbox').outerHTML")
    assert (
        "picture:/rules" not in html
        and "picture:/optimum" not in html
        and picture["block"]["expected_fraction"] not in html
        and "Your turn" in html
    )
    assert page.locator("#sandbox-preset option[title]").count() == 0
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert "Your prediction" in page.inner_text(".sd-handout") and page.locator(".sd-handout [data-path]").count() == 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.focus("[data-guess=block]")
    page.keyboard.press("Enter")
    assert "Right." in page.inner_text("#predict") and "Score: 1 of 1 right." in page.inner_text("#predict")
    shown = page.locator("#predict [data-path]").evaluate_all(
        "(nodes) => nodes.map((node) => Number(node.dataset.value))"
    )
    assert shown == pytest.approx([picture[rule]["expected"] for rule in ("token", "block")])
    assert page.locator(".pic-coupling-matrix:visible").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert "E[τ]" in page.inner_text(".sd-handout") and picture["block"]["expected_fraction"] in page.inner_text(
        ".sd-handout"
    )
    zoom = page.eval_on_selector(".pic-coupling-matrix .pic-body", "(node) => Number(getComputedStyle(node).zoom)")
    assert zoom > 0.7, "the numbers in the cells have to be read on paper"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.select_option("#sandbox-gamma", "3")  # another state, another bet
    assert page.locator(".pic-coupling-matrix:visible").count() == 0
    page.click("#sandbox-undo")
    assert page.locator(".pic-coupling-matrix:visible").count() == 1
