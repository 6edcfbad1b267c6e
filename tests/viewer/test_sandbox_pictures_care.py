"""The Sandbox's pictures at their edges: many cells, mistakes, the long run, what is pending, files, dark mode, and time."""

from __future__ import annotations

import csv
import io
import struct
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.viewer import sandbox_records as records
from tests.viewer.sandbox_mounted import SETTLED, look, mounted, served  # noqa: F401
from tests.worse_conditions import SLOWDOWN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
EIGHTY_ONE = records.random_state(3, 4, "free", "token", "block", seed=1)
LARGEST = records.random_state(4, 4, "prefix", "token", "greedy_block", seed=2)
KEPT, RESIDUAL = (0, 158, 115), (213, 94, 0)


@pytest.fixture(scope="module")
def page(chromium: Browser, served: str) -> Iterator[Page]:  # noqa: F811
    yield from mounted(chromium, served, 1280)


@pytest.fixture
def phone(chromium: Browser, served: str) -> Iterator[Page]:  # noqa: F811
    yield from mounted(chromium, served, 390)


PIXELS = """([panel, cells]) => {
  const canvas = document.querySelector(`.sbx-canvas[data-panel=${panel}]`), pen = canvas.getContext("2d");
  const w = canvas.width / cells.n, h = canvas.height / cells.n;
  return cells.list.map(([row, column]) => Array.from(pen.getImageData(column * w, row * h, 1, 1).data));
}"""


def test_many_cells_are_tinted_as_a_few_are(page: Page) -> None:
    found = look(page, EIGHTY_ONE)
    assert page.locator(".sbx-cell").count() == 0 and page.locator(".sbx-canvas").count() == 3
    matrix = np.array(found["picture"]["rules"]["token"]["coupling"])
    largest = max(np.max(found["picture"]["rules"][rule]["coupling"]) for rule in ("token", "block"))
    largest = max(largest, np.max(found["optimum"]["coupling"]))
    rng = np.random.default_rng(0)
    places = [*rng.integers(0, 81, (300, 2)).tolist(), *([k, k] for k in range(81))]
    drawn = page.evaluate(PIXELS, ["rule", {"n": 81, "list": places}])
    seen = set()
    for (row, column), (red, green, blue, alpha) in zip(places, drawn, strict=True):
        mass = matrix[row, column]
        wanted = 255 * (0.1 + 0.85 * (mass / largest) ** 0.4) if mass > 1e-16 else 0
        assert alpha == pytest.approx(wanted, abs=1.01), (row, column)
        if alpha > 35:
            colour = KEPT if row == column else RESIDUAL
            assert (red, green, blue) == pytest.approx(colour, abs=8)
            seen.add(colour)
    assert seen == {KEPT, RESIDUAL}


def test_the_difference_of_many_cells_has_two_colours_and_stripes(page: Page) -> None:
    found = look(page, EIGHTY_ONE, difference=True)
    left, right = (np.array(found["picture"]["rules"][rule]["coupling"]) for rule in ("token", "block"))
    strong = np.argwhere(np.abs(right - left) > 0.15 * np.abs(right - left).max()).tolist()
    colours = {"more": (91, 79, 168), "less": (135, 121, 26)}
    signs = set()
    for (row, column), pixel in zip(
        strong, page.evaluate(PIXELS, ["difference", {"n": 81, "list": strong}]), strict=True
    ):
        sign = "more" if right[row, column] > left[row, column] else "less"
        assert pixel[:3] == pytest.approx(colours[sign], abs=8)
        signs.add(sign)
    assert signs == {"more", "less"}


def test_dark_mode_repaints_the_cells(page: Page) -> None:
    look(page, EIGHTY_ONE)
    light = page.evaluate(PIXELS, ["rule", {"n": 81, "list": [[80, 80]]}])
    page.evaluate("document.body.classList.add('dark')")
    page.wait_for_timeout(50)
    dark = page.evaluate(PIXELS, ["rule", {"n": 81, "list": [[80, 80]]}])
    page.evaluate("document.body.classList.remove('dark')")
    page.wait_for_timeout(50)
    assert dark != light
    assert page.evaluate(PIXELS, ["rule", {"n": 81, "list": [[80, 80]]}]) == light


