"""Numbers that make no sense yet, on the Compare page: the value from before stays, and what is typed outlives a reload."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.compare_page import READY, address, link, open_page
from tests.viewer.test_unfinished import retype

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_the_value_from_before_stays_in_every_field_and_the_typed_one_outlives_a_reload(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(link(max=5, race=1, seeds=1, c=0.5), wait=READY)
    measured = "compare.store.state.race.status === 'done'"
    page.wait_for_function(measured)
    typed = {
        "compare-gamma": ("17", "; 5 stays"),
        "race-seeds": ("81", "a whole number from 1 to 64; 1 stays"),
        "law-samples": ("500000", "; 600 stays"),
        "race-c": ("1001", "a number from 0 to 1000; 0.5 stays"),
    }
    page.evaluate("compare.actions.setLawOption('samples', 600)")
    options = page.evaluate("[compare.store.state.race.options, compare.store.state.law.options]")
    for field, (text, _) in typed.items():
        retype(page, f"#{field}", text)
    for reloaded in (False, True):
        if reloaded:
            page.reload()
            page.wait_for_function(f"window.compare?.store && {measured}")
        for field, (text, stays) in typed.items():
            assert page.input_value(f"#{field}") == text and stays in page.inner_text(f"#{field}-problem"), field
        assert page.evaluate("compare.store.view.changed") == []
        assert page.evaluate("[compare.store.state.race.options, compare.store.state.law.options]") == options
    page.click("#race-costs-reset")
    assert page.inner_text("#race-c-problem") == "" and page.evaluate("compare.store.state.race.options.c") is None


def test_a_link_with_two_pages_is_said(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=compare&page=lab")
    page.wait_for_selector(".sd-notice.error")
    assert "page: one value, not “compare”, “lab”" in page.inner_text(".sd-notice.error")
