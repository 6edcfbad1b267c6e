"""A saved sweep opened from disk with the network cut: the summary's numbers, sliders that predict as the library does, text that stays text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.cli.lab_report import lab_answer
from specdemo.lab.prediction import predict
from specdemo.lab.sweep_summary import summarise
from specdemo.standalone import lab_record
from tests.lab.swept import the_head, the_rows
from tests.viewer.standalone_page import NUMBERS, SAVED, differing, open_file

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["open_file"]  # fixture
pytestmark = pytest.mark.browser

ASKED = {
    "pair": "stories", "drafts": ["192"], "tasks": ["austen", "verse"], "own": False, "rules": ["token", "block"], "gammas": [2, 4],
    "temperatures": [0.8], "top_ks": [0], "top_ps": [1.0], "seed": 7, "seeds": 1, "prompts": 3, "max_new_tokens": 12,
}  # fmt: skip
HOSTILE = "<img src=x onerror=\"document.title='hit'\"></script><b>"


def saved(**changes: Any) -> dict[str, Any]:
    return {**lab_record(lab_answer(summarise([the_head()], the_rows())), ASKED, SAVED), **changes}


def checked(page: Page, record: dict[str, Any], least: int) -> None:
    """Every number on the page is the record's."""
    numbers = [one for one in page.evaluate(NUMBERS) if not one[0].startswith("derived")]
    count, wrong = differing(numbers, {"lab:": record["answer"]})
    assert not wrong and count >= least, (count, wrong[:3])


def test_every_number_is_the_librarys_and_the_sliders_go_on(open_file: Callable[..., Page]) -> None:
    record = saved()
    page = open_file(record)
    checked(page, record, 150)
    # Three prompts and two: a word beside the table, at what to use, and in every caption that a picture takes along.
    few = "Fewer than six prompts: intervals may be too narrow."
    captions = page.eval_on_selector_all(".pic-caption", "(nodes) => nodes.map((node) => node.textContent)")
    assert page.inner_text(".lab-notes").count(few) == 1 and sum(few in caption for caption in captions) == 5
    page.select_option("#lab-task", "cats")
    checked(page, record, 150)
    found = [one for one in record["answer"]["summary"]["predictions"] if one["setting"]["task"] == "cats"]
    page.click("[data-what-if=larger]")
    for one in found:
        moved = predict(one["gammas"], one["expected"], one["draft_cost"] / 10, one["verify_cost"])
        shown = page.inner_text(f"#lab-sentences [data-rule={one['rule']}]")
        assert shown.endswith(f": {moved.sentence}"), one["rule"]
    page.focus("#lab-c")
    page.keyboard.press("End")
    page.wait_for_function("() => /Speculation loses here/.test(document.querySelector('#lab-sentences').innerText)")
    page.click("[data-what-if=measured]")
    checked(page, record, 150)


def test_what_needs_a_server_is_not_there_and_files_go_out(open_file: Callable[..., Page]) -> None:
    record = saved()
    page = open_file(record)
    for name in ("start", "cancel", "open", "clear", "pair", "save-jsonl", "save-html", "copy-link"):
        assert page.locator(f"#lab-{name}").count() == 0, name
    assert "Start" not in page.inner_text("#viewer")
    for kind in ("csv", "md"):
        with page.expect_download() as download:
            page.click(f"#lab-save-{kind}")
        content = Path(download.value.path()).read_bytes().decode()
        assert content == record["answer"]["csv" if kind == "csv" else "markdown"]
        assert download.value.suggested_filename == f"specdemo-lab-{record['answer']['summary']['pair']['name']}.{kind}"
    pictures = page.locator(".pic-chart")
    assert pictures.count() == 6
    for n in range(6):
        page.wait_for_timeout(250)  # Chromium lets a page offer ten files a second
        frame = pictures.nth(n).locator("xpath=ancestor::section[contains(@class, 'pic ')]")
        for ending, begins in (("svg", b"<?xml"), ("png", b"\x89PNG")):
            with page.expect_download() as download:
                frame.locator(f"[data-export$='.{ending}']").click()
            assert Path(download.value.path()).read_bytes().startswith(begins)
    asked = open_file.asked  # type: ignore[attr-defined]
    asked[:] = [url for url in asked if not url.startswith("blob:")]  # a picture on its way into a PNG file


def test_it_says_what_it_is_and_how_to_ask_for_it_again(open_file: Callable[..., Page]) -> None:
    page = open_file(saved())
    page.click("#about")
    words = page.inner_text("#about-file")
    for part in ("cats, dogs", "γ = 2, 4", "T = 0.8", "10 of 10 cells", "2025-01-02 03:04 UTC"):
        assert part in words, part
    link = page.inner_text("#link-parameters")
    assert (
        link.startswith("#page=lab&pair=stories&drafts=192&tasks=austen,verse&")
        and "seed=7" in link
        and link.endswith("run=1")
    )
    for asked, why in (
        (None, "of no pair of the app"),
        ({**ASKED, "own": True}, "own prompts"),
        ({**ASKED, "tasks": []}, "link"),
    ):
        other = open_file(saved(asked=asked, places={"kept": 5, "of": 50}))
        other.click("#about")
        assert why in other.inner_text("#about-file") and "Of 50 places" in other.inner_text("#about-file")
        assert not other.locator("#link-parameters").is_visible()


def test_texts_are_text(open_file: Callable[..., Page]) -> None:
    text = json.dumps(saved(), ensure_ascii=False)
    record = json.loads(text)
    for one in record["answer"]["summary"]["texts"]:
        for place in one["worst"]:
            place["before"] = HOSTILE
    record["answer"]["summary"]["pair"]["title"] = HOSTILE
    page = open_file(record)
    assert page.locator("#viewer img, #viewer b:has-text('hit')").count() == 0 and HOSTILE in page.title()
    assert "</script><b>" in page.inner_text(".lab-texts") and HOSTILE in page.inner_text(".sa-line")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_paper(open_file: Callable[..., Page], scheme: str) -> None:
    page = open_file(saved(), viewport={"width": 390, "height": 844}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("document.body.classList.contains('dark')") == (scheme == "dark")
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    assert page.locator("#about-file").is_visible() and page.locator(".lab-table").first.is_visible()
    for name in ("#print", ".pic-help", ".pic-tools", "#lab-c", ".lab-readout", "select"):
        assert page.locator(f"{name}:visible").count() == 0, name


def test_a_sweep_without_times_offers_no_picture_of_them(open_file: Callable[..., Page]) -> None:
    rows = [{**row, "timings": None} for row in the_rows()]
    page = open_file(lab_record(lab_answer(summarise([the_head()], rows)), None, SAVED))
    words = page.inner_text("#viewer")
    assert "No times are measured at γ = 4" in words and "There is no prediction yet" in words
    for name in ("lab-split", "lab-speed"):
        assert page.locator(f".pic-{name} [data-export]:visible").count() == 0, name
    assert page.locator(".pic-lab-efficiency [data-export]:visible").count() == 2


def test_a_damaged_file_says_so(open_file: Callable[..., Page]) -> None:
    record = saved()
    for broken in (
        {**record, "answer": None},
        {**record, "answer": {"summary": {"schema": "x"}}},
        {**record, "shown": None},
    ):
        page = open_file(broken, wait="#viewer[data-state=error]")
        assert "its summary is damaged" in page.inner_text("#viewer")
    open_file.errors.clear()  # type: ignore[attr-defined]