@pytest.mark.slow  # times mean something on a quiet machine only
def test_two_hundred_and_fifty_six_blocks_are_drawn_and_hovered_fast(page: Page) -> None:
    """The second fastest, since the machine is shared. Undisturbed an update is near 40 ms of script and a hover near 1 ms."""
    pictures = [
        records.picture({**LARGEST}),
        records.picture(records.random_state(4, 4, "prefix", "token", "greedy_block", seed=7)),
    ]
    look(page, LARGEST, slow=False)
    updates = page.evaluate(
        "pictures => p.times(Array.from({ length: 12 }, (_, k) => ({ picture: pictures[k % 2] })))", pictures
    )
    assert updates[1] < 200 * SLOWDOWN, updates
    hovers = page.evaluate(
        "p.times(Array.from({ length: 16 }, (_, k) => ({ hovered: { row: 3 * k, column: 5 * k, prefix: 'A' } })))"
    )
    assert hovers[1] < 50 * SLOWDOWN, hovers


def test_one_symbol_too_many_to_write_is_still_under_the_pointer(page: Page) -> None:
    look(page, LARGEST, slow=False)
    box = page.locator(".sbx-canvas >> nth=0").bounding_box()
    assert box is not None and box["width"] == 512
    page.mouse.move(box["x"] + 2 * 100 + 1, box["y"] + 2 * 37 + 1)
    assert page.evaluate("[p.view.hovered.row, p.view.hovered.column]") == [37, 100]
    assert "drafted " in page.inner_text(".sbx-cell-line")


def test_a_phone_scrolls_its_pictures_not_the_page(phone: Page) -> None:
    for state in (LARGEST, EIGHTY_ONE, records.random_state(2, 4, "position", "block", "typical", seed=3)):
        look(phone, state, slow=False, difference=True)
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        phone.click("text=large cells")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        phone.click("text=large cells")
    phone.click("[aria-label=wider]")
    assert phone.evaluate("document.querySelector('.pic-tree .pic-scroll').scrollWidth") > 500
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_optimum_is_pending_until_it_has_come(page: Page) -> None:
    state = records.paper(2, "token", "block")
    panel = ".sbx-panel[data-name=optimum]"
    look(page, state, optimum=None, pending={**SETTLED, "optimum": True})
    assert "pending: being solved" in (page.text_content(panel) or "")
    assert "is-waiting" in (page.get_attribute(panel, "class") or "")
    old = records.optimum(records.paper(2))
    page.evaluate("([optimum, pending]) => p.show({ optimum, pending })", [old, {**SETTLED, "optimum": True}])
    assert "pending: of the laws before" in (page.text_content(panel) or "")
    assert "is-waiting" in (page.get_attribute(panel, "class") or "")
    assert "optimum" not in page.inner_text(".sbx-cell-line")
    page.evaluate("([optimum, pending]) => p.show({ optimum, pending })", [old, SETTLED])
    assert "one of its solutions" in (page.text_content(panel) or "")
    # An optimum of another alphabet is never drawn.
    page.evaluate("optimum => p.show({ optimum })", records.optimum(records.model_c()))
    assert "comes when the laws rest" in (page.text_content(panel) or "")


def test_lossless_rules_are_said_to_output_the_target(page: Page) -> None:
    look(page, records.paper(2, "block", "greedy_block"))
    assert "Both block and greedy block output exactly the target." in page.inner_text(".pic-mistake .pic-empty")
    assert page.locator(".sbx-output").count() == 0


def test_a_mistake_shows_its_law_its_distance_and_its_worst_cell(page: Page) -> None:
    state = records.model_c("block", "residual_without_weight")
    rule = look(page, state)["picture"]["rules"]["residual_without_weight"]
    assert page.inner_text(".sbx-large") == f"{rule['tv']:.4f}"
    words = page.inner_text(".sbx-mistake")
    assert "The correction is drawn from norm((T − D)₊)" in words
    assert "residual without weight · Residual without its weight" in words
    assert (
        "where CC is drafted and CA emitted: 0.0351, which is 0.0351 too much against block, which has 0 here" in words
    )
    assert page.locator("text=put block on the").count() == 0, "it is there already"
    page.click("text=show the cell")
    assert page.evaluate("p.calls.at(-1)") == ["select", {"row": 8, "column": 6, "prefix": "C"}]
    cell = page.locator(".sbx-panel[data-name=residual_without_weight] .sbx-chosen").bounding_box()
    assert cell is not None and 50 < cell["y"] < 700, "in sight"
    assert page.evaluate("document.activeElement.matches('.pic-coupling-matrix .sbx-stage')")
    for kind, values in (("output", rule["output"]), ("target", records.picture(state)["target"])):
        bars = page.evaluate("s => p.rectangles(s)", f".sbx-output [data-kind={kind}]")
        heights = np.array([bar[5] for bar in bars])
        assert [bar[1] for bar in bars] == values
        assert heights == pytest.approx(np.array(values) * heights.max() / max(values), abs=0.02)
    gaps = page.evaluate("p.rectangles('.sbx-output [data-kind=difference]')")
    assert sorted(bar[1] for bar in gaps) == pytest.approx([-0.036, 0.036], abs=1e-3)
    zero = page.evaluate("Number(document.querySelectorAll('.sbx-output .pic-axis')[1].getAttribute('y1'))")
    for _, gap, _, y, _, height in gaps:
        assert (y + height if gap > 0 else y) == pytest.approx(zero), "too often above the axis, too rarely below it"


