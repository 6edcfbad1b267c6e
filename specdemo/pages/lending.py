"""GPUs that are lent for a call (a ZeroGPU Space): the process that answers has none, a forked one has it for as long as it decodes.

`spaces`, a package of such Spaces, forks, and carries arguments and results between the two as pickles. So what crosses the border is
text: a request one way, its messages the other way, errors among them. Models are read from disk in the parent, which costs no GPU
time, and moved to the GPU in the child. A pair that ships with the project is so small that it decodes where it is.
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import gradio as gr

from specdemo.pages.engine import AnyRequest, known_pair
from specdemo.pages.gpu_time import gpu_seconds
from specdemo.pages.lab_request import LabRequest
from specdemo.pages.measure_request import LawRequest, RaceRequest
from specdemo.pages.messages import Messages
from specdemo.pages.models import Models
from specdemo.pages.open_runs import OpenRun
from specdemo.pages.request import DecodeRequest
from specdemo.pages.service import Service
from specdemo.pairs import Pair, registry
from specdemo.pairs.loading import load_named
from specdemo.pairs.placement import gpus_are_lent, log_placement
from specdemo.pairs.registry import PairEntry
from specdemo.sentences import sentence

log = logging.getLogger(__name__)

R = TypeVar("R", bound=AnyRequest)
Lent = Callable[[str, str, int], Iterator[str]]

# What the parent has read, for the child that is forked from it; the parent's models keep them.
_at_hand: WeakValueDictionary[tuple[str, str], Pair] = WeakValueDictionary()
_borrower: _Borrower | None = None


def service_for_here() -> Service:
    """The service that suits where the app runs. Call it before the server starts: the lender has to know what it lends for."""
    return LendingService() if gpus_are_lent() else Service()


def ships_with_the_app(entry: PairEntry) -> bool:
    """Whether a pair is one of the small ones of the project's own."""
    return entry.target.folder is not None


def decode_with_gpu(kind: str, text: str, first: int) -> Iterator[str]:
    """The messages that answer a request of a kind of `gpu_time.READERS`, numbered from `first`; runs where the GPU is."""
    global _borrower
    _borrower = _borrower or _Borrower()
    _borrower.first_message = first
    yield from getattr(_borrower, kind)(text)


def lent(function: Lent) -> Lent:
    """The function as the lender runs it, each call in a process that has a GPU."""
    import spaces

    def seconds(kind: str, text: str, first: int) -> int:
        return gpu_seconds(kind, text)

    found: Lent = spaces.GPU(duration=seconds)(function)
    return found


class LendingService(Service):
    """Reads requests and models here, and has them decoded where the GPU is, unless `stays(entry)`."""

    def __init__(self, models: Models | None = None, stays: Callable[[PairEntry], bool] = ships_with_the_app) -> None:
        super().__init__(models or Models(_load_without_gpu))
        self._stays = stays
        self._lent = lent(decode_with_gpu)

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
        answers = self._lent(kind, request.model_dump_json(), messages.count)
        try:
            for answer in answers:
                messages.count += 1
                yield answer
                if cancelled.is_set():
                    return
        except gr.Error as error:  # the lender's own words: no share left, time over
            yield messages.error(sentence("gpu_taken", reason=_plain_text(str(error.message))))
        finally:
            answers.close()  # type: ignore[attr-defined]  # tells the child, which stops at its next message


@dataclass(frozen=True)
class _OneDraft:
    run: str
    pair: str
    draft: str | None


class _Borrower(Service):
    """The service inside the process that has the GPU."""

    def __init__(self) -> None:
        super().__init__(Models(_load_to_gpu, fetch=_nothing_to_fetch, graphs=False))


def _load_without_gpu(name: str, **options: Any) -> Pair:
    """A pair in memory, in the element type that it will have on the GPU."""
    return load_named(name, device="cpu", **options)


def _load_to_gpu(name: str, *, draft: str, progress: Callable[[str, float | None], None]) -> Pair:
    import torch

    from specdemo.pairs.weights import unpacked

    # After a fork, a second thread of the library that shares work out waits for ever.
    torch.set_num_threads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pair = _at_hand.get((name, draft))
    if pair is None:  # read after this process was forked
        return load_named(name, draft=draft, device=device, progress=progress)
    if device == "cpu":
        return pair
    progress(sentence("moving_gpu"), None)
    moved = replace(
        pair,
        draft_model=unpacked(pair.draft_model).to(device),
        target_model=unpacked(pair.target_model).to(device),
    )
    log_placement(moved)
    return moved


def _nothing_to_fetch(name: str, **options: Any) -> None:
    """The parent has fetched it."""


def _plain_text(message: str) -> str:
    """A lender's message without its markup and its full stop."""
    return html.unescape(re.sub(r"<[^>]*>", "", message)).strip().rstrip(".") or "no reason is given"
