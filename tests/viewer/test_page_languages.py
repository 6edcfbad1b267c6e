"""The pages in Danish and in Japanese: what is shown is in the language, no key stands for its words, and nothing is wider than the phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.sandbox.answers import ANSWERS
from specdemo.standalone import record_of
from tests.viewer.compare_page import address as compare_address
from tests.viewer.compare_page import link as compare_link
from tests.viewer.javascript import call
from tests.viewer.lab_page import address as lab_address
from tests.viewer.lab_page import config as lab_config
from tests.viewer.lab_page import swept
from tests.viewer.sandbox_page import READY, random_state, settled, three
from tests.viewer.sandbox_page import address as sandbox_address
from tests.viewer.sandbox_page import link as sandbox_link
from tests.viewer.standalone_page import SAVED, open_file, run, saved
from tests.viewer.step_page import address, link, place
from tests.viewer.test_words import MODULE
from tests.worse_conditions import loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["address", "compare_address", "lab_address", "open_file", "run", "sandbox_address"]  # fixtures
pytestmark = pytest.mark.browser

# Every text that a person reads or hears, once each, without what the models wrote and without the teacher's menu, which has a test of its own.
TEXTS = """(root) => {
  const out = new Set(), skip = "[data-token-id], .sd-text-scroll, option, .pic-figure, .sd-figure, #lab-command, script, style";
  for (const node of root.querySelectorAll("*")) {
    for (const name of ["title", "aria-label", "placeholder", "aria-valuetext"]) {
      if (node.hasAttribute(name) && !node.closest("[data-token-id]")) out.add(node.getAttribute(name));
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


@pytest.fixture(scope="module")
def english() -> dict[Any, Any]:
    """What the English pages say: the same for each other language, so they are read once."""
    return {}


def left_in_english(own: list[str], english: list[str], meant: str) -> list[str]:
    """Texts that are the English page's, or a key, but for those that `meant` fits."""
    return [text for text in own if (text in english or RAW.match(text)) and not re.fullmatch(meant, text)]


def is_too_wide(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wide


# Step: at each phase of a block, with the help open.

SIGNS = r"top-[kp]|E\[τ│block\]|Home, End|Esc|<\|name\|>|[whR][₀-₉] = min\(.*"
# The same in Danish: what is said so there, and words that are the same in both.
STEP_MEANT = {
    "da": rf"{SIGNS}|Prompt|Draft|seed|token|position|bonus|Pause|Position [0-9], token|[0-9.]+ × target",
    "ja": SIGNS,
}


def phases_said(page: Page) -> dict[str, set[str]]:
    """What the page says by phase, with the help open at each step through the block."""
    said: dict[str, set[str]] = {}
    while place(page)[0] == "2":
        page.keyboard.press("?")
        page.wait_for_selector("dialog.sd-help[open]")
        said.setdefault(str(place(page)[1]), set()).update(
            page.evaluate(f"({TEXTS})(document.querySelector('#viewer'))")
        )
        assert not is_too_wide(page), place(page)
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowRight")
    return said


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", ["da", "ja"])
def test_step_in_another_language(
    visit: Callable[..., Page], address: str, english: dict[Any, Any], language: str, width: int
) -> None:
    url, ready = f"{address}?examples=none/{link(b=2, phase='draft')}", "#viewer[data-state=ready]"
    if width not in english:
        english[width] = phases_said(visit(url, "en", width, ready))
    page = visit(url, language, width, ready)
    assert page.get_attribute("#viewer", "lang") == language
    said = phases_said(page)
    assert set(said) == set(english[width]) >= {"draft", "verify", "commit"}
    for phase, texts in said.items():
        assert len(english[width][phase]) > 60
        assert left_in_english(sorted(texts), sorted(english[width][phase]), STEP_MEANT[language]) == [], phase


@pytest.mark.parametrize("language", ["da", "ja"])
def test_a_saved_run_speaks_the_language_it_was_saved_in(
    open_file: Callable[..., Page], run: dict[str, Any], request: pytest.FixtureRequest, language: str
) -> None:
    words = call(request, MODULE, f"return (await m.catalogues()).words.{language};", None)
    pages = {
        name: open_file(saved(run, block=1, phase="commit") | more)
        for name, more in {"en": {}, language: {"words": {"language": language, "words": words}}}.items()
    }
    shown = {name: page.evaluate(f"({TEXTS})(document.querySelector('#viewer'))") for name, page in pages.items()}
    assert pages[language].evaluate("document.documentElement.lang") == language
    assert pages[language].inner_text("#about") == words["saved"]["saved.about"]
    record = r"Once upon a time.*|#prompt=.*|sha256:.*|.*made-up.*|specdemo .*"
    assert left_in_english(shown[language], shown["en"], f"{STEP_MEANT[language]}|{record}") == []


# Sandbox: a mistake beside a rule that remembers, with the long run; laws by prefix with a lossy rule. Definitions and help are open.

SANDBOX_SIGNS = r"SVG|PNG|CSV|Tab|Home, End|Ctrl\+Z|Esc|a\(.*\) = min\(.*"
SANDBOX_MEANT = {
    "da": rf"{SANDBOX_SIGNS}|seed|(· )?optimum|start|(draft|target)(, [A-C])?|total variation = .*",
    "ja": SANDBOX_SIGNS,
}
SANDBOX_STATES = [
    ({**three(), "rules": ["correction_from_target_in_token", "greedy_block"]}, {"cell": "AB,BB", "diff": "1"}),
    ({**random_state(3, "prefix", 3, 2), "rules": ["threshold", "block"]}, {"at": "AB", "pour": "target"}),
]


@pytest.mark.parametrize("state", [0, 1])
@pytest.mark.parametrize("language", ["da", "ja"])
def test_sandbox_in_another_language(
    visit: Callable[..., Page], sandbox_address: str, english: dict[Any, Any], language: str, state: int
) -> None:
    given, more = SANDBOX_STATES[state]

    def opened(name: str) -> Page:
        page = visit(f"{sandbox_address}{sandbox_link(given, **more)}", name, 1280, READY)
        settled(page)
        page.click("#sandbox-longrun")
        if given["context"] == "free":
            page.wait_for_selector(".sbx-longrun .sbx-point")
        page.keyboard.press("?")
        return page

    def said(page: Page) -> list[str]:
        return page.evaluate(f"({TEXTS})(document.querySelector('#sandbox'))")

    if ("sandbox", state) not in english:
        english["sandbox", state] = said(opened("en"))
    page = opened(language)
    assert page.get_attribute("#sandbox", "lang") == language
    assert len(english["sandbox", state]) > 200
    assert left_in_english(said(page), english["sandbox", state], SANDBOX_MEANT[language]) == []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert not is_too_wide(page)


# Audit: a report that finds a mistake; its program and the commands are code.

AUDIT_SIGNS = r"# residual_without_weight(.|\n)*|python -m specdemo .*"
AUDIT_MEANT = {"da": rf"{AUDIT_SIGNS}|\(tolerance|tolerance = .*|token|optimum", "ja": AUDIT_SIGNS}


@pytest.fixture(scope="module")
def audited() -> str:
    return ANSWERS["audit"](json.dumps({"rule": "residual_without_weight"}))


@pytest.mark.parametrize("language", ["da", "ja"])
def test_audit_in_another_language(
    visit: Callable[..., Page], sandbox_address: str, audited: str, english: dict[Any, Any], language: str
) -> None:
    def opened(name: str) -> tuple[Page, list[str]]:
        page = visit(f"{sandbox_address}#page=audit", name, 1280, "#audit[data-state=empty]")
        page.route("**/specdemo-api/audit", lambda route: route.fulfill(content_type="application/json", body=audited))
        empty = page.evaluate(f"({TEXTS})(document.querySelector('#audit'))")
        page.click("#audit-run")
        page.wait_for_selector("#audit[data-state=done]")
        return page, sorted({*empty, *page.evaluate(f"({TEXTS})(document.querySelector('#audit'))")})

    if "audit" not in english:
        english["audit"] = opened("en")[1]
    page, said = opened(language)
    assert page.get_attribute("#audit", "lang") == language
    assert len(english["audit"]) > 30
    assert left_in_english(said, english["audit"], AUDIT_MEANT[language]) == []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert not is_too_wide(page)


@pytest.mark.parametrize("language", ["da", "ja"])
def test_a_saved_state_speaks_the_language_it_was_saved_in(
    open_file: Callable[..., Page], request: pytest.FixtureRequest, language: str
) -> None:
    words = call(request, MODULE, f"return (await m.catalogues()).words.{language};", None)
    record = record_of({"schema": "specdemo.sandbox-file/1", "state": SANDBOX_STATES[1][0]}, SAVED)
    pages = {
        name: open_file(record | {"shown": {"prefix": "A", "row": 1, "column": 2}} | more)
        for name, more in {"en": {}, language: {"words": {"language": language, "words": words}}}.items()
    }
    shown = {name: page.evaluate(f"({TEXTS})(document.querySelector('#viewer'))") for name, page in pages.items()}
    assert pages[language].title() != pages["en"].title()
    assert words["sandbox_help"]["savedstate.title"] in shown[language]
    meant = rf"{SANDBOX_MEANT[language]}|#page=sandbox.*"
    assert left_in_english(shown[language], shown["en"], meant) == []


# Compare: the empty page; then a block under four rules, one that remembers and one that is mistaken, with race, law check and help.

COMPARE_SIGNS = (
    r"JSON|CSV|SVG|PNG|top-[kp]|.*arXiv.*|[EP]\[?\(?τ.*│block[\])]|once upon a time( …)?|Home, End|Esc|<\|name\|>"
)
COMPARE_MEANT = {
    "da": rf"{COMPARE_SIGNS}|N, Shift\+N|Prompts?|Draft|seeds?|bonus(, P)?|Position [0-9],|position|([0-9]+ )?tokens?|tokens/s"
    r"|(, )?target|.+: target [0-9.]+, draft [0-9.]+",
    "ja": COMPARE_SIGNS,
}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["da", "ja"])
def test_compare_in_another_language(visit: Callable[..., Page], compare_address: str, language: str) -> None:
    rules = "token,block,greedy_block,product_of_uniforms"
    states = {
        "": "#compare[data-state=empty]",
        compare_link(
            rules, b=2, race=1, seeds=2, law=1, samples=100
        ): "#compare:has(.measure-race[data-state=done]) .measure-law[data-state=done]",
    }
    for state, wait in states.items():
        shown = {}
        for name in ("en", language):
            page = visit(f"{compare_address}{state}", name, 1280, wait)
            page.keyboard.press("?")
            shown[name] = page.evaluate(f"({TEXTS})(document.querySelector('#compare'))")
        assert page.get_attribute("#compare", "lang") == language
        assert len(shown["en"]) > (300 if state else 100)
        assert left_in_english(shown[language], shown["en"], COMPARE_MEANT[language]) == []
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert not is_too_wide(page)


# Lab: what is asked for, with own prompts and with what makes no sense; a sweep's file that is opened; and the same saved as a page.

LAB_SIGNS = r"CSV|Markdown|JSONL|SVG|PNG|top-[kp]|Once upon a time\nThe recipe needs|python -m specdemo lab .*|--[a-z-]+|#page=lab.*|….*"
LAB_MEANT = {"da": rf"{LAB_SIGNS}|Start|draft|target|prompts|seeds?|token(: [0-9.]+)?", "ja": LAB_SIGNS}


def lab_texts(page: Page, file: Path) -> tuple[set[str], str]:
    """What the Lab's page says from its beginning until a sweep's file is open and saved as a page, and that page."""
    found: set[str] = set()

    def look() -> None:
        found.update(page.evaluate(f"({TEXTS})(document.querySelector('#lab'))"))

    look()
    page.click("#lab-own > summary")
    page.fill("#lab-own-text", "the cat\nthe dog ran")
    page.wait_for_selector("#lab-own-note:not(:empty)")
    page.fill("#lab-gammas", "4, 99")
    page.fill("#lab-prompts", "0")
    look()
    page.fill("#lab-gammas", "2, 4")
    page.fill("#lab-prompts", "2")
    page.click("#lab-own-clear")
    page.set_input_files("#lab-open", file)
    page.wait_for_selector("#lab .lab-best", state="attached")
    look()
    with page.expect_download() as download:
        page.click("#lab-save-html")
    page.wait_for_selector("#lab-message:visible")
    look()
    return found, Path(download.value.path()).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["da", "ja"])
def test_lab_in_another_language(
    visit: Callable[..., Page], open_file: Callable[..., Page], lab_address: str, tmp_path: Path, language: str
) -> None:
    file = tmp_path / "swept.jsonl"
    file.write_text(swept(), encoding="utf-8")
    records = [
        text
        for pair in lab_config()["pairs"]
        for text in (pair["title"], pair["note"], *(draft["title"] for draft in pair["drafts"]))
    ]
    meant = "|".join([LAB_MEANT[language], *map(re.escape, filter(None, records))])
    url = f"{lab_address}#page=lab&tasks=verse,zzz&rules=token,threshold&seed=x"
    shown, saved_page = {}, {}
    for name in ("en", language):
        page = visit(url, name, 1280, "#lab-start:enabled")
        shown[name], saved_page[name] = lab_texts(page, file)
    assert page.get_attribute("#lab", "lang") == language
    assert len(shown["en"]) > 200
    assert left_in_english(sorted(shown[language]), sorted(shown["en"]), meant) == []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert not is_too_wide(page)
    for name, text in saved_page.items():
        page = open_file(text)
        page.click("#about")
        shown[name] = set(page.evaluate(f"({TEXTS})(document.querySelector('#viewer'))"))
    assert page.evaluate("document.documentElement.lang") == language
    assert len(shown["en"]) > 100
    assert left_in_english(sorted(shown[language]), sorted(shown["en"]), meant) == []
