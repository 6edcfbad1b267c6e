"""The Step page's prompt mode: the field and the pair, links, files, going on, and the template's tokens folded in the text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer import make_trace
from tests.viewer.step_page import PROMPT, READY, address, link, open_page, trace

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

FIELD = "#prompt-mode"


def requests_of(page: Page) -> list[dict[str, Any]]:
    """The bodies of the requests that the page makes from now on."""
    found: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            found.append(json.loads(request.post_data or "null"))

    page.on("request", note)
    return found


def settled(page: Page) -> str:
    """The address when it has been written."""
    page.wait_for_timeout(500)
    return page.url


def test_the_mode_is_the_pairs_own_until_somebody_chooses(open_page: Callable[..., Page]) -> None:
    page = open_page()

    def mode_with(pair: str) -> tuple[str, bool]:
        page.select_option("#pair", pair)
        assert page.evaluate("viewer.store.state.form.prompt_mode") == page.input_value(FIELD)
        return page.input_value(FIELD), page.is_enabled(FIELD)

    assert (page.input_value(FIELD), page.is_enabled(FIELD)) == ("text", True)
    assert mode_with("talking") == ("chat", True) and mode_with("made-up") == ("text", True)
    assert mode_with("plain") == ("text", False) and "no chat template" in str(page.get_attribute(FIELD, "title"))
    assert mode_with("talking") == ("chat", True)
    page.select_option(FIELD, "text")
    assert "goes on with the prompt" in str(page.get_attribute(FIELD, "title"))
    assert mode_with("plain") == ("text", False) and mode_with("talking") == ("text", True)
    page.select_option(FIELD, "chat")
    assert mode_with("made-up") == ("chat", True), "a choice outlives a change of pairs"
    assert mode_with("plain") == ("text", False) and mode_with("made-up") == ("chat", True)
    page.fill("#prompt", "typed")
    page.reload()
    page.wait_for_function("window.viewer && viewer.store.state.form.prompt === 'typed'")
    assert page.input_value(FIELD) == "chat" and mode_with("talking") == ("chat", True)
    assert mode_with("made-up") == ("chat", True), "and a reload"


def test_an_instruction_is_decoded_and_gone_on_with_as_one(open_page: Callable[..., Page]) -> None:
    page = open_page()
    sent = requests_of(page)
    page.fill("#prompt", PROMPT)
    page.click("#step")
    page.wait_for_selector(READY)
    page.select_option(FIELD, "chat")
    assert "Settings changed (prompt mode)" in page.inner_text("#settings-changed")
    page.click("#restart")
    page.wait_for_function("viewer.store.state.trace.settings.prompt_mode === 'chat'")
    page.wait_for_selector(READY)
    assert page.inner_text("#settings-changed") == ""
    page.keyboard.press("End")
    page.click("#step")
    page.wait_for_function("viewer.store.state.trace.blocks.length === 2")
    page.wait_for_selector(READY)
    page.evaluate("viewer.actions.setRule('token')")
    page.evaluate("viewer.actions.continueHere()")
    page.wait_for_function("viewer.store.state.trace.blocks[1].verifier === 'token'")
    page.wait_for_selector(READY)
    first, *others = sent
    assert first["settings"]["prompt_mode"] == "text" and len(others) == 3
    ids = make_trace.encode_message(PROMPT)[0]
    for request in others:
        assert request["settings"]["prompt_mode"] == "chat" and request["prompt"] == PROMPT
        assert request["resume"] is None or request["resume"]["ids"][: request["resume"]["prompt_length"]] == ids
    assert [request["resume"] is None for request in others] == [True, False, False]


def test_a_link_carries_the_mode_and_one_without_is_plain(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block*3", mode="chat", b=1), wait=READY)
    assert trace(page)["settings"]["prompt_mode"] == "chat" and page.input_value(FIELD) == "chat"
    address_ = settled(page)
    assert "mode=chat" in address_
    again = open_page(address_[address_.index("#") :], wait=READY)
    assert trace(again)["digest"] == trace(page)["digest"] and again.inner_text(".sd-notices").strip() == ""
    page.click("#open-compare")
    assert "page=compare" in page.url and "mode=chat" in page.url
    plain = open_page(link("block*3", b=1), wait=READY)
    assert trace(plain)["settings"]["prompt_mode"] == "text" and "mode=" not in settled(plain)
    for pair, mode, words in (
        ("made-up", "&mode=chats", "mode: text or chat"),
        ("plain", "&mode=chat", "mode: plain has no chat template, so text"),
    ):
        plain.evaluate("(hash) => { location.hash = hash; }", link("block*1").replace("made-up", pair) + mode)
        plain.wait_for_selector(f".sd-notice.error:has-text('{words}')")
        assert plain.evaluate("viewer.store.state.trace.blocks.length") == 3, "such a link decodes nothing"
    plain.evaluate("(hash) => { location.hash = hash; }", link("block*1").replace("made-up", "talking"))
    plain.wait_for_function("viewer.store.state.trace.blocks.length === 1")
    assert trace(plain)["settings"]["prompt_mode"] == "text", "not the pair's own mode: the link's run was plain"


def test_a_file_keeps_the_mode_and_a_broken_one_is_refused(open_page: Callable[..., Page], tmp_path: Path) -> None:
    run = make_trace.make_run(PROMPT, max_new_tokens=12, prompt_mode="chat")
    file = tmp_path / "run.json"
    file.write_text(json.dumps(run))
    page = open_page()
    page.set_input_files("#import", file)
    page.wait_for_selector(READY)
    assert page.input_value(FIELD) == "chat" and page.evaluate("viewer.store.view.changed") == []
    with page.expect_download() as download:
        page.click("#export")
    assert json.loads(Path(download.value.path()).read_text())["prompt"] == run["prompt"]
    count = len(run["prompt"]["ids"])
    changes: list[tuple[Callable[[dict[str, Any]], None], str]] = [
        (lambda r: r["settings"].update(prompt_mode="instruct"), "/settings/prompt_mode: text or chat"),
        (lambda r: r["settings"].pop("prompt_mode"), "/settings/prompt_mode: text or chat"),
        (lambda r: r["prompt"].update(message=[0, count + 1]), "/prompt/message/1"),
        (lambda r: r["prompt"].update(message=[3, 2]), "/prompt/message/0"),
        (lambda r: r["prompt"].update(message=[3]), "/prompt/message: a list of 2"),
        (lambda r: r["prompt"].update(message={"a": 1}), "/prompt/message: a list"),
    ]
    for change, words in changes:
        broken = json.loads(json.dumps(run))
        change(broken)
        file.write_text(json.dumps(broken))
        page.set_input_files("#import", file)
        page.wait_for_selector(".sd-notice.error")
        assert words in page.inner_text(".sd-notice.error")
        page.click("#dismiss")


def test_the_template_is_folded_and_opens_by_mouse_and_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block*3", mode="chat", b=2, phase="commit"), wait=READY)
    run = trace(page)
    first, end = run["prompt"]["message"]
    ids = run["prompt"]["ids"]

    def seen() -> list[int]:
        script = "(nodes) => nodes.filter((n) => n.getClientRects().length).map((n) => Number(n.getAttribute('data-token-id')))"
        return page.locator(".sd-line [data-token-id].prompt").evaluate_all(script)

    assert seen() == ids[first:end]
    before, after = page.locator("[data-fold=before]"), page.locator("[data-fold=after]")
    assert (before.inner_text(), after.inner_text()) == ("instruction", "answer")
    assert before.get_attribute("aria-expanded") == "false" and f"{first} tokens" in str(before.get_attribute("title"))
    before.focus()
    page.keyboard.press("Enter")
    assert seen() == ids[:end] and before.get_attribute("aria-expanded") == "true"
    after.click()
    assert seen() == ids
    kinds = page.locator(".sd-tok.special").evaluate_all(
        "(nodes) => nodes.map((n) => [n.textContent, getComputedStyle(n).borderTopStyle])"
    )
    assert kinds == [["<|bos|>", "solid"], ["<|eos|>", "solid"]] * 2 + [["<|bos|>", "solid"]]
    place = page.evaluate("[viewer.store.state.blockIndex, viewer.store.state.phase]")
    page.keyboard.press("Space")  # the chip has the focus: no step
    assert seen() == ids[:end] and page.evaluate("[viewer.store.state.blockIndex, viewer.store.state.phase]") == place
    beside = (
        "(chip) => [chip.previousElementSibling, chip.nextElementSibling].map((n) => n.getAttribute('data-token-id'))"
    )
    assert before.evaluate(beside) == [None, str(ids[0])] and after.evaluate(beside) == [
        str(ids[end - 1]),
        str(ids[end]),
    ]
    page.keyboard.press("ArrowLeft")
    assert seen() == ids[:end], "it stays as it was put"
    page.select_option(FIELD, "text")
    page.click("#restart")
    page.wait_for_function("viewer.store.state.trace.settings.prompt_mode === 'text'")
    page.wait_for_selector(READY)
    assert not before.is_visible() and not after.is_visible()
    assert seen() == make_trace.encode(PROMPT)
