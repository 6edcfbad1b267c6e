"""Save as HTML in the app itself: the file comes from the app's own addresses and opens from disk without it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from specdemo.standalone import filled, record_of
from tests.viewer.standalone_page import open_file, record_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

__all__ = ["open_file"]  # fixture
pytestmark = pytest.mark.browser

SANDBOX = "#page=sandbox&s=2,1,free:2/3,1/3:1/3,2/3&rules=token,block"


def saved(page: Page, button: str, file: Path) -> dict[str, Any]:
    with page.expect_download() as download:
        page.click(button)
    download.value.save_as(file)
    return record_in(file)


def test_a_run_leaves_the_app_as_one_file(
    app: Any, open_tab: Any, open_file: Callable[..., Page], tmp_path: Path
) -> None:
    tab = open_tab(app)
    page = tab.page
    page.select_option("#pair", "tiny")
    page.fill("#prompt", "the cat")
    page.click("#restart")
    page.wait_for_selector('.specdemo-root[data-state="ready"][data-block="0"]')
    file = tmp_path / "run.html"
    record = saved(page, "#save-html", file)
    again = {**record_of(record["trace"], record["saved"]), "start": record["start"]}
    (address,) = [url for url in tab.requests if url.endswith("standalone/step.txt")]
    assert filled(httpx.get(address).text, again).encode() == file.read_bytes()
    assert tab.complaints == [] and all(url.startswith((app.url, "data:", "blob:")) for url in tab.requests)
    opened = open_file(file.read_text(encoding="utf-8"))
    assert opened.evaluate("viewer.store.state.trace.digest") == record["trace"]["digest"]


def test_a_state_of_the_sandbox_leaves_the_app_as_one_file(
    app: Any, open_tab: Any, open_file: Callable[..., Page], tmp_path: Path
) -> None:
    tab = open_tab(app, f"/{SANDBOX}")
    tab.page.wait_for_selector("[data-page=sandbox][data-state=ready]:not([data-pending])")
    tab.page.wait_for_selector(".sbx-panel[data-panel=optimum]:not(.is-waiting)", state="attached")
    record = saved(tab.page, "#sandbox-save-html", tmp_path / "state.html")
    assert record["picture"]["rules"]["token"]["expected_fraction"] == "2/3" and tab.complaints == []
    opened = open_file((tmp_path / "state.html").read_text(encoding="utf-8"))
    assert "2/3" in opened.inner_text(".sb-strip")
