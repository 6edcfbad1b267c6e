"""The Sandbox with care: presets, keyboard, phone, dark, and hovering that touches nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer.sandbox_page import (
    READY,
    address,
    fields,
    library,
    link,
    open_page,
    paper,
    random_state,
    settled,
    state,
)

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


def test_the_first_page_names_its_preset_until_it_is_another_state(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=sandbox")
    page.wait_for_function("document.querySelector('#sandbox-preset').value === 'two_symbols'")
    assert page.locator("#sandbox-preset option:checked").inner_text() == "The paper's example"
    assert "the optimum of one block is 12/9 = 4/3" in page.inner_text(".sb-about")
    page.select_option("#sandbox-gamma", "3")
    page.wait_for_selector(READY)
    assert page.input_value("#sandbox-preset") == "" and not page.locator(".sb-about").is_visible()


def test_cards_say_what_a_rule_is_and_compare_only_what_is_comparable(open_page: Callable[..., Page]) -> None:
    page = open_page(link({**paper(), "rules": ["threshold", "residual_without_weight"]}))
    lossy, harmless, _ = (card.inner_text() for card in page.locator(".sb-card").all())
    assert "lossy" in lossy and "mistake" not in lossy and "gap" not in lossy
    assert "not comparable: it does not emit the target's law" in lossy
    assert "a mistake; outputs the target here" in harmless and "gap" in harmless and "comparable" not in harmless
    signs = page.locator(".sb-card .sb-kind").evaluate_all(
        "(list) => list.map((node) => getComputedStyle(node, '::before').content)"
    )
    assert "≠" in signs[0] and "≠" not in signs[1]
    given = {**random_state(5, "prefix", 3, 2), "rules": ["token", "bonus_from_wrong_row"]}
    page = open_page(link(given))
    bonus = library(given)["rules"]["bonus_from_wrong_row"]["bonus_tv"]
    number = page.locator(".sb-card [data-path='picture:/rules/bonus_from_wrong_row/bonus_tv']")
    assert bonus > 0.001 and float(number.get_attribute("data-value") or "") == bonus
    assert "a block kept whole the token by bonus from wrong row does not follow" in page.inner_text(".sb-sentence")


@pytest.mark.parametrize("width", [1280, 1100, 390])
def test_the_facts_of_a_card_keep_apart(open_page: Callable[..., Page], width: int) -> None:
    given = {**random_state(7, "prefix", 3, 3), "rules": ["residual_without_weight", "bonus_from_wrong_row"]}
    page = open_page(link(given))
    page.set_viewport_size({"width": width, "height": 800})
    cards = page.locator(".sb-card").evaluate_all(
        """(cards) => cards.map((card) => [card.getBoundingClientRect().right, [...card.querySelectorAll('.sb-fact')].map((fact) => {
          const range = document.createRange();
          range.selectNodeContents(fact);
          const { left, right, top } = range.getBoundingClientRect();
          return [left, right, top];
        })])"""
    )
    for edge, facts in cards:
        assert all(right <= edge for _, right, _ in facts)
        for (_, right, top), (left, _, other) in pairwise(facts):
            assert top != other or right + 4 <= left, "numbers of two facts do not touch"


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
