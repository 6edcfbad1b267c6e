"""What the tests of the Sandbox and the Audit page share: the development page with the server's real answers, without Gradio.

python -m tests.viewer.sandbox_page 8124     then open http://127.0.0.1:8124/assets/viewer/sandbox/dev.html
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from specdemo import verifiers
from specdemo.sandbox.answers import ANSWERS
from specdemo.sandbox.picture import picture_of
from specdemo.sandbox.state import SIDES, Context, State, read_laws, shape_of
from specdemo.verifiers import mistakes
from specdemo.verifiers.mistakes import Mistake
from tests.viewer.servers import FilesHandler, Server, running
from tests.viewer.watched import watched
from tests.worse_conditions import loaded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CONTEXTS: list[Context] = ["free", "position", "prefix"]
READY = "#sandbox[data-state=ready]:not([data-pending])"


def config() -> dict[str, Any]:
    """As the service tells the pages."""
    rules = [verifiers.get(name) for name in [*verifiers.names(), *mistakes.names()]]
    keys = ("name", "title", "source", "lossless", "remembers")
    return {
        "rules": [
            {
                **{key: getattr(rule, key) for key in keys},
                "goes_wrong": rule.goes_wrong if isinstance(rule, Mistake) else None,
            }
            for rule in rules
        ]
    }


class Handler(FilesHandler):
    """The page's config, and POST specdemo-api/NAME."""

    def do_GET(self) -> None:
        if self.path == "/sandbox_config":
            return self.send_json(200, config())
        return super().do_GET()

    def do_POST(self) -> None:
        self.send_answer(ANSWERS, Exception)


def make_server(port: int = 0) -> Server:
    return Server(Handler, port)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(make_server()) as root:
        yield f"{root}/assets/viewer/sandbox/dev.html"


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    tolerated: list[str] = []

    def opened(hash_: str = "#page=sandbox", wait: str = READY, tolerate: tuple[str, ...] = ()) -> Page:
        tolerated.extend(tolerate)
        page = context.new_page()
        page.goto(f"{address}{hash_}")
        # Until they are mounted these are the elements of those names.
        page.wait_for_function("window.sandbox?.store && window.audit?.run")
        if wait:
            page.wait_for_selector(wait)
        loaded(page)
        return page

    with watched(chromium, tolerated=tolerated) as new_context:
        context = new_context()
        yield opened


def paper() -> dict[str, Any]:
    """The paper's two-symbol example."""
    return {
        "symbols": 2,
        "gamma": 2,
        "context": "free",
        "draft": [[["2/3", "1/3"]]],
        "target": [[["1/3", "2/3"]]],
        "rules": ["token", "block"],
    }


def three() -> dict[str, Any]:
    """Three symbols whose draft and target differ in all of them."""
    return {**paper(), "symbols": 3, "draft": [[["0.6", "0.1", "0.3"]]], "target": [[["0.2", "0.3", "0.5"]]]}


def link(given: dict[str, Any], **more: str) -> str:
    """The hash of a state, written independently of the page."""

    def rows(levels: list[list[list[str]]]) -> str:
        escape = str.maketrans({"~": "~0", ",": "~1", ";": "~2", ":": "~3"})
        return ";".join(",".join(text.translate(escape) for text in row) for level in levels for row in level)

    head = f"{given['symbols']},{given['gamma']},{given['context']}"
    named = {"s": f"{head}:{rows(given['draft'])}:{rows(given['target'])}", "rules": ",".join(given["rules"]), **more}
    return "#page=sandbox&" + urlencode(named)


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("sandbox.store.state.doc")
    return found


def fields(page: Page) -> list[list[str]]:
    """The texts shown: the draft's, the target's."""
    return [
        [field.input_value() for field in page.locator(f".sb-field[data-side={side}]").all()]
        for side in ("draft", "target")
    ]


def settled(page: Page) -> None:
    """Waits until nothing is on its way any more."""
    page.wait_for_function(
        "() => { const { pending, picture } = sandbox.store.view; return picture && !Object.values(pending).some(Boolean); }"
    )


def drag(page: Page, selector: str, by: float, steps: int = 8) -> None:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + min(12, box["height"] / 2)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + by, steps=steps)
    page.mouse.up()


def random_state(seed: int, context: Context | None = None, symbols: int = 0, gamma: int = 0) -> dict[str, Any]:
    """Laws of small fractions, some of them 0; what is not given is drawn."""
    rng = random.Random(seed)
    symbols, gamma = symbols or rng.randint(2, 3), gamma or rng.randint(1, 3)
    chosen = rng.choice(CONTEXTS) if context is None else context

    def row() -> list[str]:
        parts = [rng.randint(0, 5) for _ in range(symbols)]
        parts[rng.randrange(symbols)] += 1
        return [f"{part}/{sum(parts)}" for part in parts]

    levels: dict[str, Any] = {
        side: [[row() for _ in range(count)] for count in shape_of(chosen, symbols, gamma)] for side in SIDES
    }
    return {"symbols": symbols, "gamma": gamma, "context": chosen, **levels, "rules": ["token", "block"]}


def library(given: dict[str, Any]) -> dict[str, Any]:
    laws = read_laws(State.model_validate(given))
    assert not isinstance(laws, list), laws
    return json.loads(json.dumps(picture_of(laws, given["rules"])))


if __name__ == "__main__":
    make_server(int(sys.argv[1]) if len(sys.argv) > 1 else 8124).serve_forever()
