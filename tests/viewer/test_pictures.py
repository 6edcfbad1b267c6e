"""The pictures in a real browser: what they draw adds up, says where it comes from, fits, and answers clicks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer import make_trace
from tests.viewer.serve import make_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PICTURES = {
    "position": "Position",
    "coupling": "Coupling",
    "lengths": "Lengths",
    "timestrip": "Timestrip",
    "formulas": "Formulas",
}
MOUNT = """
async ([root, pictures, trace]) => {
  document.body.className = "sd";
  for (const sheet of ["viewer.css", "pictures.css"]) {
    const link = document.createElement("link");
    await new Promise((done) => { Object.assign(link, { rel: "stylesheet", href: `${root}/${sheet}`, onload: done }); document.head.append(link); });
  }
  const pieces = Object.assign({}, trace.pieces, ...trace.blocks.map((b) => b.pieces));
  window.calls = [];
  window.shown = {};
  const actions = { select: (what) => calls.push(["select", what]), explain: (name, args) => { calls.push(["explain", name, args]); shown.formulas.show(name, args); }, setRule: (name) => calls.push(["rule", name]) };
  for (const name in pictures) {
    const box = document.createElement("div");
    box.id = name;
    box.style.cssText = "margin: 0 8px 8px; max-width: 760px";
    document.body.append(box);
    const module = await import(`${root}/${name}.js`);
    shown[name] = module[`create${pictures[name]}`](box, actions);
  }
  window.look = (k, rule, position, more = {}) => {
    const block = trace.blocks[k], verdict = block.verdicts[rule];
    window.view = { trace, block, verdict, blockIndex: k, rule, position, phase: "commit", tried: 0, token: null, pieces: (id) => pieces[id], whatIf: null,
      accepted: verdict.accepted, revealed: { scores: true, cut: true, next: true }, predicting: false, ...more };
    for (const name in shown) shown[name].update(view);
  };
  return true;
}
"""
NUMBERS = """
() => Array.from(document.querySelectorAll("[data-path]")).filter((n) => n.getClientRects().length)
  .map((n) => ({ path: n.dataset.path, value: n.dataset.value, kind: n.dataset.kind || null, text: n.firstElementChild ? n.firstElementChild.textContent : n.textContent, picture: n.closest(".pic").className.split("pic-")[1] }))
