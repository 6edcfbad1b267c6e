""" "Pour the mass" in a browser: numpy's masses at true heights, poured by hand, moving only where motion is welcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.viewer.sandbox_page import READY, address, drag, fields, link, open_page, paper, state, three

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

STACKS = """() => ['.sb-flow rect.pic-fill-kept', '.sb-flow rect.pic-edge-residual', '.sb-target-part']
  .map((selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect().height))"""


def masses(page: Page, kind: str) -> list[float]:
    return [
        float(node.get_attribute("data-value") or "nan")
        for node in page.locator(f".sb-flow [data-path^='derived:pour_{kind}/']").all()
    ]


def test_the_flow_shows_numpys_masses_and_true_heights(open_page: Callable[..., Page]) -> None:
    page = open_page(link(three()))
    draft, target = np.array([0.6, 0.1, 0.3]), np.array([0.2, 0.3, 0.5])
    excess = np.maximum(draft - target, 0)
    assert masses(page, "out") == pytest.approx(target, abs=1e-15)
    page.wait_for_timeout(300)
    kept, residual, wanted = page.evaluate(STACKS)
    unit = 190.0
    assert kept == pytest.approx(np.minimum(draft, target) * unit, abs=0.6)
    assert residual == pytest.approx((target - draft)[[1, 2]] * unit, abs=1.6)
    assert wanted == pytest.approx(target * unit - 2, abs=1.7)
    assert "TV 0" in page.inner_text(".sb-verdict")
    page.click(".pic-pour [data-choice=target]")
    out = np.minimum(draft, target) + excess.sum() * target
    assert masses(page, "out") == pytest.approx(out, abs=1e-15)
    wrong = page.locator("[data-path='derived:pour_wrong']")
    assert float(wrong.get_attribute("data-value") or 0) == pytest.approx(0.5 * np.abs(out - target).sum(), abs=1e-15)
    page.evaluate("(hash) => { location.hash = hash; }", link(paper(), pour="target"))
    page.wait_for_function("document.querySelector('.sb-verdict').textContent.endsWith('0.111')")
    assert page.inner_text(".sb-verdict") == "What comes out is wrong by TV 0.111"


def test_pouring_by_hand_edits_the_draft_and_stays_under_the_pointer(open_page: Callable[..., Page]) -> None:
    page = open_page(link(three()))
    drag(page, ".sb-part[data-symbol=A] .sb-hit", 190 * 0.2)
    assert state(page)["draft"][0][0] == ["0.8", "0.05", "0.15"] and state(page)["target"] == three()["target"]
    drag(page, ".sb-part[data-symbol=C] .sb-hit", -190 * 0.35)
    assert state(page)["draft"][0][0][2] == "0.5"
    page.wait_for_selector(READY)
    assert masses(page, "out") == pytest.approx([0.2, 0.3, 0.5], abs=1e-15)
    page.focus(".sb-part[data-symbol=B]")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    assert float(state(page)["draft"][0][0][1]) == pytest.approx(0.13, abs=0.011)
    assert page.inner_text(".pic-fate").startswith("B: min(D, T)")
    for _ in range(3):
        page.click("#sandbox-undo")
    assert state(page) == three()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_flow_moves_only_where_motion_is_welcome(open_page: Callable[..., Page], motion: Any) -> None:
    page = open_page("#page=sandbox", wait="")
    page.emulate_media(reduced_motion=motion)
    page.reload()
    page.wait_for_selector(READY)
    page.wait_for_timeout(300)
    heights = """async (draft) => {
          const height = () => document.querySelector('.sb-flow rect.pic-fill-kept').getAttribute('height');
          const list = [height()];
          sandbox.store.edit({ ...sandbox.store.state.doc, draft: [[draft]] });
          for (let n = 0; n < 40; n++) { list.push(height()); await new Promise(requestAnimationFrame); }
          return new Set(list).size;
        }"""
    laws = [["0.1", "0.9"], ["0.8", "0.2"]]
    seen = [page.evaluate(heights, laws[n % 2]) for n in range(5)]
    # A busy machine may draw no frame between the first and the last one, but not five times.
    assert set(seen) == {2} if motion == "reduce" else max(seen) > 2


def test_what_is_out_of_date_says_so(open_page: Callable[..., Page]) -> None:
    page = open_page(link(three()))
    page.fill(".sb-field[data-side=draft][data-symbol='0']", "0.7")
    page.wait_for_selector("#sandbox[data-problems]")
    assert page.locator(".pic-pour[data-old]").count() == 1 and masses(page, "out") == pytest.approx(
        [0.2, 0.3, 0.5], abs=1e-15
    )
    page.select_option("#sandbox-symbols", "2")
    page.wait_for_function("sandbox.store.view.problems.length === 2")
    assert "sum to 1" in page.inner_text(".pic-pour") and page.locator(".sb-flow").count() == 0
    page.click("[data-normalise=all]")
    page.wait_for_selector(READY)
    assert fields(page) == [["0.875", "0.125"], ["0.4", "0.6"]]
