"""The Step page in a browser, on made-up runs: walking, deciding, asking for more, links, what-if. No engine, no Gradio."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer import make_trace
from tests.viewer.step_page import PROMPT, READY, address, dom, link, open_page, place, trace

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_step_decodes_one_block_and_run_the_rest(open_page: Callable[..., Page]) -> None:
    page = open_page()
    assert page.locator("#viewer").get_attribute("data-state") == "empty"
    page.fill("#prompt", PROMPT)
    page.dblclick("#step")
    page.wait_for_selector(READY)
    assert len(trace(page)["blocks"]) == 1
    page.keyboard.press("End")
    page.click("#step")
    page.wait_for_function("viewer.store.state.trace.blocks.length === 2")
    page.wait_for_selector(READY)
    assert place(page)[:2] == ("1", "draft")
    page.click("#run")
    page.wait_for_function("viewer.store.state.trace.finish !== null")
    page.wait_for_selector(READY)
    stepped = trace(page)
    expected = make_trace.make_run(PROMPT, max_new_tokens=64)
    assert stepped["digest"] == expected["digest"]
    assert [block["committed"] for block in stepped["blocks"]] == [block["committed"] for block in expected["blocks"]]
    assert stepped["finish"] == "length" and stepped["smallest_margin"] == expected["smallest_margin"]


def test_thirty_steps_on_and_back_restore_the_page_without_the_network(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=1, phase="verify", tried=1), wait=READY)
    page.wait_for_timeout(600)
    page.evaluate("viewer.actions.select({position: 3})")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    before = dom(page)
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert dom(page) != before
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(50)
    assert dom(page) == before
    assert requests == []


def test_the_coins_are_tossed_in_the_rules_own_order(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=1, phase="score"), wait=READY)
    for rule, first in (("block", 5), ("token", 1)):
        page.evaluate(f"viewer.actions.toPhase('score'); viewer.actions.setRule('{rule}')")
        verdict = trace(page)["blocks"][1]["verdicts"][rule]
        tried = []
        page.click("#step")
        while place(page)[1] == "verify":
            tried.append(int(page.locator("#viewer").get_attribute("data-position") or -1) + 1)
            assert (
                page.locator(".sd-chip.correction").count() == 0
                or page.locator(".sd-chip.correction:visible").count() == 0
            )
            page.click("#step")
        kept = verdict["accepted"]
        assert tried[0] == first
        assert tried == (
            list(range(5, max(kept, 1) - 1, -1)) if rule == "block" else list(range(1, min(kept + 1, 5) + 1))
        )
        assert place(page) == ("1", "correct", str(kept))


def test_a_link_restores_the_state_and_says_when_the_run_differs(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=3, phase="verify", tried=1, pos=2, tok=4), wait=READY)
    page.wait_for_timeout(500)
    assert place(page) == ("3", "verify", "2") and page.evaluate("viewer.store.view.token") == 4
    address = page.url
    again = open_page(address[address.index("#") :], wait=READY)
    assert place(again) == place(page) and trace(again)["digest"] == trace(page)["digest"]
    assert dom(again) == dom(page)
    page.reload()
    page.wait_for_selector(READY)
    assert place(page) == ("3", "verify", "2")
    other = open_page(link(b=3, digest="sha256:00"), wait=READY)
    assert "digests differ" in other.inner_text(".sd-notices")
    beyond = open_page(link("block*2", b=999999999999), wait=READY)
    assert place(beyond)[0] == "1"
    asked = "1\u202f000\u202f000\u202f000\u202f000"
    assert f"asks for block {asked}, but the text has 2: the last one" in beyond.inner_text(".sd-notices")


def test_continuing_with_another_rule_decides_the_block_anew(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=3, phase="commit"), wait=READY)
    assert not page.locator("#continue-note").is_visible()
    page.select_option("#verifier", "token")
    # tests/transport/test_numbers.py has by how much: P(A) = 1/2 instead of 1/3 for who always takes the longer.
    note = page.locator("#continue-note")
    assert "no longer follows the target’s law" in note.inner_text()
    assert page.get_attribute("#continue-here", "aria-describedby") == "continue-note"
    assert page.locator("#viewer").get_attribute("data-rule") == "token" and len(trace(page)["blocks"]) == 9
    page.click("#continue-here")
    page.wait_for_function("viewer.store.state.trace.blocks.length === 4")
    page.wait_for_selector(READY)
    blocks = trace(page)["blocks"]
    assert [block["verifier"] for block in blocks] == ["block"] * 3 + ["token"]
    assert blocks[3]["kept"] == blocks[3]["verdicts"]["token"]["accepted"]
    page.keyboard.press("End")
    page.select_option("#verifier", "block")
    page.click("#step")
    assert "Continue from here" in page.inner_text(".sd-notice.note.message")
    assert trace(page)["blocks"] == blocks
    page.click("#continue-here")
    page.wait_for_function("viewer.store.state.trace.blocks[3].verifier === 'block'")
    page.wait_for_selector(READY)
    page.click("#step")
    page.wait_for_function("viewer.store.state.trace.blocks.length === 5")
    page.wait_for_selector(READY)
    page.wait_for_timeout(400)
    assert [block["verifier"] for block in trace(page)["blocks"]] == ["block"] * 5
    assert "rules=block*5" in page.url and place(page)[:2] == ("4", "draft")


def test_the_end_of_a_finished_run_stays_as_it_was_decided_under_another_rule(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block*60"), wait=READY)
    before = trace(page)
    assert before["finish"] == "length"
    page.select_option("#verifier", "token")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("End")
    assert page.locator("#step").is_disabled()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    last = before["blocks"][-1]
    assert trace(page) == before and place(page)[:2] == (str(last["index"]), "commit")
    room = 160 - (last["start"] - len(before["prompt"]["ids"]))
    count = min(room, last["verdicts"]["token"]["accepted"] + 1)
    assert f"Under this rule {count} token" in page.inner_text(".sd-sentence")
    assert page.locator(".sd-tok.now:visible").count() <= count


def test_switched_rules_travel_in_the_link(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block*2,token*3", b=4), wait=READY)
    assert [block["verifier"] for block in trace(page)["blocks"]] == ["block"] * 2 + ["token"] * 3


def test_dragging_asks_what_if_and_leaves_the_trace_alone(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=1, phase="commit"), wait=READY)
    before, drawn = trace(page), dom(page)
    dot = page.locator(".sd-dot").nth(4)
    dot.focus()
    for _ in range(12):
        page.keyboard.press("PageDown")
    assert "What if" in page.inner_text(".sd-sentence") and page.evaluate("viewer.store.view.accepted") == 5
    assert place(page)[:2] == ("1", "commit")
    box = dot.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] - 300, steps=4)
    page.mouse.up()
    assert page.evaluate("viewer.store.view.whatIf.uniforms[4]") < 1
    assert trace(page) == before
    page.click("#reset-drag")
    page.evaluate("document.activeElement.blur()")
    assert dom(page) == drawn


def test_a_link_is_held_to_what_the_fields_take(open_page: Callable[..., Page]) -> None:
    page = open_page(
        link()
        .replace("seed=0", "seed=0x10")
        .replace("temperature=1", "temperature=Infinity")
        .replace("gamma=5", "gamma=-5")
    )
    page.wait_for_selector(".sd-notice.error")
    words = page.inner_text(".sd-notice.error")
    assert (
        "seed: a whole number" in words
        and "temperature: a number" in words
        and "γ: a whole" in words
        and trace(page) is None
    )
    assert page.evaluate("viewer.store.state.form.seed") == 0
    page.fill("#gamma", "99")
    page.evaluate("document.getElementById('prompt').value = 'a\\ud800b'")
    page.dispatch_event("#prompt", "input")
    assert "half a character" in page.inner_text("#prompt-problem")
    assert page.evaluate("viewer.store.state.form.prompt") == PROMPT
    page.evaluate(f"location.hash = {link()!r}")
    page.wait_for_function("viewer.store.state.trace && viewer.store.state.status === 'ready'")
    assert page.locator("#viewer [aria-invalid]").count() == 0 and page.input_value("#gamma") == "5"
    assert page.input_value("#prompt") == PROMPT and page.inner_text("#prompt-problem") == ""