def test_too_little_is_said_without_a_sign(page: Page) -> None:
    rule = look(page, records.model_c("block", "argmax_correction"))["picture"]["rules"]["argmax_correction"]
    assert rule["worst"]["excess"] < 0
    assert "which is 0.0585 too little against block, which has 0.146 here" in page.inner_text(".sbx-worst")
    value = page.get_attribute("[data-path='picture:/rules/argmax_correction/worst/excess']", "data-value")
    assert value is not None and float(value) == rule["worst"]["excess"]


def test_a_lossy_rule_that_does_no_harm_here_is_not_called_right(page: Page) -> None:
    rule = look(page, records.paper(1, "token", "accepts_on_equal"))["picture"]["rules"]["accepts_on_equal"]
    assert rule["tv"] < 1e-12
    assert page.inner_text(".sbx-large") == "0"
    assert "No law can show this one: it needs a uniform of exactly 0" in page.inner_text(".sbx-mistake")
    assert page.locator("text=show the cell").count() == 0
    look(page, records.paper(2, "token", "residual_without_weight"))
    assert "happens to output the target" in page.inner_text(".sbx-mistake")


def test_a_wrong_bonus_is_said(page: Page) -> None:
    state = records.random_state(3, 2, "prefix", "token", "bonus_from_wrong_row", seed=5)
    rule = look(page, state)["picture"]["rules"]["bonus_from_wrong_row"]
    assert rule["bonus_tv"] > 0.01
    assert "After a block that was kept whole the bonus is wrong too" in page.inner_text(".sbx-bonus")


def test_the_long_run_is_drawn_true(page: Page) -> None:
    found = look(page, records.paper(4, "block", "greedy_block"))["longrun"]["rules"]
    marks = page.evaluate(
        """Array.from(document.querySelectorAll(".sbx-point"), (node) => {
          const box = node.getBBox();
          return [node.dataset.path, Number(node.dataset.value), box.x + box.width / 2, box.y + box.height / 2];
        })"""
    )
    values, places = [mark[1] for mark in marks], [mark[3] for mark in marks]
    assert values == [*found["block"]["expected"], *found["greedy_block"]["expected"]]
    slope, offset = np.polyfit(values, places, 1)
    assert slope < 0 and np.array(values) * slope + offset == pytest.approx(np.array(places), abs=0.05)
    ends = page.evaluate(
        "Array.from(document.querySelectorAll('.sbx-level'), (line) => [Number(line.dataset.value), Number(line.getAttribute('y1'))])"
    )
    for end, y in ends:
        assert end * slope + offset == pytest.approx(y, abs=0.05)
    assert [round(end, 4) for end, _ in ends] == [3.0494, 2.6465]
    assert "The optimum of one block is not the optimum of many." in page.inner_text(".pic-longrun")


def test_the_long_run_asks_and_says_what_it_needs(page: Page) -> None:
    look(page, records.paper(2), longrun=None)
    page.click("text=Compute the long run")
    assert page.evaluate("p.calls.at(-1)[0]") == "longrun"
    look(page, records.paper(2), longrun=None, pending={**SETTLED, "longrun": True})
    assert "being computed" in page.inner_text(".pic-longrun")
    look(page, records.model_c())
    assert "depend on the context" in page.inner_text(".pic-longrun")
    page.click("text=one law everywhere")
    assert page.evaluate("p.calls.at(-1)") == ["context", "free"]


def test_the_third_rule_takes_the_place_of_the_one_shown(page: Page) -> None:
    look(page, records.paper(2, "token", "block"))
    page.click(".pic-tree [data-name=left]")
    assert page.evaluate("Array.from(document.querySelectorAll('.sbx-tree-chart'), (n) => n.dataset.rule)") == ["token"]
    page.click("text=show greedy block")
    assert page.evaluate("p.calls.at(-1)") == ["rule", 0, "greedy_block"]
    page.click(".pic-tree [data-name=both]")
    page.click("text=show greedy block")
    assert page.evaluate("p.calls.at(-1)") == ["rule", 1, "greedy_block"]


def saved(page: Page, selector: str) -> tuple[str, bytes]:
    with page.expect_download() as download:
        page.click(selector)
    with open(download.value.path(), "rb") as file:
        return download.value.suggested_filename, file.read()


