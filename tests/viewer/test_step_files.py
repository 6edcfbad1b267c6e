"""Runs of files on the Step page: a link that would not bring one back is not copied but explained, and a reload brings back every one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.viewer import make_trace
from tests.viewer.step_page import PROMPT, READY, address, dom, link, open_page, place, trace

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser
Open = Callable[..., "Page"]

# By what makes a run one that no link can say, what the sentence about it names.
ODD: dict[str, tuple[dict[str, Any], str]] = {
    "temperature": ({"temperature": 100}, "temperature: a number from 0 to 5, not “100”"),
    "gamma": ({"gamma": 0}, "γ: a whole number from 1 to 16, not “0”"),
    "top_k": ({"top_k": 5_000_000}, "top-k: a whole number"),
    "length": ({"max_new_tokens": 5000}, "max: a whole number from 1 to 512, not “5000”"),
    "stream": ({"stream": 3}, "stream = 3"),
    "end": ({"eos_token_ids": [2]}, "eos_token_ids = [2]"),
    "later": ({"drafter": "table"}, 'drafter = "table"'),
    "rule": ({"verifier": "exact_match"}, "exact_match*3"),
    "pair": ({"pair": "of somebody"}, "of somebody"),
    "prompt": ({"prompt": "half \ud83d of a character"}, "prompt"),
}

ELSEWHERE = "sha256:" + "0" * 64  # the digest of a run whose numbers are those of another machine
COPIES = "() => { window.copied = []; navigator.clipboard.writeText = async (text) => void copied.push(text); }"


def file_of(folder: Path, name: str = "plain") -> Path:
    """A run in a file, and in it what `name` stands for."""
    changes = dict(ODD[name][0]) if name in ODD else {}
    head = make_trace.make_head(PROMPT)
    run = {**head, "blocks": list(make_trace.decode(head, blocks=3))}
    run["head_digest"] = f"sha256:{name}"
    if "verifier" in changes:
        run = json.loads(json.dumps(run).replace('"block"', '"exact_match"').replace('"prefix_exact_match"', '"block"'))
    if "pair" in changes:
        run["pair"]["name"] = changes.pop("pair")
    if "prompt" in changes:
        run["prompt"]["text"] = changes.pop("prompt")
    run["settings"] |= changes
    path = folder / f"{name}.json"
    path.write_text(json.dumps(run))
    return path


def import_file(page: Page, path: Path) -> dict[str, Any]:
    page.set_input_files("#import", path)
    digest = json.loads(path.read_text())["head_digest"]
    page.wait_for_function("(digest) => viewer.store.state.trace?.head_digest === digest", arg=digest)
    assert page.locator(".sd-notice.error").count() == 0
    return trace(page)


def came_back(page: Page, run: dict[str, Any]) -> None:
    page.reload()
    page.wait_for_selector(READY)
    assert trace(page) == run


def test_runs_that_no_link_can_say(open_page: Open, tmp_path: Path) -> None:
    page = open_page()
    for name, (_, words) in ODD.items():
        page.evaluate(COPIES)
        run = import_file(page, file_of(tmp_path, name))
        page.click("#copy-link")
        said = page.inner_text(".sd-notices")
        assert "No link brings this run back here" in said and words in said
        assert page.evaluate("copied") == [] and "prompt=" not in page.url
        page.click("#dismiss")
        page.click("#step")
        page.evaluate("document.activeElement.blur()")
        before = sorted(dom(page)), place(page)
        came_back(page, run)
        assert (sorted(dom(page)), place(page)) == before, name
        assert page.inner_text("#settings-changed") == ""  # its settings are its own, also those that no field takes
    page.click("#step-teacher")
    page.click("[data-do=link]")
    assert "No link brings this run back here" in page.inner_text(".sd-teacher-link")
    assert page.is_disabled(".sd-teacher [data-do=copy]")


def test_a_run_that_a_link_can_say(open_page: Open, tmp_path: Path) -> None:
    page = open_page()
    page.evaluate(COPIES)
    run = import_file(page, file_of(tmp_path))
    run["digest"] = ELSEWHERE
    path = tmp_path / "plain.json"
    path.write_text(json.dumps(run))
    run = import_file(page, path)
    page.wait_for_function("(digest) => viewer.store.state.trace.digest === digest", arg=ELSEWHERE)
    page.click("#copy-link")
    assert "it restores exactly this state" in page.inner_text(".sd-notices")
    assert page.evaluate("copied[0]").split("#")[1].startswith("prompt=")
    came_back(page, trace(page))  # what the link's blocks would be here is another run


def test_a_run_whose_link_is_too_long_outlives_a_reload_and_a_link_goes_before_it(open_page: Open) -> None:
    page = open_page(link("block*2", "fox " * 2500), wait=READY)
    page.wait_for_function("!location.hash")
    came_back(page, trace(page))
    page.evaluate(f"location.hash = {link('block*2', PROMPT)!r}")
    page.wait_for_function("(prompt) => viewer.store.state.trace?.prompt.text === prompt", arg=PROMPT)


def test_only_the_last_runs_are_kept(open_page: Open, tmp_path: Path) -> None:
    page = open_page()
    for name in list(ODD)[:6]:
        import_file(page, file_of(tmp_path, name))
    count = """async () => {
      const base = await new Promise((done) => (indexedDB.open("specdemo.step", 1).onsuccess = (event) => done(event.target.result)));
      const runs = base.transaction("runs").objectStore("runs");
      return new Promise((done) => (runs.count().onsuccess = (event) => done(event.target.result)));
    }"""
    page.wait_for_timeout(500)
    assert page.evaluate(count) == 4
