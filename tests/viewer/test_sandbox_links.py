"""The Sandbox's states as links and files, in a browser: what was typed comes back, what is damaged is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.viewer.sandbox_page import READY, address, library, link, open_page, paper, random_state, settled, state

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_a_link_restores_everything(open_page: Callable[..., Page]) -> None:
    given = {**random_state(3, "prefix", 2, 3), "rules": ["greedy_block", "threshold"]}
    page = open_page(link(given))
    page.evaluate(
        "sandbox.actions.select({ row: 3, column: 5, prefix: 'AB' }); sandbox.actions.toggleDifference(); sandbox.actions.setFromTarget(true)"
    )
    page.wait_for_timeout(400)
    address = page.url
    again = open_page(address[address.index("#") :])
    assert state(again) == given
    for name in ("selected", "difference", "fromTarget", "rules", "place", "picture"):
        assert again.evaluate(f"sandbox.store.view.{name}") == page.evaluate(f"sandbox.store.view.{name}"), name
    assert "s=2,3,prefix:" in address and "/" in address.split("#")[1] and "%2F" not in address
    damaged = open_page(address[address.index("#") :].replace("s=2,3", "s=2,2").replace("greedy_block", "greedy"))
    said = damaged.inner_text(".sd-notices")
    assert "left out: laws: alphabet, γ and context" in said and "two different ones of " in said
    assert "not “greedy,threshold”" in said and state(damaged)["rules"] == ["token", "block"]


def test_a_hash_that_changes_opens_its_state(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    other = {**paper(), "rules": ["block", "greedy_block"], "draft": [[["1/2", "1/2"]]]}
    page.evaluate("(hash) => { location.hash = hash; }", link(other))
    page.wait_for_function("sandbox.store.state.doc.rules[1] === 'greedy_block'")
    assert state(page) == other
    page.keyboard.press("Control+z")
    assert state(page) == paper()


def test_a_state_too_long_for_a_link_stays_in_this_tab(open_page: Callable[..., Page]) -> None:
    page = open_page(link(random_state(4, "prefix", 4, 4)))
    page.evaluate(
        """() => {
          const { doc } = sandbox.store.state, text = (row, symbol) => (symbol ? '0.' : '1.') + '0'.repeat(30 + (row % 2));
          sandbox.store.edit({ ...doc, draft: doc.draft.map((rows) => rows.map((row, j) => row.map((_, k) => text(j, k)))) });
        }"""
    )
    page.wait_for_selector(READY)
    page.wait_for_timeout(400)
    assert page.evaluate("location.hash") == "#page=sandbox"
    page.click("#sandbox-copy-link")
    assert "too long for a link" in page.inner_text("#sandbox .sd-notices")
    before = state(page)
    page.reload()
    page.wait_for_selector(READY)
    assert state(page) == before


def test_a_file_comes_back_and_a_wrong_one_is_refused(open_page: Callable[..., Page], tmp_path: Path) -> None:
    given = {**random_state(5, "position", 3, 2), "rules": ["sampled_match", "block"]}
    page = open_page(link(given))
    settled(page)
    with page.expect_download() as download:
        page.click("#sandbox-export")
    file = tmp_path / "state.json"
    download.value.save_as(file)
    saved = json.loads(file.read_text())
    assert (
        saved["state"] == given
        and saved["picture"] == library(given)
        and saved["optimum"]["cost"] == pytest.approx(saved["picture"]["optimum"]["cost"], abs=1e-9)
    )
    other = open_page(link(paper()))
    other.set_input_files("#sandbox-import input", file)
    other.wait_for_function("sandbox.store.state.doc.symbols === 3")
    assert state(other) == given
    for content, words in (
        ("{", "not JSON"),
        ("{}", "its schema"),
        (json.dumps({**saved, "state": {**given, "gamma": 9}}), "gamma must be"),
    ):
        file.write_text(content)
        other.set_input_files("#sandbox-import input", file)
        other.wait_for_function(
            "(words) => document.querySelector('#sandbox .sd-notices').textContent.includes(words)", arg=words
        )
    assert state(other) == given
