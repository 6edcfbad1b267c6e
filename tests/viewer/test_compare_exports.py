"""Exports of a comparison: CSV byte for byte as the library writes it, JSON as shown, pictures as files that stand alone."""

from __future__ import annotations

import base64
import copy
import io
import json
import re
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from specdemo.lab.compare_tables import comparison_tables, csv_text
from tests.viewer.javascript import call
from tests.viewer.measure_page import WIDTHS, Open, open_page, served, show
from tests.viewer.measure_records import (
    HOSTILE,
    law_record,
    lossless_by_rule,
    race_record,
    trace_record,
    with_hostile_pieces,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["open_page", "served"]  # fixtures
pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = ["race-lanes", "race-figures", "law-next-token", "law-two-tokens"]


def hostile_trace() -> dict[str, Any]:
    trace = trace_record()
    for block in trace["blocks"]:
        block["pieces"] = {
            token: [*HOSTILE, {"bytes": "f09f"}, {"special": "<|eos|>"}][int(token) % (len(HOSTILE) + 2)]
            for token in block["pieces"]
        }
    trace["blocks"][0]["paths"][0]["rows"][0].update(draft=1e-7, target=1.5e-5, ratio="inf")
    return trace


def comparison() -> dict[str, Any]:
    trace, race = hostile_trace(), with_hostile_pieces(race_record())
    trace["pair"]["eos_token_ids"] = [1, 2]
    race["prompts"][1]["text"] = '=1, "a"'
    return {
        "trace": trace,
        "race": race,
        "law": with_hostile_pieces(law_record()),
    }


def in_python(parts: dict[str, Any]) -> dict[str, str]:
    lossless = {rule["name"]: rule["lossless"] for rule in lossless_by_rule()}
    return {name: csv_text(rows) for name, rows in comparison_tables(parts, lossless).items()}


def in_javascript(request: pytest.FixtureRequest, parts: dict[str, Any]) -> dict[str, str]:
    body = "return Object.fromEntries(m.csvFiles(payload.parts, payload.rules).map(({ name, text }) => [name, text]));"
    return call(request, "compare/tables.js", body, {"parts": parts, "rules": lossless_by_rule()})


def test_tables_are_the_library_s_byte_for_byte(request: pytest.FixtureRequest) -> None:
    parts = comparison()
    expected = in_python(parts)
    assert list(expected) == [
        "settings.csv", "blocks.csv", "lengths.csv", "prompts.csv", "race.csv", "summary.csv", "law.csv", "pairs.csv",
    ]  # fmt: skip
    assert '1,"\'=1, ""a""",' in expected["prompts.csv"] and "trace,follow,block" in expected["settings.csv"]
    assert 'trace,pair_eos_token_ids,"1,2"' in expected["settings.csv"]
    assert in_javascript(request, parts) == expected
    whole = "".join(expected.values())
    assert "1e-7," in whole and ",0.000015," in whole and ",inf," in whole and "‹f0 9f›" in whole and "<|eos|>" in whole
    assert "\n" not in whole.replace("\r\n", "").replace('"\n\n"', "")
    cell = re.compile(r"(?:^|,)\"?([=+@\t]|-[^\d])", re.MULTILINE)
    assert not cell.search(whole) and "'=cmd" in whole and "'@x" in whole and "'\t-" in whole


def test_tables_of_what_there_is_yet(request: pytest.FixtureRequest) -> None:
    """Before the first run and the first sample, without a trace, and with a run that is still going on."""
    race, law = race_record(), law_record()
    race.update(runs=[], summary=None, costs=None)
    law["pairs"]["done"] = 0
    for found in law["pairs"]["rules"].values():
        found.update(tv=None, tv_by_chance=None, statistic=None, p_value=None)
    early = {"trace": None, "race": race, "law": law}
    assert in_javascript(request, early) == in_python(early)
    unpaired = {"trace": None, "race": None, "law": {**law, "pairs": None}}
    assert in_javascript(request, unpaired) == in_python(unpaired)
    going = race_record()
    lanes = going["runs"][-1]["lanes"]
    going["runs"].append(
        {"prompt": None, "seed": None, "lanes": {"token": {**copy.deepcopy(lanes["token"]), "finish": None}}}
    )
    assert in_javascript(request, {"race": going})["race.csv"] == in_python({"race": race_record()})["race.csv"]


def test_the_files_hold_what_is_shown(request: pytest.FixtureRequest) -> None:
    parts = comparison()
    found = json.loads(call(request, "compare/tables.js", "return m.comparisonText(payload);", parts))
    assert found == {"schema": "specdemo.comparison/1", **parts}
    assert json.loads(call(request, "compare/tables.js", "return m.comparisonText({});", None)) == {
        "schema": "specdemo.comparison/1", "trace": None, "race": None, "law": None,
    }  # fmt: skip
    body = """const blob = m.archive(payload), bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));"""
    files = [{"name": name, "text": text} for name, text in in_python(parts).items()]
    packed = base64.b64decode(call(request, "compare/save.js", body, files))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name).decode() for name in archive.namelist()} == in_python(parts)


