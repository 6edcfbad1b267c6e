"""What the tests of the race's and the law's pictures share: the development page with a record on it, and looks into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.serve import make_server
from tests.viewer.servers import running
from tests.viewer.watched import watched
from tests.worse_conditions import SLOWDOWN, loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]
WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with running(make_server()) as root:
        yield root


@pytest.fixture
def open_page(chromium: Browser, served: str) -> Iterator[Open]:
    """Opens the development page, as wide as asked, with motion and colours as asked; a script error fails the test."""

    def opened(width: int = 1280, **options: Any) -> Page:
        page = new_context(viewport={"width": width, "height": 800}, **options).new_page()
        page.goto(f"{served}/assets/viewer/compare/dev_measure.html")
        page.wait_for_function("window.measure")
        page.evaluate("(url) => import(url)", f"{served}/tests/viewer/pictures.js")  # the tests' own, not the page's
        loaded(page)
        return page

    with watched(chromium, 10_000) as new_context:
        yield opened


def show(page: Page, kind: str, record: dict[str, Any] | None, status: str = "done", **more: Any) -> None:
    """Put a record on the page, and wait until it has been drawn. `options` and the like go to the measurement, the rest to the view."""
    own = {name: more.pop(name) for name in ("options", "progress", "message") if name in more}
    page.evaluate(
        """([kind, record, status, own, more]) => {
          const before = measure.view[kind];
          const options = { ...before.options, ...own.options };
          measure.show({ ...more, [kind]: { ...before, ...own, options, record, status } });
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }""",
        [kind, record, status, own, more],
    )


def pointed(record: Any, path: str) -> Any:
    """What a JSON pointer points at."""
    for part in path.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        record = record[int(part)] if isinstance(record, list) else record[part]
    return record


def numbers(page: Page) -> list[dict[str, str]]:
    """Every number in the document, shown or not, with its source."""
    script = """() => [...document.querySelectorAll('[data-path]')].map((node) =>
      ({ path: node.dataset.path, value: node.dataset.value, text: (node.querySelector('tspan') || node).textContent }))"""
    return page.evaluate(script)


def check_numbers(page: Page, **records: dict[str, Any]) -> set[str]:
    """Each number is what its path points at in the record of that prefix; the paths that were seen."""
    seen = set()
    for number in numbers(page):
        prefix, _, pointer = number["path"].partition(":")
        seen.add(number["path"])
        assert number["value"] not in ("", "NaN", "undefined"), number
        assert "NaN" not in number["text"] and "e-" not in number["text"], number
        if prefix == "derived":
            continue
        assert float(number["value"]) == float(pointed(records[prefix], pointer)), number
    return seen


def boxes(page: Page, selector: str, *names: str) -> list[dict[str, Any]]:
    """Attributes of every matching node, numbers as numbers."""
    script = """([selector, names]) => [...document.querySelectorAll(selector)].map((node) =>
      Object.fromEntries(names.map((name) => {
        const raw = node.getAttribute(name);
        return [name, raw === null || raw === '' || isNaN(raw) ? raw : Number(raw)];
      })))"""
    return page.evaluate(script, [selector, names])


def busy_times(page: Page, steps: list[str]) -> list[float]:
    """Milliseconds of the page's own processor time for each script, layout and painting included: other load does not count."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

    times = []
    for step in steps:
        before = busy()
        page.evaluate(
            f"() => {{ {step}; return new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }}"
        )
        times.append(1000 * (busy() - before) / SLOWDOWN)
    return times


def drawn_words(page: Page, selector: str) -> str:
    """The words of an SVG picture or a part of it, tooltips left out."""
    script = """(node) => {
      const copy = node.cloneNode(true);
      for (const title of copy.querySelectorAll('title')) title.remove();
      return [...copy.querySelectorAll('text')].map((one) => one.textContent).join('\\n');
    }"""
    return page.locator(selector).first.evaluate(script)


def collisions(page: Page, served: str) -> list[Any]:
    """Texts of the charts that cover each other or stick out."""
    return page.evaluate("async (url) => (await import(url)).collisions()", f"{served}/tests/viewer/pictures.js")
