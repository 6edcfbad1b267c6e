"""The browser tests under worse conditions: SPECDEMO_E2E=throttled (a processor four times slower) or offline (no network once a page has loaded).

Offline, `loaded(page)` cuts the network where a test's page stands. What fails after that is a defect, unless the page has asked the server a
question: such a test cannot pass without one and is skipped, naming the question. A file that is only fetched then is no question.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

MODE = os.environ.get("SPECDEMO_E2E", "")
THROTTLED, OFFLINE = MODE == "throttled", MODE == "offline"
if MODE not in ("", "throttled", "offline"):
    raise pytest.UsageError(f"SPECDEMO_E2E is {MODE!r}: it must be throttled, offline or empty")
# How much slower the page's processor is made, and how much longer is waited for it: the rest of the machine is no faster than before.
RATE, PATIENCE = 4, 6
SLOWDOWN = RATE if THROTTLED else 1
DEFAULT_TIMEOUT = 30_000

_cut: set[Page] = set()
_asked: list[str] = []
_on_the_way: Counter[Page] = Counter()


def prepare(browser: Browser) -> None:
    """Lets every page that this browser opens meet the conditions that were chosen."""
    if THROTTLED:
        _be_patient()
    if MODE:
        _with_each_page(browser, _throttle if THROTTLED else _listen)


def loaded(page: Page) -> None:
    """The page stands: offline, its network is cut now, and its own alone."""
    if OFFLINE and page not in _cut:
        _wait_until_quiet(page)
        cut = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", cut)
        _cut.add(page)


def _wait_until_quiet(page: Page) -> None:
    """Nothing has been on its way for half a second, or something has been for so long that it is no part of loading."""
    quiet = 0
    for _ in range(100):
        page.wait_for_timeout(100)
        quiet = 0 if _on_the_way.get(page) else quiet + 1
        if quiet == 5:
            return


def begin_test() -> None:
    """Forgets what pages of the tests before have asked."""
    _cut.clear()
    _asked.clear()


def excuse() -> str:
    """Why the test at hand cannot pass in this mode; empty where it has to."""
    return f"asks the server: {_asked[0]}" if OFFLINE and _asked else ""


def _throttle(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": RATE})


def _listen(page: Page) -> None:
    def note(request: Request) -> None:
        _on_the_way[page] += 1
        path = urlsplit(request.url).path
        # A page saved as a file is made of one the server holds ready: a megabyte that no page has with it.
        if page in _cut and (request.method == "POST" or request.is_navigation_request() or "/standalone/" in path):
            _asked.append(f"{request.method} {path}")

    page.on("request", note)
    for end in ("requestfinished", "requestfailed"):
        page.on(end, lambda _: _on_the_way.subtract([page]))


def _with_each_page(browser: Browser, change: Any) -> None:
    """Wraps what makes contexts and pages."""
    new_context, new_page = browser.new_context, browser.new_page

    def changed(make: Any) -> Any:
        @functools.wraps(make)
        def made(*arguments: Any, **options: Any) -> Page:
            page = make(*arguments, **options)
            change(page)
            return page

        return made

    def context(*arguments: Any, **options: Any) -> Any:
        made = new_context(*arguments, **options)
        made.new_page = changed(made.new_page)  # type: ignore[method-assign]
        if THROTTLED:
            made.set_default_timeout(DEFAULT_TIMEOUT)
        return made

    browser.new_context = context  # type: ignore[method-assign]
    browser.new_page = changed(new_page)  # type: ignore[method-assign]


@functools.cache
def _be_patient() -> None:
    """Multiplies every timeout that tests set, whatever they wait for."""
    from playwright import sync_api

    def patient(method: Any) -> Any:
        @functools.wraps(method)
        def call(*arguments: Any, **options: Any) -> Any:
            if options.get("timeout"):
                options["timeout"] *= PATIENCE
            return method(*arguments, **options)

        return call

    for part in (sync_api.Page, sync_api.Frame, sync_api.Locator, sync_api.ElementHandle, sync_api.BrowserContext):
        for name, method in inspect.getmembers(part, inspect.isfunction):
            if "timeout" in inspect.signature(method).parameters and not name.startswith(
                ("wait_for_timeout", "set_default")
            ):
                setattr(part, name, patient(method))
    for part, name in (
        (sync_api.Page, "set_default_timeout"),
        (sync_api.BrowserContext, "set_default_timeout"),
        (sync_api.Page, "wait_for_timeout"),
    ):
        setattr(part, name, _longer(getattr(part, name), PATIENCE if name.startswith("set") else RATE))


def _longer(method: Any, times: int) -> Any:
    @functools.wraps(method)
    def call(self: Any, timeout: float) -> None:
        method(self, timeout * times)

    return call
