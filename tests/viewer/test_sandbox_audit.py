"""The Audit page in a browser, on the auditor's real reports: in words, as a program, and as a state of the Sandbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import specdemo
from tests.auditor.single_precision import verifier
from tests.viewer.sandbox_page import READY, address, open_page, state
from tests.worse_conditions import SLOWDOWN

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

DONE = "#audit[data-state=done]"


def test_a_mistake_is_found_and_its_counterexample_opens_in_the_sandbox(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit", wait="#audit[data-state=empty]")
    page.select_option("#audit-rule", "residual_without_weight")
    page.click("#audit-run")
    page.wait_for_selector(DONE, timeout=60_000)
    report = specdemo.audit("residual_without_weight", budget="quick")
    worst = report.worst
    assert worst is not None and not report.lossless
    assert page.inner_text(".sb-answer") == "Residual without weight is NOT lossless."
    facts = page.inner_text(".sb-report-facts")
    assert f"starts with {''.join('ABCDE'[x] for x in worst.prefix)} with probability 0.236 instead of 0.200" in facts
    assert "recognised: “Residual without its weight” (seen in vllm-project/vllm-ascend#7807)" in facts
    shown = {
        node.get_attribute("data-path"): float(node.get_attribute("data-value") or "nan")
        for node in page.locator("#audit [data-path^='report:']").all()
    }
    assert (
        shown["report:/max_deviation"] == report.max_deviation
        and shown["report:/worst/got"] == worst.got
        and shown["report:/worst/right"] == worst.right
    )
    assert page.inner_text(".sb-code").strip() == (report.counterexample or "").strip()
    assert "World “Three symbols, by position”, V=3 γ=2 #0, beside" in page.inner_text(".sb-open")
    page.click("#audit-open")
    page.wait_for_selector(READY)
    opened = state(page)
    assert "residual_without_weight" in opened["rules"] and page.evaluate("location.hash").startswith(
        "#page=sandbox&s="
    )
    wrong = page.evaluate("sandbox.store.view.picture.rules.residual_without_weight")
    chosen = page.evaluate("sandbox.store.view.selected")
    assert (chosen["row"], chosen["column"]) == (wrong["worst"]["row"], wrong["worst"]["column"])
    assert "&cell=" in page.evaluate("location.hash") and page.locator(".sbx-panel .sbx-chosen").count() == 3
    assert max(wrong["tv"], wrong["bonus_tv"]) > 1e-6


def test_a_lossless_rule_is_said_to_be_one(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit&rule=block&run=1", wait=DONE)
    assert page.inner_text(".sb-answer").startswith("Block is lossless: in ")
    assert "only rounding (tolerance 0.000000001)" in page.inner_text(".sb-report-facts")
    assert not page.locator("#audit-open").is_visible() and not page.locator(".sb-code").is_visible()
    rows = page.locator(".sb-report-table tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]


def test_a_rule_that_rounds_is_said_to_be_lossless_up_to_that(open_page: Callable[..., Page]) -> None:
    report = specdemo.audit(verifier("block"), budget="quick")
    answer = {"report": report.to_json(), "text": report.text(), "state": None, "world": None, "cell": None}
    page = open_page("#page=audit", wait="#audit[data-state=empty]")
    page.route("**/specdemo-api/audit", lambda route: route.fulfill(json=answer))
    page.click("#audit-run")
    page.wait_for_selector(DONE)
    said = page.inner_text(".sb-answer")
    assert "is lossless up to rounding: in 51 small worlds every threshold is that of “Block verification”" in said
    assert "0.0000000596 (tolerance 0.000000001)" in page.inner_text(".sb-report-facts")
    assert not page.locator("#audit-open").is_visible() and not page.locator(".sb-code").is_visible()


def test_running_and_failing_have_words(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit", wait="#audit[data-state=empty]", tolerate=("status of 429",))
    assert "python -m specdemo audit" in page.inner_text(".sb-yours")
    waiting = []
    page.route("**/specdemo-api/audit", lambda route: waiting.append(route))
    page.click("#audit-run")
    page.wait_for_selector("#audit[data-state=running]")
    assert page.locator("#audit-run").is_disabled() and "Auditing" in page.inner_text(".sb-audit-status")
    page.wait_for_timeout(1200)
    assert f"{SLOWDOWN} s" in page.inner_text(".sb-audit-status")  # the pause is as many times longer
    waiting.pop().fulfill(status=429, content_type="application/json", body='{"error": "Another audit is running."}')
    page.wait_for_selector("#audit[data-state=error]")
    assert "Another audit is running." in page.inner_text(".sb-audit-status")
    page.unroute("**/specdemo-api/audit")
    page.click("#audit-retry")
    page.wait_for_selector(DONE, timeout=60_000)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(open_page: Callable[..., Page], width: int) -> None:
    page = open_page("#page=audit&rule=threshold&run=1", wait=DONE)
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
