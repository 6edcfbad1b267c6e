"""Another link in a tab where a sweep runs, results of other settings, and what is typed in the moment before a reload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages.conftest import App, Tab
from tests.pages.test_lab_app import DONE, PAGE, link, saved

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LONG = {"prompts": 8, "max": 60}
"""Of a sweep that is still running when something else happens."""
SHORT = {"tasks": "verse", "gammas": "2", "prompts": 1}


@pytest.fixture
def open_alone(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page for somebody who has been here with no other: a language that is chosen stays with them."""
    contexts = []

    def opened(app: App, path: str) -> Page:
        contexts.append(chromium.new_context())
        return Tab(contexts[-1].new_page(), app.url + path).page

    yield opened
    for context in contexts:
        context.close()


def runs(page: Page, rows: int = 2) -> None:
    page.wait_for_function(
        f"(n) => Number(document.querySelector('{PAGE}')?.dataset.rows) >= n", arg=rows, timeout=60_000
    )
    assert page.get_attribute(PAGE, "data-status") == "running"


def go(page: Page, path: str) -> None:
    """Another link in the same document."""
    page.evaluate("(hash) => void (location.hash = hash)", path.removeprefix("/"))


def come_back(page: Page, app: App, path: str) -> None:
    """Another link in the same tab, and the document anew."""
    page.goto("about:blank")
    page.goto(app.url + path)
    page.wait_for_selector(PAGE)


@pytest.mark.parametrize("opens", ["in the document", "in the tab"])
def test_a_sweep_stops_for_a_link_that_asks_for_another(app: App, open_alone: Any, opens: str) -> None:
    """It is said, the link's own sweep is measured, and no row is lost: what was measured is not measured again."""
    page = open_alone(app, link(**LONG, run=1))
    runs(page)
    if opens == "in the document":
        go(page, link(**SHORT, max=60, run=1))
    else:
        come_back(page, app, link(**SHORT, max=60, run=1))
    page.wait_for_function("() => /was stopped.* kept/.test(document.querySelector('#lab-message')?.innerText)")
    page.wait_for_selector(DONE, timeout=60_000)
    assert page.inner_text("#lab-status").startswith("All 1 of 1 cells")
    assert page.input_value("#lab-gammas") == "2" and "was stopped" in page.inner_text("#lab-message")
    page.wait_for_function("() => document.querySelector('#lab-changed').innerText === ''")
    page.wait_for_selector("#page-lab .lab-table")
    lines = saved(page, "jsonl").splitlines()
    assert len(lines) == int(str(page.get_attribute(PAGE, "data-rows"))) + 1 > 3
    page.wait_for_function("() => /&run=1/.test(location.hash) && /gammas=2/.test(location.hash)")


def test_a_sweep_goes_on_under_a_link_that_asks_for_none(app: App, open_alone: Any) -> None:
    """A link that makes no sense, or one without run=1: the form follows, both are said, and neither is erased by the sweep."""
    page = open_alone(app, link(**LONG, run=1))
    runs(page)
    left_out = "Of the link this was left out: γ: 99 is not from 1 to 16."
    for opened in (
        lambda: go(page, link(gammas="7,99", run=1)),
        lambda: come_back(page, app, link(gammas="7,99", run=1)),
    ):
        opened()
        page.wait_for_selector("#lab-message:not([hidden])")
        rows = int(str(page.get_attribute(PAGE, "data-rows")))
        runs(page, rows + 1)
        assert page.inner_text("#lab-message") == left_out
        assert "sweep that is running has other settings" in page.inner_text("#lab-changed")
    page.click("#lab-cancel")
    assert page.inner_text("#lab-message") == left_out and page.get_attribute(PAGE, "data-status") == "cancelled"


