"""What the tests of the Compare page share: a served development page that decodes with tiny real models, and looks into it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from tests.viewer import tiny_runs
from tests.viewer.serve import make_server
from tests.viewer.servers import running
from tests.viewer.watched import watched
from tests.worse_conditions import loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROMPT = "once upon a time"
READY = "#compare[data-state=ready]"
FOUR = "token,block,exact_match,product_of_uniforms"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    tiny_runs.pair()  # the libraries behind it are not loaded while a page waits
    with running(make_server()) as root:
        yield f"{root}/assets/viewer/compare/dev.html"


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    def opened(hash_: str = "", wait: str = "", query: str = "") -> Page:
        page = context.new_page()
        page.goto(f"{address}{query}{hash_}")
        page.wait_for_function("window.compare?.store")  # before, it is the element of this id
        if wait:
            page.wait_for_selector(wait)
            page.evaluate("compare.ready")
        loaded(page)
        return page

    with watched(chromium) as new_context:
        context = new_context()
        yield opened


def link(rules: str = "token,block", follow: str = "block", **more: Any) -> str:
    settings = {
        "prompt": PROMPT, "pair": "tiny", "draft": "tiny-draft", "gamma": 5, "temperature": 2, "top_k": 0, "top_p": 1, "seed": 0, "max": 40,
        "rules": rules, "follow": follow,
    }  # fmt: skip
    return "#page=compare&" + urlencode(settings | more)


def decoded(rules: str = "token,block", follow: str = "block", **more: Any) -> dict[str, Any]:
    """The same run by the library, without browser and server."""
    from specdemo.decoding import Decoding
    from specdemo.trace import whole_run
    from tests.viewer.tiny_runs import pair

    settings: dict[str, Any] = {"gamma": 5, "temperature": 2.0, "seed": 0, "max_new_tokens": 40} | more
    run = Decoding(pair(), PROMPT, verifier=follow, rules=rules.split(","), **settings)
    return whole_run(run.head, iter(run))


def without_times(run: dict[str, Any]) -> dict[str, Any]:
    """A run as it is on every machine and at every time."""
    blocks = [{name: part for name, part in block.items() if name != "timings"} for block in run["blocks"]]
    return json.loads(json.dumps({**run, "blocks": blocks, "created": "", "versions": {}}))


def trace(page: Page) -> dict[str, Any]:
    return page.evaluate("compare.store.state.trace")


def place(page: Page) -> tuple[str | None, str | None]:
    root = page.locator("#compare")
    return root.get_attribute("data-block"), root.get_attribute("data-position")


def outcome(block: dict[str, Any], rule: str) -> tuple[int, int]:
    verdict = block["verdicts"][rule]
    return verdict["accepted"], verdict["next_token"]


def differing(run: dict[str, Any], rules: list[str], follow: str) -> list[int]:
    return [b["index"] for b in run["blocks"] if any(outcome(b, rule) != outcome(b, follow) for rule in rules)]


def wrong_numbers(page: Page) -> list[Any]:
    """The numbers shown that are not those of the trace, by their own paths."""
    script = """() => {
      const trace = compare.store.state.trace, wrong = [];
      const at = (path) => path.slice(1).split('/').reduce((x, key) => (x === null || x === undefined ? undefined : x[key]), trace);
      for (const node of document.querySelectorAll('#compare [data-path]')) {
        const path = node.getAttribute('data-path'), value = node.getAttribute('data-value');
        if (!path.startsWith('/')) continue;
        const found = at(path);
        if (found === undefined || found === null || (String(found) !== value && Number(found) !== Number(value))) wrong.push([path, value, found]);
      }
      return wrong;
    }"""
    return page.evaluate(script)
