"""Teacher mode on the Step page: what a link fixes and hides, bets before the coins, the list that makes links, the handout, the large mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.step_page import READY, address, link, open_page, place, trace
from tests.viewer.test_teacher_pure import own_rescued

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
__all__ = ["address", "open_page"]  # fixtures
Open = Callable[..., "Page"]

# Another outcome of the last block: other coins, other numbers kept, other next tokens; what was known before them stays.
OTHERWISE = """(k) => {
  const trace = structuredClone(viewer.store.state.trace);
  trace.blocks = trace.blocks.slice(0, k + 1);
  const block = trace.blocks[k], tokens = block.paths[0].tokens;
  block.uniforms.verify = block.uniforms.verify.map((x) => 0.999 - x / 2);
  for (const verdict of Object.values(block.verdicts)) {
    verdict.accepted = (verdict.accepted + 2) % (block.gamma + 1);
    verdict.next_token = tokens[0];
    verdict.next_kind = verdict.accepted === block.gamma ? 'bonus' : 'correction';
    verdict.next_prob = 0.123;
  }
  const { accepted } = block.verdicts[block.verifier];
  Object.assign(block, { kept: accepted, gained: accepted + 1, shown_tokens: accepted + 1, committed: tokens.slice(0, accepted).concat(tokens[0]) });
  return trace;
}"""
WHOLE = "async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame); return document.querySelector('#viewer').outerHTML; }"


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}")


@pytest.mark.parametrize("width", [1280, 390])
def test_what_a_link_fixes_or_hides_is_closed_to_keys_too(open_page: Open, width: int) -> None:
    page = open_page(link(b=2, phase="commit"), "fix=rule,gamma,coins,step&hide=seed,run,play&", READY)
    page.set_viewport_size({"width": width, "height": 800})
    assert page.get_attribute("#gamma", "readonly") is not None and page.locator("#verifier").is_disabled()
    assert page.get_attribute("#gamma", "title") == "fixed by the link"
    assert page.locator("#step").is_disabled() and page.locator("#temperature").is_editable()
    assert page.locator("#seed, #run, #play").filter(visible=True).count() == 0
    said = page.inner_text(".sd-teacher-bar")
    assert "Fixed by the link: γ, verifier, dragging the coins η, and Step." in said
    assert "Hidden by the link: seed, Play, and Run." in said
    before = place(page)
    for key in ("v", " ", "ArrowRight", "p"):
        page.keyboard.press(key)
    page.evaluate("viewer.actions.drag(0, 0.5)")
    assert place(page) == before and page.get_attribute("#viewer", "data-rule") == "block"
    assert page.evaluate("viewer.store.state.whatIf") is None
    assert {dot.get_attribute("tabindex") for dot in page.locator(".sd-dot:visible").all()} == {"-1"}
    page.keyboard.press("ArrowLeft")
    assert place(page)[1] == "correct" and page.locator("#step").is_disabled()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.wait_for_function("location.hash.includes('phase=correct')")
    page.click("[data-do=leave]")
    page.wait_for_selector(READY)
    assert "fix=" not in page.url and place(page)[:2] == ("2", "correct")
    page.keyboard.press("v")
    assert page.get_attribute("#viewer", "data-rule") == "token" and page.locator(".sd-teacher-bar").count() == 0


def test_names_that_mean_nothing_are_told_and_ignored(open_page: Open) -> None:
    page = open_page(link(b=1), "fix=gama,<i>x</i>,laws&", READY)
    said = page.inner_text(".sd-teacher-bar")
    assert "ignored: fix=gama and fix=<i>x</i>." in said and "Fixed" not in said  # the laws are the Sandbox's
    many = open_page(link(b=1), "hide=" + ",".join(f"n{k}" for k in range(23)) + "&", READY).inner_text(
        ".sd-teacher-bar"
    )
    assert "hide=n19, and 3 more." in many
    assert page.locator(".sd-teacher-bar i").count() == 0 and page.locator("#gamma").is_editable()


def test_all_leaves_the_walk(open_page: Open) -> None:
    page = open_page(link(b=1), "fix=all&", READY)
    for name in ("#prompt", "#gamma", "#seed", "#max-tokens"):
        assert not page.locator(name).is_editable(), name
    assert page.locator("#import input").is_disabled()
    page.keyboard.press("ArrowRight")
    assert place(page)[1] == "score"


@pytest.mark.parametrize("width", [1280, 390])
def test_bets_by_keyboard_and_what_came_of_them(open_page: Open, width: int) -> None:
    page = open_page(link(b=2, phase="commit"), "predict=tau,rescued&", READY)
    page.set_viewport_size({"width": width, "height": 800})
    assert place(page)[:2] == ("2", "score") and "Your turn" in page.inner_text(".sd-sentence")
    block = trace(page)["blocks"][2]
    kept, rescued = block["verdicts"]["block"]["accepted"], own_rescued(block)
    tab_to(page, f"[data-question='tau:block'] [data-guess='{kept}']")
    page.keyboard.press("Enter")
    assert place(page)[1] == "score" and page.locator("[aria-pressed=true][data-guess]").count() == 1
    wrong = "none" if rescued else "1"
    tab_to(page, f"[data-question=rescued] [data-guess='{wrong}']")
    page.keyboard.press("Enter")
    assert place(page)[1] == "verify" and page.locator("#predict:visible").count() == 0
    for _ in range(12):
        if page.evaluate("viewer.store.view.revealed.next"):
            break
        page.keyboard.press("ArrowRight")
    said = page.inner_text("#predict")
    assert f"Right. You said {kept}; block kept {kept}." in said and "Not this time." in said
    assert "Score: 1 of 2 right." in said
    if rescued:
        assert ", ".join(map(str, rescued)) in said
    assert page.get_attribute(".sd-predict-result", "aria-live") == "polite"
    page.wait_for_function("location.hash.includes('phase=correct')")
    page.reload()
    page.wait_for_selector(READY)
    assert "Score: 1 of 2 right." in page.inner_text("#predict") and place(page)[:2] == ("2", "correct")
    page.keyboard.press("End")  # no further than the next block to be predicted
    assert place(page)[:2] == ("3", "score")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("#bets-forget")
    assert place(page)[:2] == ("2", "score")


def test_nothing_on_the_page_tells_the_answer(open_page: Open) -> None:
    page = open_page(link(b=2), "predict=tau,rescued&", READY)
    page.keyboard.press("ArrowRight")
    assert place(page)[:2] == ("2", "score")
    show = "([trace, position]) => { viewer.store.open(trace, {blockIndex: 2, phase: 'score'}); viewer.store.select({position}); }"
    first = page.evaluate(
        "(k) => ({...viewer.store.state.trace, blocks: viewer.store.state.trace.blocks.slice(0, k + 1)})", 2
    )
    other = page.evaluate(OTHERWISE, 2)
    assert first["blocks"][2]["verdicts"]["block"]["accepted"] != other["blocks"][2]["verdicts"]["block"]["accepted"]
    for position in (0, 2, 5):
        page.evaluate(show, [first, position])
        one = page.evaluate(WHOLE)
        page.evaluate(show, [other, position])
        assert page.evaluate(WHOLE) == one
    page.evaluate("document.body.dispatchEvent(new Event('x')); window.dispatchEvent(new Event('beforeprint'))")
    one = page.inner_text(".sd-handout")
    assert "Your prediction" in one and "Why?" in one
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.evaluate(show, [first, 5])
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.inner_text(".sd-handout") == one
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.click("#export")
    assert "Make your bet first" in page.inner_text(".sd-notices")
    # The same two runs once they may be seen: the comparison above can fail.
    for guess in ("[data-question='tau:block'] [data-guess='0']", "[data-question=rescued] [data-guess=none]"):
        page.click(guess)
    assert "Make your bet first" not in page.inner_text(".sd-notices")
    page.evaluate("(trace) => viewer.store.open(trace, {blockIndex: 2, phase: 'commit'})", first)
    one = page.evaluate(WHOLE)
    page.evaluate("(trace) => viewer.store.open(trace, {blockIndex: 2, phase: 'commit'})", other)
    assert page.evaluate(WHOLE) != one


@pytest.mark.parametrize("width", [1280, 390])
def test_the_teachers_list_makes_a_link_that_comes_back(open_page: Open, width: int) -> None:
    page = open_page(link(b=2, phase="commit"), "", READY)
    page.set_viewport_size({"width": width, "height": 800})
    page.focus("#step-teacher")
    page.keyboard.press("Enter")
    tab_to(page, "[data-do=link]")
    page.keyboard.press("Enter")
    assert page.locator("dialog[open]").count() == 1
    for kind, name in (("fix", "all"), ("hide", "coupling"), ("predict", "tau"), ("big", "big")):
        tab_to(page, f"dialog [data-kind={kind}][data-name={name}]", 120)
        page.keyboard.press("Space")
    made = page.inner_text(".sd-teacher-link")
    assert "fix=all&hide=coupling&predict=tau&big=1#" in made and "phase=draft" in made and "pos=0" in made
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.goto("about:blank")
    page.goto(made)
    page.wait_for_selector(READY)
    assert place(page)[:2] == ("2", "draft") and page.locator(".pic-coupling:visible").count() == 0
    assert page.get_attribute("#viewer", "data-big") is not None and not page.locator("#gamma").is_editable()
    page.click("#step-teacher")
    page.click("[data-do=link]")
    assert page.inner_text(".sd-teacher-link").split("#")[0] == made.split("#")[0]
    assert page.locator("dialog [data-kind=fix][data-name=all]").is_checked()
    page.click("dialog [data-do=none]")
    assert "fix" not in page.inner_text(".sd-teacher-link")


def shown_in(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('.sd-handout [data-path]')].map((node) => [node.dataset.path, node.dataset.value])"
    )
    return found


def test_the_handout_has_the_blocks_numbers_and_is_gone_afterwards(open_page: Open) -> None:
    page = open_page(link(b=2, phase="commit"), "hide=seed&", READY)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.body.classList.contains('dark')")
    page.evaluate("window.print = () => { window.asked = document.querySelectorAll('.sd-handout').length; }")
    page.click("#step-teacher")
    page.click("[data-do=print]")
    page.wait_for_function("window.asked === 1")
    assert not page.evaluate("document.body.classList.contains('dark')")
    text, run = page.inner_text(".sd-handout"), trace(page)
    assert run["prompt"]["text"] in text and "γ = 5" in text and "seed" not in text.split("http")[0]
    assert f"#prompt={run['prompt']['text'].split()[0]}" in text and page.locator(".sd-handout math").count() >= 6
    numbers: list[Any] = shown_in(page)
    assert len(numbers) > 30
    for path, value in numbers:
        at: Any = run
        for key in path[1:].split("/"):
            at = at[int(key)] if isinstance(at, list) else at[key]
        assert float(value) == pytest.approx(float(at), abs=1e-12), path
    controls = ".sd-top, .sd-transport, #export, .pic-help, .pic-toggle, .sd-teacher-bar"
    assert page.locator(controls).filter(visible=True).count() == 0
    for paper in ("A4", "Letter"):
        pdf = page.pdf(format=paper, print_background=True)
        assert pdf.startswith(b"%PDF") and 1 <= pdf.count(b"/Type /Page\n") <= 4
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".sd-handout").count() == 0 and page.evaluate("document.body.classList.contains('dark')")


def test_a_prediction_on_paper_has_the_targets_numbers_in_the_picture_too(open_page: Open) -> None:
    page = open_page(link(b=2, phase="draft"), "predict=tau&", READY)
    target = "[...document.querySelectorAll('{} [data-path$=\"/0/target\"]')].filter((node) => node.getClientRects().length).length"
    assert page.evaluate(target.format("#viewer")) == 0
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(target.format(".sd-handout")) == 1
    assert page.get_attribute("#viewer", "data-phase") == "score" and page.evaluate(target.format("#viewer")) > 1
    assert "phase=draft" in page.inner_text(".sd-handout-link")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.get_attribute("#viewer", "data-phase") == "draft" and page.evaluate(target.format("#viewer")) == 0


def test_large_by_key_and_by_link(open_page: Open) -> None:
    page = open_page(link(b=2, phase="commit"), "", READY)
    page.keyboard.press("l")
    assert page.get_attribute("#viewer", "data-big") is not None and "big=1" in page.url
    sizes = """() => [...document.querySelectorAll('#viewer [data-path]')]
      .filter((node) => node.getClientRects().length && !node.closest('.sd-top') && node.textContent.trim())
      .map((node) => parseFloat(getComputedStyle(node).fontSize) * 1.6)"""
    assert min(page.evaluate(sizes)) >= 16 and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    page.wait_for_selector(READY)
    assert page.get_attribute("#viewer", "data-big") is not None
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    page.focus("#prompt")
    page.keyboard.type("l")
    assert page.get_attribute("#viewer", "data-big") is not None
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("l")
    assert page.get_attribute("#viewer", "data-big") is None and "big=1" not in page.url
