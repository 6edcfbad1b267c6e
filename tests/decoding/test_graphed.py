"""Recorded passes give an eager pass's laws, whatever a run does.

On a CPU the recorder calls the pass, on the same memory; on a GPU the same tests replay CUDA graphs.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
import torch

from specdemo.decoding import recorded_models
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.device import DeviceModel
from specdemo.decoding.loop import Step
from specdemo.decoding.static_forward import StaticForward
from specdemo.decoding.static_pass import room_of
from specdemo.pairs import registry
from specdemo.pairs.placement import placement_of
from tests.decoding.graphs import (
    DEVICES,
    PROMPT,
    TOLERANCE,
    Counting,
    assert_same,
    loop_of,
    models,
    needs_cuda,
    recording,
    run,
)
from tests.tiny import tiny_llama


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("rule", ["token", "block", "greedy_block"])
def test_many_blocks_to_the_end_of_the_context(device: str, rule: str) -> None:
    draft, target = models(device)
    theirs = run(loop_of(draft, target, rule, context=48), 60)
    with recording(draft, target, Counting() if device == "cpu" else None) as recorder:
        ours = run(loop_of(draft, target, rule, context=48), 60)
    assert_same(ours, theirs)
    kinds = [step.passes for step in ours]
    assert kinds[:2] == ["eager", "graphed"] and set(kinds[1:]) == {"graphed"}, "the first block goes at once"
    assert {step.verdict.accepted for step in ours} >= {0, 3}, "rejections at once, and blocks that are kept whole"
    assert len(ours) > 10 and ours[-1].finish == "context" and ours[-1].gamma < 3
    if recorder is not None:
        assert recorder.recorded == 2 and recorder.replayed > 4 * (len(ours) - 4)


def test_a_block_that_was_kept_whole_is_followed_by_two_passes_of_one() -> None:
    draft, target = models()
    with recording(draft, target, Counting()) as recorder:
        loop, ids = loop_of(draft, target, "token"), list(PROMPT)
        followed: dict[bool, set[int]] = {True: set(), False: set()}
        whole = False
        for index in range(14):
            before = recorder.replayed
            step = loop.block(ids, index, None, 100)
            ids = [*ids, *step.committed]
            if index > 3 and step.gamma == 3:
                followed[whole].add(recorder.replayed - before)
            whole = step.verdict.accepted == step.gamma
    assert followed == {False: {3 + 1}, True: {4 + 1}}


@pytest.mark.parametrize("device", DEVICES)
def test_other_runs_in_the_same_memory(device: str) -> None:
    """Block by block in turns, at another γ, from a longer prompt: each run has the numbers that it has alone, to the bit."""
    draft, target = models(device, context=160)
    long = [int(i) for i in np.random.default_rng(0).integers(0, 8, 90)]
    asked: list[dict[str, Any]] = [{"ids": PROMPT}, {"ids": long, "gamma": 2, "seed": 8}, {"ids": [4], "seed": 5}]

    def start(ids: list[int], **settings: Any) -> tuple[Any, list[int], list[Step]]:
        return loop_of(draft, target, context=160, **settings), list(ids), []

    with recording(draft, target):
        for one in asked:  # recorded and proven: the runs after these are graphed from their first block on
            run(start(**one)[0], 6, one["ids"])
        alone = []
        for one in asked:
            loop, ids, _ = start(**one)
            alone.append(run(loop, 7, ids))
        runs = [start(**one) for one in asked]
        for index in range(7):
            for loop, ids, steps in runs:
                steps.append(loop.block(ids, index, None, 100))
                ids += steps[-1].committed
    for (_, _, steps), expected in zip(runs, alone, strict=True):
        assert_same(steps, expected, 0.0)
        assert steps[-1].passes == "graphed"
    for one, expected in zip(asked, alone, strict=True):
        loop, ids, _ = start(**one)
        assert_same(expected, run(loop, 7, ids))


def test_logits_stay_what_they_were_when_the_pass_is_repeated() -> None:
    draft, target = models()
    with recording(draft, target, Counting()):
        run(loop_of(draft, target), 5)
        found = recorded_models.recordings_of(target)
        assert found is not None
        forward = StaticForward(found)
        forward(PROMPT, 1)
        logits = forward([1, 2, 3, 4], 4)
        before = logits.clone()
        forward([5, 6, 7, 0], 4)
    assert torch.equal(logits, before)


def test_another_gamma_between_two_blocks() -> None:
    draft, target = models(context=160)

    def decode(expected: str | None) -> list[Step]:
        loop, ids, steps = loop_of(draft, target, context=160), list(PROMPT), []
        for index, gamma in enumerate([3, 3, 3, 5, 5, 5, 1, 1, 0, 0, 0, 3, 3]):
            loop.gamma = gamma
            steps.append(loop.block(ids, index, None, 100))
            ids = [*ids, *steps[-1].committed]
            assert expected is None or index == 0 or steps[-1].passes == expected
        return steps

    theirs = decode(None)
    with recording(draft, target, Counting()) as recorder:
        assert_same(decode("graphed"), theirs)
    assert recorder.recorded == 1 + 4, "the draft's one token and the target's 4, 6, 2 and 1"


def test_a_text_longer_than_the_memory_goes_on_with_eager_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specdemo.decoding.static_pass.MOST_TOKENS", 32)
    draft, target = models(context=64)
    theirs = run(loop_of(draft, target), 60)
    with recording(draft, target, Counting()):
        assert room_of(target) == 32
        ours = run(loop_of(draft, target), 60)
    assert_same(ours, theirs)
    assert [step.passes for step in ours[1:]] == ["graphed" if step.start + 3 <= 32 else "eager" for step in ours[1:]]


def test_ids_of_a_larger_vocabulary() -> None:
    draft, target = tiny_llama(5, seed=1, spread=0.4).float(), tiny_llama(8, seed=2, layers=2, spread=0.4).float()
    theirs = run(loop_of(draft, target), 12)
    with recording(draft, target, Counting()):
        ours = run(loop_of(draft, target), 12)
    assert_same(ours, theirs)
    assert ours[-1].passes == "graphed" and max(max(step.committed) for step in ours) >= 5


def test_rows_that_are_asked_for_outside_a_block() -> None:
    """As rules with a memory ask for the draft's law after the block."""
    draft, target = models()
    with recording(draft, target, Counting()) as recorder:
        run(loop_of(draft, target), 5)
        model = DeviceModel(draft)
        assert model.recordings is not None
        model.go_static(model.recordings)
        expected = CachedModel(draft, lean=False).rows(PROMPT)
        assert torch.allclose(model.rows(PROMPT), expected, rtol=0, atol=TOLERANCE) and model.is_static
        recorder.fails_at = 0
        assert torch.equal(model.rows([*PROMPT, 7]), CachedModel(draft, lean=False).rows([*PROMPT, 7]))
        assert not model.is_static and model.recordings.refused == "RuntimeError: the device has lost a graph"


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float64], ids=str)
@pytest.mark.parametrize("device", DEVICES)
def test_other_element_types(kind: Any, device: str) -> None:
    draft, target = (model.to(kind) for model in models(device))
    theirs = run(loop_of(draft, target), 3)
    with recording(draft, target):
        ours = run(loop_of(draft, target), 3)
    assert [step.passes for step in ours] == ["eager", "graphed", "graphed"]
    assert_same(ours[:1], theirs[:1], 0.0)
    if kind is torch.float64:
        assert_same(ours, theirs, 1e-9)


