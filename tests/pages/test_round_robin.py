"""Two servers behind a proxy that changes between them with every single request behave as one: nothing needs to stick."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import httpx
import pytest

from tests.pages.conftest import App, Tab
from tests.pages.round_robin import RoundRobin
from tests.pages.test_bridge import digests

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEP = "#page-step .specdemo-root"
SETTINGS = {
    "prompt": "the cat",
    "pair": "tiny",
    "draft": "tiny-draft",
    "temperature": 1.5,
    "top_k": 0,
    "top_p": 1,
    "seed": 3,
}
PATIENT = {"retryAfter": [300] * 200}


def link(page: str = "", **changes: Any) -> str:
    return ("#page=" + page + "&" if page else "#") + urlencode(
        {**SETTINGS, "gamma": 3, "max": 60, **changes}, safe=",*"
    )


@pytest.fixture(scope="module")
def servers(tiny_folder: Path) -> Iterator[list[App]]:
    both = [App(tiny_folder), App(tiny_folder)]
    for server in both:
        server.start()
    for server in both:
        while httpx.get(f"{server.url}/readyz", timeout=60).status_code != 200:
            time.sleep(0.1)
    yield both
    for server in both:
        server.stop()


@pytest.fixture
def proxy(servers: list[App]) -> Iterator[RoundRobin]:
    with RoundRobin([server.port for server in servers]) as running:
        yield running


@pytest.fixture
def open_page(visitor: BrowserContext, proxy: RoundRobin) -> Iterator[Any]:
    tabs: list[Tab] = []

    def open_one(address: str = "") -> Tab:
        tabs.append(Tab(visitor.new_page(), f"{proxy.url}/{address}"))
        return tabs[-1]

    yield open_one
    for tab in tabs:
        tab.page.close()


def shares(proxy: RoundRobin, path: str) -> Counter[int]:
    """How many requests for a path each server has had."""
    return Counter(port for line, port in proxy.asked if path in line)


def test_step_by_step_is_the_same_run_as_in_one_go_and_one_server(
    servers: list[App], proxy: RoundRobin, open_page: Any
) -> None:
    tab = open_page()
    whole = tab.decode(max_new_tokens=60)
    ids, prompt = list(whole["head"]["prompt"]["ids"]), len(whole["head"]["prompt"]["ids"])
    proxy.asked.clear()
    for number, block in enumerate(whole["blocks"]):
        resume = {
            "ids": ids,
            "prompt_length": prompt,
            "block": number,
            "memory": None,
            "digest": whole["blocks"][number - 1]["digest"],
        }
        step = tab.decode(blocks=1, max_new_tokens=60, resume=resume if number else None)
        assert digests(step) == [block["digest"]] and not any("connection" in text for text in step["progress"])
        ids += block["committed"]
    assert all(share >= len(whole["blocks"]) // 3 for share in shares(proxy, "/specdemo-run/decode").values())
    assert set(shares(proxy, "/specdemo-run/decode")) == {server.port for server in servers}
    assert {line for line, _ in proxy.asked} == {"POST /specdemo-run/decode HTTP/1.1"}, "a run is one request"
    assert tab.complaints == []


def test_the_pages_work(proxy: RoundRobin, open_page: Any) -> None:
    tab = open_page(link(rules="block*2", b=1))
    page = tab.page
    page.wait_for_selector(f'{STEP}[data-state="ready"][data-block="1"]')
    for block in (2, 3):
        page.evaluate("document.activeElement?.blur()")
        page.keyboard.press("End")
        page.click("#step")
        page.wait_for_selector(f'{STEP}[data-state="ready"][data-block="{block}"]')
    page.wait_for_function("() => location.hash.includes('b=3')")
    page.reload()
    page.wait_for_selector(f'{STEP}[data-state="ready"][data-block="3"]')

    page = open_page(link("compare", rules="token,block", follow="block", race=1, seeds=2)).page
    page.wait_for_function("() => /finished/.test(document.querySelector('#race-status')?.innerText)", timeout=90_000)

    page = open_page(
        "#page=lab&pair=tiny&drafts=tiny-draft&tasks=verse&rules=token,block&gammas=2&temperatures=1&prompts=2&max=8"
    ).page
    page.wait_for_selector("#lab-start:enabled")
    page.click("#lab-start")
    page.wait_for_selector("#page-lab .specdemo-root[data-status=done]", timeout=120_000)
    page.wait_for_selector("#page-lab .lab-best", state="attached")

    page = open_page("#page=sandbox&s=2,2,free:2/3,1/3:1/3,2/3&rules=token,block").page
    page.wait_for_selector("[data-page=sandbox][data-state=ready]")
    page = open_page("#page=audit&rule=residual_without_weight&run=1").page
    page.wait_for_selector("[data-page=audit][data-state=done]", timeout=90_000)
    assert not any("gradio_api/call" in line or "gradio_api/run" in line for line, _ in proxy.asked)


def test_cancelling_reaches_the_server_that_runs(proxy: RoundRobin, open_page: Any) -> None:
    tab = open_page()
    for _ in range(2):  # both of them
        told = tab.decode(max_new_tokens=512, cancel_after=1)
        assert told["end"] is None and told["error"] is None
    other = open_page()
    for number in range(4):
        assert other.decode(blocks=1, run=f"after{number}")["milliseconds"] < 3000
    assert {line.split()[1] for line, _ in proxy.asked if line.startswith("POST")} == {"/specdemo-run/decode"}


def test_a_server_that_dies_between_blocks_is_told_and_the_other_goes_on(
    tiny_folder: Path, servers: list[App], proxy: RoundRobin, open_page: Any
) -> None:
    dying = App(tiny_folder)
    dying.start()
    proxy.ports = [dying.port]
    tab = open_page(link(rules="block*1", b=0))
    page = tab.page
    page.wait_for_selector(f'{STEP}[data-state="ready"][data-block="0"]')
    expected = tab.decode(**{**SETTINGS, "draft": "tiny-draft", "top_p": 1.0}, gamma=3, max_new_tokens=60)
    long = {"max_new_tokens": 400, "run": "long"}
    whole = tab.decode(**long)
    tab.begin(**{**long, "run": "broken"}, options=PATIENT)
    tab.wait_for_blocks(2, "broken")
    dying.stop()
    # Nobody answers: told in words, and what was decoded stays.
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("End")
    page.click("#step")
    page.wait_for_function(f"() => /connection|does not answer/.test(document.querySelector('{STEP}').innerText)")
    page.wait_for_selector(f'{STEP}[data-state="error"]', timeout=60_000)
    assert "does not answer" in page.inner_text(STEP)
    proxy.ports = [servers[0].port]
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(f'{STEP}[data-state="ready"][data-block="1"]')
    assert page.locator(f"{STEP} .sd-text [data-token-id]").count() >= sum(
        len(block["committed"]) for block in expected["blocks"][:2]
    )
    assert digests(tab.finish()) == digests(whole), "the run that was broken in its midst went on as well"
