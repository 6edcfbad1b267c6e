"""In every language on a phone: no head of a picture is over another or beyond its chart, no number is cut, no table leaves its box."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.viewer import tiny_runs
from tests.viewer.compare_page import READY, link
from tests.viewer.compare_page import address as compare_address
from tests.viewer.javascript import call
from tests.viewer.lab_page import address as lab_address
from tests.viewer.measure_page import served, show
from tests.viewer.measure_records import law_record, race_record
from tests.viewer.standalone_page import open_file, saved
from tests.viewer.test_page_languages import visit
from tests.viewer.test_words import MODULE

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["compare_address", "lab_address", "open_file", "served", "visit"]  # fixtures
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: it reads the catalogues' folder"),
]
FRAME = Path(__file__).parents[2] / "assets" / "viewer" / "frame" / "frame.css"  # how Japanese lines break
EXAMPLE = (
    Path(__file__).parents[2] / "assets" / "examples" / "rescue.json"
)  # of thousands of tokens, most of which no picture lists

ILL = r"""() => [...document.querySelectorAll('#viewer .pic-chart')].flatMap((chart) => {
  const edge = chart.getBoundingClientRect();
  const heads = [...chart.querySelectorAll('.pic-column')].map((node) => ({ text: node.textContent, box: node.getBoundingClientRect() }))
    .filter(({ text, box }) => text && box.width).sort((a, b) => a.box.left - b.box.left);
  const wrong = heads.filter(({ box }, n) => box.left < edge.left - 1 || box.right > edge.right + 1 || (n && box.left < heads[n - 1].box.right));
  const cut = [...chart.querySelectorAll('.pic-token')].filter((node) => node.closest('[data-token-id=rest]') && /\d…/.test(node.textContent));
  return [...wrong.map(({ text }) => text), ...cut.map((node) => node.textContent)];
})"""


@pytest.mark.parametrize("language", ["en", "da", "ja"])
def test_a_phone_has_room_for_the_words_of_a_run(
    open_file: Callable[..., Page], request: pytest.FixtureRequest, language: str
) -> None:
    trace = json.loads(EXAMPLE.read_text())
    words = call(request, MODULE, f"return (await m.catalogues()).words.{language};", None)
    carried = {} if language == "en" else {"words": {"language": language, "words": words}}
    block = next(n for n, block in enumerate(trace["blocks"]) if block["verdicts"][block["verifier"]]["accepted"])
    page = open_file(
        saved(trace, block=block, phase="commit", position=0) | carried, viewport={"width": 390, "height": 800}
    )
    others = 0
    for _ in range(trace["blocks"][block]["gamma"]):
        assert page.evaluate(ILL) == []
        others += page.locator(".pic-coupling .pic-row[data-token-id=rest] .pic-token").count()
        page.keyboard.press("ArrowDown")
    assert others == 2 * trace["blocks"][block]["gamma"]
    table, body = (page.locator(f".pic-lengths {of}").bounding_box() for of in (".pic-table", ".pic-body"))
    assert table is not None and body is not None and table["x"] + table["width"] <= body["x"] + body["width"] + 1


def test_what_has_no_room_is_said_shorter_and_whole(request: pytest.FixtureRequest) -> None:
    ways = ["（他2038個）", "他2038"]
    body = "return payload.map(([ways, room]) => m.fitting(ways, room));"
    assert call(request, "marks.js", body, [[ways, 12], [ways, 11], [ways, 6], [ways, 5]]) == [ways[0], *[ways[1]] * 3]


# Texts that stand on more than one line.
BROKEN = """(selector) => [...document.querySelectorAll(selector)].filter((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect().height > 30;
}).map((node) => node.textContent)"""


@pytest.mark.parametrize("language", ["en", "da", "ja"])
def test_a_phone_has_room_for_the_words_of_race_and_law(visit: Callable[..., Page], served: str, language: str) -> None:
    page = visit(f"{served}/assets/viewer/compare/dev_measure.html", language, 390, "#measure .measure-law")
    page.wait_for_function("window.measure")
    record = law_record()
    record["next"]["rest"]["count"] = 2032
    show(page, "law", record)
    rest = page.locator("#measure .law-chart .pic-token[data-token-id=rest] tspan").all_text_contents()
    assert len(rest) == 2 * len(record["rules"]) and not [words for words in rest if "…" in words]
    assert "2032" in rest[0]
    show(page, "race", race_record())
    head = page.locator(".race-table .is-lossy th").first.bounding_box()
    assert head is not None and head["width"] >= 120, "beside columns that scroll, its words would stand one a line"


@pytest.mark.parametrize("language", ["en", "da", "ja"])
def test_before_a_run_compare_says_all_it_has_to_say(
    visit: Callable[..., Page], compare_address: str, language: str
) -> None:
    page = visit(compare_address, language, 320, "#compare[data-state=empty]")
    page.add_style_tag(path=FRAME)
    hidden = "(node) => [node.textContent.length, node.scrollHeight - node.clientHeight]"
    words, beyond = page.locator("#compare .sd-text-scroll").evaluate(hidden)
    assert words > 40 and beyond <= 0


@pytest.mark.parametrize("language", ["da", "ja"])
def test_no_number_of_a_bet_or_a_handout_is_broken(
    visit: Callable[..., Page], compare_address: str, language: str
) -> None:
    tiny_runs.pair()
    url = f"{compare_address}?predict=tau,rescued{link('token,block,greedy_block', max=12, b=1)}"
    page = visit(url, language, 390, READY)
    page.add_style_tag(path=FRAME)
    assert page.locator(".sd-bets td .sd-figure").count() >= 10
    assert page.evaluate(BROKEN, ".sd-bets td") == []
    page.set_viewport_size({"width": 760, "height": 900})
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(BROKEN, ".sd-handout td .sd-figure") == []
    sheet = page.locator(".sd-handout-table").first.bounding_box()
    assert sheet is not None and sheet["width"] <= 701
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")


@pytest.mark.parametrize("language", ["en", "da", "ja"])
def test_no_option_of_the_command_is_broken(visit: Callable[..., Page], lab_address: str, language: str) -> None:
    page = visit(f"{lab_address}#page=lab", language, 390, "#lab-start:enabled")
    for width in range(320, 400, 13):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(BROKEN, ".lab-option") == []
    assert page.locator("#lab-plan .lab-option").all_text_contents() == ["--minutes"]
    command = page.locator("#lab-command").text_content()
    assert command is not None and command.startswith("python -m specdemo lab --") and "--minutes" in command
