"""The Sandbox's pictures in a real browser: each number is the record's, masses are drawn true, and one picture lights up the other."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.viewer import sandbox_records as records
from tests.viewer.sandbox_mounted import NOTHING, look, mounted, pointed, served  # noqa: F401

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

STATES = {
    "paper": records.paper(2, "token", "block"),
    "paper-3": records.paper(3, "block", "greedy_block"),
    "one": records.paper(1, "token", "greedy_block"),
    "model-c": records.model_c("block", "residual_without_weight"),
    "lossy": records.model_c("threshold", "correction_from_target_in_token"),
    "prefix": records.random_state(3, 2, "prefix", "token", "greedy_block", seed=1),
    "four": records.random_state(2, 4, "position", "block", "greedy_block", seed=3),
    "five": records.random_state(5, 2, "free", "block", "sampled_match", seed=4),
}
NINTHS = {
    "token": ["1 1 2/3 4/3", "0 1 1/3 2/3", "0 0 1 1", "0 0 0 1"],
    "block": ["1 0 1 2", "0 2 0 0", "0 0 1 1", "0 0 0 1"],
    "greedy_block": ["1 0 0 3", "0 2 0 0", "0 0 2 0", "0 0 0 1"],
}


@pytest.fixture(scope="module", params=[1280, 390])
def page(request: pytest.FixtureRequest, chromium: Browser, served: str) -> Iterator[Page]:  # noqa: F811
    yield from mounted(chromium, served, request.param)


@pytest.fixture(scope="module")
def wide(chromium: Browser, served: str) -> Iterator[Page]:  # noqa: F811
    yield from mounted(chromium, served, 1280)


def test_every_number_is_the_record_s(page: Page) -> None:
    seen = set()
    for name, state in STATES.items():
        found = look(page, state, difference=True, selected={"row": 1, "column": 0, "prefix": "B"})
        for number in page.evaluate("p.numbers()"):
            assert "e-" not in number["text"] and "NaN" not in number["text"] and number["value"] != "", number
            source = number["path"].split(":")[0]
            if source != "derived":
                assert float(number["value"]) == float(pointed(found, number["path"])), (name, number)
            seen.add(number["path"].split("/")[3] if "/rules/" in number["path"] else number["path"].split("/")[0])
    wanted = {
        "coupling",
        "output",
        "cost",
        "gap",
        "expected",
        "nodes",
        "tv",
        "worst",
        "long_run",
        "simulated",
        "optimum:",
    }
    assert wanted <= seen, wanted - seen


def test_the_cells_are_the_couplings(wide: Page) -> None:
    for name, state in STATES.items():
        found = look(wide, state, difference=True)
        n, rules = len(found["picture"]["blocks"]), state["rules"]
        matrices = {rule: np.array(found["picture"]["rules"][rule]["coupling"]) for rule in rules}
        matrices["optimum"] = np.array(found["optimum"]["coupling"])
        matrices["difference"] = matrices[rules[1]] - matrices[rules[0]]
        for panel, matrix in matrices.items():
            drawn = wide.evaluate(
                """name => Array.from(document.querySelectorAll(`.sbx-panel[data-name=${name}] .sbx-cell`), (cell) => {
                  const tint = cell.querySelector("rect");
                  const { row, column } = cell.dataset, { value, kind } = tint.dataset;
                  return [Number(row), Number(column), Number(value), kind, Number(tint.getAttribute("fill-opacity"))];
                })""",
                panel,
            )
            assert len(drawn) == n * n
            for row, column, mass, kind, tint in drawn:
                expected = float(matrix[row, column])
                assert mass == pytest.approx(expected, abs=1e-12 if panel == "difference" else 0), (name, panel)
                if abs(expected) < 1e-13:
                    assert (kind, tint) == ("zero", 0)
                elif panel == "difference":
                    assert kind == ("more" if expected > 0 else "less") and tint > 0
                elif abs(expected) > 1e-9:
                    assert kind == ("kept" if row == column else "corrected") and tint > 0
            order = sorted((abs(mass), tint) for _, _, mass, _, tint in drawn if abs(mass) > 1e-9)
            assert all(a[1] <= b[1] + 2e-3 for a, b in pairwise(order)), "tints rise with the mass"


def test_the_paper_s_ninths_can_be_read_in_the_cells(wide: Page) -> None:
    for rules in (("token", "block"), ("block", "greedy_block")):
        look(wide, records.paper(2, *rules))
        for rule in rules:
            for row, line in enumerate(NINTHS[rule]):
                for column, ninths in enumerate(line.split()):
                    wanted = Fraction(ninths) / 9
                    cell = wide.locator(f".sbx-panel[data-name={rule}] .sbx-cell >> nth={4 * row + column}")
                    shown = cell.locator("tspan").text_content()
                    assert float(shown or "") == pytest.approx(float(wanted), abs=6e-4 if wanted else 0), (
                        rule,
                        row,
                        column,
                    )
                    if wanted:
                        assert cell.locator(".sbx-exact").text_content() == f"≈ {wanted}"


def test_the_chosen_cell_is_said_in_words(page: Page) -> None:
    look(page, records.paper(2, "token", "block"), difference=True, selected={"row": 0, "column": 2, "prefix": ""})
    line = page.inner_text(".sbx-cell-line")
    assert "drafted AA, emitted BA; common prefix 0, costs 2" in line
    assert "token 0.0741 ≈ 2/27" in line and "block 0.111 ≈ 1/9" in line and "difference +0.0370 ≈ 1/27" in line
    assert "optimum 0" in line
    look(page, records.paper(2, "token", "block"), selected={"row": 1, "column": 1, "prefix": "AB"})
    assert "common prefix 2 (AB), emitted as drafted, costs nothing" in page.inner_text(".sbx-cell-line")


def test_marginals_are_true(page: Page) -> None:
    for state in STATES.values():
        found = look(page, state)
        for rule in state["rules"]:
            for kind, extent, path in (
                ("draft", 4, "picture:/draft/"),
                ("emitted", 5, f"picture:/rules/{rule}/output/"),
            ):
                bars = page.evaluate("s => p.rectangles(s)", f".sbx-panel[data-name={rule}] [data-kind={kind}]")
                assert [bar[0] for bar in bars] == [f"{path}{k}" for k in range(len(bars))]
                masses, lengths = np.array([bar[1] for bar in bars]), np.array([bar[extent] for bar in bars])
                assert masses.tolist() == [pointed(found, f"{path}{k}") for k in range(len(bars))]
                scale = lengths.max() / masses.max()
                assert lengths == pytest.approx(masses * scale, abs=0.02)
                start, extents = (2, [bar[4] for bar in bars]) if kind == "draft" else (3, [0.0] * len(bars))
                roots = [bar[start] + extra for bar, extra in zip(bars, extents, strict=True)]
                assert roots == pytest.approx([roots[0]] * len(bars), abs=0.03), "all bars begin on one line"


def test_every_node_of_the_tree_is_as_wide_as_its_mass(page: Page) -> None:
    for name, state in STATES.items():
        found = look(page, state)
        for rule in state["rules"]:
            bars: dict[tuple[str, str], Any] = {}
            for path, mass, x, _, width, _ in page.evaluate("s => p.rectangles(s)", f"[data-rule={rule}] .sbx-mass"):
                prefix, kind = path.split("/")[4:]
                bars[prefix, kind] = (mass, x, width)
            scale = bars["", "accepted"][2]
            nodes, gamma = found["picture"]["rules"][rule]["nodes"], state["gamma"]
            for prefix, node in nodes.items():
                for kind in ("accepted", "corrected", "continued"):
                    drawn = bars.get((prefix, kind), (0, 0, 0))
                    assert drawn[2] == pytest.approx(node[kind] * scale, abs=0.02), (name, rule, prefix, kind)
                if len(prefix) < gamma and node["stopped"] > 0:
                    mass, x, width = bars[prefix, "stopped"]
                    whole = bars[prefix, "accepted"]
                    assert width == pytest.approx(node["stopped"] * scale, abs=0.02)
                    assert x + width == pytest.approx(whole[1] + whole[2], abs=0.03), (
                        "it is the end of the accepted mass"
                    )
            # Side by side in lexicographic order, level by level: then children lie under their parent.
            for depth in range(gamma + 1):
                at = bars["", "accepted"][1]
                for prefix in sorted(prefix for prefix in nodes if len(prefix) == depth):
                    for kind in ("accepted", "corrected", "continued"):
                        if (prefix, kind) in bars:
                            assert bars[prefix, kind][1] == pytest.approx(at, abs=0.05), (name, rule, prefix, kind)
                            at += bars[prefix, kind][0] * scale


def test_the_bands_lead_from_what_stops_to_what_is_corrected(wide: Page) -> None:
    for state in STATES.values():
        found = look(wide, state)
        for rule in state["rules"]:
            nodes = found["picture"]["rules"][rule]["nodes"]
            bands = wide.evaluate(
                """r => Array.from(
                  document.querySelectorAll(`[data-rule=${r}] .sbx-correction-band`),
                  ({ dataset }) => [dataset.from, dataset.to, Number(dataset.value)],
                )""",
                rule,
            )
            assert {to for _, to, _ in bands} == {prefix for prefix, node in nodes.items() if node["corrected"] > 0}
            for prefix, node in nodes.items():
                if len(prefix) < state["gamma"]:
                    out = sum(mass for start, _, mass in bands if start == prefix)
                    assert out == pytest.approx(node["stopped"], abs=1e-12)
            assert all(to[:-1] == start for start, to, _ in bands)


def test_the_levels_of_the_tree_add_up_to_the_expectation(page: Page) -> None:
    look(page, records.paper(2, "token", "block"))
    words = page.inner_text(".sbx-sums")
    assert "token: E[τ] = 1.11 = 10/9 is the accepted mass of the levels: 0.667 + 0.444." in words
    assert "block: E[τ] = 1.22 = 11/9 is the accepted mass of the levels: 0.667 + 0.556." in words


def test_a_cell_under_the_pointer_lights_up_its_prefix_in_the_tree(wide: Page) -> None:
    look(wide, records.paper(2, "token", "block"))
    wide.locator(".sbx-panel[data-name=token] .sbx-cell >> nth=1").hover(force=True)  # AA drafted, AB emitted
    assert wide.evaluate("p.view.hovered") == {"row": 0, "column": 1, "prefix": "A"}
    marks = wide.evaluate("Array.from(document.querySelectorAll('.sbx-tree .sbx-hovered'), (n) => n.dataset.prefix)")
    assert marks == ["A", "A"], "in both rules' trees"
    path = "kind => Array.from(document.querySelectorAll(`[data-rule=token] [data-mark=${kind}]`), (n) => n.dataset.prefix)"
    assert wide.evaluate(path, "drafted") == ["A", "AA"] and wide.evaluate(path, "emitted") == ["A", "AB"]
    title = wide.get_attribute(".pic-coupling-matrix .sbx-stage", "title") or ""
    assert title.startswith("token: drafted AA, emitted AB: 0.111111111111111") and title.endswith("≈ 1/9")
    wide.mouse.move(2, 2)
    assert wide.evaluate("p.view.hovered") == NOTHING


def test_a_node_under_the_pointer_lights_up_its_cells(wide: Page) -> None:
    look(wide, records.paper(2, "token", "block"))
    wide.locator("[data-rule=token] .sbx-node[data-prefix=B] .sbx-mass-corrected").hover(force=True)
    assert wide.evaluate("p.view.hovered") == {"row": None, "column": None, "prefix": "B"}
    shared = wide.evaluate("p.rectangles('.sbx-panel[data-name=block] .sbx-shared')")
    cells = wide.evaluate("p.rectangles('.sbx-panel[data-name=block] .sbx-cell > rect')")
    first, last = cells[2 * 4 + 2], cells[3 * 4 + 3]
    assert shared[0][2:4] == first[2:4]
    assert shared[0][2] + shared[0][4] == pytest.approx(last[2] + last[4])
    assert shared[0][3] + shared[0][5] == pytest.approx(last[3] + last[5])
    assert "corrected here 0.333" in (wide.get_attribute(".pic-tree .sbx-stage", "title") or "")


def test_a_click_chooses_a_cell_and_a_node(page: Page) -> None:
    look(page, records.paper(2, "token", "block"))
    page.locator(".sbx-panel[data-name=block] .sbx-cell >> nth=6").click(force=True)
    assert page.evaluate("p.calls.at(-1)") == ["select", {"row": 1, "column": 2, "prefix": ""}]
    page.locator("[data-rule=block] .sbx-node[data-prefix=BB] .sbx-mass-continued").click(force=True)
    assert page.evaluate("p.calls.at(-1)") == ["select", {"row": 1, "column": 2, "prefix": "BB"}]
    assert page.inner_text(".pic-tree-formulas h3") == "The masses of BB"
    words = page.inner_text(".pic-tree-formulas")
    assert "a(BB) = min(S(BB), a(B) · T(B│B)) = min(0.111, 0.333 · 0.667) = 0.111 ≈ 1/9" in words
    assert "a(BB) = a(B) · min(D(B│B), T(B│B)) = 0.333 · min(0.333, 0.667) = 0.111 ≈ 1/9" in words
    assert "S(BB) = D(B) · D(B│B) = 0.333 · 0.333 = 0.111" in words


def test_the_keyboard_reaches_every_cell_and_node(page: Page) -> None:
    look(page, records.paper(2, "token", "block"))
    stage = page.locator(".pic-coupling-matrix .sbx-stage")
    stage.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "End", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("p.view.selected") == {"row": 1, "column": 3, "prefix": ""}
    assert "drafted AB, emitted BB" in page.inner_text(".pic-coupling-matrix .sbx-spoken")
    page.keyboard.press("Escape")
    assert page.evaluate("p.view.selected") == NOTHING
    page.locator(".pic-tree .sbx-stage").focus()
    visited = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        visited.append(page.evaluate("p.view.selected.prefix"))
    assert visited == ["", "A", "B", "BA", "AB", "A", ""]
    assert "token, ∅ (the root): accepted 1" in page.inner_text(".pic-tree .sbx-spoken")


def test_labels_neither_overlap_nor_leave_their_picture(page: Page) -> None:
    for name, state in STATES.items():
        look(page, state, difference=True, selected={"row": 0, "column": 1, "prefix": "A"})
        assert page.evaluate("p.collisions()") == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    for chart in page.locator(".pic-chart:visible").all():
        assert chart.get_attribute("role") == "img" and len(chart.get_attribute("aria-label") or "") > 20


def test_no_number_outlives_its_picture(page: Page) -> None:
    look(page, STATES["lossy"], difference=True, selected={"row": 8, "column": 8, "prefix": "CC"})
    found = look(page, STATES["paper"], selected={"row": 8, "column": 8, "prefix": "CC"})
    for path in page.evaluate("Array.from(document.querySelectorAll('[data-path]'), (node) => node.dataset.path)"):
        assert path.startswith("derived:") or pointed(found, path) is not None, path
    page.evaluate("p.show({ picture: null, optimum: null, longrun: null })")
    left = page.evaluate("Array.from(document.querySelectorAll('[data-path]'), (node) => node.dataset.path)")
    assert left == []
    assert page.locator(".pic-empty:visible").count() >= 4
