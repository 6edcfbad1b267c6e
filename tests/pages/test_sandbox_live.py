"""The Sandbox and the Audit page in the app itself: their tabs, their addresses, and answers that go past Gradio's queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser

STATE = "#page=sandbox&s=2,2,free:2/3,1/3:1/3,2/3&rules=token,block"
SANDBOX, AUDIT = "[data-page=sandbox]", "[data-page=audit]"


@pytest.fixture
def page(visitor: BrowserContext) -> Iterator[Page]:
    page = visitor.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert not complaints, complaints


def test_a_link_opens_the_tab_and_the_papers_fractions(app: Any, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{app.url}/{STATE}")
    page.wait_for_selector(f"{SANDBOX}[data-state=ready]")
    assert page.locator("#page-sandbox-button").get_attribute("aria-selected") == "true"
    fractions = [
        page.get_attribute(f"[data-path='picture:/rules/{rule}/expected_fraction']", "data-value")
        for rule in ("token", "block")
    ]
    assert fractions == ["10/9", "11/9"]
    assert f"{app.url}/specdemo-api/sandbox" in asked and not any("gradio_api/call" in url for url in asked)
    page.focus(".sb-bar.draft[data-symbol=A]")
    page.keyboard.press("Home")
    page.wait_for_function("document.querySelector('[data-page=sandbox] .sb-verdict').textContent.includes('TV 0')")
    page.wait_for_function("location.hash.includes('s=2,2,free:0,1:1/3,2/3')")


def test_a_counterexample_travels_from_tab_to_tab(app: Any, page: Page) -> None:
    page.goto(f"{app.url}/#page=audit&rule=residual_without_weight&run=1")
    page.wait_for_selector(f"{AUDIT}[data-state=done]", timeout=90_000)
    page.click("#audit-open")
    page.wait_for_selector(f"{SANDBOX}[data-state=ready]")
    assert page.locator(SANDBOX).is_visible() and not page.locator(AUDIT).is_visible()
    assert "does not output the target's law" in page.inner_text(".sb-sentence")
    opened = page.evaluate("location.hash")
    page.click("#page-step-button")
    page.wait_for_function("!location.hash.includes('page=sandbox')")
    page.click("#page-sandbox-button")
    page.wait_for_function("(hash) => location.hash === hash", arg=opened)


def test_the_laws_stay_in_sight_while_the_pictures_scroll(app: Any, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{app.url}/{STATE}")
    page.wait_for_selector(f"{SANDBOX}[data-state=ready]")
    page.wait_for_selector(".pic-tree [data-path]")
    page.evaluate("window.scrollTo(0, 900)")
    page.wait_for_function("document.querySelector('.sb-side-column').getBoundingClientRect().top >= 0")
