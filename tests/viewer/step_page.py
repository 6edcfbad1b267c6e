"""What the tests of the Step page share: a served development page, and looks into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.viewer.serve import make_server
from tests.viewer.servers import running
from tests.viewer.watched import watched
from tests.worse_conditions import loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROMPT = "Once upon a time there was a kind old fox"
READY = "#viewer[data-state=ready]"
EXPECTED_ERRORS = ("index.json", "favicon")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(make_server()) as root:
        yield f"{root}/assets/viewer/dev.html"


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    def opened(hash_: str = "", query: str = "", wait: str = "") -> Page:
        page = context.new_page()
        page.goto(f"{address}?examples=none/&{query}{hash_}")
        page.wait_for_function("window.viewer")
        if wait:
            page.wait_for_selector(wait)
        loaded(page)
        return page

    with watched(chromium, 10_000, EXPECTED_ERRORS) as new_context:
        context = new_context()
        yield opened


def link(blocks: str = "block*9", prompt: str = PROMPT, **place: Any) -> str:
    settings = f"prompt={quote(prompt)}&pair=made-up&draft=near&rules={blocks}&gamma=5&temperature=1&top_k=0&top_p=1&seed=0&max=160"
    return "#" + settings + "".join(f"&{name}={value}" for name, value in place.items())


def dom(page: Page) -> list[str]:
    """Everything that is drawn: each element that is not hidden, with its attributes and its text."""
    script = """() => [...document.querySelectorAll('#viewer, #viewer *')]
      .filter((node) => !node.closest('[style*="display: none"], [hidden]'))
      .map((node) => node.tagName + [...node.attributes].map((a) => `${a.name}=${a.value}`).sort().join(' ')
        + '|' + [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data).join())"""
    return page.evaluate(script)


def trace(page: Page) -> dict[str, Any]:
    return page.evaluate("viewer.store.state.trace")


def place(page: Page) -> tuple[str | None, ...]:
    root = page.locator("#viewer")
    return tuple(root.get_attribute(f"data-{name}") for name in ("block", "phase", "position"))
