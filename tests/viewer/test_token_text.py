"""How the texts of models and people look: nothing of them is invisible, each reads in its own direction, and no translator touches it."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from specdemo.cli.terminal import signs
from tests.viewer import make_trace
from tests.viewer.javascript import call
from tests.viewer.step_page import READY, address, link, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]

# What a report found blank or without width
REPORTED = "\u200d\ufe0f\u034f\u180b\u17b4\U000e0100\u3164\u115f\u2800"
NAMES = ("BLANK", "FILLER", "INVISIBLE", "SPACE", "NULL", "SELECTOR", "REPLACEMENT")
EMOJI = ["👩\u200d💻", "❤\ufe0f", "1\ufe0f\u20e3", "🏴\U000e0067\U000e0062\U000e007f", "👍\U0001f3fd", "🇩🇰", "‼\ufe0f"]


def suspects() -> list[str]:
    """Every assigned character that could draw nothing by itself: controls, formats, separators, marks, and what is called blank."""
    found = list(REPORTED)
    for char in map(chr, range(sys.maxunicode + 1)):
        kind = unicodedata.category(char)
        blank = kind[0] in "LNPS" and any(word in unicodedata.name(char, "") for word in NAMES)
        if blank or kind in ("Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me", "Mc"):
            found.append(char)
    return found


# Of each text: how wide it is as a chip, and whether a pen leaves ink.
DRAWN = """async ([chars, raw]) => {
  const { pieceText } = await import("/assets/viewer/format.js");
  const root = document.querySelector("#viewer"), pen = document.createElement("canvas").getContext("2d");
  const texts = chars.map((char) => (raw ? char : pieceText(char)));
  const style = "white-space: pre; font: 13px DejaVu Sans Mono";
  const nodes = texts.map((textContent) => Object.assign(document.createElement("bdi"), { textContent, style }));
  root.append(...nodes);
  const widths = nodes.map((node) => node.getBoundingClientRect().width);
  for (const node of nodes) node.remove();
  pen.font = "13px DejaVu Sans Mono";
  return texts.map((text, n) => {
    const ink = pen.measureText(text), wide = ink.actualBoundingBoxLeft + ink.actualBoundingBoxRight;
    return [widths[n], wide > 0 && ink.actualBoundingBoxAscent + ink.actualBoundingBoxDescent > 0];
  });
}"""


@pytest.mark.browser
def test_no_character_alone_is_drawn_as_nothing(open_page: Callable[..., Page]) -> None:
    page, chars = open_page(), suspects()
    unseen = [
        f"U+{ord(char):04X}"
        for char, (width, ink) in zip(chars, page.evaluate(DRAWN, [chars, False]), strict=True)
        if width < 2 or not ink
    ]
    assert unseen == [] and len(chars) > 2000
    # as they are, the browser shows nothing of most of those reported (a font may have a box for some)
    assert sum(width < 2 or not ink for width, ink in page.evaluate(DRAWN, [list(REPORTED), True])) >= 6


def test_signs_are_the_same_on_the_page_and_in_the_terminal(request: pytest.FixtureRequest) -> None:
    chars = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) not in ("Cn", "Co", "Cs")]
    texts = [*chars, *EMOJI, "a\u200db", "\u200d💻", "x\ufe0f", " cat\n", "\u3164a"]
    shown = call(request, "format.js", "return payload.map(m.visible);", texts)
    assert [(text, page) for text, page in zip(texts, shown, strict=True) if page != signs(text)] == []


def test_what_draws_nothing_has_a_sign(request: pytest.FixtureRequest) -> None:
    body = "return payload.map((text) => [m.pieceText(text), m.reading(text)]);"
    alone = call(request, "format.js", body, list(REPORTED))
    named = [f"‹U+{ord(char):04X}›" for char in REPORTED]
    assert [chip for chip, _ in alone] == named and [text.strip("\u2066\u2069") for _, text in alone] == named
    assert call(request, "format.js", body, EMOJI) == [[text, text] for text in EMOJI]  # what an emoji is made of
    persian, accent = "می\u200cخواهم", "\u0301"
    assert call(request, "format.js", body, [persian, "a\u200b", accent, "a b\n"]) == [
        ["\u2067می‹U+200C›خواهم\u2069", persian],  # a token shows all that it is, running text reads as it should
        ["a‹U+200B›", "a‹U+200B›"],
        ["◌" + accent, accent],
        ["a·b⏎", "a b⏎\n"],
    ]


def test_a_text_that_runs_the_other_way_is_set_apart_however_short(request: pytest.FixtureRequest) -> None:
    body = "return [m.pieceText(payload), m.shorten(m.pieceText(payload), 6), m.isolated('a ' + payload), m.isolated('abc')];"
    found = call(request, "format.js", body, " שלום עולם")
    assert found == ["\u2067·שלום·עולם\u2069", "\u2067·שלום…\u2069", "\u2066a  שלום עולם\u2069", "abc"]
    cut = "return [m.cells(payload), m.fit(payload, 4), m.fit(payload, 9)];"
    assert call(request, "marks.js", cut, found[0]) == [10, "\u2067·של…\u2069", "\u2067·שלום·עו…\u2069"]


def test_tokens_that_are_drawn_as_one_sign_stand_together(request: pytest.FixtureRequest) -> None:
    runs = {
        "an accent": (["e", "\u0301", "a"], [2, 1]),
        "lam and alef": (["ل", "ا", "م"], [2, 1]),
        "an emoji": (["👩\u200d", "💻"], [2]),
        "flags": (["\U0001f1e9", "\U0001f1f0", "\U0001f1e9", "\U0001f1f0"], [2, 2]),
        "a vowel sign": (["क", "ि", " a"], [2, 1]),
        "a syllable": (["\u1112", "\u1161", "\u11ab"], [3]),
        "no more than the mark": (["a", "\u0301bc"], [1, 1]),
        "a joiner that stands alone": (["👩", "\u200d", "💻"], [1, 1, 1]),
    }
    body = (
        "return payload.map((list) => m.pieces([...list.keys()], (i) => list[i]).map((segment) => segment.ids.length));"
    )
    assert call(request, "format.js", body, [texts for texts, _ in runs.values()]) == [
        want for _, want in runs.values()
    ]


HEBREW, ARABIC = [" שלום", " עולם", "ים"], [" السلام", " عليك", "م"]
OTHERS = ["ل", "ا", "\u0301", "\u200d", "\u3164", "\u2800", "\ufe0f", "👩\u200d", "💻"]
# The places of the running text's characters, by the token they belong to
PLACES = r"""() => [...document.querySelectorAll(".sd-line .sd-tok")].map((node) => {
  const { left, right, top, width } = node.getBoundingClientRect(), range = document.createRange(), letters = [];
  for (let i = 0; node.firstChild && i < node.firstChild.data.length; i++) {
    if (!/\p{L}/u.test(node.firstChild.data[i])) continue;
    range.setStart(node.firstChild, i);
    range.setEnd(node.firstChild, i + 1);
    letters.push(range.getBoundingClientRect().left);
  }
  return { text: node.textContent, left, right, top, width, letters, foreign: Boolean(node.closest("[translate=no]")) };
})"""


@pytest.mark.browser
def test_running_text_reads_in_the_direction_of_its_letters(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [*HEBREW, *ARABIC, *OTHERS]
    pieces = [*make_trace.PIECES[:20], *own, *make_trace.PIECES[20 + len(own) :]]
    monkeypatch.setattr(make_trace, "PIECES", pieces)
    page = open_page(link("block*9", "שלום עולםים the fox\nthe fox שלום עולם\n السلام عليكم", b=8), wait=READY)
    page.evaluate("document.querySelector('.sd-text-scroll').style.maxHeight = 'none'")
    tokens: list[dict[str, Any]] = page.evaluate(PLACES)
    by_text = {
        text: [token for token in tokens if token["text"] == text] for text in (*HEBREW, *ARABIC, " the", " fox")
    }
    for token in tokens:
        assert token["width"] >= 2 and token["foreign"], token
        if token["text"] in by_text and token["text"] not in (" the", " fox"):
            assert token["letters"] == sorted(token["letters"], reverse=True), token
    first, second = ([by_text[text][line] for text in (" שלום", " עולם")] for line in (0, 1))
    assert first[0]["left"] > first[1]["left"] > by_text["ים"][0]["left"] > by_text[" the"][0]["left"]
    fox = by_text[" fox"][1]["letters"]
    assert fox[0] < fox[2] < second[1]["letters"][-1] < second[0]["letters"][-1]  # an English line with Hebrew in it
    # Arabic letters join over the tokens' ends: the last one is as wide as in the whole word.
    kaf, mim = (by_text[text][0] for text in ARABIC[1:])
    whole = page.evaluate(
        """(word) => {
          const node = Object.assign(document.createElement("span"), { className: "sd-tok", textContent: word });
          document.querySelector(".sd-line").append(node);
          const { width } = node.getBoundingClientRect();
          node.textContent = word.slice(0, -1);
          return [width, node.getBoundingClientRect().width];
        }""",
        " عليكم",
    )
    assert kaf["width"] + mim["width"] == pytest.approx(whole[0], abs=0.6) and kaf["width"] < whole[1] - 1


@pytest.mark.browser
def test_a_chip_has_its_leading_space_where_its_text_begins(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_trace, "PIECES", [" שלום"] * 48 + make_trace.PIECES[48:])
    page = open_page(
        f"#prompt={quote('x')}&pair=made-up&draft=near&rules=block*2&gamma=5&temperature=1&seed=0&max=40", wait=READY
    )
    chip = page.locator(".sd-columns .sd-chip", has_text="שלום").first
    assert chip.get_attribute("translate") == "no"
    sides = chip.evaluate(
        """(node) => [...node.textContent].map((char, i) => {
          const range = document.createRange();
          range.setStart(node.firstChild, i);
          range.setEnd(node.firstChild, i + 1);
          return [char, range.getBoundingClientRect().left];
        }).filter(([char]) => /[·\\p{L}]/u.test(char)).map(([, left]) => left)"""
    )
    assert len(sides) == 5 and sides == sorted(sides, reverse=True)
