"""GPUs that are lent for a call (a ZeroGPU Space): the process that answers has none, a forked one has it for as long as it decodes.

`spaces`, a package of such Spaces, forks, and carries arguments and results between the two as pickles. So what crosses the border is
text: a request one way, its messages the other way, errors among them. Models are read from disk in the parent, which costs no GPU
time, and moved to the GPU in the child. A measurement has the GPU for a slice of its time, and hands on where it was to the next one.
A pair that is small decodes where it is.
"""

from __future__ import annotations

import html
import json
import logging
import math
import os
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import gradio as gr

from specdemo.pages.engine import AnyRequest, known_pair
from specdemo.pages.gpu_time import START_SECONDS, gpu_seconds
from specdemo.pages.lab_request import LabRequest
from specdemo.pages.measure_request import LawRequest, RaceRequest
from specdemo.pages.messages import Messages
from specdemo.pages.models import Models
from specdemo.pages.open_runs import OpenRun
from specdemo.pages.request import DecodeRequest
from specdemo.pages.run_time import SLICE_SECONDS
from specdemo.pages.service import Service
from specdemo.pairs import Pair, registry
from specdemo.pairs.loading import entry_of, load_named
from specdemo.pairs.placement import gpus_are_lent, log_placement
from specdemo.pairs.registry import PairEntry
from specdemo.sentences import sentence

log = logging.getLogger(__name__)

R = TypeVar("R", bound=AnyRequest)
Lent = Callable[[str, str, int, str], Iterator[str]]

# How many blocks a page asks for at a time: a call costs the start of a GPU process, whether it gives one block or some.
BLOCKS_AHEAD = 4
# Before the state in which a measurement has paused; no message of a page begins so.
_PAUSED = "paused "
_LAST = re.compile(r'\{"run":"[^"]*","seq":\d+,"kind":"(?:end|error)"')

# What the parent has read, for the child that is forked from it; the parent's models keep them.
_at_hand: WeakValueDictionary[tuple[str, str], Pair] = WeakValueDictionary()
_borrower: _Borrower | None = None
# The lender's titles of its refusals, and what a page says.
_REFUSALS = {
    "quota exceeded": "gpu_quota",
    "pending credits exceeded": "gpu_quota",
    "illegal duration": "gpu_duration",
    "queue timeout": "gpu_queue",
}


def service_for_here() -> Service:
    """The service that suits where the app runs. Call it before the server starts: the lender has to know what it lends for."""
    return LendingService() if gpus_are_lent() else Service()


def is_small(entry: PairEntry) -> bool:
    """Whether a pair decodes well on a CPU."""
    return entry.small


def decode_with_gpu(kind: str, text: str, first: int, paused: str) -> Iterator[str]:
    """The messages that answer a request of a kind of `gpu_time.READERS`, numbered from `first`; runs where the GPU is.

    `paused` is where an earlier slice of a measurement has paused, as its last message has told, or "".
    """
    global _borrower
    _borrower = _borrower or _Borrower()
    _borrower.first_message = first
    _borrower.paused = json.loads(paused) if paused else None
    _borrower.run_seconds = gpu_seconds(kind, text) - START_SECONDS
    yield from getattr(_borrower, kind)(text)
    if _borrower.failure is not None:
        os._exit(1)  # this process has lost its GPU for good, and the lender keeps what is alive for the next call


def lent(function: Lent) -> Lent:
    """The function as the lender runs it, each call in a process that has a GPU."""
    import spaces

    def seconds(kind: str, text: str, first: int, paused: str) -> int:
        return gpu_seconds(kind, text)

    found: Lent = spaces.GPU(duration=seconds)(function)
    return found


