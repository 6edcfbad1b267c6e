"""Where recorded passes fail, lie or find no memory, eager ones go on; and the memory of recordings is bounded and given back."""

from __future__ import annotations

import gc
import logging
import weakref
from typing import Any

import pytest
import torch

from specdemo.decoding import recorded_models, recordings
from specdemo.decoding.forward import TransformersForward
from specdemo.decoding.laws import NonFiniteLogits
from specdemo.decoding.static_forward import StaticForward
from specdemo.decoding.static_pass import room_of
from tests.decoding.graphs import (
    PROMPT,
    Counting,
    assert_same,
    loop_of,
    models,
    recording,
    run,
)
from tests.tiny import tiny_llama


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
