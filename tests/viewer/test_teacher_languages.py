"""Teacher mode in Danish and in Japanese: what a link has set, the bets, the list that makes links, the handout."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.step_page import address, link
from tests.viewer.test_page_languages import TEXTS, is_too_wide, left_in_english, visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "visit"]  # fixtures
pytestmark = pytest.mark.browser

READY = "#viewer[data-state=ready]"
# The parts that are teacher mode's own.
OWN = "['.sd-teacher-bar', '#predict', 'dialog.sd-teacher', '.sd-teacher-menu', '.sd-handout']"
SHOWN = f"""() => {OWN}.flatMap((part) => {{
  const root = document.createElement('div');
  for (const node of document.querySelectorAll(part)) root.append(node.cloneNode(true));
  return ({TEXTS})(root);
}})"""
# Names of the pair and of its draft, the prompt, the link, signs of formulas, and what is said so in both languages.
MEANT = r"top-[kp]|E\[τ│block\]|P\(τ = .*|Once upon a time.*|http:.*|nonsense.*|near|min"
SAME = {"da": rf"{MEANT}|prompt|Prompt|draft|seed|token", "ja": MEANT}


def opened(page: Page) -> list[str]:
    """Everything of teacher mode that can be shown, with the list open and the handout made."""
    page.click("#step-teacher")
    page.click("[data-do=link]")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    found: list[str] = page.evaluate(SHOWN)
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.keyboard.press("Escape")
    return found


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", ["da", "ja"])
def test_teacher_mode_in_another_language(visit: Callable[..., Page], address: str, language: str, width: int) -> None:
    settings = "?examples=none/&fix=gamma,top_k,nonsense&hide=coupling&predict=tau,rescued"
    pages = {
        name: visit(f"{address}{settings}{link(b=2, phase='score')}", name, width, READY) for name in ("en", language)
    }
    for bet in (False, True):
        shown = {name: opened(page) for name, page in pages.items()}
        assert len(shown["en"]) > (100 if not bet else 90)
        assert left_in_english(shown[language], shown["en"], SAME[language]) == []
        assert not is_too_wide(pages[language])
        assert "。 " not in pages[language].inner_text(".sd-teacher-bar > span")
        for page in pages.values():
            if not bet:
                page.click("[data-question='tau:block'] [data-guess='0']")
                page.click("[data-question=rescued] [data-guess=none]")
                page.evaluate("viewer.actions.toPhase('commit')")
