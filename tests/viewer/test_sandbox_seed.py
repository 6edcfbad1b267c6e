"""The Sandbox's seed and files of other pages: a seed that makes no sense is said and kept, and a file is told where it belongs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.viewer.sandbox_page import READY, address, link, open_page, paper

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


@pytest.mark.parametrize("hash_", ["", link(paper())])
def test_the_seed_outlives_a_reload(open_page: Callable[..., Page], hash_: str) -> None:
    page = open_page(hash_)
    page.fill("#sandbox-seed", "42")
    page.reload()
    page.wait_for_selector(READY)
    assert page.input_value("#sandbox-seed") == "42" and page.is_enabled("#sandbox-random")
    page.fill("#sandbox-seed", "4x")
    page.reload()
    page.wait_for_selector(READY)
    assert page.input_value("#sandbox-seed") == "4x" and page.is_disabled("#sandbox-random")
    said = page.locator("#sandbox-seed-problem")
    assert said.is_visible() and said.inner_text() == (
        "Random needs a seed: a whole number from 0 to 9007199254740991."
    )
    assert page.get_attribute("#sandbox-seed", "aria-describedby") == "sandbox-seed-problem"
    page.fill("#sandbox-seed", "4")
    assert said.inner_text() == "" and page.is_enabled("#sandbox-random")


def test_a_file_of_another_page_is_told_where_it_opens(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(link(paper()))
    sweep, trace, state = tmp_path / "sweep.jsonl", tmp_path / "run.json", tmp_path / "state.json"
    head = json.dumps({"schema": "specdemo.lab/1", "pair": {"name": "stories"}})
    trace.write_text(json.dumps({"schema": "specdemo.trace/1"}, indent=1))
    state.write_text('{"schema": "specdemo.sandbox-file/1"}')
    for content, words in (
        (head + "\n" + '{"key": "a"}\n', "a file of the Lab, the rows of a sweep: open it on the page Lab"),
        (head, "open it on the page Lab"),
        (head + "\n" + ("x" * 100 + "\n") * 100_000, "open it on the page Lab"),
    ):
        sweep.write_text(content)
        page.set_input_files("#sandbox-import", sweep)
        page.wait_for_selector("#sandbox .sd-notice.error:visible")
        assert words in page.inner_text("#sandbox .sd-notice.error")
        page.click("#sandbox-dismiss")
    page.set_input_files("#sandbox-import", trace)
    page.wait_for_selector("#sandbox .sd-notice.error:visible")
    assert "This is a run: open it on the page Step" in page.inner_text("#sandbox .sd-notice.error")
    page.set_input_files("#sandbox-import", state)
    page.wait_for_function("document.querySelector('#sandbox .sd-notices').textContent.includes('state')")
    assert "open it on the page" not in page.inner_text("#sandbox .sd-notices")


def test_a_link_with_two_pages_is_said(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=sandbox&page=lab")
    page.wait_for_selector("#sandbox .sd-notice.error")
    assert "page: one value, not “sandbox”, “lab”" in page.inner_text("#sandbox .sd-notice.error")
