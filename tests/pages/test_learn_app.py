"""The tour in the app itself, as a new visitor with a keyboard takes it: from the front page to its end. And what it adds to the front page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.pages.registry import PAGES
from tests.viewer.learn_page import CHAPTERS, progress, tab_to, walk

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def stranger(chromium: Browser) -> Iterator[Any]:
    """Opens the front page for somebody who has never been here."""
    contexts, complaints = [], []

    def opened(app: Any, width: int = 1280) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": 800})
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(app.url)
        page.wait_for_selector(".learn-invite:not([hidden])")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def test_the_front_page_offers_the_tour_and_leaves_nothing_behind(app: Any, stranger: Any) -> None:
    page = stranger(app)
    page.wait_for_selector('#page-step .specdemo-root[data-state="ready"]')
    assert progress(page) is None
    lane = page.locator("#page-step .sd-lane").bounding_box()
    assert lane and lane["y"] + lane["height"] < 800
    page.click(".learn-invite [data-do=take]")
    page.wait_for_selector("#page-learn .learn[data-view=contents]")
    assert page.locator("#page-learn-button").get_attribute("aria-selected") == "true"
    assert page.evaluate("location.hash") == "#page=learn"
    page.click(".learn-contents [data-chapter=why] .sd-link")
    page.wait_for_selector("[data-chapter=why] .learn-question[data-asked]")
    page.click("[data-chapter=why] [data-do=open]")
    page.wait_for_selector('#page-step .specdemo-root[data-phase="draft"][data-block="3"]')
    page.wait_for_function("document.activeElement.id === 'learn-guide-title'")


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_whole_tour_by_keyboard(app: Any, stranger: Any, width: int) -> None:
    page = stranger(app, width)
    assert page.locator("[role=tab]").count() == len(PAGES)  # none hides in a menu, on a phone either
    walk(page, CHAPTERS)
    page.wait_for_selector(".learn[data-view=end]")
    page.wait_for_function("document.activeElement.id === 'learn-end-title'")
    found = progress(page)
    assert found["finished"] and found["answered"] == [chapter for chapter, _ in CHAPTERS]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    tab_to(page, ".learn-onwards button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#page-step .specdemo-root[data-state=ready]")
    assert page.locator(".learn-invite").is_hidden()
