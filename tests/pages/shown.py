"""Every page of the app, empty and with something on it, as the tests of what people can reach open them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUN = {"prompt": "the cat", "pair": "tiny", "draft": "tiny-draft", "gamma": 4, "top_k": 0, "top_p": 1, "seed": 5}
STEP = urlencode(RUN | {"rules": "block*2", "temperature": 1, "max": 20, "b": 1}, safe="*")
COMPARE = urlencode(
    RUN | {"temperature": 1.5, "max": 24, "rules": "token,block,correction_from_target", "follow": "block"}, safe=","
)
MEASURED = "&race=1&seeds=1&law=1&samples=100"
LAB = urlencode(
    {
        "pair": "tiny", "drafts": "tiny-draft", "tasks": "verse", "rules": "token,block", "gammas": "2,3", "temperatures": "1.5",
        "prompts": 1, "max": 16,
    },
    safe=",",
)  # fmt: skip
LONG = 120_000
SCRIPT = (Path(__file__).parent / "reach.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Shown:
    """A page in some state: its address, and what has to be there."""

    name: str
    address: str
    ready: str
    prepare: Callable[[Page], object] = lambda page: None

    def open(self, page: Page, url: str) -> None:
        """Go there and wait."""
        page.goto(f"{url}/{self.address}")
        page.wait_for_selector(self.ready, timeout=LONG)
        self.prepare(page)
        page.evaluate(SCRIPT)


def _measured(page: Page) -> None:
    for part, words in (("race", "finished"), ("law", "100")):
        page.wait_for_function(
            "([part, words]) => document.querySelector(`#${part}-status`)?.innerText.includes(words)",
            arg=[part, words],
            timeout=LONG,
        )
    page.wait_for_selector("#law-cancel", state="hidden", timeout=LONG)


def _swept(page: Page) -> None:
    page.click("#lab-start:enabled")
    page.wait_for_selector("#page-lab .lab-best", state="attached", timeout=LONG)
    page.click("#page-lab .pic-lab-speed .lab-as-table > summary")


def _settled(page: Page) -> None:
    page.wait_for_function("() => !document.querySelector('.is-waiting, [data-pending]')", timeout=LONG)


SHOWN = (
    Shown("front", "", "#page-step .specdemo-root[data-state=ready]"),
    Shown("step", "#" + STEP, "#page-step .specdemo-root[data-state=ready][data-block='1']"),
    Shown("compare, empty", "#page=compare", "#compare-prompt"),
    Shown(
        "compare",
        f"#page=compare&{COMPARE}{MEASURED}",
        "#page-compare .specdemo-root[data-state=ready]",
        _measured,
    ),
    Shown("lab, empty", "#page=lab", "#lab-start:enabled"),
    Shown("lab", f"#page=lab&{LAB}", "#lab-start:enabled", _swept),
    Shown("sandbox", "#page=sandbox", "[data-page=sandbox] .pic-tree [data-path]", _settled),
    Shown("audit, empty", "#page=audit", "#audit-run"),
    Shown("audit", "#page=audit&rule=residual_without_weight&run=1", "[data-page=audit][data-state=done]"),
    Shown("learn", "#page=learn", ".learn[data-view=contents]"),
    Shown("chapter", "#page=learn&chapter=transport", "[data-chapter=transport] .learn-question[data-asked]", _settled),
    Shown("glossary", "#page=learn&view=glossary", ".learn[data-view=glossary]"),
)
