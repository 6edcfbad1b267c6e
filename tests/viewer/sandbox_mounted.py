"""What the tests of the Sandbox's pictures share: the pictures on a bare page, and looks at what they show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer import sandbox_records as records
from tests.viewer.serve import make_server
from tests.viewer.servers import running
from tests.worse_conditions import loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NOTHING = {"row": None, "column": None, "prefix": None}
SETTLED = {"picture": False, "optimum": False, "longrun": False}


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with running(make_server()) as root:
        yield root


def mounted(browser: Browser, served: str, width: int) -> Iterator[Page]:
    """A page of that width with every picture, on nothing yet; an error of the page fails the test."""
    context = browser.new_context(viewport={"width": width, "height": 800}, accept_downloads=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{served}/assets/viewer/viewer.css")
    page.set_content("<!doctype html><title>Sandbox pictures</title>")
    page.evaluate(
        "async ([url, wide]) => { window.p = await import(url); await p.mount(wide); }",
        [f"{served}/tests/viewer/sandbox_pictures.js", width - 40],
    )
    loaded(page)
    yield page
    context.close()
    assert errors == []


def look(page: Page, state: records.Record, *, slow: bool = True, **change: Any) -> dict[str, Any]:
    """Draws what the library answers to a state; returns the records by the names that pointers begin with."""
    found = {
        "picture": records.picture(state),
        "optimum": records.optimum(state) if slow else None,
        "longrun": records.longrun(state) if slow and state["context"] == "free" else None,
    }
    view = {
        "rules": state["rules"],
        "difference": False,
        "selected": NOTHING,
        "hovered": NOTHING,
        "pending": SETTLED,
        "problems": [],
    }
    page.evaluate("view => p.show(view)", {"state": state, **view, **found, **change})
    return found


def pointed(found: dict[str, Any], path: str) -> Any:
    """What a data-path of the page points at."""
    source, pointer = path.split(":", 1)
    at: Any = found[source]
    for part in pointer.split("/")[1:]:
        at = at[int(part)] if isinstance(at, list) else at[part]
    return at
