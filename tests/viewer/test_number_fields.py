"""Every field of the pages that takes a number: point and comma, narrow and wide signs are one and the same, and what has two readings has none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.compare_page import address as compare_address
from tests.viewer.compare_page import link
from tests.viewer.javascript import call
from tests.viewer.lab_page import address as lab_address
from tests.viewer.sandbox_page import READY
from tests.viewer.sandbox_page import address as sandbox_address
from tests.viewer.step_page import address
from tests.viewer.test_page_languages import visit
from tests.viewer.test_unfinished import retype

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "compare_address", "lab_address", "sandbox_address", "visit"]  # fixtures
pytestmark = pytest.mark.browser

VIEWER = Path(__file__).resolve().parents[2] / "assets" / "viewer"
# What in a page's state its fields set, and how many fields for one number there are at least.
STATES = {
    "step": ("viewer.store.state.form", 6),
    "compare": ("[compare.store.state.form, compare.store.state.race.options, compare.store.state.law.options]", 10),
    "lab": ("[lab.store.state.form, lab.store.state.minutes]", 5),
    "sandbox": ("[sandbox.store.state.doc, sandbox.store.state.seed]", 0),
}
# Fields for text that are none for a number; what is in no list here is one.
OTHERS = "#hub-pair, #hub-draft, [type=search]"
LISTS, FRACTIONS = ".lab-list", ".sb-field, #sandbox-seed"


def look(page: Page, state: str) -> Any:
    return page.evaluate(f"JSON.parse(JSON.stringify({state}))")


def check_field(page: Page, state: str, field: str) -> None:
    """One field for one number, typed into as people do."""
    whole, low = page.eval_on_selector(field, "(node) => [node.inputMode === 'numeric', Number(node.ariaValueMin)]")
    number = max(int(low), 2) if whole else int(low) + 0.5
    plain = str(number)
    wide = plain.translate({ord(sign): ord(sign) + 0xFEE0 for sign in "0123456789."})
    ways = [plain, wide, f" {plain} "]
    if not whole:
        ways += [plain.replace(".", ","), wide.replace("．", "，"), plain.replace(".", "。"), plain.replace("0.", ",")]
    found = []
    for typed in ways:
        retype(page, field, typed)
        assert page.get_attribute(field, "aria-invalid") is None, (field, typed)
        assert float(page.get_attribute(field, "aria-valuenow") or "nan") == number
        found.append(look(page, state))
        assert page.input_value(field) == typed  # nothing is written over while it is typed
    assert found == [found[0]] * len(ways), field
    page.keyboard.press("Tab")
    for typed in ["1,234", "1.234", "１，２３４"] if whole else ["1,234"]:
        retype(page, field, typed)
        assert page.get_attribute(field, "aria-invalid") == "true" and look(page, state) == found[0], (field, typed)
        assert typed in page.inner_text(f"{field}-problem")
    retype(page, field, ways[0])
    page.keyboard.press("ArrowUp")
    more = look(page, state)
    page.keyboard.press("ArrowDown")
    assert more != found[0] and look(page, state) == found[0], field


@pytest.mark.parametrize(
    ("name", "language", "browser"),
    [*((name, "da", "en-US") for name in STATES), ("step", "en", "da-DK"), ("step", "ja", "ja-JP")],
)
def test_every_field_reads_a_number_in_each_way(
    visit: Callable[..., Page], request: pytest.FixtureRequest, name: str, language: str, browser: str
) -> None:
    fixture, ready = {
        "step": ("address", "#gamma"), "compare": ("compare_address", "#race-c"),
        "lab": ("lab_address", "#lab-minutes"), "sandbox": ("sandbox_address", READY),
    }[name]  # fmt: skip
    query = "?examples=none/" if name == "step" else ""
    hash_ = link(max=5, race=1, seeds=1, axis="predicted", c=0.5) if name == "compare" else f"#page={name}"
    page = visit(f"{request.getfixturevalue(fixture)}{query}{hash_}&lang={language}", browser, 1280, ready)
    assert page.get_attribute("html", "lang") == language
    page.evaluate("document.querySelectorAll('details').forEach((node) => (node.open = true))")
    state, least = STATES[name]
    assert page.locator("input[type=number]").count() == 0  # its decimal mark is the browser's, and it drops the other one silently
    plain = "input:not([type]), input[type=text], input[type=tel], input[type=decimal]"
    ids = page.eval_on_selector_all(f"[role=spinbutton]:is({plain})", "(nodes) => nodes.map((node) => `#${node.id}`)")
    known = f"[role=spinbutton], {LISTS}, {FRACTIONS}, {OTHERS}"
    assert page.eval_on_selector_all(plain, f"(nodes) => nodes.filter((node) => !node.matches('{known}')).map((node) => node.id)") == []  # fmt: skip
    assert len(ids) >= least
    for field in ids:
        check_field(page, state, field)


@pytest.mark.parametrize("language", ["da", "ja"])
def test_lists_and_fractions(
    visit: Callable[..., Page], lab_address: str, sandbox_address: str, language: str
) -> None:
    page = visit(f"{lab_address}#page=lab&lang={language}", "en-US", 1280, "#lab-minutes")
    for typed, numbers in {"0,5; 1": [0.5, 1], "0.5, 1": [0.5, 1], "０．５、１": [0.5, 1], "0, 5": [0, 5], "1": [1]}.items():
        retype(page, "#lab-temperatures", typed)
        assert page.evaluate("lab.store.state.form.temperatures") == numbers, typed
        page.keyboard.press("Tab")
    retype(page, "#lab-temperatures", "0,5")
    assert page.evaluate("lab.store.state.form.temperatures") == [1]
    assert "0,5" in page.inner_text("#lab-temperatures-problem")
    page.goto(f"{sandbox_address}#page=sandbox&lang={language}")
    page.wait_for_selector(READY)
    field = "[data-side=draft] .sb-field >> nth=0" if page.locator("[data-side=draft] .sb-field").count() else ".sb-field >> nth=0"
    shares = []
    for typed in ("0.5", "0,5", "０．５", "１／２"):
        page.locator(field).fill(typed)
        page.wait_for_selector(READY)
        assert page.locator(field).get_attribute("aria-invalid") is None, typed
        shares.append(page.get_attribute("[data-side=draft][role=slider] >> nth=0", "aria-valuenow"))
    assert shares == ["0.5000"] * 4
    page.fill("#sandbox-seed", "１２")
    assert page.get_attribute("#sandbox-seed", "aria-invalid") is None


def test_what_a_typed_list_says(request: pytest.FixtureRequest) -> None:
    asked = [
        ["4,8", True], ["4, 8 16", True], ["4;8", True], ["４、８", True], ["1,000", True], ["1.000", True], ["0, 1,000", True],
        ["100, 200", True],
        ["0.5,1", False], ["0,5", False], ["0,5; 0,7", False], ["0,5 0.7", False], ["0.5 1", False],
        ["1,234;2", False], [",5", False], ["0,5,1", False],
    ]  # fmt: skip
    found = call(request, "typed_numbers.js", "return payload.map(([text, whole]) => m.listed(text, whole));", asked)
    assert found == [
        "4 8", "4 8 16", "4 8", "4 8", None, None, None, "100 200",
        "0.5 1", None, "0.5 0.7", None, "0.5 1", None, None, None,
    ]  # fmt: skip


def test_minus_zero_is_zero(request: pytest.FixtureRequest) -> None:
    """Typed, and in a link of either page."""
    body = "return payload.flatMap((raw) => [m.numberOf(raw), m.wholeOf(raw)]).map((x) => Object.is(x, 0));"
    assert call(request, "typed_numbers.js", body, ["-0", "-0.0", "-.0e5", "+0"]) == [True] * 8
    config = "{ pairs: [], verifiers: [], rules: [], limits: {} }"
    for module in ("checked.js", "compare/checked.js"):
        body = f"return Object.values(m.checkedForm(payload, {{ rules: [] }}, {config}).form).filter((x) => x === 0).map((x) => Object.is(x, 0));"
        assert call(request, module, body, {"temperature": "-0.0", "top_k": "-0"}) == [True, True], module


def test_no_other_field_takes_numbers() -> None:
    """Also on pages that none of these tests opens: a new field for numbers reads them as these do, and stands here."""
    own = {"number_field.js", "lab/form.js", "sandbox/bars.js", "sandbox/presets.js", "learn/question_form.js"}
    found = set()
    for path in VIEWER.rglob("*.[jh][st]*"):
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"""type["']?\s*[:=,]\s*["']?number\b""", source), path
        if re.search(r"\binputmode\b|\binputMode\b", source):
            found.add(path.relative_to(VIEWER).as_posix())
    assert found == own
