"""The pages in Danish and in Japanese: what is shown is in the language, no key stands for its words, and nothing is wider than the phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.step_page import address, link
from tests.worse_conditions import loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["address"]  # fixture
pytestmark = pytest.mark.browser

# Every text that a person reads or hears, once each, without what the models wrote and without the teacher's menu, which has a test of its own.
TEXTS = """(root) => {
  const out = new Set(), skip = "[data-token-id], .sd-teacher-menu, .sd-text-scroll, option, .pic-figure, .sd-figure, script, style";
  for (const node of root.querySelectorAll("*")) {
    for (const name of ["title", "aria-label", "placeholder", "aria-valuetext"]) {
      if (node.hasAttribute(name) && !node.closest("[data-token-id], .sd-teacher-menu")) out.add(node.getAttribute(name));
    }
    if (node.closest(skip)) continue;
    for (const child of node.childNodes) if (child.nodeType === 3) out.add(child.data.trim());
  }
  return [...out].filter((text) => /[a-z]{3}/i.test(text));
}"""
RAW = re.compile(r"^[a-z]+(?:[._][a-z0-9_]+)+$")


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address in a language: `visit(url, language, width, wait)`."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(url: str, language: str, width: int, wait: str) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": 800}, locale=language)
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if "words" in said.text else None)
        page.goto(url)
        page.wait_for_selector(wait)
        loaded(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def left_in_english(own: list[str], english: list[str], meant: str) -> list[str]:
    """Texts that are the English page's, or a key, but for those that `meant` fits."""
    return [text for text in own if (text in english or RAW.match(text)) and not re.fullmatch(meant, text)]


def is_too_wide(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wide


# Step: at each phase of a block, with the help open.

SIGNS = r"top-[kp]|E\[τ│block\]|Home, End|Esc|<\|name\|>|[whR][₀-₉] = min\(.*"
# The same in Danish: what is said so there, and words that are the same in both.
STEP_MEANT = {"da": rf"{SIGNS}|Prompt|Draft|seed|token|position|bonus|Pause|Position [0-9], token", "ja": SIGNS}


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", ["da", "ja"])
def test_step_in_another_language(visit: Callable[..., Page], address: str, language: str, width: int) -> None:
    for phase in ["draft", "verify", "commit"]:
        url = f"{address}?examples=none/{link(b=2, phase=phase)}"
        pages = {name: visit(url, name, width, "#viewer[data-state=ready]") for name in ("en", language)}
        shown = {}
        for name, page in pages.items():
            page.keyboard.press("?")
            shown[name] = page.evaluate(f"({TEXTS})(document.querySelector('#viewer'))")
        assert pages[language].get_attribute("#viewer", "lang") == language
        assert len(shown["en"]) > 60
        assert left_in_english(shown[language], shown["en"], STEP_MEANT[language]) == []
        assert not is_too_wide(pages[language])