def test_the_link_of_the_sweep_that_runs_does_not_stop_it(app: App, open_alone: Any) -> None:
    page = open_alone(app, link(**LONG, run=1))
    runs(page)
    go(page, link(**{**LONG, "gammas": "3,2"}, run=1))
    page.wait_for_function("() => document.querySelector('#lab-gammas').value === '3, 2'")
    runs(page, int(str(page.get_attribute(PAGE, "data-rows"))) + 1)
    assert not page.locator("#lab-message").is_visible() and page.inner_text("#lab-changed") == ""


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "These results were measured with other settings (γ, prompts a task): start again."),
        ("da", "Disse resultater blev målt med andre indstillinger (γ, prompts pr. opgave): Start igen."),
        ("ja", "これらの結果は別の設定（γ、タスクごとのプロンプト数）で測定されています。もう一度始めてください。"),
    ],
)
def test_results_of_other_settings_are_called_so(app: App, open_alone: Any, language: str, words: str) -> None:
    """Until the settings are those again, or these are measured; lists are the same in any order."""
    page = open_alone(app, f"/?lang={language}{link(**{**SHORT, 'gammas': '2,3'}, run=1).removeprefix('/')}")
    page.wait_for_selector(DONE, timeout=60_000)
    page.wait_for_selector("#page-lab .lab-choice-table")
    note = page.locator("#lab-changed")
    page.fill("#lab-gammas", "3, 2")
    assert note.inner_text() == ""
    page.fill("#lab-gammas", "4")
    page.fill("#lab-prompts", "2")
    assert note.inner_text() == words
    page.wait_for_timeout(400)
    page.reload()
    page.wait_for_selector("#page-lab .lab-choice-table")
    assert note.inner_text() == words
    page.fill("#lab-gammas", "2, 3")
    page.fill("#lab-prompts", "1")
    assert note.inner_text() == ""
    page.fill("#lab-gammas", "2")
    page.wait_for_selector("#lab-start:enabled")
    page.click("#lab-start")
    page.wait_for_selector(DONE, timeout=60_000)
    page.wait_for_function("() => document.querySelector('#lab-changed').innerText === ''")


TYPE = """({ fields, then }) => {
  for (const [id, value] of Object.entries(fields)) {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (then) document.querySelector(then).click();
  else location.reload();
}"""


@pytest.mark.parametrize("then", ["", "#language [data-language=da]"])
def test_what_was_typed_a_moment_before_the_page_went_is_there_after_it(app: App, open_alone: Any, then: str) -> None:
    """Own prompts, lists and counts, also those that make no sense yet."""
    page = open_alone(app, link())
    page.wait_for_selector("#lab-start:enabled")
    good = {"lab-own-text": "the cat\nthe dog ran", "lab-gammas": "3, 5", "lab-prompts": "7", "lab-minutes": "2"}
    half = {"lab-temperatures": "0.5, x", "lab-top-ks": "", "lab-max-new-tokens": "5000"}
    with page.expect_navigation():
        page.evaluate(TYPE, {"fields": {**good, **half}, "then": then})
    if then:
        page.wait_for_selector("html[lang=da]", state="attached")
    page.wait_for_function("() => document.querySelector('#lab-own-text')?.value")
    page.wait_for_selector("#lab-temperatures[aria-invalid]")
    for name, value in {**good, **half}.items():
        assert page.input_value(f"#{name}") == value, name
    assert "x" in page.inner_text("#lab-temperatures-problem") and page.inner_text("#lab-top-ks-problem")
    assert "512" in page.inner_text("#lab-max-new-tokens-problem")
    assert page.locator("#lab-start").is_disabled()
    page.reload()  # the page has only what it brought back
    page.wait_for_selector("#lab-temperatures[aria-invalid]")
    assert page.input_value("#lab-temperatures") == "0.5, x"
    page.fill("#lab-temperatures", "0.5")
    page.fill("#lab-top-ks", "0")
    page.fill("#lab-max-new-tokens", "8")
    page.wait_for_selector("#lab-start:enabled")
    assert "gammas=3,5" in page.evaluate("() => location.hash")


def test_a_link_opened_in_the_tab_goes_before_what_was_typed_there(app: App, open_alone: Any) -> None:
    page = open_alone(app, link())
    page.wait_for_selector("#lab-start:enabled")
    page.fill("#lab-gammas", "9, x")
    come_back(page, app, link(gammas="5"))
    page.wait_for_selector("#lab-start:enabled")
    assert page.input_value("#lab-gammas") == "5"
    page.fill("#lab-gammas", "9, x")
    page.fill("#lab-prompts", "5000")
    go(page, link(gammas="6", prompts=3))
    page.wait_for_function("() => document.querySelector('#lab-gammas').value === '6'")
    assert page.input_value("#lab-prompts") == "3" and page.inner_text("#lab-prompts-problem") == ""
