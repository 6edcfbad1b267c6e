"""Recorded passes give an eager pass's laws, whatever a run does; and where they fail, or lie, the eager ones go on.

On a CPU the recorder calls the pass, on the same memory; on a GPU the same tests replay CUDA graphs.
"""

from __future__ import annotations

import gc
import logging
import threading
import weakref
from typing import Any

import numpy as np
import pytest
import torch

from specdemo.decoding import recorded_models, recordings
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.device import DeviceModel
from specdemo.decoding.forward import TransformersForward
from specdemo.decoding.laws import NonFiniteLogits
from specdemo.decoding.loop import Step
from specdemo.decoding.static_forward import StaticForward
from specdemo.decoding.static_pass import room_of
from tests.decoding.graphs import PROMPT, Counting, loop_of, recording, run
from tests.tiny import tiny_llama

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
DEVICES = ["cpu", pytest.param("cuda", marks=needs_cuda)]
TOLERANCE = 1e-5  # of a law in float32


def models(device: str = "cpu", size: int = 8, context: int = 64, spread: float = 0.4) -> tuple[Any, Any]:
    """Two Llamas in float32, with key heads that are shared as in real ones."""
    found = (
        tiny_llama(size, seed=1, spread=spread, context=context),
        tiny_llama(size, seed=2, layers=2, spread=spread, context=context),
    )
    return found[0].float().to(device), found[1].float().to(device)


def assert_same(ours: list[Step], theirs: list[Step], tolerance: float = TOLERANCE) -> None:
    """Equal tokens, and laws within the tolerance."""
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert one.tokens.tolist() == other.tokens.tolist() and one.committed == other.committed
        assert np.abs(one.draft - other.draft).max(initial=0) <= tolerance
        assert np.abs(one.target - other.target).max() <= tolerance


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


