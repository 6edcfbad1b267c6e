"""The page as a stranger's browser meets it."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_nothing_leaves_this_machine_and_nobody_complains(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    tab.decode(blocks=1)
    tab.page.wait_for_timeout(500)
    assert [url for url in tab.requests if not url.startswith((app.url, "data:", "blob:"))] == []
    assert tab.complaints == []
    assert tab.page.evaluate("Object.keys(localStorage).length") == 0
    assert tab.page.evaluate("[...document.fonts].filter((face) => face.status === 'loaded').length") == 0


def test_dark_mode_follows_the_system_live(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    tab.page.emulate_media(color_scheme="dark")
    tab.page.wait_for_function("() => document.body.classList.contains('dark')")
    tab.page.emulate_media(color_scheme="light")
    tab.page.wait_for_function("() => !document.body.classList.contains('dark')")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_frame_leaves_the_whole_width_to_the_page(app: Any, open_tab: Any, width: int) -> None:
    tab = open_tab(app)
    tab.page.set_viewport_size({"width": width, "height": 800})
    box = tab.page.locator("#page-step").bounding_box()
    bar = tab.page.locator("[role=tablist]").last.bounding_box()
    assert box["x"] == 0 and box["width"] == width and box["y"] <= bar["y"] + bar["height"] + 1 <= 40
    assert tab.page.locator("footer").count() == 0 or not tab.page.locator("footer").first.is_visible()


def test_a_step_reaches_the_screen(app: Any, open_tab: Any) -> None:
    page = open_tab(app).page
    page.select_option("#pair", "tiny")
    page.fill("#prompt", "the cat")
    page.click("#restart")
    page.wait_for_selector('.specdemo-root[data-state="ready"][data-block="0"]')
    page.click("#run")
    page.wait_for_function(
        """() => {
             const { state, block } = document.querySelector(".specdemo-root").dataset;
             return state === "ready" && Number(block) > 3;
           }"""
    )
    assert page.locator("[data-token-id]").count() > 20


@pytest.mark.parametrize("late", ["index", "rescue"])
def test_an_example_that_comes_late_takes_nothing_away(app: Any, visitor: Any, late: str) -> None:
    """Whoever types before the first example has come keeps the text, and decodes it."""
    page, held = visitor.new_page(), []
    address = re.compile(rf"/examples/{late}\.json")
    page.route(address, lambda route: held.append(route))
    with page.expect_request(address):
        page.goto(app.url)
    page.select_option("#pair", "tiny")
    page.fill("#prompt", "the cat")
    page.fill("#seed", "7")
    with page.expect_response(address):
        for route in held:
            route.continue_()
    page.unroute(address)
    page.wait_for_selector("[data-example]")
    page.wait_for_timeout(300)
    typed = "['prompt', 'pair', 'seed'].map((name) => document.getElementById(name).value)"
    assert page.evaluate(typed) == ["the cat", "tiny", "7"]
    page.click("#restart")
    page.wait_for_selector('#page-step .specdemo-root[data-state="ready"][data-block="0"]')
    page.wait_for_function("location.hash.startsWith('#prompt=the+cat&pair=tiny')")
    assert page.evaluate(typed) == ["the cat", "tiny", "7"]
    page.close()


@pytest.mark.parametrize("page_name", ["step", "compare"])
def test_separators_of_lines_are_characters_of_a_prompt(app: Any, open_tab: Any, page_name: str) -> None:
    """U+2028 and U+2029 end a line for JavaScript's regular expressions, and for nobody else."""
    rules = "block*1" if page_name == "step" else "token,block"
    tab = open_tab(app, f"/#page={page_name}&pair=tiny&prompt=the%E2%80%A8cat%E2%80%A9&rules={rules}&max=6")
    tab.page.wait_for_selector(f'#page-{page_name} [data-state="ready"]')
    assert tab.page.locator(f"#page-{page_name} [data-token-id]").count() > 5 and tab.complaints == []
