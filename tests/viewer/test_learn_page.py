"""The tour in a browser: questions against the library, the walk by keyboard, the panel on other pages, the glossary, what is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.learn_page import (
    ASKED,
    CHAPTERS,
    address,
    library_answer,
    open_page,
    progress,
    tab_to,
    visitors_answer,
    walk,
)
from tests.worse_conditions import OFFLINE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def answer(page: Page, question: str, text: str) -> str:
    """What the page thinks of it."""
    form = page.locator(f"[data-question={question}]")
    form.locator(".learn-input").fill(text)
    form.locator("[type=submit]").click()
    return form.get_attribute("data-result") or ""


@pytest.mark.parametrize(("chapter", "question"), [CHAPTERS[2], CHAPTERS[3], CHAPTERS[6]])
def test_a_right_answer_is_the_librarys_and_a_wrong_one_is_told_why(
    open_page: Callable[..., Page], chapter: str, question: str
) -> None:
    page = open_page(f"#page=learn&chapter={chapter}", seed=5)
    ask(page, chapter, question)
    page.click(f"[data-question={question}] [data-do=another]")
    ask(page, chapter, question)
    assert progress(page)["answered"] == [chapter]


def ask(page: Page, chapter: str, question: str) -> None:
    """One question, wrong and right."""
    page.wait_for_selector(ASKED.format(chapter))
    page.wait_for_selector(f"[data-question={question}]:not([data-result])")
    right = library_answer(page, question)
    assert visitors_answer(page, chapter, question) == pytest.approx(right, abs=1e-6)
    assert page.evaluate("learn.current.question.asked.answer") == pytest.approx(right, abs=1e-6)
    feedback = page.locator(f"[data-question={question}] .learn-feedback")
    assert answer(page, question, str(right + 7)) == "wrong"
    told = feedback.inner_text()
    assert told.startswith("Not quite.") and any(sign.isdigit() for sign in told)
    assert answer(page, question, "many") == "unread"
    assert answer(page, question, str(right)) == "right"
    assert feedback.inner_text().startswith("Right.") and feedback.get_attribute("aria-live") == "polite"


@pytest.mark.slow
def test_every_question_again_and_again(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=learn")
    for chapter, question in CHAPTERS:
        page.evaluate("(hash) => { location.hash = hash; }", f"#page=learn&chapter={chapter}")
        for again in range(4):
            if again:
                page.click(f"[data-question={question}] [data-do=another]")
            ask(page, chapter, question)
    assert progress(page)["answered"] == [chapter for chapter, _ in CHAPTERS]


@pytest.mark.skipif(OFFLINE, reason="the tour fetches its runs when it is opened, which is after the cut")
@pytest.mark.parametrize("width", [390, 1280])
def test_the_beginning_by_keyboard(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(width=width, seed=2)
    walk(page, CHAPTERS[:2])
    page.wait_for_selector(ASKED.format("ratio"))
    assert progress(page)["answered"] == ["why", "law"] and progress(page)["at"] == "ratio"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for key, chapter in (("b", "law"), ("n", "ratio")):
        page.keyboard.press(key)
        page.wait_for_function("(id) => document.activeElement.id === id", arg=f"learn-{chapter}")
    page.reload()
    page.wait_for_function("window.learn")
    assert page.locator(".learn[data-chapter=ratio]").count() == 1
    page.click("#page-step-button")
    assert page.inner_text(".learn-invite [data-do=take]") == "Go on with the tour: The ratio test"
    page.click(".learn-invite [data-do=dismiss]")
    page.reload()
    page.wait_for_function("window.ready")
    assert page.locator(".learn-invite").is_hidden()


def test_the_question_follows_the_picture(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=learn&chapter=acceptance")
    page.wait_for_selector(ASKED.format("acceptance"))
    assert answer(page, "acceptance", str(library_answer(page, "acceptance"))) == "right"
    page.focus(".sb-bar.draft[data-symbol=A]")
    page.keyboard.press("Shift+ArrowDown")
    page.wait_for_selector("[data-question=acceptance][data-asked]:not([data-result])")
    assert answer(page, "acceptance", str(visitors_answer(page, "acceptance", "acceptance"))) == "right"
    assert page.locator("[data-chapter=acceptance] .sb-flow").is_visible()
    page.fill("[data-chapter=acceptance] .sb-field >> nth=0", "2")
    page.wait_for_selector("[data-question=acceptance]:not([data-asked])")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_panel_follows_to_the_page_and_back(open_page: Callable[..., Page], width: int) -> None:
    page = open_page("#page=learn&chapter=ratio", width=width)
    page.wait_for_selector(ASKED.format("ratio"))
    tab_to(page, "[data-chapter=ratio] [data-do=open]")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id === 'learn-guide-title'")
    page.wait_for_selector("#page-step .specdemo-root[data-rule=token][data-phase=score]")
    guide = page.locator(".learn-guide")
    assert "chapter 3" in guide.inner_text() and guide.get_attribute("data-done") is None
    for _ in range(2):  # the first coin fails
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("#page-step [data-phase=correct]")
    page.wait_for_selector(".learn-guide[data-done]")
    assert "Done." in guide.inner_text()
    page.reload()
    page.wait_for_selector(".learn-guide:not([hidden])")
    page.keyboard.press("g")
    tab_to(page, ".learn-guide [data-do=next]", 8)
    page.keyboard.press("Enter")
    page.wait_for_selector("#page-sandbox [data-state=ready]")
    page.wait_for_function("document.querySelector('.learn-guide').textContent.includes('chapter 4')")
    page.click("#page-sandbox .sb-mode [data-choice=target]")
    page.wait_for_selector(".learn-guide[data-done]")
    page.click(".learn-guide [data-do=back]")
    page.wait_for_function("document.activeElement.id === 'learn-residual'")
    assert guide.is_hidden() and progress(page)["following"] is None


@pytest.mark.parametrize(("chapter", "question"), [CHAPTERS[2], CHAPTERS[3]])
def test_the_focus_stays_with_the_question(open_page: Callable[..., Page], chapter: str, question: str) -> None:
    page = open_page(f"#page=learn&chapter={chapter}")
    page.wait_for_selector(ASKED.format(chapter))
    page.focus(f"[data-question={question}] [data-do=show]")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.do") == "another"
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.matches('.learn-input:enabled')")
    assert page.locator(f"[data-question={question}][data-asked]:not([data-result])").count() == 1


def test_a_tour_opened_without_a_network_comes_with_it(chromium: Browser, address: str) -> None:
    page = chromium.new_page()
    page.goto(address)
    page.wait_for_function("window.ready")
    page.context.set_offline(True)
    page.evaluate("location.hash = '#page=learn&chapter=ratio'")
    page.wait_for_function("document.querySelector('.learn-picture .sd-notice').innerText.includes('does not answer')")
    assert page.locator(ASKED.format("ratio")).count() == 0
    page.context.set_offline(False)
    page.wait_for_selector(ASKED.format("ratio"))
    assert page.locator(".learn-picture .sd-notice").is_hidden()
    page.close()


def test_the_panel_has_the_focus_for_every_chapter_that_is_followed(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=learn&chapter=why")
    for chapter in ("ratio", "residual", "residual"):  # the panel of the one before is still open
        page.evaluate("(hash) => { location.hash = hash; }", f"#page=learn&chapter={chapter}")
        page.wait_for_selector(ASKED.format(chapter))
        page.focus(f"[data-chapter={chapter}] [data-do=open]")
        page.keyboard.press("Enter")
        page.wait_for_function("document.activeElement.id === 'learn-guide-title'")
    bar = "#page-sandbox .sb-bar.draft[data-symbol=A]"
    page.focus(bar)
    page.keyboard.press("g")
    assert page.evaluate("document.activeElement.id") == "learn-guide-title"
    page.keyboard.press("g")
    assert page.evaluate("(bar) => document.activeElement.matches(bar)", bar)


def test_the_end_says_whether_questions_are_left(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=learn&view=end")
    assert "0 of 11 questions are answered; the others are waiting" in page.inner_text(".learn-end")
    page.evaluate("(answered) => learn.progress.change({ answered })", [chapter for chapter, _ in CHAPTERS])
    page.evaluate("learn.show({ view: 'end' })")
    assert "All 11 questions are answered." in page.inner_text(".learn-end")
    assert "waiting" not in page.inner_text(".learn-end")


def test_terms_lead_to_the_glossary_and_back(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.click("#page-step .pic-position .pic-help")
    page.click(".pic-position .pic-definition [data-term=residual]")
    page.wait_for_selector(".learn[data-view=glossary] .learn-entry[data-chosen][data-term=residual]")
    assert page.evaluate("document.activeElement.id") == "learn-term-residual"
    page.click("[data-term=residual] dt .sd-link")
    page.wait_for_selector(ASKED.format("residual"))
    page.click(".learn-chapter[data-chapter=residual] .learn-term[data-term=residual]")
    page.wait_for_selector(".learn[data-view=glossary]")
    page.fill(".learn-find", "coupl")
    assert (
        page.locator(".learn-entry[data-term=coupling]").is_visible()
        and page.locator(".learn-entry[data-term=bonus]").is_hidden()
    )
    page.click("#page-step-button")
    page.keyboard.press("?")
    page.click(".sd-help[open] .sd-help-symbols [data-term=uniform]")
    page.wait_for_selector(".learn-entry[data-chosen][data-term=uniform]")
    assert page.locator("dialog[open]").count() == 0


def test_a_chapter_on_paper(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=learn&chapter=residual")
    page.wait_for_selector(ASKED.format("residual"))
    page.emulate_media(media="print")
    for selector in (".learn-bar", ".learn-side", ".learn-ways", ".learn-task .sd-button"):
        assert page.locator(f".learn {selector}").first.is_hidden(), selector
    for selector in (".learn-prose", ".sb-flow", ".learn-ask", "math"):
        assert page.locator(f".learn-chapter[data-chapter=residual] {selector}").first.is_visible(), selector


def test_a_chapter_that_does_not_exist_says_so(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=learn&chapter=nothing")
    said = page.locator(".learn [role=alert]").first.inner_text()
    assert "were left out: chapter: why, law, " in said and said.endswith("not “nothing”.")
    assert page.locator(".learn[data-view=contents]").count() == 1


def test_no_id_stands_twice(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=learn")
    for chapter, _ in CHAPTERS[6:9]:
        page.evaluate("(hash) => { location.hash = hash; }", f"#page=learn&chapter={chapter}")
        page.wait_for_selector(ASKED.format(chapter))
        ids = page.locator("[id]").evaluate_all("(nodes) => nodes.map((node) => node.id)")
        assert len(ids) == len(set(ids))