def test_shapes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of γ = 3 and 4 stay, whatever others choose, until they have been idle."""
    monkeypatch.setattr(recordings, "MOST_SHAPES", 2)
    draft, target = models(context=160)

    def kept() -> list[int]:
        found = recorded_models.recordings_of(target)
        return [count for count in range(9) if found is not None and found.has(count)]

    with recording(draft, target, Counting()):
        for gamma, passes in ((3, "graphed"), (4, "graphed"), (1, "eager"), (2, "eager")):
            assert run(loop_of(draft, target, gamma=gamma, context=160), 5)[-1].passes == passes
        assert kept() == [4, 5]
        monkeypatch.setattr(recordings, "IDLE_SECONDS", 0.0)
        for gamma in (1, 2):
            assert run(loop_of(draft, target, gamma=gamma, context=160), 5)[-1].passes == "graphed"
        assert kept() == [2, 3]


def test_a_pass_is_not_used_before_it_is_proven() -> None:
    draft, target = models()
    with recording(draft, target, Counting()) as recorder:
        found = recorded_models.recordings_of(target)
        assert found is not None
        found.want(3)
        assert found.has(3) and not found.proven(3) and found.recorded(3) is None
        forward = StaticForward(found)
        forward([1, 2, 3, 4, 5], 3)
        assert recorder.replayed == 0, "the pass was called directly"
        assert forward.replayed([1, 2, 3]).shape[0] == 3 and recorder.replayed == 1
        found.prove(3)
        forward([4, 5, 6], 3)
        assert recorder.replayed == 2


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


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "it cannot be recorded": ({"unrecordable": True}, "OutOfMemoryError: no memory is left"),
    "its first replay fails": ({"fails_at": 1}, "RuntimeError: the device has lost a graph"),
    "a later replay fails": ({"fails_at": 17}, "RuntimeError: the device has lost a graph"),
    "it lies": ({"lies_at": 1}, "PassesDiffer: laws differ by"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("rule", ["block", "greedy_block"])
def test_eager_passes_go_on_where_recorded_ones_fail(fault: str, rule: str, caplog: Any) -> None:
    draft, target = models()
    theirs = run(loop_of(draft, target, rule), 12)
    settings, words = FAULTS[fault]
    caplog.set_level(logging.WARNING, "specdemo")
    with recording(draft, target, Counting(**settings)):
        ours = run(loop_of(draft, target, rule), 12)
        again = run(loop_of(draft, target, rule), 3)
        for model in (draft, target):
            found = recorded_models.recordings_of(model)
            assert found is not None and found.refused is not None and words in found.refused
            assert found._static is None and not found.has(1) and not found.has(4), "its memory is given back"
    assert_same(ours, theirs)
    assert ours[0].passes == "eager" and ours[-1].passes == "refused"
    assert ("graphed" in {step.passes for step in ours}) == (fault == "a later replay fails")
    assert [step.passes for step in again] == ["refused"] * 3, "other runs do not try again"
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("recorded passes are refused, eager ones go on: ") and words in line and "\n" not in line


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


@pytest.mark.parametrize("broken", ["draft", "target"])
def test_weights_that_break_are_named(broken: str) -> None:
    draft, target = models()
    with recording(draft, target, Counting()):
        loop, ids = loop_of(draft, target), list(PROMPT)
        for index in range(4):
            ids += loop.block(ids, index, None, 100).committed
        head = {"draft": draft, "target": target}[broken].lm_head.weight
        right = head[3].clone()
        with torch.no_grad():
            head[3] = float("nan")
        with pytest.raises(
            NonFiniteLogits, match=f"the {broken} model gave the logit nan for token 3 at position {len(ids)}"
        ):
            loop.block(ids, 4, None, 100)
        with torch.no_grad():
            head[3] = right
        step = loop.block(ids, 4, None, 100)
    plain = loop_of(draft, target).block(ids, 4, None, 100)
    assert_same([step], [plain])
    assert step.passes == "refused"


def test_memory_that_eager_passes_lack_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    draft, target = models()
    theirs = run(loop_of(draft, target, gamma=2), 1)
    with recording(draft, target, Counting()):
        run(loop_of(draft, target), 5)
        found, fed = recorded_models.recordings_of(target), TransformersForward.feed
        assert found is not None and found._static is not None

        def feed(forward: TransformersForward, *given: Any) -> Any:
            if found._static is not None:
                raise torch.OutOfMemoryError("there is no room")
            return fed(forward, *given)

        monkeypatch.setattr(TransformersForward, "feed", feed)
        ours = run(loop_of(draft, target, gamma=2), 1)
        assert found.refused == "OutOfMemoryError: there is no room" and found._static is None
    assert_same(ours, theirs, 0.0)


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


def test_weights_that_moved_are_recorded_anew() -> None:
    draft, target = models()
    with recording(draft, target, Counting()) as recorder:
        run(loop_of(draft, target), 5)
        first = recorded_models.recordings_of(target)
        assert first is recorded_models.recordings_of(target)
        other = models(spread=0.2)[1]
        target.lm_head.weight = other.lm_head.weight
        assert recorded_models.recordings_of(target) is not first
        ours = run(loop_of(draft, target), 8)
        assert recorder.recorded == 3
    assert_same(ours, run(loop_of(draft, target), 8))
    assert ours[-1].passes == "graphed"


def test_hooks_are_not_passed_over() -> None:
    draft, target = models()
    with recording(draft, target, Counting()):
        handle = target.model.layers[0].register_forward_pre_hook(lambda *given: None)
        assert run(loop_of(draft, target), 4)[-1].passes == "eager"
        handle.remove()
        assert run(loop_of(draft, target), 4)[-1].passes == "graphed"


def test_the_memory_goes_with_the_models() -> None:
    draft, target = models()
    assert recorded_models.record_passes(draft, target, None, lambda device: Counting())
    run(loop_of(draft, target), 5)
    found = recorded_models.recordings_of(target)
    assert found is not None and found._static is not None
    static, kept = weakref.ref(found._static), len(recorded_models._known)
    del found, draft, target
    gc.collect()
    assert static() is None and len(recorded_models._known) == kept - 2


def test_what_a_run_holds() -> None:
    """Its own tokens, whether they lie in the shared memory or aside; the memory itself is nobody's."""
    draft, target = models()
    token = sum(2 * 2 * 4 * 4 * layers for layers in (1, 2))  # keys and values, 2 heads of 4, 4 bytes
    with recording(draft, target, Counting()):
        loops = [loop_of(draft, target, seed=seed) for seed in (3, 4)]
        texts = [run(loop, 6) for loop in loops]
        for loop, steps in zip(loops, texts, strict=True):
            most = steps[-1].start + 3
            row = loop.drafter._sums.nbytes  # type: ignore[attr-defined]
            assert (most - 3) * token < loop.nbytes() - row <= most * token


def test_which_models_have_a_static_cache() -> None:
    draft, target = models()
    assert room_of(target) == 64
    assert room_of(tiny_llama(8, seed=0, context=100)) == 112, "whole multiples of what kernels like"
    assert room_of(tiny_llama(8, seed=0, context=10**6)) == 2048
    assert not recorded_models.record_passes(draft, draft, None, lambda device: Counting()), "one memory for two roles"
    assert not recorded_models.record_passes(draft, target), "nothing is recorded on a CPU unless a test asks for it"
    assert recorded_models.recordings_of(target) is None
    target.config.rope_parameters = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}
    target.model.rotary_emb.rope_type = "dynamic"
    assert room_of(target) == 0
    wide = tiny_llama(8, seed=0, context=4096)
    wide.config.num_key_value_heads = 10**6
    assert room_of(wide) == 0, "256 tokens of it would not fit"


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
