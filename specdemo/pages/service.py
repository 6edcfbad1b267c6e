"""Between the page and the engine: a request as text in, messages as texts out. It knows neither Gradio nor tensors.

Nothing is kept between two requests that could not be rebuilt from the next one: a restart or another replica carries on.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Hashable, Iterator
from typing import Any

from specdemo import __version__, verifiers
from specdemo.pages.continuations import Continuations
from specdemo.pages.messages import Messages
from specdemo.pages.models import Models
from specdemo.pages.request import LIMITS, DecodeRequest, RequestError, read_request, run_of, step_rules
from specdemo.pairs import PairUnavailable, TokenizersDiffer, registry
from specdemo.trace import BlockRecord, RunState

log = logging.getLogger(__name__)

# In a long run, blocks are sent together when this much time has passed since the last were; the first goes at once.
SEND_EVERY_SECONDS = 0.1
UNEXPECTED = "Something went wrong on the server; it has been logged there. Try again, or change the settings."


class Service:
    """Answers the pages' requests. One instance a process; `models` can be replaced for tests."""

    def __init__(self, models: Models | None = None) -> None:
        self.models = models or Models()
        self._continuations = Continuations()
        self._cancelled: dict[str, threading.Event] = {}

    def config(self) -> dict[str, Any]:
        """What the browser needs to know before the first request (docs/viewer.md)."""
        return {
            "pairs": [
                {
                    "name": entry.name,
                    "title": entry.title,
                    "available": entry.available(),
                    "embedded": entry.embedded,
                    "note": entry.note,
                    "drafts": [{"name": name, "title": title} for name, (title, _) in entry.drafts.items()],
                    "context_limit": None,
                }
                for entry in registry.entries()
            ],
            "verifiers": [
                {"name": rule.name, "title": rule.title, "source": rule.source, "lossless": rule.lossless}
                for rule in map(verifiers.get, step_rules())
            ],
            "limits": LIMITS,
        }

    def health(self) -> dict[str, Any]:
        """For /healthz."""
        return {"status": "ok", "version": __version__, "pairs": self.models.loaded()}

    def warm_up(self) -> None:
        """Begin to load the first pair that ships with the project, so that the first request finds it there."""
        for entry in registry.entries():
            if entry.embedded and entry.available():
                self.models.start(entry.name, next(iter(entry.drafts)))
                return

    def cancel(self, run: str) -> None:
        """Stop a run at its next block; nothing happens if there is none of this name."""
        event = self._cancelled.get(run)
        if event is not None:
            event.set()

    def decode(self, text: str) -> Iterator[str]:
        """The messages that answer a request; every error is one of them."""
        messages = Messages(run_of(text))
        try:
            request = read_request(text)
        except RequestError as error:
            yield messages.error(str(error))
            return
        cancelled = self._cancelled[request.run] = threading.Event()
        try:
            yield from self._answer(request, messages, cancelled)
        except (RequestError, PairUnavailable, TokenizersDiffer, ValueError) as error:
            yield messages.error(_sentence(error))
        except Exception:
            log.exception("run %s", request.run)
            yield messages.error(UNEXPECTED)
        finally:
            if self._cancelled.get(request.run) is cancelled:
                del self._cancelled[request.run]

    def _answer(self, request: DecodeRequest, messages: Messages, cancelled: threading.Event) -> Iterator[str]:
        name, draft = _known_pair(request)
        if not self.models.ready(name, draft):
            # Sent before the imports begin: while they last, nothing else gets its turn.
            yield messages.progress("Starting the models, a few seconds the first time", None)
        loading = self.models.start(name, draft)
        for news, fraction in loading.news():
            yield messages.progress(news, fraction)
            if cancelled.is_set():
                return
        pair = loading.pair()
        while not self.models.turn.acquire(timeout=0.5):
            yield messages.progress("Waiting until another pair is loaded", None)
            if cancelled.is_set():
                return
        self.models.turn.release()
        # These bring PyTorch, which loading has imported in its thread.
        from specdemo.decoding import Decoding
        from specdemo.decoding.threads import use_fitting_threads

        use_fitting_threads(pair)
        state = _state(request)
        key = (name, draft, id(pair), request.settings)
        records = self._continuations.take(key, state) if state else None
        if records is None:
            with self.models.turn:
                decoding = Decoding(pair, request.prompt, resume=state, **request.settings.model_dump())
            if state is None:
                yield messages.start(decoding.head)
            records = iter(decoding)
        yield from self._blocks(records, key, request, messages, cancelled)

    def _blocks(
        self,
        records: Iterator[BlockRecord],
        key: Hashable,
        request: DecodeRequest,
        messages: Messages,
        cancelled: threading.Event,
    ) -> Iterator[str]:
        done = 0
        finish: str | None = None
        state: RunState | None = None
        unsent: list[dict[str, Any]] = []
        sent_at = float("-inf")
        while not cancelled.is_set() and (request.blocks == 0 or done < request.blocks):
            with self.models.turn:
                record = next(records, None)
            if record is None:
                finish = finish or "length"
                break
            done += 1
            state, finish = record.state, record.finish
            unsent.append(record.to_json())
            if time.monotonic() - sent_at >= SEND_EVERY_SECONDS:
                yield messages.blocks(unsent, state.memory)
                unsent, sent_at = [], time.monotonic()
        if unsent and state is not None:
            yield messages.blocks(unsent, state.memory)
        if state is not None and finish is None:
            self._continuations.keep(key, state, records)
        yield messages.end((request.resume.block if request.resume else 0) + done, finish)


def _known_pair(request: DecodeRequest) -> tuple[str, str]:
    """A registered pair and one of its drafts: strangers do not choose what is loaded from the hub."""
    entry = registry.get(request.pair)
    draft = next(iter(entry.drafts)) if request.draft is None else request.draft
    if draft not in entry.drafts:
        raise RequestError(f"the pair {entry.name!r} has no draft {draft!r}: choose one of {', '.join(entry.drafts)}")
    return entry.name, draft


def _state(request: DecodeRequest) -> RunState | None:
    resume = request.resume
    if resume is None:
        return None
    return RunState(tuple(resume.ids), resume.prompt_length, resume.block, resume.memory, resume.digest or "")


def _sentence(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
