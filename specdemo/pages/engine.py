"""What every kind of request needs: its errors as messages, its cancelling, and the pair it works with."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from specdemo.pages.failures import GPU_LOST, is_gpu_lost, log_text, words_for, words_of_machine
from specdemo.pages.libraries import known_captures
from specdemo.pages.memory import Spare
from specdemo.pages.messages import Messages
from specdemo.pages.models import Models
from specdemo.pages.open_runs import NAME_IN_USE, NOBODY, Asker, OpenRun, OpenRuns
from specdemo.pages.request import RequestError, run_of
from specdemo.pages.run_time import run_seconds
from specdemo.pairs import PairUnavailable, TokenizersDiffer, registry
from specdemo.pairs.hub.limits import check_limits
from specdemo.pairs.hub_ids import check_hub_ids, hub_ids_allowed
from specdemo.pairs.placement import check_wishes
from specdemo.sentences import Sentence, sentence, sentence_of

if TYPE_CHECKING:
    from specdemo.pairs import Pair

log = logging.getLogger(__name__)

# How long a run that is stopped may take for the block that it is at.
NEXT_BLOCK_SECONDS = 2.0
LONGEST_ERROR = 600


class AnyRequest(Protocol):
    """What all requests have."""

    @property
    def run(self) -> str: ...
    @property
    def pair(self) -> str: ...
    @property
    def draft(self) -> str | None: ...


R = TypeVar("R", bound=AnyRequest)
Work = Callable[[R, Messages, OpenRun], Iterator[str]]


class Engine:
    """Answers requests one way: text in, messages out, every error one of them. `models` can be replaced for tests."""

    def __init__(self, models: Models | None = None) -> None:
        self.models = models or Models()
        # The number of the next answer's first message: not 0 where another process has sent the ones before.
        self.first_message = 0
        self.open_runs = OpenRuns()
        # How long a run may compute.
        self.run_seconds = run_seconds()
        check_wishes()
        if hub_ids_allowed():
            check_limits()
        self._stopping = threading.Event()
        self._spare = Spare()
        self._gpu_lost = False

    @property
    def failure(self) -> str | None:
        """What only a new process gets over, where that has happened."""
        captures = known_captures()
        broken = captures is not None and captures.broken is not None
        return GPU_LOST if self._gpu_lost or broken else None

    @property
    def stopping(self) -> bool:
        """Whether the server is about to end and takes no new requests."""
        return self._stopping.is_set()

    def stop(self, patience: float) -> None:
        """Take no new requests, give the running ones `patience` seconds, then stop them at their next block, which is waited for a little.

        A request that is not taken, or is stopped, ends without an end: the browser asks the server that comes after.
        """
        self._stopping.set()
        if not self.open_runs.wait(patience):
            self.open_runs.stop()
            self.open_runs.wait(NEXT_BLOCK_SECONDS)

    def cancel(self, run: str) -> None:
        """Stop a run at its next block; nothing happens if there is none of this name, or if it ends with its connection."""
        self.open_runs.cancel(run)

    def leave(self, session: str) -> None:
        """Nobody waits any more for the answer that this session asked for: stop it at its next block."""
        self.open_runs.leave(session)

    def answer(self, text: str, read: Callable[[str], R], work: Work[R], asker: Asker = NOBODY) -> Iterator[str]:
        """The messages of `work` on the request that `read` finds in the text."""
        if self.stopping:
            return
        messages = Messages(run_of(text), self.first_message)
        try:
            request = read(text)
        except RequestError as error:
            yield messages.error(sentence_of(error))
            return
        run = self.open_runs.begin(request.run, asker)
        if run is None:
            yield messages.error(NAME_IN_USE)
            return
        if self.stopping:  # meanwhile
            run.set()
        try:
            yield from work(request, messages, run)
        except (RequestError, PairUnavailable, TokenizersDiffer, ValueError) as error:
            # What the machine lacks is not mended by fetching a file again, which the error may advise.
            of_machine = words_of_machine(error.__cause__)
            self._note(error.__cause__)
            yield messages.error(of_machine or _sentence(error))
        except Exception as error:
            log.error("run %s: %s", request.run, log_text(error, getattr(request, "prompt", "")))
            self._note(error)
            yield messages.error(words_for(error))
        finally:
            # Also where nobody listens any more: what still runs in a thread sees it and stops.
            self.open_runs.end(run)
            self._spare.give_back()

    def _note(self, error: BaseException | None) -> None:
        if is_gpu_lost(error):
            self._gpu_lost = True

    def loaded(
        self, request: AnyRequest, messages: Messages, cancelled: threading.Event
    ) -> Generator[str, None, Pair | None]:
        """Says how far the request's pair is on its way and returns it; None where cancelled meanwhile."""
        name, draft = known_pair(request)
        if not self.models.ready(name, draft):
            # Sent before the imports begin: while they last, nothing else gets its turn.
            yield messages.progress(sentence("starting"), None)
        loading = self.models.start(name, draft)
        for news, fraction in loading.news():
            yield messages.progress(news, fraction)
            if cancelled.is_set():
                return None
        pair = loading.pair()
        while not self.models.turn.acquire(timeout=0.5):
            yield messages.progress(sentence("waiting_pair"), None)
            if cancelled.is_set():
                return None
        self.models.turn.release()
        return pair


def known_pair(request: AnyRequest) -> tuple[str, str]:
    """A registered pair and one of its drafts; or two ids of the hub, where the operator lets strangers choose what is loaded from it."""
    if "/" in request.pair and hub_ids_allowed():
        check_hub_ids(request.pair, request.draft)
        return request.pair, request.draft or ""
    entry = registry.get(request.pair)
    draft = next(iter(entry.drafts)) if request.draft is None else request.draft
    if draft not in entry.drafts:
        raise RequestError(registry.no_draft(entry, draft))
    return entry.name, draft


def _sentence(error: Exception) -> str:
    found = sentence_of(error)
    text = found.strip() or type(error).__name__
    if len(text) > LONGEST_ERROR:  # it repeats what it was given
        text = f"{text[:LONGEST_ERROR]} …"
    whole = text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
    return Sentence(whole, found.code, found.values) if isinstance(found, Sentence) else whole
