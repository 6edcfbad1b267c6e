"""A saved state of the Sandbox opened from disk with the network cut: the same numbers, what is derived goes on, the rest says what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.standalone import filled, record_of
from tests.viewer.sandbox_page import READY as APP_READY
from tests.viewer.sandbox_page import address, link, open_page, paper, random_state, settled, state
from tests.viewer.standalone_page import NUMBERS, READY, SAVED, differing, open_file, record_in, template

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_file", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def saved(given: dict[str, Any], **shown: Any) -> dict[str, Any]:
    return {**record_of({"schema": "specdemo.sandbox-file/1", "state": given}, SAVED), "shown": shown}


def checked(page: Page, record: dict[str, Any], least: int) -> None:
    """Every number on the page is the record's."""
    records = {f"{name}:": record[name] for name in ("picture", "optimum", "longrun")}
    count, wrong = differing(page.evaluate(NUMBERS), records)
    assert not wrong and count >= least, (count, wrong[:3])


def test_every_number_is_the_librarys(open_file: Callable[..., Page]) -> None:
    for given, least in (
        (paper(), 150),
        ({**random_state(3, "prefix", 3, 2), "rules": ["residual_without_weight", "block"]}, 200),
    ):
        record = saved(given, prefix="A", row=1, column=2)
        page = open_file(record)
        checked(page, record, least)
        page.click("#sandbox-difference")
        assert page.locator(".sbx-panel[data-name=difference]").count() == 1
        checked(page, record, least)
        assert page.get_attribute(".sbx-chosen", "class") and "drafted A" in page.inner_text(".sbx-cell-line")
    assert "computed" not in page.inner_text(".pic-longrun") and "no one number" in page.inner_text(".pic-longrun")


def test_what_needs_a_server_is_not_there(open_file: Callable[..., Page]) -> None:
    page = open_file({**saved({**paper(), "rules": ["threshold", "greedy_block"]}), "longrun": None})
    names = (
        "preset",
        "symbols",
        "gamma",
        "context",
        "left-rule",
        "right-rule",
        "random",
        "seed",
        "copy-link",
        "import",
        "save-html",
    )
    for name in (*(f"#sandbox-{name}" for name in names), "#sandbox-longrun"):
        assert page.locator(name).count() == 0, name
    assert "was not computed when this was saved" in page.inner_text(".pic-longrun")
    words = page.inner_text("#viewer")
    assert "show token" not in words and "put token on" not in words
    page.click("#about")
    assert "1/3, 2/3" in page.inner_text("#about-file") and "2025-01-02 03:04 UTC" in page.inner_text("#about-file")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1


def test_a_bar_that_is_moved_moves_the_flow_and_marks_the_rest(open_file: Callable[..., Page]) -> None:
    record = saved(paper())
    page = open_file(record)
    page.focus(".sb-bar.draft[data-symbol=A]")
    page.keyboard.press("Home")
    page.wait_for_selector(".sb-failure:visible")
    assert (
        "the numbers of its own laws alone" in page.inner_text(".sb-failure")
        and not page.locator("#sandbox-again").is_visible()
    )
    page.wait_for_function("() => document.querySelector('.sb-verdict').textContent.includes('TV 0')")
    moved = page.get_attribute("[data-path='derived:pour_moved']", "data-value")
    assert moved is not None and float(moved) == pytest.approx(1 / 3)
    assert (
        page.locator(".sb-headline[data-old]").count() == 1
        and page.locator("[data-export='coupling.svg']").is_disabled()
    )
    page.click("#sandbox-undo")
    page.wait_for_selector(".sb-failure", state="hidden")
    assert (
        page.locator(".sb-headline[data-old]").count() == 0
        and page.locator("[data-export='coupling.svg']").is_enabled()
    )
    checked(page, record, 150)


def test_it_prints_and_fits_a_phone(open_file: Callable[..., Page]) -> None:
    page = open_file(saved(paper()), viewport={"width": 390, "height": 844}, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("document.body.classList.contains('dark')")
    page.emulate_media(media="print")
    assert page.locator("#about-file").is_visible() and "#page=sandbox" in page.inner_text("#about-file")
    for name in ("#sandbox-undo", "#print", ".pic-help", ".sb-mode", ".sd-tools"):
        assert page.locator(f"{name}:visible").count() == 0, name
    assert page.locator(".sbx-matrix").is_visible() and page.locator(".sb-field").first.is_visible()


def test_the_page_saves_what_the_command_writes(
    open_page: Callable[..., Page], open_file: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page(link(paper(), at="A", diff="1"))
    page.click("#sandbox-longrun")
    settled(page)
    files = []
    for button, name in (("#sandbox-save-html", "page.html"), ("#sandbox-export", "state.json")):
        with page.expect_download() as download:
            page.click(button)
        files.append(tmp_path / name)
        download.value.save_as(files[-1])
    record = record_in(files[0])
    assert (record["shown"]["prefix"], record["shown"]["difference"]) == ("A", True)
    again = {**record_of(json.loads(files[1].read_text()), record["saved"]), "shown": record["shown"]}
    assert filled(template("sandbox"), again).encode() == files[0].read_bytes()
    opened = open_file(files[0].read_text(encoding="utf-8"))
    checked(opened, record, 150)
    assert opened.get_attribute("#sandbox-difference", "aria-pressed") == "true"
    opened.click("#about")
    app = open_page(opened.inner_text("#link-parameters"))
    assert state(app) == paper() and app.get_attribute("#sandbox-difference", "aria-pressed") == "true"


def test_only_what_is_whole_is_saved(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()), wait=APP_READY)
    settled(page)
    page.fill(".sb-field[data-side=draft][data-symbol='0']", "0.9")
    page.wait_for_selector("#sandbox[data-problems]")
    page.click("#sandbox-save-html")
    assert "as soon as they agree" in page.inner_text(".sd-notice.message")


def test_a_damaged_file_says_so(open_file: Callable[..., Page]) -> None:
    record = saved(paper())
    for broken in (
        {**record, "state": None},
        {**record, "picture": {"schema": "x"}},
        {**record, "state": {**paper(), "draft": [[["1"]]]}},
    ):
        page = open_file(broken, wait="#viewer[data-state=error]")
        assert "its state or picture is damaged" in page.inner_text("#viewer")
    assert page.locator(READY).count() == 0
    open_file.errors.clear()  # type: ignore[attr-defined]
