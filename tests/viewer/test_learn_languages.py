"""The tour in Danish and in Japanese: by link, by the browser's language and by the control; its questions, its panel, its glossary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.javascript import call
from tests.viewer.learn_page import ASKED, CHAPTERS, address, library_answer, tab_to
from tests.viewer.test_words import MODULE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["address"]  # fixture
pytestmark = pytest.mark.browser
KEPT = "localStorage.getItem('specdemo.language')"


@pytest.fixture(scope="module")
def words(request: pytest.FixtureRequest) -> dict[str, dict[str, str]]:
    """By language, all of its words by key."""
    found = call(request, MODULE, "return (await m.catalogues()).words;", None)
    return {name: {key: text for part in parts.values() for key, text in part.items()} for name, parts in found.items()}


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(hash_: str = "", *, width: int = 1280, locale: str = "en-GB", query: str = "") -> Any:
        context = chromium.new_context(viewport={"width": width, "height": 800}, locale=locale)
        context.set_default_timeout(15_000)
        contexts.append(context)
        page: Any = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(f"{address}?seed=3{query}{hash_}")
        page.wait_for_function("window.ready")
        if "page=learn" in hash_:
            page.wait_for_function("window.learn")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints, complaints


def language(page: Page) -> str:
    found: str = page.evaluate("document.documentElement.lang")
    return found


def starts_in(page: Page, own: dict[str, str]) -> bool:
    return (
        page.inner_text("[data-do=start]") == own["learn.start"]
        and page.inner_text("#learn-title") == own["learn.title"]
    )


def choose(page: Page, name: str, own: dict[str, str]) -> None:
    """By the control, with the keyboard; on a phone it is a menu."""
    if page.locator("#language-menu").is_visible():
        tab_to(page, "#language-menu")
        page.keyboard.press("Enter")
    tab_to(page, f"#language [data-language={name}]")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_function("window.ready")
    assert page.inner_text("#page-learn-button") == own["frame.learn"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["da", "ja"])
def test_a_chapter_and_its_question(
    visit: Callable[..., Page], words: dict[str, dict[str, str]], name: str, width: int
) -> None:
    own = words[name]
    page = visit(f"#page=learn&chapter=ratio&lang={name}", width=width)
    page.wait_for_selector(ASKED.format("ratio"))
    assert language(page) == name and page.locator(".learn").get_attribute("lang") == name
    assert page.inner_text("#learn-ratio") == own["chapter.ratio.title"]
    assert page.locator("#page-learn [data-scene]").first.get_attribute("lang") == name
    assert page.evaluate("document.documentElement.scrollWidth") == width
    form = page.locator("[data-question=ratio]")
    for typed, result, lead in (
        ("?", "unread", "learn.not_a_number"),
        ("7", "wrong", "learn.not_quite"),
        (str(library_answer(page, "ratio")).replace(".", ","), "right", "learn.right"),
    ):
        form.locator(".learn-input").fill(typed)
        form.locator("[type=submit]").click()
        assert form.get_attribute("data-result") == result
        assert form.locator(".learn-feedback").inner_text().startswith(own[lead].strip())
    # A number stays as it is in every language.
    assert re.search(r"\d\.\d", form.locator(".learn-ask").inner_text()) and not re.search(
        r"\d,\d", form.locator(".learn-feedback").inner_text()
    )
    page.click(".learn-ways [data-do=next]")
    page.wait_for_function("document.activeElement.id === 'learn-residual'")
    assert f"lang={name}" in page.evaluate("location.hash")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["da", "ja"])
def test_every_chapter_speaks_one_language(
    visit: Callable[..., Page], words: dict[str, dict[str, str]], name: str
) -> None:
    english = words["en"]
    page: Any = visit("#page=learn", locale={"da": "da-DK", "ja": "ja-JP"}[name])
    assert language(page) == name and starts_in(page, words[name])
    for chapter, question in CHAPTERS:
        page.evaluate("(hash) => { location.hash = hash; }", f"#page=learn&chapter={chapter}")
        page.wait_for_selector(ASKED.format(chapter))
        root = page.locator(f".learn-chapter[data-chapter={chapter}]")
        assert f"{{{name}" not in root.inner_text() and not re.search(r"\{\w+[|}]", root.inner_text())
        assert root.locator(".learn-term, .learn-prose p").count() >= 2
        asked = root.locator(f"[data-question={question}] .learn-ask").inner_text()
        assert asked[:12] not in english[f"question.{question}.ask"]
        for scene in root.locator("[data-scene]").all():
            assert scene.get_attribute("lang") == name
    loaded = [url for url in page.asked if "/viewer/words/" in url]
    assert all(url.startswith(page.evaluate("location.origin")) for url in page.asked)
    own = [url.rpartition("/")[2] for url in loaded if f"/{name}/" in url]
    assert not [url for url in loaded if f"/{'ja' if name == 'da' else 'da'}/" in url]
    assert len(own) == len(set(own)) and {"learn.js", "questions.js", "step.js", "sandbox.js"} < set(own)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_control_keeps_what_is_chosen(
    visit: Callable[..., Page], words: dict[str, dict[str, str]], width: int
) -> None:
    page = visit("#page=learn&lang=ja", width=width)
    assert page.locator("#language button").all_text_contents() == ["English", "Dansk", "日本語"]
    assert starts_in(page, words["ja"]) and page.evaluate(KEPT) is None
    box = page.locator("#language").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
    choose(page, "da", words["da"])
    page.wait_for_function("window.learn")
    assert starts_in(page, words["da"]) and page.evaluate(KEPT) == "da" and "lang" not in page.evaluate("location.hash")
    assert page.locator("#language [aria-current]").text_content() == "Dansk"
    assert page.title() == words["da"]["frame.title"]
    page.reload()
    page.wait_for_function("window.learn")
    assert starts_in(page, words["da"])
    choose(page, "en", words["en"])
    assert language(page) == "en"


def test_a_link_holds_for_its_tab_and_goes_before_what_was_chosen(
    visit: Callable[..., Page], words: dict[str, dict[str, str]]
) -> None:
    page = visit(query="&lang=da", locale="ja-JP")
    assert language(page) == "da" and page.inner_text(".learn-invite [data-do=take]") == words["da"]["invite.take"]
    page.goto(page.url.replace("&lang=da", ""))
    page.wait_for_function("window.ready")
    assert language(page) == "da" and page.evaluate(KEPT) is None
    with page.expect_navigation():
        page.evaluate("location.hash = '#page=learn&lang=ja'")
    page.wait_for_function("window.learn")
    assert language(page) == "ja" and starts_in(page, words["ja"])


@pytest.mark.parametrize("name", ["da", "ja"])
def test_the_panel_and_the_glossary(visit: Callable[..., Page], words: dict[str, dict[str, str]], name: str) -> None:
    own = words[name]
    page = visit(f"#page=learn&chapter=ratio&lang={name}", width=390)
    page.wait_for_selector(ASKED.format("ratio"))
    page.click("[data-chapter=ratio] [data-do=open]")
    page.wait_for_function("document.activeElement.id === 'learn-guide-title'")
    assert page.inner_text("#learn-guide-title") == own["guide.title"].format(
        number=3, title=own["chapter.ratio.title"]
    )
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(".learn-guide[data-done]")
    assert own["guide.done"].strip() in page.inner_text(".learn-guide [role=status]")
    page.click(".learn-guide [data-do=close]")
    page.click("#page-step .pic-position .pic-help")
    assert page.inner_text(".pic-position .learn-see").startswith(own["links.about"].strip())
    page.click(".pic-position .pic-definition [data-term=residual]")
    entry = page.locator(".learn-entry[data-chosen]")
    entry.wait_for()
    assert own["term.residual.name"] in entry.inner_text()
    english = page.locator(".learn-entry[data-term=acceptance] .learn-english")
    assert english.inner_text() == "Acceptance (rate)" and english.get_attribute("lang") == "en"
    page.fill(".learn-find", "coupling")
    assert page.locator(".learn-entry[data-term=coupling]").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_words_that_do_not_come_are_english(chromium: Browser, address: str, words: dict[str, dict[str, str]]) -> None:
    context = chromium.new_context(locale="da-DK")
    page: Any = context.new_page()
    page.route("**/words/da/questions.js", lambda route: route.abort())
    page.goto(f"{address}?seed=3#page=learn&chapter=ratio")
    page.wait_for_selector(ASKED.format("ratio"))
    assert page.inner_text("#learn-ratio") == words["da"]["chapter.ratio.title"]
    assert "With which probability does the token rule keep it?" in page.inner_text(".learn-ask")
    context.close()
