"""In every language on a phone: no head of a picture is over another or beyond its chart, no number is cut, no table leaves its box."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.viewer.javascript import call
from tests.viewer.standalone_page import open_file, saved
from tests.viewer.test_words import MODULE

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["open_file"]  # fixture
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: it reads the catalogues' folder"),
]
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
