"""Numbers that make no sense yet, on the Lab page: the value from before stays, never a beginning of the new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.lab_page import address as lab_address
from tests.viewer.test_page_languages import visit
from tests.viewer.test_unfinished import retype

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["lab_address", "visit"]  # fixtures
pytestmark = pytest.mark.browser


def test_the_value_from_before_stays_not_a_beginning(visit: Callable[..., Page], lab_address: str) -> None:
    page = visit(f"{lab_address}#page=lab&gammas=4,8&prompts=6", "en", 1280, "#lab-gammas")
    page.wait_for_function("document.querySelector('#lab-gammas').value === '4, 8'")
    before = page.evaluate("lab.store.state.form")
    retype(page, "#lab-gammas", "2, 17")
    assert "17 is not from 1 to 16" in page.inner_text("#lab-gammas-problem")
    retype(page, "#lab-prompts", "1001")
    assert "a whole number from 1 to 1000; 6 stays" in page.inner_text("#lab-prompts-problem")
    assert page.evaluate("lab.store.state.form") == before
    assert page.input_value("#lab-gammas") == "2, 17" and page.input_value("#lab-prompts") == "1001"
    retype(page, "#lab-gammas", "2, 6")
    page.keyboard.press("Tab")
    retype(page, "#lab-gammas", "3, x")
    assert page.evaluate("lab.store.state.form.gammas") == [2, 6]
