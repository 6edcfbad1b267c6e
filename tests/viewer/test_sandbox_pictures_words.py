"""The words and labels of the Sandbox's pictures: against which rule, compared with what, called by which name, and legible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.viewer import sandbox_records as records
from tests.viewer.sandbox_mounted import look, mounted, served  # noqa: F401

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

EIGHTY_ONE = records.random_state(3, 4, "free", "token", "block", seed=1)


@pytest.fixture(scope="module")
def page(chromium: Browser, served: str) -> Iterator[Page]:  # noqa: F811
    yield from mounted(chromium, served, 1280)


@pytest.fixture
def phone(chromium: Browser, served: str) -> Iterator[Page]:  # noqa: F811
    yield from mounted(chromium, served, 390)


def test_a_mistake_is_measured_against_the_rule_it_is_made_in_and_offers_it(page: Page) -> None:
    for rules, side in ((("token", "residual_without_weight"), 0), (("residual_without_weight", "token"), 1)):
        look(page, records.model_c(*rules))
        assert "against block, which has 0 here" in page.inner_text(".sbx-worst")
        page.click(f"text=put block on the {('left', 'right')[side]}")
        assert page.evaluate("p.calls.at(-1)") == ["rule", side, "block"], "the mistake itself stays"


def test_a_cost_with_another_law_is_not_compared_with_the_optimum(page: Page) -> None:
    facts = "name => Array.from(document.querySelectorAll(`.sbx-panel[data-name=${name}] .sbx-facts tspan`), (node) => node.firstChild.data).join('')"
    rule = look(page, records.model_c("block", "threshold"))["picture"]["rules"]["threshold"]
    assert rule["tv"] > 0.01 and rule["common"] > rule["expected"]
    assert "not comparable: not the target’s law" in page.evaluate(facts, "threshold")
    assert page.locator("[data-path='picture:/rules/threshold/gap']").count() == 0
    caption = page.inner_text(".pic-coupling-matrix .pic-caption")
    assert "Green: emitted = drafted" in caption and "grey bars" in caption
    assert "Under threshold a correction may draw the rejected token again" in caption
    look(page, records.paper(2, "token", "block"))
    assert "above the optimum by 0.111 = 1/9" in page.evaluate(facts, "block")
    assert "rejected token" not in page.inner_text(".pic-coupling-matrix .pic-caption")


def test_a_node_is_called_by_its_whole_name_or_the_name_is_marked_as_cut(page: Page) -> None:
    cut = 0
    for state in (records.random_state(2, 4, "position", "block", "greedy_block", seed=3), EIGHTY_ONE):
        look(page, state, slow=False)
        labels = page.evaluate(
            "Array.from(document.querySelectorAll('.sbx-node'), (n) => [n.dataset.prefix, (n.querySelector('.pic-token') || {}).textContent])"
        )
        for prefix, label in labels:
            assert label in (None, prefix or "∅", f"…{prefix[-1:]}"), (prefix, label)
            cut += label is not None and label.startswith("…")
    assert cut > 0


def test_values_can_be_read_in_sixteen_rows_and_on_a_phone_in_nine(page: Page, phone: Page) -> None:
    for wide, state in (
        (page, records.random_state(2, 4, "position", "token", "block", seed=3)),
        (phone, records.model_c()),
    ):
        look(wide, state, slow=False)
        n = len(records.picture(state)["blocks"])
        assert wide.locator(".sbx-panel[data-name=block] .sbx-cell .pic-figure").count() == n * n
        wide.evaluate("scrollTo(0, 0)")
        line, stage = (
            wide.locator(selector).bounding_box() for selector in (".sbx-cell-line", ".pic-coupling-matrix .sbx-stage")
        )
        assert line and stage and line["y"] + line["height"] <= stage["y"], "no row lies under the line"
        assert wide.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_line_of_the_chosen_cell_keeps_its_height(page: Page, phone: Page) -> None:
    for wide in (page, phone):
        heights = set()
        for selected in ({}, {"selected": {"row": 1, "column": 0, "prefix": ""}}):
            look(wide, records.model_c("correction_from_target_in_token", "threshold"), slow=False, **selected)
            heights.add(wide.evaluate("document.querySelector('.pic-coupling-matrix .sbx-stage').offsetTop"))
            assert wide.evaluate(
                "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('.sbx-cell-line'))"
            )
        assert len(heights) == 1
