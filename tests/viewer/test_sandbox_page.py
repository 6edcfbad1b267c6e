"""The Sandbox in a browser on the server's real answers: every number the library's, editing, problems, undo."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from specdemo.sandbox.state import Context
from tests.viewer.sandbox_page import (
    READY,
    address,
    drag,
    fields,
    library,
    link,
    open_page,
    paper,
    random_state,
    settled,
    state,
    three,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

RULES = ["token", "block", "greedy_block", "sampled_match", "threshold", "residual_without_weight"]


SIZES: list[tuple[Context, int, int]] = [
    ("free", 2, 3), ("position", 3, 2), ("prefix", 2, 2), ("prefix", 3, 2), ("free", 4, 2), ("free", 2, 1)
]  # fmt: skip
NUMBERS = """() => [...document.querySelectorAll('#sandbox [data-path]')].map((node) => [node.dataset.path, node.dataset.value])"""


def at(record: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        record = record[int(part)] if isinstance(record, list) else record[part]
    return record


@pytest.mark.parametrize("n", range(6))
def test_every_number_is_the_librarys(open_page: Callable[..., Page], n: int) -> None:
    context, symbols, gamma = SIZES[n]
    given = {**random_state(n, context, symbols, gamma), "rules": [RULES[n], RULES[(n + 1) % 6]]}
    page = open_page(link(given, at="A"))
    record = {"picture": library(given)}
    assert page.evaluate("sandbox.store.view.picture") == record["picture"]
    settled(page)
    record["optimum"] = page.evaluate("sandbox.store.view.optimum")
    cells = np.array(record["optimum"]["coupling"])
    assert np.allclose(cells.sum(axis=1), record["picture"]["draft"], atol=1e-9) and np.allclose(
        cells.sum(axis=0), record["picture"]["target"], atol=1e-9
    )
    found = page.evaluate(NUMBERS)
    sources = {path.split(":")[0] for path, _ in found}
    assert {"picture", "optimum"} <= sources
    checked = 0
    for path, text in found:
        source, _, pointer = path.partition(":")
        if source in record:
            value = at(record[source], pointer)
            assert text == value if isinstance(value, str) else float(text) == value, path
            checked += 1
    assert checked > 60


def test_the_papers_fractions_stand_there_exactly(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    cards = [card.inner_text() for card in page.locator(".sb-card").all()]
    assert [re.findall(r"= (\S+)", card) for card in cards] == [
        ["10/9", "8/9", "2/9"],
        ["11/9", "7/9", "1/9"],
        ["4/3", "2/3"],
    ]
    assert (
        page.inner_text(".sb-sentence")
        == "Block keeps 11/9 of 2 drafted tokens on average, token 10/9. No lossless rule can keep more than 4/3 in one block."
    )
    page.select_option("#sandbox-left-rule", "greedy_block")
    page.wait_for_selector(READY)
    assert "12/9" not in page.inner_text(".sb-strip") and re.findall(
        r"= (\S+)", page.locator(".sb-card").first.inner_text()
    ) == ["4/3", "2/3", "0"]
    page.select_option("#sandbox-gamma", "3")
    page.select_option("#sandbox-left-rule", "token")
    page.wait_for_function("sandbox.store.view.current && sandbox.store.view.picture.gamma === 3")
    shown = [
        page.locator(f"[data-path='picture:/rules/{rule}/expected_fraction']").first.get_attribute("data-value")
        for rule in ("token", "block")
    ]
    assert shown == ["38/27", "5/3"]


def test_dragging_keeps_a_law_and_is_one_step_back(open_page: Callable[..., Page]) -> None:
    given = three()
    page = open_page(link(given))
    drag(page, ".sb-bar.draft[data-symbol=A] .sb-hit", 124 * 0.4)
    made = state(page)["draft"][0][0]
    assert made == ["0.2", "0.2", "0.6"]
    assert state(page)["target"] == given["target"] and fields(page) == [made, given["target"][0][0]]
    page.wait_for_selector(READY)
    assert page.evaluate("sandbox.store.view.picture") == library(state(page))
    marks = page.locator(".sb-bar, .sb-flow :not(text)[data-value]:has(> title)")
    assert any(len(mark.get_attribute("data-value") or "") > 12 for mark in marks.all())
    for title in marks.locator("title").all_text_contents():
        assert not re.search(r"\d\.\d{5}", title), title  # digits as elsewhere, no rounding noise
    drag(page, ".sb-bar.target[data-symbol=C] .sb-hit", -500)
    assert state(page)["target"][0][0] == ["0", "0", "1"]
    page.keyboard.press("Control+z")
    assert state(page)["target"] == given["target"] and state(page)["draft"][0][0] == made
    page.keyboard.press("Control+z")
    assert state(page) == given and page.locator("#sandbox-undo").is_disabled()
    page.keyboard.press("Control+Shift+z")
    page.click("#sandbox-redo")
    assert state(page)["target"][0][0] == ["0", "0", "1"] and page.locator("#sandbox-redo").is_disabled()


def test_there_and_back_in_one_drag_is_nowhere(open_page: Callable[..., Page]) -> None:
    given = three()
    page = open_page(link(given))
    box = page.locator(".sb-bar.draft[data-symbol=A] .sb-hit").bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] - 300)
    assert state(page)["draft"][0][0] == ["1", "0", "0"]
    page.mouse.move(box["x"] + 5, box["y"] + 12)
    page.mouse.up()
    assert state(page)["draft"][0][0] == ["0.6", "0.1", "0.3"]


def test_arrow_keys_move_a_bar(open_page: Callable[..., Page]) -> None:
    page = open_page(link({**paper(), "draft": [[["0.5", "0.5"]]]}))
    page.focus(".sb-bar.draft[data-symbol=B]")
    page.keyboard.press("ArrowUp")
    assert state(page)["draft"][0][0] == ["0.49", "0.51"]
    page.keyboard.press("Shift+ArrowDown")
    assert state(page)["draft"][0][0] == ["0.59", "0.41"]
    page.keyboard.press("End")
    assert state(page)["draft"][0][0] == ["0", "1"]
    assert page.locator(".sb-bar.draft[data-symbol=B]").get_attribute("aria-valuenow") == "1.0000"
    page.wait_for_function("document.querySelector('.sb-spoken').textContent.includes('token')")
    page.keyboard.press("Control+z")
    assert state(page)["draft"][0][0] == ["0.5", "0.5"]


def test_typing_touches_one_number_and_normalising_is_asked_for(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    before = page.evaluate("sandbox.store.view.picture")
    page.fill(".sb-field[data-side=draft][data-symbol='1']", "1/2")
    page.wait_for_selector("#sandbox[data-problems='1']")
    assert fields(page) == [["2/3", "1/2"], ["1/3", "2/3"]]
    assert "sums to 7/6 = 1.17, not 1" in page.inner_text(".sb-sum")
    assert page.evaluate("sandbox.store.view.picture") == before
    assert "last valid picture" in page.inner_text(".sb-sentence") and "11/9" in page.inner_text(".sb-sentence")
    page.click("[data-normalise=draft]")
    page.wait_for_selector("#sandbox:not([data-problems])")
    page.wait_for_selector(READY)
    assert fields(page)[0] == ["4/7", "3/7"] and page.locator(".sb-sum").count() == 0
    assert page.evaluate("sandbox.store.view.picture") == library(state(page))


@pytest.mark.parametrize(
    "typed", ["-1", "1.5", "NaN", "1/0", "10^400", "1e999999999", "", "½", "1,234", "x" * 60, "1" * 1200]
)
def test_what_cannot_be_read_is_said_at_its_field_and_stays(open_page: Callable[..., Page], typed: str) -> None:
    page = open_page(link(paper()))
    before = page.evaluate("sandbox.store.view.picture")
    field = ".sb-field[data-side=target][data-symbol='0']"
    page.fill(field, typed)
    page.wait_for_selector("#sandbox[data-problems='1']")
    assert page.locator(field).get_attribute("aria-invalid") == "true"
    problem = page.inner_text("#sandbox-problem-target")
    assert problem.startswith("A: ") and len(problem) > 20
    assert page.evaluate("sandbox.store.view.picture") == before
    assert page.locator(".sb-headline[data-old]").count() == 1
    page.wait_for_timeout(350)
    page.reload()
    page.wait_for_selector("#sandbox[data-problems='1']")
    assert fields(page) == [["2/3", "1/3"], [typed, "2/3"]]
    other = open_page(page.url[page.url.index("#") :], wait="#sandbox[data-problems='1']")
    assert fields(other) == [["2/3", "1/3"], [typed, "2/3"]]
    page.fill(field, "1/3")
    page.wait_for_selector("#sandbox:not([data-problems])")
    page.wait_for_selector(READY)
    assert page.evaluate("sandbox.store.view.picture") == before


def test_a_row_that_cannot_be_read_is_not_dragged_over(open_page: Callable[..., Page]) -> None:
    page = open_page(link({**paper(), "draft": [[["2/3", "mine"]]]}), wait="#sandbox[data-problems='1']")
    drag(page, ".sb-bar.draft[data-symbol=A] .sb-hit", 30)
    assert fields(page)[0] == ["2/3", "mine"] and "a number first" in page.inner_text(".sd-notices")


def test_problems_elsewhere_are_listed_and_lead_there(open_page: Callable[..., Page]) -> None:
    given = {**random_state(1, "prefix", 2, 2), "draft": [[["1/2", "1/2"]], [["1/2", "1/3"], ["?", "1"]]]}
    page = open_page(link(given), wait="#sandbox[data-problems='2']")
    listed = page.locator(".sb-elsewhere li").all_inner_texts()
    assert [line.split(":")[0] for line in listed] == ["draft after A", "draft after B"]
    page.click(".sb-elsewhere li:nth-child(2) button")
    assert fields(page)[0] == ["?", "1"] and page.locator(".sb-elsewhere li").count() == 1
    assert page.locator("#sandbox-problem-draft").is_visible()


def test_sizes_that_are_too_much_cannot_be_chosen_and_say_why(open_page: Callable[..., Page]) -> None:
    page = open_page(link({**paper(), "gamma": 4}))
    option = page.locator("#sandbox-symbols option[value='5']")
    assert option.evaluate("(one) => one.disabled") and "625" in option.inner_text()
    page.select_option("#sandbox-symbols", "4")
    page.wait_for_function("sandbox.store.view.current && sandbox.store.view.picture.blocks.length === 256")
    page.select_option("#sandbox-gamma", "3")
    page.select_option("#sandbox-symbols", "5")
    assert page.locator("#sandbox-gamma option[value='4']").evaluate("(one) => one.disabled")
    assert fields(page) == [["2/3", "1/3", "0", "0", "0"], ["1/3", "2/3", "0", "0", "0"]]


def test_contexts_copies_and_independence(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    page.select_option("#sandbox-context", "prefix")
    page.click(".sb-chooser [data-prefix=B]")
    page.fill(".sb-field[data-side=draft][data-symbol='0']", "1")
    page.fill(".sb-field[data-side=draft][data-symbol='1']", "0")
    page.wait_for_selector(READY)
    assert state(page)["draft"] == [[["2/3", "1/3"]], [["2/3", "1/3"], ["1", "0"]]]
    assert page.evaluate("sandbox.store.view.picture") == library(state(page))
    page.click("text=draft to all prefixes")
    assert state(page)["draft"] == [[["1", "0"]], [["1", "0"], ["1", "0"]]]
    page.keyboard.press("Control+z")
    page.click("text=Make independent of the prefix")
    assert state(page)["context"] == "free" and state(page)["draft"] == [[["1", "0"]]]
    assert "Undo brings them back" in page.inner_text(".sd-notices")
    page.keyboard.press("Control+z")
    assert state(page)["draft"] == [[["2/3", "1/3"]], [["2/3", "1/3"], ["1", "0"]]]
