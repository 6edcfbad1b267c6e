"""The Compare page in the running app: its numbers are the library's, it shares the document with Step, and it leaves Step its turn."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from specdemo.decoding import decode_run
from specdemo.lab.law import law_check
from specdemo.lab.race import race, whole_race
from tests.tiny import tiny_pair

pytestmark = pytest.mark.browser

RULES = ["token", "block", "greedy_block", "correction_from_target"]
SETTINGS: dict[str, Any] = {"gamma": 4, "temperature": 1.5, "top_k": 0, "top_p": 1.0, "seed": 3}
NOTHING = re.compile("(?!)")
LENGTH, SEEDS, SAMPLES = 24, 3, 120
READY = "#page-compare .specdemo-root[data-state=ready]"
NUMBERS = """(prefix) => [...document.querySelectorAll('#page-compare [data-path]')]
  .filter((node) => (node.closest('svg') || node.offsetParent) && node.dataset.path.startsWith(prefix))
  .map((node) => [node.dataset.path.slice(prefix === '/' ? 0 : prefix.length), node.dataset.value])"""


def link(**changes: Any) -> str:
    settings = {
        "prompt": "the cat",
        "pair": "tiny",
        "draft": "tiny-draft",
        "max": LENGTH,
        "rules": ",".join(RULES),
        "follow": "block",
    }
    return "/#page=compare&" + urlencode({**settings, **SETTINGS, **changes})


def at(record: Any, pointer: str) -> Any:
    for name in pointer.removeprefix("/").split("/"):
        record = record[int(name) if isinstance(record, list) else name]
    return record


def compare_numbers(page: Any, prefix: str, record: Any, least: int, skip: re.Pattern[str] = NOTHING) -> None:
    """Every number shown whose path begins so stands in the library's record; `skip`: times, which no two machines share."""
    found = [(path, value) for path, value in page.evaluate(NUMBERS, prefix) if not skip.search(path)]
    assert len(found) >= least
    for path, value in found:
        right = at(record, path)
        assert float(value) == pytest.approx(float(right), rel=1e-9, abs=1e-12), path


def test_every_number_of_the_same_block_is_the_librarys(app: Any, open_tab: Any) -> None:
    pair = tiny_pair(context=640, eos=None)
    run = decode_run(pair, "the cat", verifier="block", rules=RULES, max_new_tokens=LENGTH, **SETTINGS)
    page = open_tab(app, link(b=1)).page
    page.wait_for_selector(READY + '[data-block="1"]')
    for number in (1, 2):
        page.wait_for_selector(READY + f'[data-block="{number}"]')
        assert f"block {number + 1} of {len(run['blocks'])}" in page.inner_text("#page-compare")
        compare_numbers(page, "/", json.loads(json.dumps(run)), least=60)
        page.keyboard.press("ArrowRight")


def test_the_race_and_the_law_show_the_librarys_records(app: Any, open_tab: Any) -> None:
    pair = tiny_pair(context=640, eos=None)
    page = open_tab(app, link(race=1, seeds=SEEDS, law=1, samples=SAMPLES)).page
    page.wait_for_function("() => /finished/.test(document.querySelector('#race-status')?.innerText)", timeout=60_000)
    raced = whole_race(race(pair, ["the cat"], RULES, seeds=SEEDS, max_new_tokens=LENGTH, **SETTINGS))
    compare_numbers(
        page, "race:", raced, least=12, skip=re.compile(r"/calls/\d+/[4-7]$|costs|tokens_per_second|speedup")
    )
    assert page.locator("#page-compare [data-path='race:/summary/rules/block/over_token/mean']").count() > 0
    page.wait_for_function(f"() => /{SAMPLES}/.test(document.querySelector('#law-status')?.innerText)", timeout=60_000)
    *_, law = law_check(pair, "the cat", RULES, samples=SAMPLES, **SETTINGS)
    page.wait_for_function(
        "(n) => document.querySelectorAll(\"#page-compare [data-path^='law:/pairs/rules/block/counts']\").length >= n",
        arg=8,
    )
    compare_numbers(page, "law:", law, least=60)


def test_somebody_can_step_while_a_race_is_run(app: Any, open_tab: Any) -> None:
    racing = open_tab(app, link(max=400)).page
    racing.wait_for_selector(READY)
    racing.fill("#race-seeds", "20")
    racing.click("#race-start")
    racing.wait_for_selector("#page-compare .race-lane[data-rule=plain]")
    stepping = open_tab(app).decode(blocks=1, run="other")
    assert len(stepping["blocks"]) == 1 and stepping["error"] is None
    racing.bring_to_front()
    assert racing.locator("#race-cancel").is_visible()
    racing.click("#race-cancel")
    racing.wait_for_function("() => /cancelled|kept/i.test(document.querySelector('#race-status').innerText)")


def test_two_pages_share_one_address(app: Any, open_tab: Any) -> None:
    page = open_tab(
        app,
        "/#prompt=the+cat&pair=tiny&draft=tiny-draft&rules=block*2&gamma=3&temperature=1&top_k=0&top_p=1&seed=5&max=20&b=1",
    ).page
    page.wait_for_selector('#page-step .specdemo-root[data-state="ready"][data-block="1"]')
    text = page.inner_text("#page-step .sd-text")
    page.click("#open-compare")
    page.wait_for_selector(READY + '[data-block="1"]')
    page.wait_for_function("() => location.hash.includes('page=compare')")
    assert "seed=5" in page.evaluate("location.hash") and page.input_value("#compare-prompt") == "the cat"
    page.click("#page-step-button")
    page.wait_for_function("() => !location.hash.includes('page=') && location.hash.includes('b=1')")
    assert page.inner_text("#page-step .sd-text") == text
    page.click("#page-compare-button")
    page.wait_for_function("() => location.hash.includes('page=compare')")
    page.reload()
    page.wait_for_selector(READY + '[data-block="1"]')
    assert page.locator("#page-step .specdemo-root").is_hidden()


def test_keys_belong_to_the_page_that_is_shown(app: Any, open_tab: Any) -> None:
    page = open_tab(app, link()).page
    page.wait_for_selector(READY)
    place = page.evaluate("() => ({ ...document.querySelector('#page-step .specdemo-root').dataset })")
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(READY + '[data-block="1"]')
    assert page.evaluate("() => ({ ...document.querySelector('#page-step .specdemo-root').dataset })") == place
