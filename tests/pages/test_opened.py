"""What opens over a page: it holds the focus, axe-core finds nothing serious in it, Escape closes it and gives the focus back. And what moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages.shown import SHOWN, Shown
from tests.pages.test_reach import findings, look

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

BY_NAME: dict[str, Shown] = {shown.name: shown for shown in SHOWN}
# Each page's menus, by the control that opens them.
MENUS = {
    "step": ["#step-teacher"],
    "compare, empty": ["#compare-export", "#compare-teacher"],
    "sandbox": ["#sandbox-teacher"],
}
# Everything that changes its looks over time, by property; a delay that nobody sees move lasts a hundredth of a second.
MOVES = """() => {
  window.moved = [];
  document.addEventListener("transitionrun", (event) => window.moved.push(event.propertyName), true);
  document.addEventListener("animationstart", (event) => window.moved.push(event.animationName), true);
}"""


@pytest.fixture
def open_shown(app: Any, chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page in a state by its name."""
    contexts = []

    def opened(name: str) -> Page:
        contexts.append(chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce"))
        contexts[-1].set_default_timeout(60_000)
        page = contexts[-1].new_page()
        BY_NAME[name].open(page, app.url)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", list(MENUS))
def test_escape_closes_what_opens(open_shown: Any, name: str) -> None:
    page = open_shown(name)
    root = "[role=tabpanel]:not([style*='none']) "
    page.locator(root + ".pic-help").first.focus()
    page.keyboard.press("?")
    page.wait_for_selector("dialog.sd-help[open]")
    assert page.evaluate("document.querySelector('dialog[open]').contains(document.activeElement)")
    assert findings(page) == []
    look(page, 390, "dark")
    assert findings(page) == []
    look(page, 1280, "light")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.sd-help[open]", state="detached")
    assert page.evaluate("document.activeElement.matches('.pic-help')")
    for menu in MENUS[name]:
        page.focus(menu)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"details[open] > {menu}")
        page.keyboard.press("Tab")
        assert page.evaluate(
            "(menu) => document.activeElement.closest('details[open]') === document.querySelector(menu).parentElement",
            menu,
        )
        assert findings(page, runOnly=["color-contrast"]) == []
        page.keyboard.press("Escape")
        page.wait_for_selector(f"details:not([open]) > {menu}")
        assert page.evaluate("(menu) => document.activeElement.matches(menu)", menu)


def test_the_teachers_list_holds_the_focus_until_escape(open_shown: Any) -> None:
    page = open_shown("step")
    page.click("#step-teacher")
    page.click(".sd-teacher-menu [data-do=link]")
    page.wait_for_selector("dialog.sd-teacher[open]")
    assert findings(page) == []
    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || Boolean(document.activeElement.closest('dialog[open]'))"
        )
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.sd-teacher[open]", state="detached")
    assert page.evaluate("document.activeElement !== document.body")


def moving(page: Page) -> set[str]:
    """Which parts of the document, Gradio's too, would glide or turn, whether they just do so or not."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("*")].flatMap((node) => [null, "::before", "::after"].filter((part) => {
          const { transitionDuration, animationDuration, animationName, scrollBehavior } = getComputedStyle(node, part);
          const longest = (durations) => Math.max(...durations.split(",").map(parseFloat));
          const turns = animationName !== "none" && longest(animationDuration) > 0.02;
          return longest(transitionDuration) > 0.02 || turns || (!part && scrollBehavior !== "auto");
        }).map((part) => (node.getAttribute("class") ?? node.tagName) + (part ?? "")))"""
    )
    return set(found)


# What is under way, by class, for longer than anybody sees.
UNDER_WAY = """() => document.getAnimations().filter((one) => one.playState === "running")
  .filter((one) => one.effect.getComputedTiming().endTime > 20).map((one) => `${one.effect.target.className}${one.effect.pseudoElement ?? ""}`)"""


def test_nothing_moves_for_those_who_asked_for_that(open_shown: Any) -> None:
    page = open_shown("step")
    page.evaluate(MOVES)
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("Home")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(40)
    assert page.evaluate("moved") == []
    tabs = page.get_by_role("tab").all()
    for tab in [*tabs, tabs[0]]:
        under_way = tab.evaluate(
            f"async (tab) => {{ tab.click(); await new Promise(requestAnimationFrame); return ({UNDER_WAY})(); }}"
        )
        assert under_way == []
        page.wait_for_selector(f"#{tab.get_attribute('aria-controls')} .specdemo-root", state="visible")
        assert page.evaluate(UNDER_WAY) == [] and moving(page) == set()
    page.emulate_media(reduced_motion="no-preference")
    others = {name.split(" ")[-1] for name in moving(page)}
    assert "sd-cut" in others and "selected::after" in others  # the page's own, and one of Gradio's
    assert len(tabs) == 6
