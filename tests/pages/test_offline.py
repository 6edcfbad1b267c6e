"""The network goes under a loaded page: what needs no server goes on, what needs one says so and goes on when it is back, nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages.shown import LAB, SHOWN, Shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

BY_NAME: dict[str, Shown] = {shown.name: shown for shown in SHOWN}
STEP, COMPARE = "#page-step .specdemo-root", "#page-compare .specdemo-root"
LONG = 90_000


@pytest.fixture
def open_shown(app: Any, chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page in a state by its name; a script's error fails the test, lost requests do not."""
    contexts, errors = [], []

    def opened(name: str, address: str = "") -> Page:
        contexts.append(chromium.new_context(viewport={"width": 1280, "height": 800}))
        contexts[-1].set_default_timeout(60_000)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        shown = BY_NAME[name]
        Shown(name, address or shown.address, shown.ready, shown.prepare).open(page, app.url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def cut(page: Page, gone: bool = True) -> None:
    page.context.set_offline(gone)


def says(page: Page, part: str, words: str) -> None:
    """Somebody who looks at that page reads these words."""
    page.wait_for_function(
        "([part, words]) => document.querySelector(`#page-${part}`).innerText.includes(words)",
        arg=[part, words],
        timeout=LONG,
    )


def test_a_finished_run_goes_on_and_a_new_one_waits_for_the_network(open_shown: Any) -> None:
    page = open_shown("step")
    cut(page)
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("Home")
    for phase in ("score", "verify"):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"{STEP}[data-state=ready][data-block='0'][data-phase={phase}]")
    page.keyboard.press("v")
    page.wait_for_selector(f"{STEP}[data-rule=token]")
    page.fill("#prompt", "a dog ran over")
    page.click("#restart")
    says(page, "step", "There is no network. This goes on when it is back")
    cut(page, False)
    page.wait_for_selector(f"{STEP}[data-state=ready][data-block='0'][data-phase=draft]")
    assert page.input_value("#prompt") == "a dog ran over"
    page.wait_for_function(
        "() => document.querySelector('#page-step .sd-text').innerText.replaceAll('·', ' ').startsWith('a dog ran over')"
    )


def test_an_example_that_is_not_there_is_told_in_words(open_shown: Any) -> None:
    page = open_shown("front")
    cut(page)
    page.click("#page-step .sd-examples-list [data-example=open]")
    says(page, "step", "The server does not answer.")
    cut(page, False)
    page.click("#page-step .sd-examples-list [data-example=open]")
    page.wait_for_selector("#page-step [data-example=open][aria-current=true]")


def test_comparing_waits_for_the_network_and_a_race_tells_how_to_go_on(open_shown: Any) -> None:
    page = open_shown("compare")
    cut(page)
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.wait_for_selector(f"{COMPARE}[data-block='0']")
    page.click("#race-start")
    says(page, "compare", "What was measured so far is kept: start again for the rest")
    page.fill("#compare-prompt", "a dog ran over")
    page.click("#compare-run")
    says(page, "compare", "There is no network. This goes on when it is back")
    cut(page, False)
    page.wait_for_selector(f"{COMPARE}[data-state=ready]")
    assert page.input_value("#compare-prompt") == "a dog ran over"
    page.click("#race-start")
    page.wait_for_function("() => /finished/.test(document.querySelector('#race-status').innerText)", timeout=LONG)


def test_the_lab_keeps_what_is_typed_and_measures_on(open_shown: Any) -> None:
    page = open_shown("lab, empty", f"#page=lab&{LAB.replace('prompts=1', 'prompts=4')}")
    cut(page)
    page.fill("#lab-max-new-tokens", "24")
    says(page, "lab", "The server does not answer.")
    assert page.locator("#lab-start").is_disabled()
    cut(page, False)
    page.click("#lab-start:enabled")
    page.wait_for_selector("#page-lab .specdemo-root[data-status=running]")
    cut(page)
    page.wait_for_timeout(300)
    cut(page, False)
    page.wait_for_selector("#page-lab .specdemo-root[data-status=done]", timeout=LONG)
    assert page.get_attribute("#page-lab .specdemo-root", "data-rows") == "8"
    assert page.input_value("#lab-max-new-tokens") == "24"


