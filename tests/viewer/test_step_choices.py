"""What the Step page makes of a pair: in links, of a file's unknown pair, of the prompt at hand, and while one is loaded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.viewer import make_trace
from tests.viewer.step_page import PROMPT, READY, address, link, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

FIELD = "#prompt-mode"
CHOSEN = "[viewer.store.state.form.pair, viewer.store.state.form.draft]"


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """The page with a draft and an example prompt of its own for each pair."""

    def differ(route: Route) -> None:
        text = route.fetch().text()
        drafts = 'drafts: [{ name: "near", title: "near" }]'
        assert drafts in text
        own = '{ name: name === "made-up" ? "near" : name + "-draft" }'
        route.fulfill(
            body=text.replace(drafts, f"drafts: [{own}], examples: [`try ${{name}}`]"), content_type="text/javascript"
        )

    page = open_page()
    page.route("**/dev_bridge.js", differ)
    page.reload()
    page.wait_for_function("window.viewer")
    return page


def test_a_link_is_taken_for_a_pair_and_a_draft_that_are_here(page: Page) -> None:
    for hash_, chosen, words in (
        ("prompt=Hi&pair=talking&mode=chat&max=8", ["talking", "talking-draft"], ""),
        ("prompt=Hi&pair=constructor", ["made-up", "near"], "pair: there is no “constructor” here"),
        ("prompt=Hi&pair=plain&draft=near", ["plain", "plain-draft"], "draft: plain has no “near”, so plain-draft"),
        ("prompt=Hi&pair=made-up&draft=near", ["made-up", "near"], ""),
    ):
        page.evaluate("(hash) => { location.hash = hash; }", hash_)
        page.wait_for_function(f"JSON.stringify({CHOSEN}) === '{json.dumps(chosen, separators=(',', ':'))}'")
        assert words in page.inner_text(".sd-notices") and bool(words) == page.locator(".sd-notice.error").is_visible()


def test_a_mode_that_the_pair_lacks_can_be_left(page: Page, tmp_path: Path) -> None:
    run = make_trace.make_run(PROMPT, max_new_tokens=12, prompt_mode="chat")
    run["pair"]["name"] = "elsewhere"
    file = tmp_path / "run.json"
    file.write_text(json.dumps(run))
    page.set_input_files("#import", file)
    page.wait_for_selector(READY)
    assert page.input_value(FIELD) == "chat" and page.is_enabled(FIELD)
    assert "not in the list here" in str(page.get_attribute(FIELD, "title"))
    page.select_option(FIELD, "text")
    assert page.input_value(FIELD) == "text" and not page.is_enabled(FIELD)


def test_an_example_prompt_follows_the_pair_and_a_typed_one_stays(page: Page) -> None:
    page.click("#pair-note button")
    assert page.input_value("#prompt") == "try made-up"
    page.select_option("#pair", "plain")
    assert page.input_value("#prompt") == "try made-up", "read in the same way, it makes sense there too"
    page.select_option("#pair", "talking")
    assert page.input_value("#prompt") == "try talking"
    page.fill("#prompt", "try talking ")
    page.fill("#prompt", "try talking")
    page.select_option("#pair", "made-up")
    assert page.input_value("#prompt") == "try talking"


def test_changed_settings_are_said_on_a_line_of_their_own(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block*2", b=1), wait=READY)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for field, value in (("gamma", "3"), ("temperature", "0.5"), ("top-k", "9"), ("seed", "4")):
            page.fill(f"#{field}", value)
        note = page.locator("#settings-changed")
        assert note.inner_text().endswith("press Run or Restart"), "Step goes on with the run shown"
        box, form = note.bounding_box(), page.locator(".sd-controls").bounding_box()
        assert box and form and box["width"] == form["width"] and box["height"] < 40
        tools = page.locator("#viewer .sd-tools").bounding_box()
        assert tools and tools["y"] + tools["height"] <= box["y"]
    page.evaluate("viewer.store.set({ untouched: true })")
    assert note.inner_text().endswith("press Step, Run or Restart")
    page.click("#step")
    page.wait_for_function("viewer.store.state.trace.settings.gamma === 3")


def test_progress_covers_nothing(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block*2", b=1, phase="commit"), wait=READY)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(
            "viewer.store.set({ status: 'loading', progress: { text: 'Loading the target model', fraction: 0.5 } })"
        )
        notice = page.locator(".sd-notice.progress")
        assert "Loading the target model" in notice.inner_text()
        said, lane = notice.bounding_box(), page.locator(".sd-lane").bounding_box()
        sentence = page.locator(".sd-sentence").bounding_box()
        assert said and lane and sentence
        assert sentence["y"] + sentence["height"] <= said["y"] and said["y"] + said["height"] <= lane["y"]
        assert said["width"] == sentence["width"]
    page.evaluate("viewer.store.set({ status: 'decoding', progress: null })")
    short, sentence = notice.bounding_box(), page.locator(".sd-sentence").bounding_box()
    assert short and sentence and short["y"] >= sentence["y"] + sentence["height"]
    assert short["y"] + short["height"] <= 800
