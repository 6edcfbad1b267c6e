"""Save as HTML in the app itself: the file comes from the app's own addresses and opens from disk without it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from specdemo.cli.lab_report import lab_answer
from specdemo.standalone import filled, lab_record, record_of
from tests.viewer.standalone_page import open_file, record_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

__all__ = ["open_file"]  # fixture
pytestmark = pytest.mark.browser

LAB = (
    "/#page=lab&pair=tiny&drafts=tiny-draft&tasks=verse&rules=token,block&gammas=2,3&temperatures=1.5&prompts=2&max=16"
)
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


def test_a_sweep_leaves_the_app_as_one_file(
    app: Any, open_tab: Any, open_file: Callable[..., Page], tmp_path: Path
) -> None:
    tab = open_tab(app, LAB)
    tab.page.wait_for_selector("#lab-start:enabled")
    assert tab.page.locator("#lab-save-html").is_disabled()
    tab.page.click("#lab-start")
    tab.page.wait_for_selector("#page-lab [data-status=done]", timeout=120_000)
    tab.page.wait_for_selector("#page-lab .lab-best", state="attached")
    file = tmp_path / "sweep.html"
    record = saved(tab.page, "#lab-save-html", file)
    assert "opens from disk, offline" in tab.page.inner_text("#lab-message")
    again = lab_record(lab_answer(record["answer"]["summary"]), record["asked"], record["saved"])
    again["shown"] = record["shown"]
    (address,) = [url for url in tab.requests if url.endswith("standalone/lab.txt")]
    written = {name: again[name] for name in record}
    assert written == record and filled(httpx.get(address).text, record).encode() == file.read_bytes()
    assert tab.complaints == [] and all(url.startswith((app.url, "data:", "blob:")) for url in tab.requests)
    opened = open_file(file.read_text(encoding="utf-8"))
    assert opened.inner_text("#lab-sentences") == tab.page.inner_text("#lab-sentences")
    assert "pair=tiny" in opened.evaluate("document.querySelector('#link-parameters').textContent")


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
