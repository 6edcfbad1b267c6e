"""The Sandbox with care: presets, keyboard, phone, dark, and hovering that touches nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.sandbox_page import READY, address, fields, link, open_page, paper, random_state, settled, state

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_presets_open_and_random_laws_come_back_by_their_seed(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=sandbox")
    page.wait_for_function("document.querySelectorAll('#sandbox-preset option').length > 8")
    names = page.locator("#sandbox-preset option").evaluate_all(
        "(list) => list.map((one) => one.value).filter(Boolean)"
    )
    for name in names:
        page.select_option("#sandbox-preset", name)
        page.wait_for_selector(READY)
        preset = page.evaluate("sandbox.store.state.preset")
        assert (
            preset["name"] == name
            and state(page) == preset["state"]
            and not page.evaluate("sandbox.store.view.problems.length")
        )
        assert page.inner_text(".sb-about") == preset["about"]
    page.select_option("#sandbox-context", "prefix")
    page.select_option("#sandbox-symbols", "3")
    seen = []
    for seed in ("7", "8", "7"):
        page.fill("#sandbox-seed", seed)
        before = state(page)
        page.click("#sandbox-random")
        page.wait_for_function(
            "(before) => JSON.stringify(sandbox.store.state.doc) !== before",
            arg=json.dumps(before, separators=(",", ":")),
        )
        page.wait_for_selector(READY)
        seen.append(state(page))
    assert seen[0] == seen[2] != seen[1] and seen[0]["symbols"] == 3 and seen[0]["context"] == "prefix"
    page.fill("#sandbox-seed", "x")
    assert page.locator("#sandbox-random").is_disabled()


def test_keys_help_and_fields_that_keep_their_own_undo(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    field = ".sb-field[data-side=draft][data-symbol='0']"
    page.focus(field)
    page.keyboard.press("End")
    page.keyboard.type("00")
    assert fields(page)[0][0] == "2/300"
    page.keyboard.press("Control+z")
    assert fields(page)[0][0] == "2/3", "what was typed in one go is one step"
    page.keyboard.type("?")
    assert page.locator("dialog[open]").count() == 0 and "?" in fields(page)[0][0]
    page.fill("#sandbox-seed", "12")
    page.keyboard.press("Control+z")
    assert "?" in fields(page)[0][0], "another field's undo is its own"
    order = page.evaluate(
        """() => [...document.querySelectorAll('#sandbox .sb-bars [tabindex="0"], #sandbox .sb-field')]
          .map((node) => node.getAttribute('aria-label'))"""
    )
    assert len(order) == len(set(order)) == 8


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (768, "light"), (1280, "dark")])
def test_nothing_is_wider_than_the_screen(open_page: Callable[..., Page], width: int, scheme: Any) -> None:
    page = open_page(link({**random_state(2, "prefix", 3, 3), "rules": ["block", "residual_without_weight"]}, at="AB"))
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.body.classList.contains('dark')") == (scheme == "dark")
    columns = page.evaluate(
        "getComputedStyle(document.querySelector('.sb-panels')).gridTemplateColumns.split(' ').length"
    )
    assert columns == (1 if width < 1000 else 2)


def test_hovering_reaches_only_the_pictures(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    settled(page)
    changed = page.evaluate(
        """async () => {
          let seen = 0;
          const watch = new MutationObserver((list) => { seen += list.length; });
          const seeing = { subtree: true, childList: true, attributes: true };
          for (const part of document.querySelectorAll('.sb-side-column, .sb-headline, .sb-toolbar')) watch.observe(part, seeing);
          sandbox.actions.hover({ prefix: 'A' });
          await new Promise(requestAnimationFrame);
          return [seen, document.querySelectorAll('.sbx-shared').length > 0];
        }"""
    )
    assert changed == [0, True]
