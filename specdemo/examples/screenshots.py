"""The pictures of the README and the documentation, taken from the running app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from specdemo.examples.browser import FLAGS, ROOT, chromium, running_app

# file → (width, height, colour scheme, whole page)
SHOTS = {
    "assets/screenshot.png": (1280, 800, "light", True),
    "docs/pictures/step-dark.png": (1280, 800, "dark", False),
    "docs/pictures/step-phone.png": (390, 844, "light", False),
}


def take_all() -> Iterator[Path]:
    """Take every screenshot; yields the files. RuntimeError if Chromium or the app is not there."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        raise RuntimeError("screenshots need Chromium (Debian: apt-get install chromium)")
    with running_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name, (width, height, scheme, whole) in SHOTS.items():
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(address)
            page.wait_for_selector('[data-state="ready"]', timeout=30_000)
            page.wait_for_timeout(300)  # the pictures' own transitions take up to 200 ms
            target = ROOT / name
            target.parent.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=target, full_page=whole)
            page.close()
            yield target
        browser.close()
