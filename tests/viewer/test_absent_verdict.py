"""A rule chosen of which the run holds no verdict: the page says so and offers nothing else in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.step_page import address
from tests.viewer.test_page_languages import visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "visit"]  # fixtures
pytestmark = pytest.mark.browser


def test_a_rule_without_a_verdict_shows_the_owners_and_how_to_have_its_own(
    visit: Callable[..., Page], address: str
) -> None:
    page = visit(address, "en", 1280, "#viewer[data-state=ready]")
    lane = page.locator("#viewer .sd-other-rule")
    held, owner = page.evaluate("(({ block }) => [Object.keys(block.verdicts), block.verifier])(viewer.store.view)")
    assert owner == "block" and "token" in held and "greedy_block" not in held
    page.select_option("#verifier", "token")
    assert lane.inner_text().startswith("Verdict of token; block decided this block.")
    page.evaluate("viewer.store.setRule('greedy_block')")  # the development server offers two rules
    assert lane.is_visible() and lane.locator("button:visible").count() == 0
    assert (
        lane.inner_text()
        == "This run holds no verdict of greedy block: what is shown is block’s. Restart decodes with greedy block."
    )
    assert page.evaluate("viewer.store.view.rule") == "block"
    page.evaluate("viewer.store.setRule('block')")
    assert not lane.is_visible()
