"""The handout where the browser does not print, or does not say when it has: the page comes back, and what is on paper belongs together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.step_page import READY, address, link, open_page, place

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser
Open = Callable[..., "Page"]

GONE = "!document.querySelector('.sd-handout') && !document.body.classList.contains('sd-printing')"


def asked_to_print(page: Page, focus: bool = True) -> None:
    """The button where print() comes back at once and nothing is ever heard of it."""
    page.evaluate(f"document.hasFocus = () => {str(focus).lower()}; window.print = () => {{ window.asked = true; }}")
    page.click("#step-teacher")
    page.click("[data-do=print]")
    page.wait_for_function("window.asked")
    page.wait_for_timeout(50)
    assert page.locator(".sd-handout").count() == 1


def test_the_page_comes_back_by_itself(open_page: Open) -> None:
    page = open_page(link(b=1, phase="commit"), wait=READY)
    asked_to_print(page)
    page.wait_for_function(GONE)
    page.keyboard.press("ArrowLeft")
    assert place(page)[1] != "commit" and page.is_visible("#step")


@pytest.mark.parametrize("deed", ["Escape", "pointer", "focus"])
def test_while_a_dialog_has_the_focus_the_handout_stays_until_something_is_done(open_page: Open, deed: str) -> None:
    page = open_page(link(b=1, phase="commit"), wait=READY)
    asked_to_print(page, focus=False)
    page.wait_for_timeout(1500)
    assert page.locator(".sd-handout").count() == 1
    if deed == "Escape":
        page.keyboard.press("Escape")
    elif deed == "pointer":
        page.mouse.click(300, 300)
    else:
        page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.wait_for_function(GONE)


def test_the_handout_is_of_what_is_printed(open_page: Open) -> None:
    page = open_page(link(b=1, phase="commit"), wait=READY)
    asked_to_print(page, focus=False)
    page.evaluate("viewer.actions.goTo(4, null)")
    said = page.inner_text(".sd-handout")
    assert "b=4&" in said and "block 5 of 9" in said.split("http")[0]
    numbers = page.locator(".sd-handout [data-path]").evaluate_all("(nodes) => nodes.map((node) => node.dataset.path)")
    assert numbers and all(path.startswith(("/blocks/4/", "derived:")) for path in numbers)
    page.keyboard.press("Escape")
    page.wait_for_function(GONE)
    assert place(page)[0] == "4"
