"""An answer that is typed in the tour outlives a reload, with the question and the picture that it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.learn_page import ASKED, CHAPTERS, address, library_answer, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("chapter", "question", "other"), [(*CHAPTERS[2], False), (*CHAPTERS[3], True), (*CHAPTERS[9], True)]
)
def test_a_typed_answer_outlives_a_reload(
    open_page: Callable[..., Page], chapter: str, question: str, other: bool
) -> None:
    page = open_page(f"#page=learn&chapter={chapter}", seed=5)
    page.wait_for_selector(ASKED.format(chapter))
    form = page.locator(f"[data-question={question}]")
    if other:
        form.locator("[data-do=another]").click()
        page.wait_for_selector(ASKED.format(chapter))
    field, words = form.locator(".learn-input"), form.locator(".learn-ask").inner_text()
    typed = f"{library_answer(page, question):.6f}"
    field.fill(typed)
    page.evaluate(
        "history.replaceState(null, '', location.href.replace('seed=5', 'seed=77'))"
    )  # as anybody's is another
    page.reload()
    page.wait_for_function("window.learn")
    page.wait_for_selector(ASKED.format(chapter))
    page.wait_for_function(f"document.querySelector('[data-question={question}] .learn-input').value")
    assert field.input_value() == typed and form.locator(".learn-ask").inner_text() == words
    form.locator("[type=submit]").click()
    assert form.get_attribute("data-result") == "right"
    # What is answered is not asked again.
    page.reload()
    page.wait_for_function("window.learn")
    page.wait_for_selector(ASKED.format(chapter))
    assert field.input_value() == ""
