"""The Sandbox when the server does not answer: numbers of other laws are marked, the way to ask again stays, and it asks again by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.sandbox_page import READY, address, link, open_page, paper, settled, state

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

SANDBOX, PRESETS = "**/specdemo-api/sandbox", "**/specdemo-api/presets"
FAILED = ("status of 502", "status of 503", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
EXPORTS = "[data-export='coupling.csv'], [data-export='coupling.svg'], [data-export='prefix-tree.png']"


def gone(route: Route) -> None:
    route.fulfill(status=502, body="gone")


def test_numbers_of_other_laws_are_marked_for_as_long_as_they_stand_there(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()), tolerate=FAILED)
    settled(page)
    assert page.locator(".sb-headline[data-old]").count() == 0
    page.route(SANDBOX, gone)
    page.select_option("#sandbox-gamma", "3")
    page.wait_for_selector("#sandbox-again:visible")
    page.evaluate("sandbox.actions.say('Something else.')")
    page.click("#sandbox-dismiss")
    page.wait_for_selector("#sandbox-again:enabled")
    assert page.locator(".sb-headline[data-old]").count() == 1
    assert page.inner_text(".sb-sentence").startswith("There is no answer for the laws as typed")
    for name in ("coupling-matrix", "tree", "tree-formulas"):
        assert page.locator(f".pic-{name}[data-stale]").count() == 1, name
        assert page.inner_text(f".pic-{name} .pic-caption").startswith("Of the last valid laws"), name
    for button in page.locator(EXPORTS).all():
        assert button.is_disabled() and "last valid laws" in (button.get_attribute("title") or "")
    page.unroute(SANDBOX)
    page.click("#sandbox-again")
    page.wait_for_function("sandbox.store.view.current")
    settled(page)
    assert page.locator(".sb-headline[data-old], .sbx-pic[data-stale], .sb-failure:visible").count() == 0
    assert all(button.is_enabled() for button in page.locator(EXPORTS).all())


def test_it_asks_again_when_the_network_is_back_and_when_something_is_done(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()), tolerate=FAILED)
    settled(page)
    page.context.set_offline(True)
    page.select_option("#sandbox-gamma", "3")
    page.wait_for_selector("#sandbox-again:visible")
    page.context.set_offline(False)
    page.wait_for_function("sandbox.store.view.current && sandbox.store.view.picture.gamma === 3")
    page.route(SANDBOX, gone)
    page.select_option("#sandbox-gamma", "2")
    page.wait_for_selector("#sandbox-again:visible")
    page.unroute(SANDBOX)
    page.click("#sandbox-difference")
    page.wait_for_function("sandbox.store.view.current && sandbox.store.view.picture.gamma === 2")


def test_one_that_is_too_busy_is_asked_once_more_by_itself(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()), tolerate=FAILED)
    settled(page)
    asked: list[int] = []

    def busy_once(route: Route) -> None:
        asked.append(1)
        if len(asked) > 1:
            return route.continue_()
        return route.fulfill(status=503, content_type="application/json", body='{"error": "Too many."}')

    page.route(SANDBOX, busy_once)
    page.select_option("#sandbox-gamma", "3")
    page.wait_for_function("sandbox.store.view.current && sandbox.store.view.picture.gamma === 3")
    assert len(asked) == 2 and not page.locator(".sb-failure").is_visible()


def test_the_optimum_and_the_presets_can_be_asked_for_again(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit", wait="#audit[data-state=empty]", tolerate=FAILED)
    page.route(PRESETS, gone)
    page.route("**/specdemo-api/optimum", gone)
    page.evaluate("show('sandbox')")
    page.wait_for_selector("#sandbox-again:visible")
    page.wait_for_function("document.querySelector('#sandbox-preset').textContent === 'not loaded'")
    page.wait_for_function("document.querySelector('.sb-failure').textContent.includes('The optimum')")
    assert not page.evaluate("sandbox.store.view.pending.optimum")
    page.unroute(PRESETS)
    page.unroute("**/specdemo-api/optimum")
    page.click("#sandbox-again")
    page.wait_for_function("document.querySelectorAll('#sandbox-preset option').length > 8")
    page.wait_for_function("sandbox.store.view.optimum")
    page.wait_for_selector(".sb-failure", state="hidden")


@pytest.mark.parametrize("body", ["{}", "null", "[]", "7", '{"schema": "specdemo.sandbox/1"}', '{"error": {}}'])
def test_an_answer_that_is_no_picture_leaves_the_last_one(open_page: Callable[..., Page], body: str) -> None:
    page = open_page(link(paper()), tolerate=FAILED)
    settled(page)
    page.route(SANDBOX, lambda route: route.fulfill(status=200, content_type="application/json", body=body))
    page.select_option("#sandbox-gamma", "3")
    page.wait_for_selector("#sandbox-again:visible")
    assert "something else than was asked" in page.inner_text(".sb-failure")
    page.unroute(SANDBOX)
    page.click("#sandbox-again")
    page.wait_for_function("sandbox.store.view.current && sandbox.store.view.picture.gamma === 3")


def test_without_any_picture_nothing_can_be_saved_and_the_notice_says_so(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit", wait="#audit[data-state=empty]", tolerate=FAILED)
    page.route(SANDBOX, gone)
    page.evaluate("show('sandbox')")
    page.wait_for_selector("#sandbox-again:visible")
    assert "there is no picture yet" in page.inner_text(".sb-failure")
    assert page.get_attribute("#sandbox", "data-state") == "error"
    for button in page.locator(EXPORTS).all():
        assert button.is_disabled() and "no picture to save" in (button.get_attribute("title") or "")
    page.unroute(SANDBOX)
    page.click("#sandbox-again")
    page.wait_for_selector(READY)
    settled(page)


def test_problems_belong_to_their_own_state(open_page: Callable[..., Page]) -> None:
    given = {**paper(), "draft": [[["0.6", "0.3"]]]}
    page = open_page(link(given), wait="#sandbox[data-problems='1']")
    waiting: list[Route] = []
    page.route(SANDBOX, lambda route: waiting.append(route))
    page.click("[data-normalise=draft]")
    page.wait_for_timeout(200)
    page.fill(".sb-field[data-side=target][data-symbol='0']", "0.9")
    waiting.pop(0).continue_()
    page.wait_for_function("sandbox.store.view.picture")
    page.keyboard.press("Control+z")
    page.wait_for_selector(READY)
    assert page.evaluate("sandbox.store.view.problems") == [] and page.evaluate("sandbox.store.view.current")
    assert page.locator("[aria-invalid], .sb-headline[data-old]").count() == 0
    # What was in flight meanwhile is nobody's answer: the same state is a question again.
    page.wait_for_timeout(200)
    while waiting:
        waiting.pop(0).continue_()
    page.wait_for_timeout(300)
    page.unroute(SANDBOX)
    page.keyboard.press("Control+Shift+z")
    page.wait_for_selector("#sandbox[data-problems='1']:not([data-pending])")


def test_a_late_random_state_does_not_undo_what_was_done_since(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    settled(page)
    waiting: list[Route] = []
    page.route(PRESETS, lambda route: waiting.append(route))
    page.click("#sandbox-random")
    page.wait_for_timeout(200)
    page.select_option("#sandbox-gamma", "3")
    waiting.pop().continue_()
    page.wait_for_timeout(600)
    assert state(page) == {**paper(), "gamma": 3}