"""
OVERLAPS = """
() => {
  const out = [];
  for (const chart of document.querySelectorAll("svg.pic-chart")) {
    if (!chart.getClientRects().length) continue;
    const frame = chart.getBoundingClientRect();
    const texts = Array.from(chart.querySelectorAll("text")).filter((t) => t.getClientRects().length && (t.querySelector("tspan") || t).textContent.trim() && !t.hasAttribute("transform") && !t.classList.contains("pic-halo"));
    const boxes = texts.map((t) => [(t.querySelector("tspan") || t).textContent, t.getBoundingClientRect()]);
    for (const [words, b] of boxes) if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1) out.push(["clipped", words]);
    for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
      const a = boxes[i][1], b = boxes[j][1];
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) out.push([boxes[i][0], boxes[j][0]]);
    }
  }
  return out;
}
"""


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    return json.loads(json.dumps(make_trace.make_run()))


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    server = make_server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/assets/viewer"
    server.shutdown()
    server.server_close()


@pytest.fixture(params=[1280, 390])
def page(request: pytest.FixtureRequest, chromium: Browser, served: str, trace: dict[str, Any]) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": request.param, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{served}/viewer.css")
    page.set_content("<!doctype html><title>pictures</title>")
    assert page.evaluate(MOUNT, [served, PICTURES, trace])
    yield page
    page.close()
    assert errors == []


def places(trace: dict[str, Any]) -> list[tuple[int, str, int]]:
    return [
        (k, rule, i)
        for k in (0, 1, 4, 9)
        for rule in trace["verifiers"]
        for i in range(trace["blocks"][k]["gamma"] + 1)
    ]


def pointed(trace: dict[str, Any], path: str) -> Any:
    at: Any = trace
    for part in path.split("/")[1:]:
        at = at[int(part)] if isinstance(at, list) else at[part]
    return at


def test_every_number_is_the_trace_s(page: Page, trace: dict[str, Any]) -> None:
    seen = set()
    for k, rule, i in places(trace):
        page.evaluate("([k, rule, i]) => look(k, rule, i)", [k, rule, i])
        for number in page.evaluate(NUMBERS):
            if number["path"].startswith("/"):
                value = pointed(trace, number["path"])
                assert value is not None, number
                assert float(number["value"]) == float(value), number
                seen.add(number["path"].split("/")[3])
            else:
                assert number["path"].startswith("derived:"), number
            assert "e-" not in number["text"] and "NaN" not in number["text"], number
    assert {"paths", "verdicts", "timings"} <= seen


SUMS = """
([k, rule, i]) => {
  look(k, rule, i);
  const visible = (n) => { for (; n && n !== document.body; n = n.parentNode) if (n.style.display === "none") return false; return true; };
  const sum = (picture, kind) => Array.from(document.querySelectorAll(`.pic-${picture} [data-kind=${kind}]`)).filter(visible).reduce((a, n) => a + Number(n.dataset.value), 0);
  const out = { position: ["overlap", "residual", "excess"].map((kind) => sum("position", kind)) };
  for (const mode of ["flow", "matrix"]) {
    document.querySelector(`[data-choice=${mode}]`).click();
    out[mode] = ["overlap", "corrected", "stopped"].map((kind) => sum("coupling", kind));
  }
  return out;
}
"""


def test_bars_bands_and_cells_add_up_to_the_masses(page: Page, trace: dict[str, Any]) -> None:
    for k, rule, i in places(trace):
        if i == trace["blocks"][k]["gamma"]:
            continue
        verdict = trace["blocks"][k]["verdicts"][rule]
        rows, stopped = verdict["rows"][i], 1 - min(1, verdict["residual_scale"][i])
        drawn = page.evaluate(SUMS, [k, rule, i])
        want = {"position": [rows["overlap"], rows["residual"], rows["excess"]]}
        want["flow"] = want["matrix"] = [rows["overlap"], rows["excess"] - stopped, stopped]
        for picture, masses in want.items():
            assert drawn[picture] == pytest.approx(masses, rel=1e-9, abs=1e-9), (k, rule, i, picture)


def test_labels_neither_overlap_nor_leave_their_picture(page: Page, trace: dict[str, Any]) -> None:
    page.click(".pic-toggle")
    for k, rule, i in places(trace):
        page.evaluate("([k, rule, i]) => look(k, rule, i)", [k, rule, i])
        for mode in ("flow", "matrix") if i < trace["blocks"][k]["gamma"] else ():
            page.evaluate("(mode) => document.querySelector(`[data-choice=${mode}]`).click()", mode)
            assert page.evaluate(OVERLAPS) == [], (k, rule, i, mode)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for box in page.locator(".pic-chart:visible").all():
        assert box.get_attribute("role") == "img"
        assert len(box.get_attribute("aria-label") or "") > 20


def test_a_click_explains_and_chooses(page: Page, trace: dict[str, Any]) -> None:
    k = next(b["index"] for b in trace["blocks"] if 0 < b["verdicts"]["block"]["accepted"] < b["gamma"] - 1)
    tau = trace["blocks"][k]["kept"]
    page.evaluate("([k, i]) => look(k, 'block', i)", [k, tau])
    page.click(".pic-position .pic-sets [data-explain]")
    assert page.evaluate("calls.at(-1)") == ["explain", "accept_prob", {"i": tau}]
    words = page.inner_text(".pic-formula")
    assert f"prefix of {tau} kept" in words
    assert "min(1, " in words and "Σᵥ" in words
    page.click(".pic-position .pic-row .pic-token >> nth=1")
    call = page.evaluate("calls.at(-1)")
    assert call[0] == "select" and call[1]["token"] in trace["blocks"][k]["paths"][0]["rows"][tau]["shown"]["ids"]
    page.click(".pic-lengths tbody button >> nth=0")
    assert page.evaluate("calls.at(-1)") == ["rule", "token"]


def test_nothing_is_shown_before_its_phase(page: Page, trace: dict[str, Any]) -> None:
    k = next(b["index"] for b in trace["blocks"] if 0 < b["kept"] < b["gamma"])
    tau = trace["blocks"][k]["kept"]
    hidden = {"scores": True, "cut": False, "next": False}
    page.evaluate("([k, i, r]) => look(k, 'block', i, { phase: 'verify', revealed: r })", [k, tau, hidden])
    assert page.locator(".is-emitted:visible").count() == 0
    assert page.locator(".is-drawn:visible").count() == 0
    assert "η" not in page.inner_text(".pic-formula")
    page.evaluate(
        "([k, i, r]) => look(k, 'block', i, { phase: 'draft', revealed: { ...r, scores: false } })", [k, tau, hidden]
    )
    assert page.locator(".pic-text-target.pic-figure:visible").count() == 0
    assert page.locator(".pic-coupling svg:visible").count() == 0


def test_a_step_is_drawn_fast(page: Page, trace: dict[str, Any]) -> None:
    """A generous bound for a shared machine; the measured median is near 4 ms."""
    times = page.evaluate(
        "() => Array.from({ length: 40 }, (_, n) => { const t = performance.now(); look(n % 20, 'block', n % 6); return performance.now() - t; }).sort((a, b) => a - b)"
    )
    assert times[20] < 40
