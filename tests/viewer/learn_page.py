"""What the tests of the tour share: the development page, answers as a visitor finds them in what is shown, and a walk by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.viewer.learn_answers import Record, sandbox_answer, trace_answer
from tests.viewer.sandbox_page import make_server
from tests.viewer.servers import running
from tests.viewer.watched import watched
from tests.worse_conditions import loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHAPTERS = [
    ("why", "gain"),
    ("law", "next_law"),
    ("ratio", "ratio"),
    ("residual", "correction"),
    ("bonus", "bonus"),
    ("acceptance", "acceptance"),
    ("block", "kept"),
    ("transport", "cell"),
    ("long_run", "long_run"),
    ("cost", "speedup"),
    ("mistakes", "surplus"),
]
ASKED = ".learn-chapter[data-chapter={}] .learn-question[data-asked]"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(make_server()) as root:
        yield f"{root}/assets/viewer/learn/dev.html"


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    def opened(hash_: str = "", width: int = 1280, seed: int = 0) -> Page:
        page = new_context(viewport={"width": width, "height": 800}).new_page()
        page.goto(f"{address}?seed={seed}{hash_}")
        page.wait_for_function("window.ready")
        if "page=learn" in hash_:
            page.wait_for_function("window.learn")
        loaded(page)
        return page

    with watched(chromium) as new_context:
        yield opened


def library_answer(page: Page, question: str) -> float:
    """By the library, from the record behind the chapter that is shown."""
    live: Record = page.evaluate(
        """() => {
          const { kind, view, state, longrun } = learn.current.scene.live();
          return kind === "trace" ? { kind, trace: view.trace, block: view.block } : { kind, state, longrun };
        }"""
    )
    given: Record = page.evaluate("learn.current.question.asked.given")
    if live["kind"] == "trace":
        return trace_answer(question, live["trace"], live["block"], given)
    return sandbox_answer(question, live["state"], given, live["longrun"])


def values(page: Page, chapter: str, within: str = ".learn-ask") -> dict[str, float]:
    """The numbers shown there by their paths, in full."""
    found = page.locator(f".learn-chapter[data-chapter={chapter}] {within} [data-path]")
    pairs = found.evaluate_all("(nodes) => nodes.map((node) => [node.dataset.path, Number(node.dataset.value)])")
    return dict(pairs)


def visitors_answer(page: Page, chapter: str, question: str) -> float:
    """What a visitor works out from what the page shows."""
    asked = values(page, chapter)
    shown = list(asked.values())
    if question == "gain":
        return shown[1] + 1
    if question == "next_law":
        return shown[1]
    if question == "ratio":
        return min(1.0, shown[1] / shown[0])
    if question == "cell":
        return min(shown)
    if question in ("bonus", "kept"):
        table = values(page, chapter, ".learn-table")
        h = [x for path, x in table.items() if "/accept_prob/" in path]
        if question == "bonus":
            return float(np.prod(h))
        eta = [x for path, x in table.items() if "/uniforms/" in path]
        return float(max((i for i, (u, x) in enumerate(zip(eta, h, strict=True), 1) if u < x), default=0))
    if question == "speedup":
        return asked["derived:mean_gain"] / (asked["/settings/gamma"] * asked["derived:draft_cost"] + 1)
    if question == "long_run":
        ends = {path.split("/")[2]: x for path, x in asked.items() if path.endswith("long_run")}
        return 100 * (ends["block"] - ends["greedy_block"])
    if question == "surplus":
        draft, target, corrected = shown
        return 1000 * (min(draft, target) + corrected * target - target)
    if question == "correction":
        flow = values(page, chapter, ".sb-flow")
        laws = [
            np.array([x for path, x in flow.items() if path.startswith(f"picture:/levels/{side}")])
            for side in ("draft", "target")
        ]
        (wanted,) = {int(path.rsplit("/", 1)[1]) for path in asked}
        lack = np.maximum(laws[1] - laws[0], 0)
        return float(lack[wanted] / lack.sum())
    assert question == "acceptance"
    fields = page.locator(f".learn-chapter[data-chapter={chapter}] .sb-field")
    typed = np.array([float(field.input_value()) for field in fields.all()]).reshape(2, -1)
    return float(typed.min(axis=0).sum())


def tab_to(page: Page, selector: str, limit: int = 90) -> None:
    """Presses Tab until that has the focus."""
    for _ in range(limit):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached within {limit} presses of Tab")


def walk(page: Page, chapters: list[tuple[str, str]]) -> None:
    """From the front page through the chapters by keyboard, each question answered, ending on the way on of the last one."""
    tab_to(page, ".learn-invite [data-do=take]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".learn[data-view=contents] [data-do=start]")
    tab_to(page, "[data-do=start]")
    page.keyboard.press("Enter")
    for chapter, question in chapters:
        page.wait_for_selector(ASKED.format(chapter))
        page.wait_for_function("(id) => document.activeElement.id === id", arg=f"learn-{chapter}")
        tab_to(page, f"[data-question={question}] .learn-input")
        page.keyboard.type(f"{visitors_answer(page, chapter, question):.9f}".rstrip("0").rstrip("."))
        page.keyboard.press("Enter")
        page.wait_for_selector(f"[data-question={question}][data-result=right]")
        tab_to(page, f"[data-chapter={chapter}] [data-do=next]")
        page.keyboard.press("Enter")


def progress(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("JSON.parse(localStorage.getItem('specdemo.learn') ?? 'null')")
    return found
