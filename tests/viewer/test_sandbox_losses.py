"""What the Sandbox must not lose unsaid: laws of a smaller γ or alphabet, the focus, texts of any length, and what the Audit's address asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.viewer.sandbox_page import (
    READY,
    address,
    fields,
    link,
    open_page,
    paper,
    random_state,
    settled,
    state,
    three,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

NOTE = "#sandbox .sd-notice.message"


def note(page: Page) -> str:
    return page.inner_text(NOTE) if page.locator(NOTE).is_visible() else ""


def test_laws_that_go_with_a_size_are_named_until_the_next_change(open_page: Callable[..., Page]) -> None:
    given = random_state(3, "prefix", 3, 3)
    page = open_page(link(given))
    page.select_option("#sandbox-gamma", "2")
    assert "beyond position 2 are gone. Undo brings them back." in note(page)
    page.keyboard.press("Control+z")
    assert state(page) == given and note(page) == ""
    page.select_option("#sandbox-symbols", "2")
    assert "The probabilities of C, and the laws after it, are gone. Undo brings them back." in note(page)
    page.select_option("#sandbox-left-rule", "greedy_block")
    assert note(page) == ""


def test_what_can_be_had_back_by_the_size_alone_is_not_called_lost(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    for name, sizes in (("symbols", ("3", "2")), ("gamma", ("3", "2"))):
        for size in sizes:
            page.select_option(f"#sandbox-{name}", size)
            assert note(page) == ""
    assert state(page) == paper()


@pytest.mark.parametrize(("context", "words"), [("position", "hold at their positions"), ("free", "hold everywhere")])
def test_a_poorer_context_says_where_its_laws_hold_now(
    open_page: Callable[..., Page], context: str, words: str
) -> None:
    page = open_page(link(random_state(3, "prefix", 3, 3)))
    page.select_option("#sandbox-context", context)
    assert words in note(page) and "the others are gone. Undo brings them back." in note(page)
    page.fill(".sb-field[data-side=draft][data-symbol='0']", "0.5")
    assert note(page) == ""


@pytest.mark.parametrize("selector", [".sb-bar.draft[data-symbol=C]", ".sb-field[data-side=target][data-symbol='2']"])
def test_a_symbol_that_goes_leaves_the_focus_to_its_neighbour(open_page: Callable[..., Page], selector: str) -> None:
    page = open_page(link(paper()))
    page.select_option("#sandbox-symbols", "3")
    page.focus(selector)
    page.keyboard.press("Control+z")
    assert state(page) == paper()
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label in ("draft, B", "target, B, as text")
    page.keyboard.press("Control+Shift+z")
    assert state(page)["symbols"] == 3


def test_a_part_of_the_flow_that_goes_is_no_error(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    page.select_option("#sandbox-symbols", "3")
    settled(page)
    page.locator(".sb-part").nth(2).focus()
    page.keyboard.press("Control+z")
    settled(page)
    assert page.locator(".sb-part").count() == 2
    assert page.evaluate("document.activeElement.matches('.sb-part')")


def test_a_text_too_long_to_be_sent_is_a_problem_at_its_field_after_a_reload_too(
    open_page: Callable[..., Page],
) -> None:
    long = "1" * 1500
    page = open_page(link({**paper(), "draft": [[[long, "1/3"]]]}), wait="#sandbox[data-problems='1']")
    assert page.get_attribute("#sandbox", "data-state") == "ready"
    assert "this has 1500 characters" in page.inner_text("#sandbox-problem-draft")
    assert not page.locator("#sandbox .sd-notice.progress").is_visible()


@pytest.mark.parametrize("length", [60, 1500])
def test_what_the_page_exports_it_opens_again(open_page: Callable[..., Page], tmp_path: Path, length: int) -> None:
    given = {**paper(), "draft": [[["x" * length, "1/3"]]]}
    page = open_page(link(given), wait="#sandbox[data-problems='1']")
    with page.expect_download() as download:
        page.click("#sandbox-export")
    file = tmp_path / "state.json"
    download.value.save_as(file)
    other = open_page(link(three()))
    other.set_input_files("#sandbox-import input", file)
    other.wait_for_function("sandbox.store.state.doc.symbols === 2")
    assert state(other) == given
    file.write_text(json.dumps({"schema": "specdemo.sandbox-file/1", "state": {**given, "draft": [[["\ud800", "1"]]]}}))
    other.set_input_files("#sandbox-import input", file)
    other.wait_for_function(f"document.querySelector('{NOTE}').textContent.includes('half of a character')")
    assert state(other) == given


@pytest.mark.parametrize(("typed", "words"), [("1\ud800", "half of a character"), ("1" * 8001, "8001 characters")])
def test_a_text_that_no_link_can_hold_is_refused_in_words(
    open_page: Callable[..., Page], typed: str, words: str
) -> None:
    page = open_page(link(paper()))
    page.evaluate(
        """(typed) => {
          const field = document.querySelector(".sb-field[data-side=draft][data-symbol='0']");
          field.value = JSON.parse(typed);
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }""",
        json.dumps(typed),
    )
    assert words in note(page) and fields(page)[0] == ["2/3", "1/3"] and state(page) == paper()
    page.wait_for_selector(READY)
    page.wait_for_timeout(400)
    assert page.evaluate("location.hash").startswith("#page=sandbox&s=")


DONE = "#audit[data-state=done]"


def test_the_audit_follows_its_address_after_a_report_and_when_a_run_ends(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit&rule=block&run=1", wait=DONE)
    page.evaluate("location.hash = '#page=audit&rule=threshold'")
    page.wait_for_function("document.querySelector('#audit-rule').value === 'threshold'")
    assert "The report below is on block" in page.inner_text(".sb-audit-status")
    waiting: list[Route] = []
    page.route("**/specdemo-api/audit", lambda route: route.continue_() if waiting else waiting.append(route))
    page.evaluate("location.hash = '#page=audit&rule=token&run=1'")
    page.wait_for_selector("#audit[data-state=running]")
    page.evaluate("location.hash = '#page=audit&rule=greedy_block&run=1'")
    page.wait_for_timeout(200)
    waiting[0].continue_()
    page.wait_for_function(
        "audit.state.status === 'done' && audit.state.answer.rule === 'greedy_block'", timeout=60_000
    )
    assert page.evaluate("location.hash") == "#page=audit&rule=greedy_block&run=1"


def test_a_rule_that_does_not_exist_is_said(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit&rule=blok&run=1", wait="#audit[data-state=empty]")
    assert "There is no rule “blok” here" in page.inner_text(".sb-audit-status")
    page.select_option("#audit-rule", "block")
    assert "blok" not in page.inner_text(".sb-audit-status")
