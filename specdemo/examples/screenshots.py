"""The pictures of the README and the documentation, taken from the running app."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from specdemo.examples.browser import FLAGS, ROOT, chromium, running_app

_AUSTEN = "#page=compare&prompt=It+is+a+truth+universally+acknowledged&pair=stories&draft=192&temperature=1&top_k=0&top_p=1&seed=1&max=64"
_FOUR = "&gamma=8&rules=token,block,greedy_block,typical&follow=block"
_LAB = "#page=lab&pair=stories&drafts=192&tasks=stories,recipes,verse,austen&rules=token,block&gammas=4,8&temperatures=1&prompts=8&max=64&run=1"
_RACE = "&gamma=8&rules=token,block&follow=block&race=1&seeds=1&set=austen&axis=calls"


@dataclass(frozen=True)
class Shot:
    """One picture: the size of the window, the colours, the whole page or what is seen at once, and the state that is shown.

    `ready` is a selector to wait for, `part` one to show instead of the page.
    """

    width: int
    height: int
    scheme: str = "light"
    whole: bool = False
    state: str = ""
    ready: str = '.specdemo-root[data-state="ready"]'
    part: str | None = None


_COMPARED = '#page-compare .specdemo-root[data-state="ready"]'

SHOTS = {
    "assets/screenshot.png": Shot(1280, 800, whole=True),
    "docs/pictures/step-dark.png": Shot(1280, 800, "dark"),
    "docs/pictures/step-phone.png": Shot(390, 844),
    "assets/compare.png": Shot(1280, 1000, state=f"{_AUSTEN}{_FOUR}&b=3", ready=_COMPARED),
    "docs/pictures/compare-race.png": Shot(
        1280, 1000, state=_AUSTEN + _RACE, ready='.measure-controls[data-status="done"]', part="#compare-race"
    ),
    "docs/pictures/compare-phone.png": Shot(390, 844, state=f"{_AUSTEN}{_FOUR}&b=3", ready=_COMPARED),
    "docs/pictures/lab.png": Shot(
        1280, 1000, state=_LAB, ready='#page-lab [data-status="done"] .lab-best-words', part="#page-lab .lab-pictures"
    ),
    "assets/sandbox.png": Shot(
        1280, 1180, state="#page=sandbox", ready='#page-sandbox .specdemo-root[data-state="ready"]'
    ),
}


def take_all() -> Iterator[Path]:
    """Take every screenshot; yields the files. RuntimeError if Chromium or the app is not there."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        raise RuntimeError("screenshots need Chromium (Debian: apt-get install chromium)")
    with running_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name, shot in SHOTS.items():
            size = {"width": shot.width, "height": shot.height}
            page = browser.new_page(viewport=size, color_scheme=shot.scheme)  # type: ignore[arg-type]
            page.goto(address + shot.state)
            page.wait_for_selector(shot.ready, timeout=300_000)
            page.wait_for_timeout(500)  # the pictures' own transitions take up to 200 ms
            target = ROOT / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if shot.part:
                page.locator(shot.part).screenshot(path=target)
            else:
                page.screenshot(path=target, full_page=shot.whole)
            page.close()
            yield target
        browser.close()