@pytest.mark.parametrize("state", [records.model_c("block", "typical"), EIGHTY_ONE], ids=["few", "many"])
def test_every_picture_can_be_saved(page: Page, state: records.Record) -> None:
    found = look(page, state, difference=True)
    names = [
        ".pic-coupling-matrix",
        ".pic-tree",
        *([".pic-mistake"] if "typical" in state["rules"] else [".pic-longrun"]),
    ]
    for name in names:
        file, content = saved(page, f"{name} [data-export$=svg]")
        root = ElementTree.fromstring(content)
        assert file.endswith(".svg") and root.tag == f"{SVG}svg"
        text = " ".join(node.text or "" for node in root.iter(f"{SVG}text"))
        assert len(text) > 100 and "class=" not in content.decode()
        laws = "γ = 2, D = 0.1, 0.2, 0.7 | 0.3, 0.1, 0.6; T = 0.6, 0, 0.4 | 0.5, 0.4, 0.1, by position."
        assert state is EIGHTY_ONE or laws in text
        assert "γ = " in text and ("continued after an earlier correction" in text) == (name == ".pic-tree")
        file, content = saved(page, f"{name} [data-export$=png]")
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", content[16:24])
        assert width == 2 * int(root.get("width", "0")) and height == 2 * int(root.get("height", "0"))
        if name == ".pic-coupling-matrix" and state is EIGHTY_ONE:
            matrix = np.array(found["picture"]["rules"]["token"]["coupling"])
            assert cells_of(root, 0) == int((matrix > 1e-16).sum())
    page.wait_for_timeout(30)
    assert page.locator(".sbx-tree-legend").count() == 0, "the legend is on the page already"
    assert page.evaluate("document.querySelectorAll('.sbx-cells path').length") == 0, "the paths leave the page again"


def cells_of(root: ElementTree.Element, panel: int) -> int:
    """How many cells the paths of a saved panel hold."""
    body = [group for group in root.iter(f"{SVG}g") if group.get("transform", "").startswith("translate(0 0)")][panel]
    closed = [path.get("d", "") for path in body.iter(f"{SVG}path") if path.get("fill-opacity") not in (None, "1")]
    return sum(d.count("M") for d in closed)


def test_the_tables_can_be_saved(page: Page) -> None:
    state = records.paper(2, "block", "typical")
    found = look(page, state)
    tables: dict[str, list[list[str]]] = {}
    for name in ("coupling", "prefix-tree", "output", "long-run"):
        file, content = saved(page, f"[data-export='{name}.csv']")
        assert file == f"specdemo-{name}.csv"
        tables[name] = list(csv.reader(io.StringIO(content.decode(), newline="")))
    masses = {(row[0], row[1], row[2]): float(row[4]) for row in tables["coupling"][1:]}
    assert masses["typical", "AB", "BA"] == found["picture"]["rules"]["typical"]["coupling"][1][2]
    assert masses["optimum", "BB", "BB"] == found["optimum"]["coupling"][3][3]
    assert len(tables["prefix-tree"]) == 1 + 2 * 7 and len(tables["output"]) == 1 + 2 * 4
    assert len(tables["long-run"]) == 1 + 2 * 9


def test_what_is_typed_wrongly_leaves_the_last_picture_dimmed(page: Page) -> None:
    look(page, records.paper(2, "token", "block"), old=True)
    assert page.inner_text(".pic-coupling-matrix .pic-caption").startswith("Of the last valid laws")
    assert page.locator("[data-export='coupling.csv']").is_disabled()
    assert page.get_attribute(".pic-coupling-matrix", "data-stale") == ""
    opacity = "getComputedStyle(document.querySelector('.pic-coupling-matrix .pic-body')).opacity"
    assert float(page.evaluate(opacity)) < 0.8
    assert page.locator(".sbx-cell").count() == 48
    look(page, records.paper(2, "token", "block"), old=False)
    assert page.locator("[data-export='coupling.csv']").is_enabled()
    assert page.get_attribute(".pic-coupling-matrix", "data-stale") is None and page.evaluate(opacity) == "1"


def test_a_rule_on_its_way_leaves_the_old_picture(page: Page) -> None:
    found: dict[str, Any] = look(page, records.paper(2, "token", "block"))
    page.evaluate("p.show({ rules: ['token', 'greedy_block'] })")
    shown = page.evaluate("Array.from(document.querySelectorAll('.sbx-panel'), (n) => n.dataset.name)")
    assert shown == ["token", "block", "optimum"] and list(found["picture"]["rules"]) == ["token", "block"]
