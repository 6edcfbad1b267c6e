"""What every kind of request needs: its errors as messages, its cancelling, and the pair it works with."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from specdemo.pages.messages import Messages
from specdemo.pages.models import Models
from specdemo.pages.request import RequestError, run_of
from specdemo.pairs import PairUnavailable, TokenizersDiffer, registry

if TYPE_CHECKING:
    from specdemo.pairs import Pair

log = logging.getLogger(__name__)

UNEXPECTED = "Something went wrong on the server; it has been logged there. Try again, or change the settings."


class AnyRequest(Protocol):
    """What all requests have."""

    @property
    def run(self) -> str: ...
    @property
    def pair(self) -> str: ...
    @property
    def draft(self) -> str | None: ...


R = TypeVar("R", bound=AnyRequest)
Work = Callable[[R, Messages, threading.Event], Iterator[str]]


class Engine:
    """Answers requests one way: text in, messages out, every error one of them. `models` can be replaced for tests."""

    def __init__(self, models: Models | None = None) -> None:
        self.models = models or Models()
        self._cancelled: dict[str, threading.Event] = {}

    def cancel(self, run: str) -> None:
        """Stop a run at its next block; nothing happens if there is none of this name."""
        event = self._cancelled.get(run)
        if event is not None:
            event.set()

    def answer(self, text: str, read: Callable[[str], R], work: Work[R]) -> Iterator[str]:
        """The messages of `work` on the request that `read` finds in the text."""
        messages = Messages(run_of(text))
        try:
            request = read(text)
        except RequestError as error:
            yield messages.error(str(error))
            return
        cancelled = self._cancelled[request.run] = threading.Event()
        try:
            yield from work(request, messages, cancelled)
        except (RequestError, PairUnavailable, TokenizersDiffer, ValueError) as error:
            yield messages.error(_sentence(error))
        except Exception:
            log.exception("run %s", request.run)
            yield messages.error(UNEXPECTED)
        finally:
            # Also where nobody listens any more: what still runs in a thread sees it and stops.
            cancelled.set()
            if self._cancelled.get(request.run) is cancelled:
                del self._cancelled[request.run]

    def loaded(
        self, request: AnyRequest, messages: Messages, cancelled: threading.Event
    ) -> Generator[str, None, Pair | None]:
        """Says how far the request's pair is on its way and returns it, with threads to suit it; None where cancelled meanwhile."""
        name, draft = known_pair(request)
        if not self.models.ready(name, draft):
            # Sent before the imports begin: while they last, nothing else gets its turn.
            yield messages.progress("Starting the models, a few seconds the first time", None)
        loading = self.models.start(name, draft)
        for news, fraction in loading.news():
            yield messages.progress(news, fraction)
            if cancelled.is_set():
                return None
        pair = loading.pair()
        while not self.models.turn.acquire(timeout=0.5):
            yield messages.progress("Waiting until another pair is loaded", None)
            if cancelled.is_set():
                return None
        self.models.turn.release()
        # This brings PyTorch, which loading has imported in its thread.
        from specdemo.decoding.threads import use_fitting_threads

        use_fitting_threads(pair)
        return pair


def known_pair(request: AnyRequest) -> tuple[str, str]:
    """A registered pair and one of its drafts: strangers do not choose what is loaded from the hub."""
    entry = registry.get(request.pair)
    draft = next(iter(entry.drafts)) if request.draft is None else request.draft
    if draft not in entry.drafts:
        raise RequestError(f"the pair {entry.name!r} has no draft {draft!r}: choose one of {', '.join(entry.drafts)}")
    return entry.name, draft


def _sentence(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
