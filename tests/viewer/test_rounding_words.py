"""Where draft and target agree but for the models' rounding, the page says so instead of letting a learner wonder about the digits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.javascript import VIEWER, call
from tests.viewer.step_page import address
from tests.viewer.test_page_languages import visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "visit"]  # fixtures
pytestmark = pytest.mark.browser

NOTE = {"en": "quotient of two roundings", "da": "forholdet mellem to afrundinger", "ja": "丸め誤差の比"}


def opened(visit: Callable[..., Page], address: str, example: str, language: str, block: int, position: int) -> Page:
    place = f"#example={example}&b={block}&phase=correct&pos={position}"
    return visit(address + place, language, 1280, f"#viewer[data-state=ready][data-block='{block}']")


def words(page: Page, selector: str = "#viewer") -> str:
    return page.locator(selector).first.text_content() or ""


@pytest.mark.parametrize("language", NOTE)
def test_a_coin_that_is_a_quotient_of_roundings_is_called_so(
    visit: Callable[..., Page], address: str, language: str
) -> None:
    page = opened(visit, address, "same-law", language, block=1, position=2)
    shown = page.evaluate("(({ block, position }) => ({ block, position }))(viewer.store.view)")
    verdict = shown["block"]["verdicts"]["block"]
    weight, coin = verdict["prefix_weight"][shown["position"] - 1], verdict["accept_prob"][shown["position"] - 2]
    assert 0 < 1 - weight < 1e-5 and 0.01 < coin < 0.99, "as the models' rounding has it in this block"
    assert words(page, ".pic-sets").count(NOTE[language]) == 1


def test_other_coins_are_not(visit: Callable[..., Page], address: str) -> None:
    page = opened(visit, address, "rescue", "en", block=1, position=3)
    assert NOTE["en"] not in words(page)


def test_an_expectation_says_by_how_much(visit: Callable[..., Page], address: str) -> None:
    page = opened(visit, address, "same-law", "en", block=1, position=2)
    assert "expect the same" in words(page), "a millionth apart, which is rounding"
    page = opened(visit, address, "rescue", "en", block=1, position=3)
    token, block = page.evaluate(
        "(({ verdicts }) => ['token', 'block'].map((rule) => verdicts[rule].expected_accepted))(viewer.store.view.block)"
    )
    said = f"expects {abs(block - token):.3g} {'more' if block > token else 'fewer'} than the token rule"
    assert said in words(page)


def test_no_share_of_a_faint_residual_exceeds_one(request: pytest.FixtureRequest) -> None:
    traces = json.loads((VIEWER.parent / "examples" / "same-law.json").read_text(encoding="utf-8"))["blocks"]
    body = """return payload.flatMap((block) => block.paths[0].rows.map((row, i) => {
      const p = m.part(block, block.verdicts.block, i);
      return [...p.law, p.rest.law].reduce((sum, x) => sum + x, 0);
    }));"""
    shares = call(request, "derive.js", body, traces)
    assert shares and max(shares) <= 1 + 1e-6