def saved(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.click(f"[data-export='{name}']")
    assert download.value.suggested_filename == f"specdemo-{name}"
    return Path(download.value.path()).read_bytes()


def both(page: Page) -> None:
    show(page, "race", with_hostile_pieces(race_record()))
    show(page, "law", with_hostile_pieces(law_record()))


@pytest.mark.parametrize(("width", "scheme"), [(WIDTHS[0], "dark"), (WIDTHS[1], "light")])
def test_a_picture_is_a_file_of_its_own(open_page: Open, width: int, scheme: Any) -> None:
    page = open_page(width, color_scheme=scheme)
    both(page)
    page.click("[data-choice=read]")
    page.wait_for_selector(".race-word")
    for name in PICTURES:
        text = saved(page, f"{name}.svg").decode()
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        # Title, caption and what was measured are inside.
        words = [node.text or "" for node in root.findall(f"{SVG}text")]
        frame = page.locator(f".pic:has([data-export='{name}.svg'])")
        assert words[0] == frame.locator("h3").inner_text()
        assert frame.locator(".pic-caption").inner_text().split(".")[0] in " ".join(words[1:])
        assert "γ = 3" in " ".join(words[1:])
        # The ground is the page's, ink is readable on it.
        ground = root.find(f"{SVG}rect")
        assert ground is not None
        assert ground.get("fill") == ("rgb(25, 29, 34)" if scheme == "dark" else "rgb(255, 255, 255)")
        # A token's text is no word to be translated.
        tokens = [text for node in root.iter() if node.get("translate") == "no" for text in node.itertext()]
        assert any(text.startswith(("⇥", "${1", "&amp;")) for text in tokens) == (name != "race-figures"), name
        # Nothing from elsewhere: no sheet, no class, no variable, no address but the name space.
        assert not re.search(r"\s(class|style)=|var\(|@import|<script|<image|foreignObject|data-|tabindex", text)
        assert set(re.findall(r"url\([^)]*\)", text)) <= {f"url(#{node.get('id')})" for node in root.iter()}
        assert set(re.findall(r"https?://[^\"]*", text)) == {"http://www.w3.org/2000/svg"}
        assert {node.get("font-family") for node in root.iter()} <= {None, "sans-serif", "serif", "monospace"}
        shapes = page.locator(f".pic:has([data-export='{name}.svg']) svg.pic-chart").evaluate(
            "(node) => node.querySelectorAll('rect, path, circle, line').length"
        )
        assert (
            len([node for node in root.iter() if node.tag.removeprefix(SVG) in ("rect", "path", "circle", "line")])
            == shapes + 1
        )


def test_a_png_has_twice_the_size_and_the_picture_in_it(open_page: Open) -> None:
    page = open_page()
    both(page)
    for name in PICTURES:
        drawing, image = saved(page, f"{name}.svg"), saved(page, f"{name}.png")
        assert image[:8] == b"\x89PNG\r\n\x1a\n" and image[12:16] == b"IHDR"
        root = ElementTree.fromstring(drawing)
        assert struct.unpack(">II", image[16:24]) == (2 * int(root.get("width", "0")), 2 * int(root.get("height", "0")))
        # In the browser again: not one colour only, and the corner is the ground.
        colours = page.evaluate(
            """async (source) => {
              const image = Object.assign(new Image(), { src: 'data:image/png;base64,' + source });
              await image.decode();
              const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
              const pen = canvas.getContext('2d');
              pen.drawImage(image, 0, 0);
              const { data } = pen.getImageData(0, 0, image.width, image.height), seen = new Set();
              for (let i = 0; i < data.length; i += 4) seen.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
              return [seen.size, data[0], data[3]];
            }""",
            base64.b64encode(image).decode(),
        )
        assert colours[0] > 20 and colours[1:] == [255, 255]


def test_a_picture_says_what_it_rests_on(open_page: Open) -> None:
    """Costs where something is predicted, the set of prompts, and nothing of what stands elsewhere on the page."""
    race = race_record()
    race["settings"].update(prompt_set="austen", seeds=1)
    sets = [{"name": "austen", "title": "Jane Austen", "count": 40}]
    page = open_page()
    config = {"prompt_sets": sets, "rules": [], "limits": {}}
    show(page, "race", race, options={"axis": "predicted", "c": 0.25, "v": None}, config=config)

    def words(name: str) -> str:
        root = ElementTree.fromstring(saved(page, f"{name}.svg").decode())
        return " ".join(node.text or "" for node in root.findall(f"{SVG}text"))

    costs = f"c = 0.250 (chosen) for a draft step and v = {race['costs']['v']:#.3g} (measured) for a target call"
    lanes, figures = words("race-lanes"), words("race-figures")
    assert costs in lanes and costs in figures
    assert "Lanes of the first run: prompt 1 of 3, seed 0" in lanes
    assert "“the cat sat”, one of 3 prompts of Jane Austen" in lanes and "3 prompts of Jane Austen" in figures
    show(page, "race", race, options={"axis": "calls"}, config=config)
    lanes = words("race-lanes")
    assert "c = " not in lanes and "below" not in lanes + figures and "One run proves nothing." in lanes
    show(page, "law", law_record(), config=config)
    assert "300 samples. All rules are counted on the same drafts" in words("law-two-tokens")


def test_nothing_is_saved_before_there_is_something(open_page: Open) -> None:
    page = open_page()

    def buttons(name: str) -> list[list[Any]]:
        return page.locator(f"[data-export^='{name}.']").evaluate_all(
            "(nodes) => nodes.map((n) => [n.disabled, n.title])"
        )

    assert buttons("race-lanes") == [[True, "There is no race to save yet."]] * 2
    assert buttons("law-next-token") == [[True, "There is no law to save yet."]] * 2
    early = law_record()
    early["pairs"]["done"] = 0
    for found in early["pairs"]["rules"].values():
        found.update(tv=None, tv_by_chance=None, statistic=None, p_value=None)
    show(page, "law", early, status="running")
    assert buttons("law-two-tokens") == [[True, "There are no samples to save yet."]] * 2
    both(page)
    for name in PICTURES:
        assert buttons(name) == [[False, "save this picture as SVG"], [False, "save this picture as PNG"]]
    show(page, "race", None, status="empty")
    assert [off for off, _ in buttons("race-lanes")] == [True, True]


def test_what_xml_cannot_hold_and_any_other_picture(open_page: Open) -> None:
    """Characters outside XML, a picture without a frame, hatches, hidden parts: the buttons serve the whole page."""
    page = open_page()
    text = page.evaluate(
        """async () => {
          const { standalone, exportButtons } = await import(new URL('pictures_export.js', location.href).href);
          const box = document.createElement('section');
          box.setAttribute('aria-label', 'Another picture');
          box.innerHTML = `<svg viewBox="10 0 100 50" width="100" height="50" style="color: red">
            <defs><pattern id="hatch-1" width="4" height="4"><rect class="race-token is-kept" width="4" height="4"/></pattern></defs>
            <rect width="40" height="20" fill="url(#hatch-1)"/><g style="display: none"><text>hidden</text></g>
            <text class="pic-token" onclick="window.hurt = 1"></text></svg>`;
          document.querySelector('#measure').append(box);
          const picture = box.querySelector('svg');
          picture.querySelector('text.pic-token').textContent = 'a\\ufffe\\u0001\\ud800b <&"';
          exportButtons(box, picture, 'other', () => ({ caption: 'x\\u0000y' }));
          return standalone(picture, { caption: 'x\\u0000y' }).text;
        }"""
    )
    root = ElementTree.fromstring(text.encode("utf-8", "strict"))
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert words == ["Another picture", "x\ufffdy", 'a\ufffd\ufffd\ufffdb <&"']
    assert "onclick" not in text and "translate(4 " in text
    [pattern] = root.iter(f"{SVG}pattern")
    assert pattern[0].get("fill") == "rgb(0, 158, 115)"
    assert ElementTree.fromstring(saved(page, "other.svg")).find(f"{SVG}title").text == "Another picture"  # type: ignore[union-attr]
    assert saved(page, "other.png")[:4] == b"\x89PNG"