def test_the_sandbox_draws_what_it_can_and_asks_again(open_shown: Any) -> None:
    page = open_shown("sandbox")
    cut(page)
    page.focus(".sb-bar.draft[data-symbol=A]")
    page.keyboard.press("Home")
    says(page, "sandbox", "The server does not answer.")
    assert float(page.get_attribute(".sb-bar.draft[data-symbol=A]", "aria-valuenow") or 1) == 0
    assert page.input_value(".sb-field[data-side=draft] >> nth=0") == "0"
    cut(page, False)
    page.wait_for_function(
        "() => document.querySelector('[data-page=sandbox] .sb-sentence').innerText.includes('both keep')", timeout=LONG
    )
    assert not page.locator(".sb-failure").is_visible()


def test_an_audit_is_asked_again(open_shown: Any) -> None:
    page = open_shown("audit, empty")
    cut(page)
    page.select_option("#audit-rule", "token")
    page.click("#audit-run")
    says(page, "audit", "The server does not answer.")
    cut(page, False)
    page.wait_for_selector("[data-page=audit][data-state=done]", timeout=LONG)
    assert page.input_value("#audit-rule") == "token"


def test_the_tour_goes_on_where_it_needs_no_server(open_shown: Any) -> None:
    page = open_shown("learn")
    page.wait_for_load_state("networkidle")
    cut(page)
    for chapter in ("why", "law", "bonus"):
        page.evaluate("(chapter) => { location.hash = `#page=learn&chapter=${chapter}`; }", chapter)
        page.wait_for_selector(f"[data-chapter={chapter}] .learn-question[data-asked]")
    page.evaluate("() => { location.hash = '#page=learn&view=glossary'; }")
    page.wait_for_selector(".learn[data-view=glossary]")
    page.evaluate("() => { location.hash = '#page=learn&chapter=transport'; }")
    says(page, "learn", "The server does not answer.")
    cut(page, False)
    page.wait_for_selector("[data-chapter=transport] .learn-question[data-asked]", timeout=LONG)


@pytest.mark.parametrize(
    ("name", "there"), [("sandbox", "[data-page=sandbox][data-state=ready]"), ("lab", "#lab-start")]
)
def test_a_page_opened_without_a_network_comes_when_it_is_back(open_shown: Any, name: str, there: str) -> None:
    page = open_shown("front")
    cut(page)
    page.click(f"#page-{name}-button")
    says(page, name, "There is no network. The page is fetched as soon as it is back.")
    assert page.evaluate("location.hash") == f"#page={name}"
    page.click("#page-step-button")
    page.wait_for_function("location.hash.startsWith('#example=')")
    page.click(f"#page-{name}-button")
    page.wait_for_function("(hash) => location.hash === hash", arg=f"#page={name}")
    page.click(f"#page-{name} [data-do=retry]")
    says(page, name, "There is no network.")
    cut(page, False)
    page.wait_for_selector(f"#page-{name} {there}")
    assert page.locator(f"#page-{name} .sd-notice.error[role=alert]", has_text="network").count() == 0


def test_a_page_whose_scripts_are_late_says_that_it_is_loading(open_shown: Any) -> None:
    page = open_shown("front")
    held: list[Any] = []
    page.route("**/viewer/sandbox/main.js", lambda route: held.append(route))
    page.click("#page-sandbox-button")
    says(page, "sandbox", "Loading …")
    for route in held:
        route.continue_()
    page.wait_for_selector("[data-page=sandbox][data-state=ready]")
    assert "Loading …" not in page.inner_text("#page-sandbox")


def test_without_a_network_the_language_stays_and_says_why(open_shown: Any) -> None:
    page = open_shown("front")
    page.evaluate("window.untouched = true")
    cut(page)
    page.click("#language [data-language=da]")
    page.wait_for_selector(".frame-language-note:visible")
    assert page.inner_text(".frame-language-note").startswith("There is no network.")
    assert page.evaluate("window.untouched")
    assert page.evaluate("localStorage.getItem('specdemo.language')") is None
    cut(page, False)
    page.wait_for_selector(".frame-language-note", state="hidden")
    with page.expect_navigation():
        page.click("#language [data-language=da]")
    page.wait_for_function("document.documentElement.lang === 'da'")
