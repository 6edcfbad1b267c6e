"""What all tests share: the browser, and the conditions that SPECDEMO_E2E chooses for it (worse_conditions.py)."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import worse_conditions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Before anything imports PyTorch: more threads make models as small as the tests' slower, far slower on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Its stand-in for a package changes PyTorch where it is imported, which a search for doctests does.
collect_ignore = ["zero_gpu"]

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; without it the test is skipped with the reason, and failed where CI=true."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "Chromium is not installed: `make test` installs it as root, elsewhere use the package chromium or set CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=Path(__file__).with_name("chromium.sh"),
            args=CHROMIUM_ARGUMENTS,
            env={**os.environ, "SPECDEMO_TESTS_CHROMIUM": path},
        )
        worse_conditions.prepare(browser)
        yield browser
        browser.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Several workers take the files as they come: those that take longest first, so that none is left to one of them at the end."""
    if hasattr(config, "workerinput"):
        sizes = Counter(item.path for item in items)
        browsing = {item.path for item in items if item.get_closest_marker("browser")}
        items.sort(key=lambda item: (item.path not in browsing, -sizes[item.path], str(item.path)))


def pytest_runtest_setup() -> None:
    worse_conditions.begin_test()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """A failure that the network's absence explains is no failure."""
    report = yield
    if report.failed and (reason := worse_conditions.excuse()):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.reportinfo()[1], f"Skipped: {reason}")
    return report
