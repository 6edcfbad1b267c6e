"""What the tests of saved pages share: files on disk, opened without a network, and what their numbers must be."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.standalone import filled, run_record
from specdemo.standalone import template as made_template
from tests.viewer import make_trace
from tests.viewer.step_page import PROMPT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SAVED = "2025-01-02T03:04:05Z"
READY = "#viewer[data-state=ready]"
MARK = '<script type="application/json" id="record">'

template = functools.cache(made_template)

NUMBERS = """() => [...document.querySelectorAll('#viewer [data-path]')].map((node) => [node.dataset.path, node.dataset.value])"""


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    """A made-up run that ended; its symbols are hostile in part."""
    return make_trace.make_run(PROMPT + " who lived near the river", max_new_tokens=60)


def saved(trace: dict[str, Any], **start: Any) -> dict[str, Any]:
    return {**run_record(trace, SAVED), "start": start} if start else run_record(trace, SAVED)


@pytest.fixture
def open_file(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens a record (or a file's whole text) from disk, offline; afterwards nothing but the files may have been asked for."""
    contexts = []
    errors: list[str] = []
    asked: list[str] = []
    files: list[str] = []

    def opened(record: dict[str, Any] | str, more: str = "", wait: str = READY, **options: Any) -> Page:
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "offline": True, "accept_downloads": True, **options}
        )
        contexts.append(context)
        context.set_default_timeout(15_000)
        text = record if isinstance(record, str) else filled(template(record["page"]), record)
        file = tmp_path / f"saved {len(contexts)}.html"  # names of files have spaces
        file.write_bytes(text.encode())
        files.append(file.as_uri())
        page = context.new_page()
        page.on("request", lambda request: asked.append(re.sub("[?#].*", "", request.url)))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None
        )
        page.goto(file.as_uri() + more)
        if wait:
            page.wait_for_selector(wait)
        return page

    opened.errors, opened.asked = errors, asked  # type: ignore[attr-defined]
    yield opened
    for context in contexts:
        context.close()
    assert set(asked) <= set(files), set(asked) - set(files)
    assert not errors, errors


def record_in(file: Path | str) -> dict[str, Any]:
    """The record of a saved file."""
    text = file if isinstance(file, str) else file.read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text[text.rindex(MARK) + len(MARK) : text.rindex("</script>")])
    return found


def pointed(document: Any, pointer: str) -> Any:
    """What a JSON pointer names."""
    for part in pointer.strip("/").split("/"):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def differing(numbers: list[list[str]], records: dict[str, Any]) -> tuple[int, list[Any]]:
    """How many of the page's numbers are a record's, and those that are others than it has; `records` by the prefix of their pointers."""
    count, wrong = 0, []
    for path, value in numbers:
        prefix, colon, pointer = path.rpartition(":")
        if prefix == "derived" or value == "":
            continue
        wanted = pointed(records[prefix + colon], pointer)
        same = value == wanted if isinstance(wanted, str) else float(value) == wanted
        count += 1
        if not same:
            wrong.append((path, value, wanted))
    return count, wrong
