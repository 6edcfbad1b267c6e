"""The Step page while its first example is still on its way: whoever knows what to decode need not wait for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.step_page import address, open_page, trace
from tests.worse_conditions import SLOWDOWN

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


@pytest.fixture
def held(open_page: Callable[..., Page]) -> tuple[Page, list[Route]]:
    """The page with an example that does not come before its request is let go on; its requests."""
    routes: list[Any] = []
    page = open_page()
    page.route("**/assets/examples/rescue.json", lambda route: routes.append(route))
    page.goto(page.url.split("?")[0] + "?examples=/assets/examples/")
    page.wait_for_selector("#viewer[data-state=loading]")
    for _ in range(200):
        if routes:
            break
        page.wait_for_timeout(25)
    assert routes
    return page, routes


@pytest.mark.parametrize("button", ["restart", "run", "step"])
def test_a_new_run_need_not_wait_for_the_first_example(held: tuple[Page, list[Route]], button: str) -> None:
    page, routes = held
    assert page.is_enabled(f"#{button}")
    page.fill("#prompt", "mine")
    page.fill("#max-tokens", "9")
    page.click(f"#{button}")
    page.wait_for_selector("#viewer[data-state=ready]")
    for route in routes:
        route.continue_()
    page.wait_for_timeout(400)
    assert trace(page)["prompt"]["text"] == "mine" == page.input_value("#prompt")
    assert page.evaluate("viewer.store.state.example") is None and page.is_enabled("#restart")


def test_a_run_goes_before_an_example_that_was_asked_for_and_has_not_come(held: tuple[Page, list[Route]]) -> None:
    page, routes = held
    page.click("[data-example=rescue]")
    page.fill("#prompt", "mine")
    page.click("#restart")
    page.wait_for_selector("#viewer[data-state=ready]")
    for route in routes:
        route.continue_()
    page.wait_for_timeout(400)
    assert trace(page)["prompt"]["text"] == "mine"


def test_while_a_run_is_decoded_no_other_begins(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.viewer.serve import Handler

    monkeypatch.setattr(Handler, "delay", 0.5 * SLOWDOWN)
    page = open_page()
    page.fill("#prompt", "mine")
    page.click("#restart")
    assert page.is_disabled("#restart") and page.is_disabled("#run")
    page.click("#cancel")
    assert page.is_enabled("#restart") and page.is_enabled("#run")
