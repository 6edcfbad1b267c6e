"""The pictures in a real browser: what they draw adds up, says where it comes from, fits, and answers clicks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer import make_trace
from tests.viewer.serve import make_server
from tests.viewer.servers import running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

HIDDEN = {"scores": True, "cut": False, "next": False}


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    return json.loads(json.dumps(make_trace.make_run()))


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with running(make_server()) as root:
        yield root


@pytest.fixture(scope="module", params=[1280, 390])
def page(request: pytest.FixtureRequest, chromium: Browser, served: str, trace: dict[str, Any]) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": request.param, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{served}/assets/viewer/viewer.css")
    page.set_content("<!doctype html><title>pictures</title>")
    page.evaluate(
        "async ([url, trace]) => { window.p = await import(url); await p.mount(trace); }",
        [f"{served}/tests/viewer/pictures.js", trace],
    )
    yield page
    page.close()
    assert errors == []


def places(trace: dict[str, Any]) -> list[tuple[int, str, int]]:
    return [(k, rule, i) for k in (1, 4) for rule in trace["verifiers"] for i in range(trace["blocks"][k]["gamma"] + 1)]


def pointed(trace: dict[str, Any], path: str) -> Any:
    at: Any = trace
    for part in path.split("/")[1:]:
        at = at[int(part)] if isinstance(at, list) else at[part]
    return at


def test_every_number_is_the_trace_s(page: Page, trace: dict[str, Any]) -> None:
    seen = set()
    for k, rule, i in places(trace):
        for number in page.evaluate("([k, rule, i]) => { p.look(k, rule, i); return p.numbers(); }", [k, rule, i]):
            assert "e-" not in number["text"] and "NaN" not in number["text"], number
            if not number["path"].startswith("/"):
                assert number["path"].startswith("derived:"), number
                continue
            assert float(number["value"]) == float(pointed(trace, number["path"])), number
            seen.add(number["path"].split("/")[3])
    assert {"paths", "verdicts", "timings", "uniforms"} <= seen


def test_bars_bands_and_cells_add_up_to_the_masses(page: Page, trace: dict[str, Any]) -> None:
    body = """([k, rule, i]) => {
      p.look(k, rule, i);
      const out = { position: ["overlap", "residual", "excess"].map((kind) => p.sum("position", kind)) };
      for (const mode of ["flow", "matrix"]) {
        p.mode(mode);
        out[mode] = ["overlap", "corrected", "stopped"].map((kind) => p.sum("coupling", kind));
      }
      return out;
    }"""
    for k, rule, i in places(trace):
        if i == trace["blocks"][k]["gamma"]:
            continue
        verdict = trace["blocks"][k]["verdicts"][rule]
        rows, stopped = verdict["rows"][i], 1 - min(1, verdict["residual_scale"][i])
        want = {"position": [rows["overlap"], rows["residual"], rows["excess"]]}
        want["flow"] = want["matrix"] = [rows["overlap"], rows["excess"] - stopped, stopped]
        drawn = page.evaluate(body, [k, rule, i])
        for picture, masses in want.items():
            assert drawn[picture] == pytest.approx(masses, rel=1e-9, abs=1e-9), (k, rule, i, picture)


def test_labels_neither_overlap_nor_leave_their_picture(page: Page, trace: dict[str, Any]) -> None:
    page.evaluate("document.querySelector('.pic-toggle[aria-expanded=false]')?.click()")
    for k, rule, i in places(trace):
        for mode in ("flow", "matrix"):
            assert (
                page.evaluate(
                    "([k, rule, i, mode]) => { p.look(k, rule, i); p.mode(mode); return p.collisions(); }",
                    [k, rule, i, mode],
                )
                == []
            ), (k, rule, i, mode)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for box in page.locator(".pic-chart:visible").all():
        assert box.get_attribute("role") == "img"
        assert len(box.get_attribute("aria-label") or "") > 20


def test_a_click_explains_and_chooses(page: Page, trace: dict[str, Any]) -> None:
    k = next(b["index"] for b in trace["blocks"] if 0 < b["verdicts"]["block"]["accepted"] < b["gamma"] - 1)
    tau = trace["blocks"][k]["kept"]
    page.evaluate("([k, i]) => p.look(k, 'block', i)", [k, tau])
    page.click(".pic-position .pic-sets [data-explain]")
    assert page.evaluate("p.calls.at(-1)") == ["explain", "accept_prob", {"i": tau}]
    words = page.inner_text(".pic-formula")
    assert f"prefix of {tau} kept" in words
    assert "min(1, " in words and "Σᵥ" in words
    page.click(".pic-position .pic-row .pic-token >> nth=1")
    call = page.evaluate("p.calls.at(-1)")
    assert call[0] == "select" and call[1]["token"] in trace["blocks"][k]["paths"][0]["rows"][tau]["shown"]["ids"]
    page.click(".pic-lengths tbody button >> nth=0")
    assert page.evaluate("p.calls.at(-1)") == ["rule", "token"]


def test_nothing_is_shown_before_its_phase(page: Page, trace: dict[str, Any]) -> None:
    k = next(b["index"] for b in trace["blocks"] if 0 < b["kept"] < b["gamma"])
    tau = trace["blocks"][k]["kept"]
    page.evaluate("([k, i, r]) => p.look(k, 'block', i, { phase: 'verify', revealed: r })", [k, tau, HIDDEN])
    assert page.locator(".is-emitted:visible").count() == 0
    assert page.locator(".is-drawn:visible").count() == 0
    assert "η" not in page.inner_text(".pic-formula")
    page.evaluate(
        "([k, i, r]) => p.look(k, 'block', i, { phase: 'draft', revealed: { ...r, scores: false } })", [k, tau, HIDDEN]
    )
    assert page.locator(".pic-text-target.pic-figure:visible").count() == 0
    assert page.locator(".pic-coupling svg:visible").count() == 0


def test_a_step_is_drawn_fast(page: Page) -> None:
    """A generous bound on the lower quartile, since the machine is shared; undisturbed, the median is near 4 ms."""
    assert page.evaluate("p.times(40)")[10] < 40


def test_no_number_outlives_its_step(page: Page, trace: dict[str, Any]) -> None:
    """Nothing in the document, hidden or not, points at another block or at what this phase may not show."""
    page.evaluate("([k, i]) => p.look(k, 'block', i)", [4, 2])
    for k, position, phase in ((1, trace["blocks"][1]["gamma"], "commit"), (1, 0, "draft")):
        revealed = {"scores": phase != "draft", "cut": phase != "draft", "next": phase != "draft"}
        page.evaluate(
            "([k, i, more]) => p.look(k, 'block', i, more)", [k, position, {"phase": phase, "revealed": revealed}]
        )
        paths = page.evaluate("Array.from(document.querySelectorAll('[data-path]'), (node) => node.dataset.path)")
        assert all(path.startswith(("/blocks/1/", "derived:")) for path in paths), paths
        if phase == "draft":
            assert not any(
                "verdicts" in path or path.endswith("/target") or "/shown/target" in path for path in paths
            ), paths
