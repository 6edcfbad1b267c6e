"""The Compare page opens links with care: nothing of the race before, no measurement after a cancel, mistakes said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer import tiny_runs
from tests.viewer.compare_page import READY, address, link, open_page, trace
from tests.viewer.serve import Handler
from tests.worse_conditions import OFFLINE

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

RACED = "compare.store.state.race.status === 'done'"


def notice(page: Page) -> str:
    return page.inner_text("#compare .sd-notice.message")


def options(page: Page) -> Any:
    return page.evaluate("compare.store.state.race.options")


def test_a_link_inherits_nothing_from_the_race_before(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tiny_runs.config() | {"prompt_sets": [{"name": "stories", "title": "Stories", "count": 1}]}
    monkeypatch.setattr(tiny_runs, "config", lambda: known)
    page = open_page(link(max=5, race=1, seeds=1, set="stories", axis="predicted", c=0.5, v=2, law=1, samples=3))
    page.wait_for_function(RACED)
    page.wait_for_function("compare.store.state.law.status === 'done'")
    assert options(page) == {"seeds": 1, "prompt_set": "stories", "axis": "predicted", "c": 0.5, "v": 2}
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.post_data_json) if "/race" in request.url else None)
    page.evaluate(f"location.hash = {link(max=5, race=1, seeds=2, axis='calls')!r}")
    page.wait_for_function("compare.store.state.race.record?.settings.seeds === 2 && " + RACED)
    assert asked[0]["prompt_set"] is None and asked[0]["seeds"] == 2 and page.input_value("#race-set") == ""
    assert options(page) == {"seeds": 2, "prompt_set": None, "axis": "calls", "c": None, "v": None}
    assert page.evaluate("[compare.store.state.law.record, compare.store.state.law.options.samples]") == [None, 600]


def test_what_is_typed_for_the_next_race_outlives_a_reload(open_page: Callable[..., Page]) -> None:
    page = open_page(link(max=5, race=1, seeds=1))
    page.wait_for_function(RACED)
    page.wait_for_function("location.hash.includes('race=1')")
    page.fill("#race-seeds", "7")
    page.reload()
    page.wait_for_function("window.compare?.store && " + RACED)
    assert (
        page.evaluate("compare.store.state.race.record.settings.seeds") == 1 and page.input_value("#race-seeds") == "7"
    )


def test_a_reload_that_is_quicker_than_the_last_link_keeps_what_is_typed(open_page: Callable[..., Page]) -> None:
    """The browser then opens the link before it, as here."""
    page = open_page(link(max=5, race=1, seeds=1))
    page.wait_for_function(RACED)
    before = page.url
    page.wait_for_function("location.hash.includes('digest=')")
    page.fill("#race-seeds", "7")
    page.goto("about:blank")
    page.goto(before.split("#")[0] + link(max=5, race=1, seeds=1))
    page.wait_for_function("window.compare?.store && " + RACED)
    page.wait_for_function("document.querySelector('#race-seeds').value === '7'")


def test_a_race_of_another_length_leaves_the_link(open_page: Callable[..., Page]) -> None:
    page = open_page(link(max=8, race=1, seeds=1), wait=READY)
    page.wait_for_function(RACED)
    page.wait_for_function("location.hash.includes('race=1')")
    page.fill("#compare-max-tokens", "12")
    page.click("#compare-run")
    page.wait_for_function("location.hash.includes('max=12')")
    assert "race=1" not in page.url


@pytest.mark.parametrize("prompt", ["once upon a time", "fail please"])
def test_only_a_finished_restore_starts_the_measurements(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, prompt: str
) -> None:
    if OFFLINE and not prompt.startswith("fail"):
        pytest.skip("cancels a run that is under way, and a page is cut off when nothing is on its way")
    monkeypatch.setattr(Handler, "delay", 0.2)
    page = open_page(link(prompt=prompt, race=1, seeds=2, law=1, samples=3, c="NaN"))
    if prompt.startswith("fail"):
        page.wait_for_selector("#compare[data-state=error]")
    else:
        page.wait_for_function("compare.store.state.trace?.blocks.length > 1")
        page.click("#compare-cancel")
    page.wait_for_function("document.querySelector('#compare .sd-notice.message').textContent.includes('not started')")
    page.wait_for_timeout(300)
    assert page.evaluate("[compare.store.state.race.status, compare.store.state.law.status]") == ["empty", "empty"]
    assert "c: a number from 0 to 1000" in notice(page) and "race and law check were not started" in notice(page)
    assert ("asked for an error" in notice(page)) == page.locator("#compare-retry").is_visible() == (prompt[0] == "f")


def test_a_cancelled_start_keeps_the_results(open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page(link(max=5, race=1, seeds=2, law=1, samples=3), wait=READY)
    page.wait_for_function(RACED + " && compare.store.state.law.status === 'done'")
    records = "[compare.store.state.race.record, compare.store.state.law.record]"
    before = page.evaluate(records)
    monkeypatch.setattr(Handler, "delay", 1.0)
    for kind in ("race", "law"):
        page.click(f"#{kind}-start")
        page.wait_for_timeout(200)
        assert "Waiting for the server" in page.inner_text(f"#{kind}-status")  # not how far the old one came
        page.click(f"#{kind}-cancel")
        assert "Cancelled before anything came; the earlier results stay" in page.inner_text(f"#{kind}-status")
    page.wait_for_timeout(500)
    assert page.evaluate(records) == before and "race=1" in page.url and "law=1" in page.url
    fresh = open_page(link(max=5, seeds=1), wait=READY)
    fresh.click("#race-start")
    fresh.wait_for_timeout(200)
    fresh.click("#race-cancel")
    fresh.wait_for_timeout(500)
    assert "race=1" not in fresh.url and "Cancelled before anything came" in fresh.inner_text("#race-status")


def test_mistaken_values_are_said_and_nothing_of_them_starts(open_page: Callable[..., Page]) -> None:
    page = open_page(link(race=1, seeds=999999999, set="nope", v="1e300", b=99, seed="0x10", follow="<b>"), wait=READY)
    page.wait_for_function("document.querySelector('#compare .sd-notice.message').textContent.includes('block 100')")
    for words in ("seeds: ", "Prompts: there is no “nope”", "v: ", "seed: ", "“<b>”", "race was not started"):
        assert words in notice(page), words
    assert page.evaluate("compare.store.state.race.status") == "empty" and trace(page)["settings"]["seed"] == 0
    page.click("#race-start")  # the select shows this prompt, and it is what is raced
    page.wait_for_function("compare.store.state.race.record?.settings.prompt_set === null")
    page.evaluate("compare.actions.cancelRace()")  # its button is gone where the race is over already
    assert page.locator("#compare [data-value=NaN], #compare .sd-notice b").count() == 0


def test_a_mistake_in_a_field_does_not_outlive_a_link(open_page: Callable[..., Page]) -> None:
    page = open_page(link(max=8), wait=READY)
    for field, bad in (("compare-gamma", "99"), ("race-seeds", "0"), ("law-samples", "0")):
        page.fill(f"#{field}", bad)
        assert page.get_attribute(f"#{field}", "aria-invalid") == "true"
    page.evaluate("document.getElementById('compare-prompt').value = 'a\\ud800b'")
    page.dispatch_event("#compare-prompt", "input")
    page.evaluate(f"location.hash = {link(max=8, seed=3)!r}")
    page.wait_for_function("compare.store.state.trace?.settings.seed === 3 && compare.store.state.status === 'ready'")
    assert page.locator("#compare [aria-invalid]").count() == 0
    assert page.locator("#compare .sd-problem").all_inner_texts() == [""] * page.locator("#compare .sd-problem").count()
    shown = [page.input_value(f"#{name}") for name in ("compare-gamma", "race-seeds", "law-samples", "compare-prompt")]
    assert shown == ["5", "10", "600", "once upon a time"]


def test_an_address_is_not_overwritten_before_its_event_has_come(open_page: Callable[..., Page]) -> None:
    """What waits to be written is written by a timer, which may come between a new address and its hashchange."""
    page = open_page(link(max=8), wait=READY)
    kept = page.evaluate(
        """async (given) => {
          const { addressIsSettled } = await import('/assets/viewer/pages.js');
          await new Promise((done) => setTimeout(done, 400));
          const before = addressIsSettled();
          location.hash = given;
          const meanwhile = addressIsSettled();
          compare.store.set({});
          return { before, meanwhile, hash: location.hash };
        }""",
        link(max=8, seed=3),
    )
    assert kept["before"] and not kept["meanwhile"]
    page.wait_for_function("compare.store.state.trace?.settings.seed === 3 && compare.store.state.status === 'ready'")
