"""The columns of the Compare page in a browser: every rule, replaced, removed, added, followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from specdemo import verifiers
from specdemo.verifiers import mistakes
from tests.viewer.compare_page import (
    READY,
    address,
    decoded,
    link,
    open_page,
    place,
    trace,
    without_times,
    wrong_numbers,
)
from tests.viewer.serve import Handler
from tests.worse_conditions import SLOWDOWN

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_every_rule_and_mistake_can_be_a_column(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=1), wait=READY)
    names = page.evaluate("compare.store.view.config.rules.map((rule) => rule.name)")
    assert names == [*verifiers.names(), *mistakes.names()] and page.locator("#compare-rule-0 optgroup").count() == 3
    for start in range(0, len(names), 2):
        rules = [*names[start : start + 2], "block", "token"]
        rules = list(dict.fromkeys(rules))
        page.goto(page.url.split("#")[0] + "#" + link(",".join(rules), b=1)[1:])
        page.wait_for_function(f"compare.store.state.trace?.verifiers.join() === '{','.join(rules)}'")
        page.wait_for_selector(READY)
        assert wrong_numbers(page) == [] and page.locator("#compare-block thead th").count() == len(rules) + 1
        words = page.inner_text("#compare-block") + page.inner_text("#compare-sentence")
        assert not any(bad in words for bad in ("undefined", "NaN", "null", "[object"))


def test_columns_come_go_and_change(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=3), wait=READY)
    before, requests = trace(page), []
    page.on("request", lambda request: requests.append(request.url) if request.method == "POST" else None)
    assert page.locator("#compare-remove-0").is_disabled()
    page.select_option("#compare-add", "greedy_block")
    page.wait_for_function("compare.store.state.trace.verifiers.length === 3 && compare.store.state.status === 'ready'")
    assert trace(page)["digest"] == before["digest"] and place(page)[0] == "3" and len(requests) == 1
    page.select_option("#compare-add", "lenience")
    page.wait_for_function("compare.store.state.trace.verifiers.length === 4 && compare.store.state.status === 'ready'")
    assert page.locator("#compare-add").is_disabled() and place(page)[0] == "3"
    assert page.locator("#compare-rule-0 option[value=block]").get_attribute("disabled") is not None
    page.evaluate("compare.actions.addRule('typical')")
    assert page.evaluate("compare.store.state.form.rules") == ["token", "block", "greedy_block", "lenience"]
    page.evaluate("compare.actions.replaceRule(0, 'block')")
    assert "has a column already" in page.inner_text("#compare .sd-notice.message")
    count = len(requests)
    page.click("#compare-remove-3")
    assert page.locator("#compare-block thead th").count() == 4 and len(requests) == count
    page.select_option("#compare-rule-0", "threshold")
    page.wait_for_function(
        "compare.store.state.trace.verifiers[0] === 'threshold' && compare.store.state.status === 'ready'"
    )
    assert "NOT lossless" in page.inner_text("th[data-rule=threshold]")
    assert trace(page)["digest"] == before["digest"] and place(page)[0] == "3" and wrong_numbers(page) == []
    page.click("#compare-remove-0")
    page.evaluate("compare.actions.removeRule(0)")
    assert page.evaluate("compare.store.state.form.rules") == ["block", "greedy_block"]


def test_another_rule_to_follow_decodes_from_the_start(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,greedy_block", b=3), wait=READY)
    page.check("#compare-follow-2")
    page.wait_for_function("compare.store.state.trace.settings.verifier === 'greedy_block'")
    page.wait_for_selector(READY)
    expected = decoded("token,block,greedy_block", "greedy_block")
    assert without_times(trace(page)) == without_times(expected) and place(page)[0] == "0"
    remembered = next(block["index"] for block in expected["blocks"] if block["memory"])
    page.evaluate(f"compare.actions.goTo({remembered})")
    assert "pays for an earlier block here" in page.inner_text("#compare-differences") and wrong_numbers(page) == []
    page.click("#compare-remove-2")
    page.wait_for_function("compare.store.state.trace.settings.verifier === 'block'")
    page.wait_for_selector(READY)
    assert page.locator("#compare-follow-1").is_checked() and page.locator("#compare-block thead th").count() == 3


def test_a_new_column_leaves_the_block_in_place_while_it_is_decoded(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(link(b=3), wait=READY)
    before = trace(page)
    page.evaluate(
        """window.seen = new Set(); compare.store.subscribe((view) => window.seen.add(`${view.blockIndex} of ${view.trace.blocks.length > 3}`))"""
    )
    monkeypatch.setattr(Handler, "delay", 0.3 * SLOWDOWN)
    page.select_option("#compare-add", "lenience")
    page.wait_for_selector("#compare[data-state=decoding]")
    assert (
        page.locator("td.cmp-cell:nth-child(4)").all_inner_texts() == ["not decoded yet"] * 5
        and wrong_numbers(page) == []
    )
    page.click("#compare-cancel")
    page.wait_for_selector(READY)
    assert trace(page) == before and page.locator("td.cmp-cell:nth-child(4)").first.inner_text() == "not decoded yet"
    monkeypatch.setattr(Handler, "delay", 0.0)
    page.click("#compare-run")
    page.wait_for_function("compare.store.state.trace.verifiers.length === 3 && compare.store.state.status === 'ready'")
    assert place(page)[0] == "3" and trace(page)["digest"] == before["digest"] and wrong_numbers(page) == []
    assert page.evaluate("[...window.seen]") == ["3 of true"]
