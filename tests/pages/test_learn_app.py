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

    def opened(app: Any, width: int = 1280, locale: str = "en-GB") -> Page:
        context = chromium.new_context(viewport={"width": width, "height": 800}, locale=locale)
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


@pytest.mark.parametrize("width", [390, 1280])
def test_the_frame_speaks_the_browsers_language_or_the_chosen(app: Any, stranger: Any, width: int) -> None:
    page = stranger(app, width, "ja-JP")
    names = ["ステップ", "比較", "ラボ", "サンドボックス", "監査", "学ぶ"]
    page.wait_for_function("document.title.startsWith('specdemo：')")
    assert [tab.inner_text() for tab in page.locator("[role=tab]").all()] == names
    assert page.locator("#page-step .specdemo-root").get_attribute("lang") == "ja"
    shown = ("#page-learn-button", ".learn-invite [data-do=take]", "#language [data-language=en]")
    boxes = [page.locator(one).bounding_box() for one in shown]
    assert not any(meet(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
    tab_to(page, "#language [data-language=da]", 4)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#page-learn-button')?.innerText === 'Lær'")
    chosen = page.evaluate("[document.documentElement.lang, document.title]")
    assert chosen == ["da", "specdemo: spekulativ dekodning, skilt ad"]
    page.wait_for_selector('#page-step .specdemo-root[data-state="ready"]')
    page.click("#page-learn-button")
    page.wait_for_selector(".learn-contents")
    assert page.inner_text(".learn-contents [data-do=start]") == "Start rundturen"
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_page_that_hides_in_the_menu_is_opened_by_its_address(app: Any, stranger: Any) -> None:
    page = stranger(app, 250, "da-DK")
    page.wait_for_function("document.title.includes('spekulativ')")
    page.wait_for_selector(".overflow-menu:not(.hide)")
    page.evaluate("location.hash = '#page=learn'")
    page.wait_for_selector("#page-learn .learn-contents")
    assert page.locator("#page-learn-button").inner_text() == "Lær"
    assert page.locator(".overflow-menu > button").get_attribute("aria-label") == "Flere sider"


def meet(one: Any, other: Any) -> bool:
    """Whether two boxes share a part of the window."""
    sides = (("x", "width"), ("y", "height"))
    return all(one[at] < other[at] + other[size] and other[at] < one[at] + one[size] for at, size in sides)


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
