"""On a server passes are recorded in turns between the visitors', and only where the GPU is the process's own."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from specdemo.decoding import recorded_models
from specdemo.decoding.recorder import CudaRecorder, captures
from specdemo.pages import models as pages_models
from specdemo.pages.failures import GPU_LOST
from specdemo.pages.lending import _Borrower
from specdemo.pages.models import Models, record_in_turns
from specdemo.pages.service import Service
from specdemo.pages.turns import Turns
from specdemo.pairs import Pair
from tests.decoding.graphs import Counting
from tests.pages.test_service import nothing, request
from tests.tiny import tiny_pair


def blocks(service: Service, **changes: Any) -> list[dict[str, Any]]:
    told = [json.loads(message) for message in service.decode(request(**changes))]
    return [block for message in told if message["kind"] == "blocks" for block in message["blocks"]]


def recording_is_over() -> None:
    for thread in threading.enumerate():
        if thread.name == "record":
            thread.join(20)


@pytest.mark.parametrize("lies_at", [None, 1])
def test_a_visitor_decodes_at_once_and_goes_on_with_recorded_passes(
    lies_at: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, pair = Counting(lies_at=lies_at), tiny_pair(context=256, eos=None)

    def record(pair: Pair, turn: Turns) -> None:
        assert recorded_models.record_passes(pair.draft_model, pair.target_model, turn, lambda device: recorder)

    expected = blocks(Service(Models(load=lambda name, draft, progress: pair, fetch=nothing)))
    monkeypatch.setattr(pages_models, "record_in_turns", record)
    service = Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))
    first = blocks(service)
    recording_is_over()
    second = blocks(service)
    assert first[0]["passes"] == "eager" and recorder.recorded == 2
    assert [block["passes"] for block in second[1:]] == ["refused" if lies_at else "graphed"] * (len(second) - 1)
    assert [[block["digest"] for block in found] for found in (first, second)] == [
        [block["digest"] for block in expected]
    ] * 2


def test_a_recording_waits_for_its_turn_and_keeps_nobody_else_from_theirs() -> None:
    pair, turns, recorder = tiny_pair(context=256, eos=None), Turns(), Counting()
    assert recorded_models.record_passes(pair.draft_model, pair.target_model, turns, lambda device: recorder)
    found = recorded_models.recordings_of(pair.target_model)
    assert found is not None
    with turns:
        found.want(4)
        found.want(4)
        assert turns._held and recorder.recorded == 0
    recording_is_over()
    assert recorder.recorded == 1 and found.has(4) and not turns._held and not turns._waiting


@pytest.mark.parametrize("sick", [False, True])
def test_after_a_capture_that_failed_none_is_tried_and_health_says_so(
    sick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As PyTorch does: the end of a capture throws before the allocator is told of it, which may not give memory back any more."""
    tried: list[str] = []

    @contextmanager
    def capture(graph: Any, pool: Any, stream: Any, capture_error_mode: str) -> Iterator[None]:
        tried.append("captured")
        yield
        raise RuntimeError("CUDA error: operation failed due to a previous error during capture\nand more")

    def empty_cache() -> None:
        tried.append("emptied")
        if sick:
            raise RuntimeError("captures_underway.empty() INTERNAL ASSERT FAILED")

    stream = SimpleNamespace(wait_stream=lambda other: None)
    for name, stand_in in {
        "Stream": lambda device: stream, "current_stream": lambda: stream, "set_stream": lambda stream: None, "stream": nullcontext,
        "device": nullcontext, "CUDAGraph": object, "graph_pool_handle": object, "graph": capture, "empty_cache": empty_cache,
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, stand_in)
    for part in ("failure", "broken"):
        monkeypatch.setattr(captures, part, None)
    # A pair whose passes were recorded before, the one that fails, and one that comes later.
    pairs = {draft: tiny_pair(context=256, eos=None) for draft in ("192", "96", "self")}
    recorders: dict[str, Any] = {"192": Counting(), "96": CudaRecorder(torch.device("cuda:0")), "self": Counting()}
    for draft, pair in pairs.items():
        only = functools.partial(lambda recorder, device: recorder, recorders[draft])
        assert recorded_models.record_passes(pair.draft_model, pair.target_model, None, only)
    service = Service(Models(load=lambda name, draft, progress: pairs[draft], fetch=nothing))
    health = service.health()
    kinds = {draft: blocks(service, draft=draft)[-1]["passes"] for draft in pairs}
    assert kinds == {"192": "graphed", "96": "refused", "self": "eager"}
    assert tried == ["captured", "emptied"] and recorders["self"].recorded == 0
    assert {block["passes"] for block in blocks(service, draft="192")} == {"graphed"}, "what is recorded is replayed"
    assert health["status"] == "ok" and "warnings" not in health
    health = service.health()
    assert health["warnings"] == [
        "A CUDA graph could not be captured (RuntimeError: CUDA error: operation failed due to a previous error during capture): "
        "pairs without any go on with eager passes, and no other is tried until the server is started again."
    ]
    assert health["status"] == ("failed" if sick else "ok") and (service.unready() == GPU_LOST) is sick


@pytest.mark.parametrize("wanted", ["", "1"])
def test_graphs_are_off_until_the_operator_wants_them(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The models are on no GPU, but they say so."""
    pair = tiny_pair(context=256, eos=None)
    monkeypatch.setenv("SPECDEMO_CUDA_GRAPHS", wanted)
    monkeypatch.setattr(recorded_models, "device_of", lambda model: torch.device("cuda"))
    assert recorded_models.record_passes(pair.draft_model, pair.target_model) is (wanted == "1")
    recorded_models.forget_passes(pair.draft_model, pair.target_model)
    assert recorded_models.record_passes(pair.draft_model, pair.target_model, None, lambda device: Counting()), (
        "a benchmark says itself with what"
    )


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_only_pairs_on_a_gpu_are_recorded(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(recorded_models, "record_passes", lambda *given: asked.append(given))
    pair: Any = SimpleNamespace(device=device, draft_model="draft", target_model="target")
    turns = Turns()
    record_in_turns(pair, turns)
    assert asked == ([] if device == "cpu" else [("draft", "target", turns)])


def test_nothing_is_recorded_where_the_gpu_is_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has it for one call would spend the call on recording."""
    asked: list[Any] = []
    monkeypatch.setattr(pages_models, "record_in_turns", lambda *given: asked.append(given))
    pair = tiny_pair(context=256, eos=None)
    for models, recorded in ((_Borrower().models, 0), (Models(), 1)):
        monkeypatch.setattr(models, "_load", lambda name, draft, progress: pair)
        monkeypatch.setattr(models, "_fetch", nothing)
        assert models.start("stories", "192").pair() is pair
        assert len(asked) == recorded
