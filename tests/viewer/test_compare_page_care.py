"""The Compare page in a browser handles with care: fields, errors, cancelling, files, widths, readers, long runs."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from tests.viewer.compare_page import PROMPT, READY, address, link, open_page, place, trace, wrong_numbers
from tests.viewer.serve import Handler
from tests.worse_conditions import SLOWDOWN

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_settings_are_checked_at_the_field_and_wait_for_decode(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=2), wait=READY)
    for field, bad in (("gamma", "17"), ("temperature", "-1"), ("top-p", "0"), ("seed", "1.5"), ("max-tokens", "0")):
        page.fill(f"#compare-{field}", bad)
        assert page.inner_text(f"#compare-{field}-problem") and page.input_value(f"#compare-{field}") == bad
    assert page.evaluate("compare.store.view.changed") == []
    page.fill("#compare-gamma", "3")
    assert page.inner_text("#compare-gamma-problem") == ""
    assert "Settings changed (γ): press Decode" in page.inner_text("#compare-settings-changed")
    before = trace(page)
    page.select_option("#compare-add", "lenience")  # with the settings shown, not with those typed
    page.wait_for_function("compare.store.state.trace.verifiers.length === 3 && compare.store.state.status === 'ready'")
    assert trace(page)["digest"] == before["digest"] and page.input_value("#compare-gamma") == "3"
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace.settings.gamma === 3 && compare.store.state.status === 'ready'")
    assert place(page)[0] == "0" and page.locator("#compare-block tr[data-row]").count() == 3
    assert page.evaluate("compare.store.view.changed") == [] and wrong_numbers(page) == []


def test_an_error_keeps_everything_and_can_be_retried(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=2), wait=READY)
    before = trace(page)
    page.fill("#compare-prompt", "fail please")
    page.click("#compare-run")
    page.wait_for_selector("#compare[data-state=error]")
    assert "asked for an error" in page.inner_text("#compare .sd-notice.error")
    assert trace(page) == before and page.input_value("#compare-prompt") == "fail please" and place(page)[0] == "2"
    page.click("#compare-retry")
    page.wait_for_selector("#compare[data-state=error]")
    page.fill("#compare-prompt", "the cat")
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace.prompt.text === 'the cat'")
    page.wait_for_selector(READY)
    page.evaluate("compare.actions.setField('prompt', 'fail again')")
    page.evaluate("compare.actions.startRace()")
    page.wait_for_function("compare.store.state.race.status === 'error'")
    assert "asked for an error" in page.evaluate("compare.store.state.race.message")


def test_cancel_keeps_what_has_come_and_decode_goes_on(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handler, "delay", 0.5 * SLOWDOWN)  # a busy machine presses Cancel late
    page = open_page()
    page.fill("#compare-prompt", PROMPT)
    page.fill("#compare-temperature", "2")
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace && compare.store.state.trace.blocks.length > 2")
    assert page.locator("#compare").get_attribute("data-state") == "decoding" and place(page)[0] == "0"
    page.keyboard.press("ArrowRight")
    assert place(page)[0] == "1"
    page.click("#compare-cancel")
    page.wait_for_selector(READY)
    have = trace(page)
    page.wait_for_timeout(400)
    assert trace(page) == have and have["finish"] is None and place(page)[0] == "1"
    monkeypatch.setattr(Handler, "delay", 0.0)
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace.finish !== null && compare.store.state.status === 'ready'")
    assert trace(page)["blocks"][: len(have["blocks"])] == have["blocks"] and place(page)[0] == "1"


def test_a_cancelled_measurement_keeps_what_has_come(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(link(max=12), wait=READY)
    monkeypatch.setattr(Handler, "delay", 0.05)
    page.evaluate("compare.actions.setRaceOption('seeds', 40)")
    page.evaluate("void compare.actions.startRace()")
    page.wait_for_function("compare.store.state.race.record?.runs.length > 1")
    page.evaluate("compare.actions.cancelRace()")
    kept = page.evaluate("compare.store.state.race")
    assert kept["status"] == "cancelled" and kept["record"]["summary"]["runs"] >= 1
    page.wait_for_timeout(300)
    assert page.evaluate("compare.store.state.race") == kept
    page.evaluate("compare.actions.setLawOption('samples', 5000)")
    page.evaluate("void compare.actions.startLaw()")
    page.wait_for_function("compare.store.state.law.record?.pairs.done > 0")
    page.evaluate("compare.actions.cancelLaw()")
    assert page.evaluate("compare.store.state.law.status") == "cancelled"
    assert page.evaluate("compare.store.state.law.record.pairs.done") > 0


def test_everything_shown_goes_out_as_files(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page()

    def saved(name: str) -> Path:
        page.click("#compare-export")
        with page.expect_download() as download:
            page.click(f"#compare-export-{name}")
        download.value.save_as(tmp_path / name)
        return tmp_path / name

    page.click("#compare-export")
    page.click("#compare-export-csv")
    assert "nothing to export" in page.inner_text("#compare .sd-notice.message")
    page.goto(page.url.split("#")[0] + link("token,block,product_of_uniforms", b=1, max=20))
    page.wait_for_selector(READY)
    page.evaluate("void compare.actions.setLawOption('samples', 3)")
    page.evaluate("compare.actions.startLaw()")
    comparison = json.loads(saved("json").read_text())
    assert comparison["schema"] == "specdemo.comparison/1" and comparison["race"] is None
    assert comparison["trace"] == trace(page) and comparison["law"] == page.evaluate("compare.store.state.law.record")
    with zipfile.ZipFile(saved("csv")) as tables:
        assert tables.namelist() == ["settings.csv", "blocks.csv", "lengths.csv", "law.csv", "pairs.csv"]
        assert tables.testzip() is None and "trace,follow,block" in tables.read("settings.csv").decode()
        rows = tables.read("blocks.csv").decode().splitlines()
    assert len(rows) == 1 + sum(block["gamma"] * 3 for block in trace(page)["blocks"])
    drawing = ElementTree.parse(saved("svg")).getroot()
    words = " ".join(drawing.itertext())
    assert drawing.tag.endswith("svg") and page.inner_text("#compare-differences li").split(":")[0] in words
    for rule in ("token", "block", "product of uniforms"):
        assert rule in words
    assert words.count("not η") == 5 and words.count("NOT lossless") == 1
    assert "tiny, draft tiny-draft · γ = 5 · T = 2 · seed 0 · “once upon a time”" in words
    lossy = page.inner_text("th[data-rule=product_of_uniforms] .cmp-kind").removeprefix("⚠ ")
    assert lossy in words, "the rule's own words, in lines"
    marks = page.locator("#compare-block tbody .cmp-mark").count()
    assert marks > 2 and words.replace(page.inner_text("#compare-differences"), "").count("≠") == marks
    for cell in page.locator(".cmp-row-gained td").all_inner_texts():
        assert cell.split("≠")[0].strip() in words
    png = saved("png").read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and width == 2 * float(drawing.get("width", 0)) and height > 600
    assert page.locator(".cmp-picture").count() == 0 and wrong_numbers(page) == []


def test_the_empty_page_says_what_to_do_and_offers_examples(open_page: Callable[..., Page]) -> None:
    page = open_page()
    assert "Type a prompt" in page.inner_text(".sd-text") and page.locator("#compare-block tbody").count() == 0
    page.locator("#compare .sd-examples .sd-link").nth(2).click()
    page.wait_for_selector(READY)
    assert page.evaluate("compare.store.state.form.rules") == ["token", "sampled_match", "exact_match"]
    assert "at T = 1 this text would not follow the target" in page.inner_text("th[data-rule=exact_match]")
    assert not page.locator("#compare .sd-examples").is_visible()
    page.click("#compare-examples")
    page.click("#compare-example-0")
    page.wait_for_function(
        "compare.store.state.trace?.verifiers.includes('greedy_block') && compare.store.state.status === 'ready'"
    )
    assert page.evaluate("compare.store.state.form.rules") == ["token", "block", "greedy_block"]
    assert not page.locator("#compare-example-0").is_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_only_the_table_scrolls_sideways(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(link("token,block,exact_match,product_of_uniforms", gamma=8), wait=READY)
    page.set_viewport_size({"width": width, "height": 844})
    for _ in range(3):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("n")
    sizes = page.evaluate(
        "(() => { const box = document.querySelector('.cmp-scroll'); return [box.scrollWidth, box.clientWidth]; })()"
    )
    assert (sizes[0] > sizes[1]) == (width == 390)
    first = page.locator("#compare-block tr[data-row='0'] .cmp-shared")
    left = first.bounding_box()["x"]  # type: ignore[index]
    page.evaluate("document.querySelector('.cmp-scroll').scrollLeft = 300")
    assert first.bounding_box()["x"] == left  # type: ignore[index]
    overflowing = page.evaluate(
        """[...document.querySelectorAll('#compare-block td, #compare-block th')]
          .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"""
    )
    assert overflowing == []


def test_text_controls_and_table_begin_on_the_first_screen(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,greedy_block"), wait=READY)
    box = page.locator("#compare-block .cmp-row-expected").bounding_box()
    assert box and box["y"] + box["height"] <= 800, box


def test_the_table_is_one_for_screen_readers(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,exact_match", b=1), wait=READY)
    assert page.locator("#compare-block thead th[scope=col]").count() == 4
    rows = page.locator("#compare-block tbody tr").count()
    assert page.locator("#compare-block tbody th[scope=row]").count() == rows == 5 + 6
    assert page.locator("#compare-block caption").inner_text().startswith("Block 2, 5 drafted tokens")
    assert page.locator("#compare-sentence[aria-live=polite]").count() == 1
    ids = page.locator("#compare [id]").evaluate_all("(l) => l.map((n) => n.id)")
    assert len(ids) == len(set(ids))
    unnamed = page.evaluate(
        """[...document.querySelectorAll('#compare button, #compare select, #compare input')].filter((node) =>
          !(node.textContent.trim() || node.getAttribute('aria-label') || (node.labels && node.labels.length))).map((node) => node.outerHTML)"""
    )
    assert unnamed == []
    assert page.locator("#compare script, #compare img").count() == 0


@pytest.mark.slow  # a busy machine makes any task long
def test_no_task_is_long_while_a_long_run_streams_in(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.evaluate(
        """() => {
          window.long = [];
          new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ['longtask'] });
        }"""
    )
    page.evaluate(
        """compare.store.set({ form: { ...compare.store.state.form, prompt: 'once upon a time', gamma: 8, temperature: 2, max_new_tokens: 64,
          rules: ['token', 'block', 'greedy_block', 'sampled_match'] } })"""
    )
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace?.finish && compare.store.state.status === 'ready'")
    for _ in range(12):
        page.keyboard.press("n")
    page.wait_for_timeout(300)
    assert (
        page.locator("#compare-block tr[data-row]").count() == 8
        and page.locator("#compare-block thead th").count() == 5
    )
    assert [task for task in page.evaluate("window.long") if task > 200] == []
