"""A saved run opened from disk with the network cut: the same numbers, steps, verifiers, what-ifs, and where it came from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.greedy_run import greedy_run
from tests.viewer.standalone_page import NUMBERS, READY, differing, open_file, run, saved
from tests.viewer.step_page import PROMPT, address, dom, open_page, place
from tests.viewer.step_page import READY as APP_READY

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_file", "open_page", "run"]  # fixtures
pytestmark = pytest.mark.browser


# Every second block under every rule at its end: where the page then stands, and its numbers.
WALK = f"""() => {{
  const {{ trace }} = viewer.store.state, root = document.getElementById('viewer'), out = [];
  for (let k = 0; k < trace.blocks.length; k += 2) for (const rule of trace.verifiers) {{
    viewer.actions.goTo(k, Math.min(1, trace.blocks[k].gamma));
    viewer.actions.setRule(rule);
    out.push([Number(root.dataset.block), root.dataset.rule, ({NUMBERS})()]);
  }}
  return out;
}}"""


def test_every_number_is_the_traces(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    for trace in (run, greedy_run()):
        page = open_file(saved(trace))
        places = page.evaluate(WALK)
        wanted = [(k, rule) for k in range(0, len(trace["blocks"]), 2) for rule in trace["verifiers"]]
        assert [(block, rule) for block, rule, _ in places] == wanted
        for _, _, numbers in places:
            count, wrong = differing(numbers, {"": trace})
            assert not wrong and count > 40, wrong[:3]
        assert page.locator("#verifier option").count() == len(trace["verifiers"])


def test_the_keyboard_steps_on_and_back_and_switches_the_verifier(
    open_file: Callable[..., Page], run: dict[str, Any]
) -> None:
    page = open_file(saved(run, block=1, phase="verify", tried=1))
    assert place(page)[:2] == ("1", "verify")
    page.evaluate("viewer.actions.select({position: 3})")
    before = dom(page)
    for key in ["ArrowRight"] * 12 + ["ArrowLeft"] * 12:
        page.keyboard.press(key)
    page.wait_for_timeout(50)
    assert dom(page) == before
    page.keyboard.press("v")
    other = next(rule for rule in run["verifiers"] if rule != "block")
    assert page.get_attribute("#viewer", "data-rule") == other and page.input_value("#verifier") == other
    page.keyboard.press("Home")
    assert place(page)[:2] == ("0", "draft")
    page.keyboard.press("End")
    assert place(page)[:2] == (str(len(run["blocks"]) - 1), "commit") and page.locator("#step").is_disabled()
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1


def test_dragging_a_coin_asks_what_if(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    page = open_file(saved(run, block=1, phase="commit"))
    page.locator(".sd-dot").nth(4).focus()
    for _ in range(12):
        page.keyboard.press("PageDown")
    assert "What if" in page.inner_text(".sd-sentence") and page.evaluate("viewer.store.view.accepted") == 5
    with page.expect_download() as download:
        page.click("#export")
    assert json.loads(Path(download.value.path()).read_text()) == run


def test_a_learner_predicts_first_and_a_projector_gets_it_large(
    open_file: Callable[..., Page], run: dict[str, Any]
) -> None:
    page = open_file(saved(run, block=2, phase="commit"), "?predict=1&big=1")
    assert place(page)[1] == "score" and "Your turn" in page.inner_text(".sd-sentence")
    assert page.get_attribute("#viewer", "data-big") is not None
    page.click("[data-guess='1']")
    assert place(page)[1] == "verify"


def test_what_needs_a_server_is_not_there(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    unfinished = {**run, "blocks": run["blocks"][:3], "finish": None, "digest": run["blocks"][2]["digest"]}
    page = open_file(saved(unfinished))
    for name in (
        "#run",
        "#restart",
        "#import",
        "#copy-link",
        "#save-html",
        "#open-compare",
        "#prompt",
        "#pair",
        "#gamma",
        ".sd-examples",
    ):
        assert page.locator(f"{name}:visible").count() == 0, name
    page.keyboard.press("End")
    assert page.locator("#step").is_disabled()
    page.keyboard.press("ArrowRight")
    assert "This is a saved run" in page.inner_text(".sd-notices") and place(page)[:2] == ("2", "commit")
    page.select_option("#verifier", "token")
    assert "Verdict of token" in page.inner_text(".sd-lane-head") and not page.locator("#continue-here").is_visible()
    assert "Continue from here" not in page.inner_text(".sd-sentence")
    page.keyboard.press("p")
    page.wait_for_function("() => !viewer.store.state.playing")


def test_the_file_says_what_it_is_and_the_app_opens_the_same(
    open_file: Callable[..., Page], open_page: Callable[..., Page], run: dict[str, Any]
) -> None:
    page = open_file(saved(run, block=4, phase="verify", tried=2, position=1, rule="token"))
    assert not page.locator("#about-file").is_visible()
    page.click("#about")
    words = page.inner_text("#about-file")
    for part in (
        run["pair"]["title"],
        "γ = 5",
        "temperature 1",
        "top-k off",
        "seed 0",
        "2025-01-02 03:04 UTC",
        run["digest"],
        "specdemo 0.1.0",
    ):
        assert part in words, part
    assert page.inner_text("#about-file [translate=no][dir=auto]") == run["prompt"]["text"]
    assert page.locator(".sd-tok").count() == page.locator(".sd-tok[translate=no]").count() > 0
    parameters = page.inner_text("#link-parameters")
    assert parameters.startswith("#prompt=Once+upon") and PROMPT in page.title()
    app = open_page(parameters, wait=APP_READY)
    assert place(app) == place(page) and app.get_attribute("#viewer", "data-rule") == "token"
    assert (
        app.evaluate("viewer.store.state.trace.digest") == run["digest"]
        and app.locator(".sd-notice.error:visible").count() == 0
    )


def test_the_file_says_which_passes_were_graphed(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    def passing(*kinds: str) -> dict[str, Any]:
        left = len(run["blocks"]) - len(kinds)
        blocks = zip(run["blocks"], [*kinds, *["eager"] * left], strict=True)
        return {**run, "blocks": [{**block, "passes": kind} for block, kind in blocks]}

    count = len(run["blocks"])
    for trace, words in (
        (run, None),
        (passing("eager", "graphed", "graphed"), f", CUDA graphs in 2 of {count} blocks"),
        (passing("graphed", "refused"), f", CUDA graphs in 1 of {count} blocks, CUDA graphs refused"),
    ):
        page = open_file(saved(trace))
        page.click("#about")
        shown = page.inner_text("#about-file")
        assert "CUDA" not in shown if words is None else words in shown


def test_no_link_is_offered_where_none_can_hold_the_run(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    elsewhere = {**run, "settings": {**run["settings"], "stream": 3}}
    long = {**run, "prompt": {**run["prompt"], "text": "fox " * 3000}}
    for trace, words in ((elsewhere, "No link holds all the settings"), (long, "too long for a link")):
        page = open_file(saved(trace))
        page.click("#about")
        assert words in page.inner_text("#about-file") and not page.locator("#link-parameters").is_visible()


def test_a_reload_keeps_the_place_and_an_address_of_another_run_is_not_followed(
    open_file: Callable[..., Page], run: dict[str, Any]
) -> None:
    page = open_file(saved(run))
    assert place(page)[:2] == ("0", "commit")
    page.evaluate("viewer.actions.goTo(3, 2)")
    page.wait_for_function("() => location.hash.includes('b=3')")
    page.reload()
    page.wait_for_selector(READY)
    assert place(page) == ("3", "commit", "2")
    other = open_file(saved(run), "#prompt=x&b=5&phase=verify&digest=sha256:00")
    assert place(other)[:2] == ("0", "commit")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_follows_the_systems_colours(
    open_file: Callable[..., Page], run: dict[str, Any], scheme: str
) -> None:
    page = open_file(saved(run), viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page.click("#about")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("document.body.classList.contains('dark')") == (scheme == "dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 19, 23)"
    assert dark == (scheme == "dark")
    page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
    page.wait_for_function("(dark) => document.body.classList.contains('dark') !== dark", arg=scheme == "dark")


def test_on_paper_it_is_a_handout(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    page = open_file(saved(run, block=2, phase="commit"), color_scheme="dark")
    numbers = ".sd-lane .sd-number:visible"
    count = page.locator(numbers).count()
    assert count > 2
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert not page.evaluate("document.body.classList.contains('dark')")
    assert page.locator("#about-file").is_visible() and "#prompt=" in page.inner_text("#about-file")
    assert page.locator(numbers).count() == count and page.locator(".sd-chip.kept:visible").count() > 0
    for name in ("#step", "#print", "#about", "#export", "#verifier", ".pic-help", "#copy-parameters"):
        assert page.locator(f"{name}:visible").count() == 0, name
    page.set_viewport_size({"width": 700, "height": 990})
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.body.classList.contains('dark')")
    assert page.pdf(format="A4")[:5] == b"%PDF-"
