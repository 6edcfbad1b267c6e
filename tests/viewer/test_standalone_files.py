"""The files of saved runs: hostile texts, damage, the policy, and that the page saves what the command writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.standalone import filled, record_of
from tests.viewer.standalone_page import MARK, open_file, record_in, run, saved, template
from tests.viewer.step_page import READY as APP_READY
from tests.viewer.step_page import address, link, open_page, place

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_file", "open_page", "run"]  # fixtures
pytestmark = pytest.mark.browser


def test_hostile_texts_are_text(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    hostile = [
        "</script><img src=x onerror=alert(1)>",
        "<!--<script>",
        "${alert(1)}`",
        "\u2028\u2029",
        "]]>&lt;",
        "\\u003c/script>",
        "\r\0",
        "\ud83e",
    ]
    trace = json.loads(json.dumps(run))
    tables = [trace["pieces"], *(block["pieces"] for block in trace["blocks"])]
    ids = sorted({id_ for table in tables for id_, piece in table.items() if isinstance(piece, str)})[:40]
    for table in tables:
        for n, id_ in enumerate(ids):
            if id_ in table:
                table[id_] = hostile[n % len(hostile)] + table[id_]
    trace["prompt"] |= {"text": "".join(hostile), "notice": "<b>notice</b></script>"}
    trace["pair"] |= {"title": "</title></style></script><b>pair</b>", "draft": "<i>x</i>"}
    text = filled(template("step"), saved(trace))
    assert "<img" not in text and text.count("</script>") == 2
    page = open_file(text)
    assert record_in(text)["trace"] == trace
    page.click("#about")
    assert "</title></style></script><b>pair</b>" in page.inner_text(".sa-line") and "<!--<script>" in page.inner_text(
        "#about-file"
    )
    for k in range(len(trace["blocks"])):
        page.evaluate(f"viewer.actions.goTo({k}, 0)")
    assert "onerror=alert(1)" in page.inner_text(".sd-line") and "<b>notice</b></script>" in page.inner_text(
        ".sd-notice.prompt"
    )
    assert page.locator("img, b > b, i > i, script:not([type])").count() == 1, "the viewer's own script alone"


def test_a_damaged_file_says_so(open_file: Callable[..., Page], run: dict[str, Any]) -> None:
    text = filled(template("step"), saved(run))
    head, whole = text[: text.rindex(MARK)], text[text.rindex(MARK) :]
    for broken, words in (
        (head + whole[: len(whole) // 2], "damaged, or the file was cut off"),
        (head + whole.replace('"specdemo.saved/1"', '"specdemo.saved/9"', 1), 'not a "specdemo.saved/1"'),
        (head + whole.replace('"gained":', '"lost":', 1), "/blocks/0/gained"),
        (head + MARK + '{"schema":"specdemo.saved/1","page":"step","saved":"x","trace":7}</script>', "schema"),
    ):
        page = open_file(broken, wait="#viewer[data-state=error]")
        assert "This file cannot be shown" in page.inner_text("#viewer") and words in page.inner_text("#viewer")
    assert len(open_file.errors) == 4  # type: ignore[attr-defined]
    open_file.errors.clear()  # type: ignore[attr-defined]


def test_the_policy_lets_nothing_out_and_no_other_script_in(
    open_file: Callable[..., Page], run: dict[str, Any]
) -> None:
    page = open_file(saved(run))
    blocked: list[str | None] = []
    page.on("requestfailed", lambda request: blocked.append(request.failure))
    tried = """async () => {
      const answer = await fetch('data:text/plain,x').then(() => 'fetched', () => 'refused');
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      const place = document.createElement('div');
      place.innerHTML = '<img src="https://example.invalid/x" onerror="window.ran = true">';
      document.body.append(script, place);
      await new Promise((done) => setTimeout(done, 300));
      return [answer, window.ran ?? null];
    }"""
    assert page.evaluate(tried) == ["refused", None]
    assert "csp" in blocked, "not for want of a network"
    for told in (open_file.errors, open_file.asked):  # type: ignore[attr-defined]
        told.clear()


def test_the_page_saves_what_the_command_writes(
    open_page: Callable[..., Page], open_file: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page(link(b=3, phase="verify", tried=2, pos=1), wait=APP_READY)
    page.evaluate("viewer.actions.drag(0, 0.9)")
    with page.expect_download() as download:
        page.click("#save-html")
    assert download.value.suggested_filename.endswith(".html") and "The what-if is not in it" in page.inner_text(
        ".sd-notices"
    )
    file = tmp_path / "page.html"
    download.value.save_as(file)
    record, trace = record_in(file), page.evaluate("viewer.store.state.trace")
    assert record["trace"] == trace and record["start"]["block"] == 3
    again = {**record_of(trace, record["saved"]), "start": record["start"]}
    assert filled(template("step"), again).encode() == file.read_bytes()
    opened = open_file(file.read_text(encoding="utf-8"))
    assert place(opened) == place(page)


def test_a_server_that_is_gone_leaves_words_and_the_run(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=1), wait=APP_READY)
    page.evaluate("() => { window.asking = fetch; window.fetch = () => Promise.reject(new TypeError('gone')); }")
    page.click("#save-html")
    page.wait_for_selector(".sd-notice.error")
    assert "nothing was saved. Export works without it" in page.inner_text(".sd-notice.error")
    assert page.evaluate("viewer.store.state.trace.blocks.length") == 9
    page.evaluate("() => { window.fetch = window.asking; }")
    page.click("#dismiss")
    with page.expect_download():
        page.click("#save-html")
