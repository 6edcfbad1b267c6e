"""Browser contexts whose scripts have to be without fault: what one complains of fails the test."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage


@contextlib.contextmanager
def watched(
    browser: Browser, timeout: float = 15_000, tolerated: Collection[str] = ()
) -> Iterator[Callable[..., BrowserContext]]:
    """Makes contexts, 1280 pixels wide unless told otherwise; `tolerated`: words of complaints that are expected."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(f"{message.text} {message.location}")

    def new_context(**options: Any) -> BrowserContext:
        usual = {"viewport": {"width": 1280, "height": 800}, "accept_downloads": True}
        context = browser.new_context(**{**usual, **options})
        contexts.append(context)
        context.set_default_timeout(timeout)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("console", note)
        return context

    yield new_context
    for context in contexts:
        context.close()
    unexpected = [text for text in complaints if not any(words in text for words in tolerated)]
    assert not unexpected, unexpected
