"""Between the page and the engine: a request as text in, messages as texts out. It knows neither Gradio nor tensors.

Nothing is kept between two requests that could not be rebuilt from the next one: a restart or another replica carries on.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from typing import Any

from specdemo import __version__, verifiers
from specdemo.lab import tasks
from specdemo.lab.prompts import TITLES, read_prompt_set
from specdemo.pages.continuations import GONE, Continuations, StandingRun
from specdemo.pages.engine import known_pair
from specdemo.pages.lab_measuring import LabMeasuring
from specdemo.pages.libraries import known_captures
from specdemo.pages.messages import Messages
from specdemo.pages.models import Models
from specdemo.pages.open_runs import NOBODY, Asker, OpenRun
from specdemo.pages.prompt_length import check_prompts
from specdemo.pages.request import LIMITS, DecodeRequest, read_request, step_rules
from specdemo.pages.run_time import run_over
from specdemo.pages.turns import PairTurn
from specdemo.pairs import registry
from specdemo.pairs.hub_ids import hub_ids_allowed
from specdemo.pairs.placement import unused_gpu
from specdemo.sentences import told
from specdemo.trace import DEFAULT_RULES, RunState
from specdemo.verifiers import mistakes
from specdemo.verifiers.mistakes import Mistake

# In a long run, blocks are sent together when this much time has passed since the last were; the first goes at once.
SEND_EVERY_SECONDS = 0.1


class Service(LabMeasuring):
    """Answers the pages' requests. One instance a process; `models` can be replaced for tests."""

    def __init__(self, models: Models | None = None) -> None:
        super().__init__(models)
        self._continuations = Continuations()
        self.models.dropped = self._forget_runs

    def _forget_runs(self, name: str, draft: str) -> None:
        self._continuations.forget(lambda key: isinstance(key, tuple) and key[0] == (name, draft))

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
                    "hint": (hint := entry.hint()),
                    "hint_told": told(hint),
                    "examples": list(entry.examples),
                    "drafts": [{"name": name, "title": title} for name, (title, _) in entry.drafts.items()],
                    "context_limit": None,
                    "prompt_modes": list(entry.prompt_modes),
                    "prompt_mode": entry.prompt_mode,
                    "temperature": entry.temperature,
                }
                for entry in registry.entries()
                if entry.offered
            ],
            "verifiers": [
                {"name": rule.name, "title": rule.title, "source": rule.source, "lossless": rule.lossless}
                for rule in map(verifiers.get, step_rules())
            ],
            "rules": [
                {
                    "name": rule.name,
                    "title": rule.title,
                    "source": rule.source,
                    "lossless": rule.lossless,
                    "remembers": rule.remembers,
                    "goes_wrong": rule.goes_wrong if isinstance(rule, Mistake) else None,
                }
                for rule in map(verifiers.get, [*verifiers.names(), *mistakes.names()])
            ],
            "prompt_sets": [
                {"name": name, "title": title, "count": len(read_prompt_set(name))} for name, title in TITLES.items()
            ],
            "tasks": [
                {
                    "name": task.name,
                    "title": task.title,
                    "note": task.note,
                    "count": len(task.prompts),
                    "mode": task.mode,
                }
                for task in map(tasks.get, tasks.names())
            ],
            "limits": LIMITS,
            "hub_ids": hub_ids_allowed(),
        }

    def health(self) -> dict[str, Any]:
        """For /healthz: "ok" as long as this process can go on."""
        failed = {} if self.failure is None else {"reason": self.failure}
        warnings = [text for text in (unused_gpu(), _no_captures()) if text is not None]
        return {
            "status": "failed" if failed else "ok",
            **failed,
            **({"warnings": warnings} if warnings else {}),
            "version": __version__,
            "pairs": self.models.loaded(),
            "loaded": self.models.placed(),
        }

    def unready(self) -> str | None:
        """For /readyz: why no visitor should be sent here now; None where they may come."""
        if self.stopping:
            return "The server is about to end."
        if self.failure is not None:
            return self.failure
        if self.models.loaded():
            return None
        return self.models.problem or "No models have been loaded yet."

    def warm_up(self) -> None:
        """Begin to load the first pair that ships with the project, so that the first request finds it there."""
        for entry in registry.entries():
            if entry.embedded and entry.available():
                self.models.start(entry.name, next(iter(entry.drafts)))
                return

    def decode(self, text: str, asker: Asker = NOBODY) -> Iterator[str]:
        """The messages that answer a request for blocks; every error is one of them."""
        yield from self.answer(text, read_request, self._decode, asker)

    def _decode(self, request: DecodeRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        pair = yield from self.loaded(request, messages, cancelled)
        if pair is None:
            return
        from specdemo.decoding import Decoding

        check_prompts(pair, [request.prompt], request.resume.prompt_length if request.resume else 0)
        turn, state = PairTurn(self.models.turn, pair), _state(request)
        key = (known_pair(request), id(pair), request.settings, request.rules)
        run = self._continuations.take(key, state) if state else None
        if run is None:
            if state and self._continuations.had_to_go(key, state):
                yield messages.progress(GONE, None)
            with turn:
                decoding = Decoding(
                    pair,
                    request.prompt,
                    resume=state,
                    rules=request.rules or DEFAULT_RULES,
                    **request.settings.model_dump(),
                )
            if state is None:
                yield messages.start(decoding.head)
            run = StandingRun(decoding)
        yield from self._blocks(run, turn, key, request, messages, cancelled)

    def _blocks(
        self,
        run: StandingRun,
        turn: PairTurn,
        key: Hashable,
        request: DecodeRequest,
        messages: Messages,
        cancelled: OpenRun,
    ) -> Iterator[str]:
        done = 0
        finish: str | None = None
        state: RunState | None = None
        unsent: list[dict[str, Any]] = []
        sent_at = float("-inf")
        over = False
        while not over and not cancelled.is_set() and (request.blocks == 0 or done < request.blocks):
            with turn:
                record = run.block()
            if record is None:
                finish = finish or "length"
                break
            done += 1
            state, finish = record.state, record.finish
            over = finish is None and done != request.blocks and turn.seconds > self.run_seconds
            unsent.append(record.to_json())
            if time.monotonic() - sent_at >= SEND_EVERY_SECONDS:
                yield messages.blocks(unsent, state.memory)
                unsent, sent_at = [], time.monotonic()
        if unsent and state is not None:
            yield messages.blocks(unsent, state.memory)
        # A pair that was dropped meanwhile would stay in memory with it.
        if state is not None and finish is None and self.models.ready(*known_pair(request)):
            self._continuations.keep(key, state, run, cancelled.asker.visitor)
        if cancelled.is_set() and finish is None and not 0 < request.blocks <= done:
            return  # without an end: who still listens asks for the rest
        if over:
            yield messages.time_over(run_over(self.run_seconds), self.run_seconds)
            return
        yield messages.end((request.resume.block if request.resume else 0) + done, finish)


def _no_captures() -> str | None:
    captures = known_captures()
    if captures is None or captures.failure is None:
        return None
    return (
        f"A CUDA graph could not be captured ({captures.failure}): pairs without any go on with eager passes, "
        "and no other is tried until the server is started again."
    )


def _state(request: DecodeRequest) -> RunState | None:
    resume = request.resume
    if resume is None:
        return None
    return RunState(
        tuple(resume.ids), resume.prompt_length, resume.block, resume.memory, resume.digest or "", resume.made_with
    )