class LendingService(Service):
    """Reads requests and models here, and has them decoded where the GPU is, unless `stays(entry)`."""

    def __init__(self, models: Models | None = None, stays: Callable[[PairEntry], bool] = is_small) -> None:
        super().__init__(models or Models(_load_without_gpu))
        self._stays = stays
        self._lent = lent(decode_with_gpu)

    def config(self) -> dict[str, Any]:
        """See Service."""
        config = super().config()
        for pair in config["pairs"]:
            if not self._stays(registry.get(pair["name"])):
                pair["blocks_ahead"] = BLOCKS_AHEAD
        return config

    def _decode(self, request: DecodeRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        return self._answer("decode", super()._decode, request, messages, cancelled)

    def _race(self, request: RaceRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        return self._answer("race", super()._race, request, messages, cancelled)

    def _law(self, request: LawRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        return self._answer("law", super()._law, request, messages, cancelled)

    def _lab(self, request: LabRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        return self._answer("lab", super()._lab, request, messages, cancelled)

    def _answer(
        self,
        kind: str,
        here: Callable[[R, Messages, OpenRun], Iterator[str]],
        request: R,
        messages: Messages,
        cancelled: OpenRun,
    ) -> Iterator[str]:
        if request.pair in registry.names() and self._stays(registry.get(request.pair)):
            yield from here(request, messages, cancelled)
            return
        pairs = []
        for draft in request.drafts if isinstance(request, LabRequest) else (request.draft,):
            one = _OneDraft(request.run, request.pair, draft)
            pair = yield from self.loaded(one, messages, cancelled)
            if pair is None:
                return
            _at_hand[known_pair(one)] = pair
            pairs.append(pair)
        yield messages.progress(sentence("waiting_gpu"), None)
        yield from self._borrowed(kind, request, messages, cancelled)

    def _borrowed(self, kind: str, request: Any, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        text, paused = request.model_dump_json(), ""
        for _ in range(max(1, math.ceil(self.measurement_seconds / SLICE_SECONDS))):
            before, paused = paused, (yield from self._slice(kind, text, paused, messages, cancelled))
            if not paused:
                return
            if paused == before:  # a slice is too short for it
                break
        yield self._over(messages, None)

    def _slice(
        self, kind: str, text: str, paused: str, messages: Messages, cancelled: OpenRun
    ) -> Generator[str, None, str]:
        """What one call of the lender gives; returns where a measurement has paused in it, or ""."""
        answers, state, ended = self._lent(kind, text, messages.count, paused), "", False
        try:
            for answer in answers:
                if answer.startswith(_PAUSED):
                    state = answer.removeprefix(_PAUSED)
                    continue
                messages.count += 1
                ended = _LAST.match(answer) is not None
                yield answer
                if cancelled.is_set():
                    return ""
        except gr.Error as error:
            if not ended:  # else the process has ended after its last word
                yield messages.error(_refusal(error))
            return ""
        finally:
            answers.close()  # type: ignore[attr-defined]  # tells the child, which stops at its next message
        return state


@dataclass(frozen=True)
class _OneDraft:
    run: str
    pair: str
    draft: str | None


class _Borrower(Service):
    """The service inside the process that has the GPU."""

    def __init__(self) -> None:
        super().__init__(Models(_load_to_gpu, fetch=_nothing_to_fetch, graphs=False))

    @property
    def measurement_seconds(self) -> float:
        """See Measuring: a slice, since the GPU is taken back from what goes on for longer than was asked for."""
        return SLICE_SECONDS

    def _over(self, messages: Messages, state: dict[str, Any] | None) -> str:
        return _PAUSED + json.dumps(state, separators=(",", ":"))


def _load_without_gpu(name: str, **options: Any) -> Pair:
    """A pair in memory, in the element type that it will have on the GPU, and not packed for a CPU if it will be lent one."""
    return load_named(name, device="cpu", pack=is_small(entry_of(name, options.get("draft"))), **options)


def _load_to_gpu(name: str, *, draft: str, progress: Callable[[str, float | None], None]) -> Pair:
    import torch

    from specdemo.pairs.weights import is_packed, unpacked

    # After a fork, a second thread of the library that shares work out waits for ever.
    torch.set_num_threads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pair = _at_hand.get((name, draft))
    if pair is None:  # read after this process was forked
        return load_named(name, draft=draft, device=device, progress=progress)
    if device == "cpu":
        return pair
    progress(sentence("moving_gpu"), None)
    # In place: nobody else sees what this process does to the models, and a copy would take seconds of a visitor's share.
    models = (unpacked(model) if is_packed(model) else model for model in (pair.draft_model, pair.target_model))
    draft_model, target_model = (model.to(device) for model in models)
    moved = replace(pair, draft_model=draft_model, target_model=target_model)
    log_placement(moved)
    return moved


def _nothing_to_fetch(name: str, **options: Any) -> None:
    """The parent has fetched it."""


def _refusal(error: gr.Error) -> str:
    """What is said of the lender's refusal. It knows four kinds by title; what it says besides is for whoever runs an app, not for visitors."""
    code = _REFUSALS.get(str(getattr(error, "title", "")).removeprefix("ZeroGPU ").lower(), "gpu_taken")
    return (
        sentence(code, reason=_plain_text(str(error.message))) if code in ("gpu_taken", "gpu_quota") else sentence(code)
    )


def _plain_text(message: str) -> str:
    """A lender's message without its markup and its full stop."""
    return html.unescape(re.sub(r"<[^>]*>", "", message)).strip().rstrip(".") or "no reason is given"
