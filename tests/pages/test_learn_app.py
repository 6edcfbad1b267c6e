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
    shown = ("#page-learn-button", ".learn-invite [data-do=take]", "#language")
    boxes = [page.locator(one).bounding_box() for one in shown]
    assert not any(meet(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
    open_languages(page)
    tab_to(page, "#language [data-language=da]", 4)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#page-learn-button')?.innerText === 'Lær'")
    chosen = page.evaluate("[document.documentElement.lang, document.title]")
    assert chosen == ["da", "specdemo: spekulativ dekodning, skilt ad"]
    page.click("#page-learn-button")
    page.wait_for_selector(".learn-contents")
    assert page.inner_text(".learn-contents [data-do=start]") == "Start rundturen"
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(
    ("hash_", "late"),
    [("", "main.js"), ("", "bridge.js"), ("#page=lab", "bridge.js")],
    ids=["after Learn", "with Learn", "against the address"],
)
def test_a_tab_that_is_quicker_than_the_pages_stays_chosen(app: Any, stranger: Any, hash_: str, late: str) -> None:
    """Step's scripts come only after the click on Learn: whichever page stands first, it does not go back to the address's."""
    page = stranger(app)
    held: list[Any] = []
    page.route(f"**/viewer/{late}", lambda route: held.append(route))
    page.evaluate("(hash) => history.replaceState(null, '', '/' + hash)", hash_)
    page.reload(wait_until="commit")
    page.wait_for_selector("#language")
    page.click("#page-learn-button")
    page.wait_for_selector("#page-learn .specdemo-root" if late == "bridge.js" else ".learn-contents", state="attached")
    assert page.locator("#page-step .sd-lane").count() == 0
    for route in held:
        route.continue_()
    page.unroute(f"**/viewer/{late}")
    page.wait_for_selector('#page-step .specdemo-root[data-state="ready"]', state="attached")
    page.wait_for_selector(".learn-contents")
    assert page.locator("[aria-selected=true]").get_attribute("id") == "page-learn-button"
    assert page.evaluate("location.hash") == "#page=learn"
    page.reload()
    page.wait_for_selector(".learn-contents")
    page.click("#page-step-button")
    page.wait_for_selector('#page-step .specdemo-root[data-state="ready"] .sd-lane')
    page.wait_for_function("location.hash.startsWith('#example=')")


@pytest.mark.parametrize("locale", ["en-GB", "da-DK", "ja-JP"])
def test_a_phones_tabs_and_languages_share_one_row(app: Any, stranger: Any, locale: str) -> None:
    page = stranger(app, 390, locale)
    page.wait_for_selector("#language-menu")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("(width) => document.documentElement.clientWidth === width", arg=width)
        page.wait_for_timeout(100)  # Gradio measures anew what fits
        tabs = page.locator("[role=tab], .overflow-menu:not(.hide) > button").all()
        if width == 390 or locale == "en-GB":
            assert len(tabs) == len(PAGES)  # none hides in the menu
        boxes = [one.bounding_box() for one in (*tabs, page.locator("#language-menu"))]
        assert not any(meet(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
        assert boxes[-1]["height"] >= 24 and boxes[-1]["width"] >= 24 and boxes[-1]["x"] + boxes[-1]["width"] <= width
        open_languages(page)
        names = page.locator("#language [data-language]").all()
        assert len(names) == 3 and all(one.is_visible() and one.bounding_box()["height"] >= 24 for one in names)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.language") == "en"
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.id") == "language-menu" and not names[0].is_visible()


def test_a_page_that_hides_in_the_menu_is_opened_by_its_address(app: Any, stranger: Any) -> None:
    page = stranger(app, 250, "da-DK")
    page.wait_for_function("document.title.includes('spekulativ')")
    page.wait_for_selector(".overflow-menu:not(.hide)")
    page.evaluate("location.hash = '#page=learn'")
    page.wait_for_selector("#page-learn .learn-contents")
    assert page.locator("#page-learn-button").inner_text() == "Lær"
    assert page.locator(".overflow-menu > button").get_attribute("aria-label") == "Flere sider"


def open_languages(page: Page) -> None:
    """By keyboard, where they are in a menu."""
    if page.locator("#language-menu").is_visible():
        tab_to(page, "#language-menu", 4)
        page.keyboard.press("Enter")


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