def test_another_thread_records_in_a_turn_of_its_own() -> None:
    """And nobody waits: while others have the turn, blocks are eager."""
    draft, target = models()
    turn, theirs = threading.Lock(), run(loop_of(draft, target), 12)
    ours: list[Step] = []
    with recording(draft, target, Counting(), turn) as recorder:
        loop, ids = loop_of(draft, target), list(PROMPT)
        with turn:
            for index in range(6):
                ours.append(loop.block(ids, index, None, 100))
                ids += ours[-1].committed
            assert recorder.recorded == 0
        for thread in threading.enumerate():
            if thread.name == "record":
                thread.join(20)
        for index in range(6, 12):
            with turn:
                ours.append(loop.block(ids, index, None, 100))
            ids += ours[-1].committed
    assert recorder.recorded == 2
    assert_same(ours, theirs)
    assert [step.passes for step in ours] == ["eager"] * 6 + ["graphed"] * 6


def three_ways(draft: Any, target: Any, seed: int) -> list[list[tuple[int, ...]]]:
    """The text of a run in one go, block by block (each with nothing cached), and in one go with recorded passes."""
    blocks = 5
    settings: dict[str, Any] = {"seed": seed, "context": 128}
    whole = run(loop_of(draft, target, **settings), blocks)
    ids, memory, steps = list(PROMPT), None, []
    for index in range(blocks):
        steps.append(loop_of(draft, target, **settings).block(ids, index, memory, 100))
        ids, memory = [*ids, *steps[-1].committed], steps[-1].verdict.memory
    with recording(draft, target, Counting()):
        recorded = run(loop_of(draft, target, **settings), blocks)
    assert recorded[-1].passes == "graphed"
    return [[step.committed for step in way] for way in (whole, steps, recorded)]


def test_one_text_however_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """24 runs in the element type that pairs have on CUDA unless somebody asks for another; in half precision some part."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (9, 0))
    usual = getattr(torch, placement_of(registry.get("stories"), "192", "cuda").dtype)

    def pair(kind: Any) -> tuple[Any, Any]:
        return tuple(tiny_llama(64, seed=n, layers=n, width=16, context=128).to(kind) for n in (1, 2))

    for seed in range(24):
        whole, steps, recorded = three_ways(*pair(usual), seed)
        assert whole == steps == recorded
    assert any(len({*map(str, three_ways(*pair(torch.bfloat16), seed))}) > 1 for seed in range(24))


@needs_cuda
def test_a_graphed_block_waits_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything before the one transfer runs while PyTorch refuses to wait."""
    draft, target = models("cuda")
    with recording(draft, target):
        loop, ids = loop_of(draft, target), list(PROMPT)
        for index in range(4):
            ids += loop.block(ids, index, None, 100).committed
        waits, brought = [], torch.Tensor.cpu

        def counted(tensor: torch.Tensor) -> torch.Tensor:
            waits.append(tuple(tensor.shape))
            torch.cuda.set_sync_debug_mode("default")
            return brought(tensor)

        monkeypatch.setattr(torch.Tensor, "cpu", counted)
        assert loop.on_device is not None
        torch.cuda.set_sync_debug_mode("error")
        try:
            loop.on_device.block(ids, 3, np.array([0.1, 0.5, 0.9]))
        finally:
            torch.cuda.set_sync_debug_mode("default")
        assert loop.on_device.passes == "graphed" and len(waits) == 1


@needs_cuda
def test_a_graph_is_replayed() -> None:
    """Not called: a replay launches what was captured, whatever has become of the model's Python."""
    draft, target = models("cuda")
    with recording(draft, target):
        loop, ids = loop_of(draft, target), list(PROMPT)
        for index in range(4):
            ids += loop.block(ids, index, None, 100).committed
        before = target.forward
        target.forward = lambda *given, **named: pytest.fail("the model was called")
        try:
            step = loop.block(ids, 4, None, 100)
        finally:
            target.forward = before
        assert step.passes == "graphed"
