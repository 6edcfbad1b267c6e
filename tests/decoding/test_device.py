"""A block drafted and scored on a device, with one look at it: the host's tokens and laws. On the CPU to the bit; on a GPU where there is one."""

from __future__ import annotations

import itertools
import time
from typing import Any, ClassVar

import numpy as np
import pytest
import torch

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.device import DeviceModel, HostMarks, OnDevice, can_stay_on_device, drawn, marks_of
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.laws import LawMaker, NonFiniteLogits, Processing
from specdemo.decoding.loop import BlockLoop, Step
from specdemo.decoding.plain import build_loop
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.verifiers import get
from specdemo.verifiers.sampling import draw
from tests.tiny import tiny_llama

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
DEVICES = ["cpu", pytest.param("cuda", marks=needs_cuda)]
SETTINGS = {
    "plain": Processing(),
    "cut": Processing(0.7, 5, 0.9),
    "greedy": Processing(0.0),
}


def models(device: str, sizes: tuple[int, int] = (8, 8)) -> tuple[Any, Any]:
    return (
        tiny_llama(sizes[0], seed=1, spread=0.4, context=200).to(device),
        tiny_llama(sizes[1], seed=2, layers=2, spread=0.4, context=200).to(device),
    )


def loop_of(draft: Any, target: Any, rule: str, processing: Processing, size: int, on_device: bool) -> BlockLoop:
    laws = LawMaker(processing, size)
    if not on_device:
        parts: Any = (ModelDrafter(CachedModel(draft), laws, size), CachedModel(target), None)
    else:
        ours = DeviceModel(draft), DeviceModel(target)
        parts = (ModelDrafter(ours[0], laws, size), ours[1], OnDevice(*ours, laws))
    drafter, cached, way = parts
    return BlockLoop(drafter, cached, laws, get(rule), PhiloxUniforms(3), 3, frozenset(), 200, way)


def run(loop: BlockLoop, blocks: int) -> list[Step]:
    ids, memory, steps = [1, 2, 5], None, []
    for index in range(blocks):
        steps.append(loop.block(ids, index, memory, 100))
        ids, memory = [*ids, *steps[-1].committed], steps[-1].verdict.memory
    return steps


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("sizes", [(8, 8), (5, 8), (8, 5)], ids=str)
@pytest.mark.parametrize("processing", SETTINGS)
@pytest.mark.parametrize("rule", ["token", "block", "greedy_block"])
def test_the_same_run(device: str, sizes: tuple[int, int], processing: str, rule: str) -> None:
    draft, target = models(device, sizes)
    ours, theirs = (
        run(loop_of(draft, target, rule, SETTINGS[processing], max(sizes), way), 8) for way in (True, False)
    )
    kept = set()
    for own, other in zip(ours, theirs, strict=True):
        assert own.tokens.tolist() == other.tokens.tolist() and own.committed == other.committed
        if device == "cpu":
            assert np.array_equal(own.draft, other.draft) and np.array_equal(own.target, other.target)
        else:
            assert np.abs(own.draft - other.draft).max() < 1e-9 and np.abs(own.target - other.target).max() < 1e-9
        kept.add(own.verdict.accepted)
    assert processing == "greedy" or len(kept) > 1


@pytest.mark.parametrize("device", DEVICES)
def test_draws_are_those_of_the_host(device: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        law = rng.dirichlet(np.full(9, 0.3)) * (rng.random(9) < 0.7)
        law[rng.integers(9)] += 0.1
        law /= law.sum()
        uniform = float(rng.choice([0.0, rng.random(), np.nextafter(1.0, 0.0)]))
        found = drawn(
            torch.tensor(law[None], device=device), torch.tensor([[uniform]], device=device, dtype=torch.float64)
        )
        assert found.shape == (1, 1) and int(found) == draw(law, uniform)


def test_rounding_that_runs_out_gives_the_last_positive_token() -> None:
    law = np.array([0.0, 0.5, 0.4999999, 0.0])
    assert draw(law, 0.99999999) == int(drawn(torch.tensor(law[None]), torch.tensor([[0.99999999]]).double())) == 2


@pytest.mark.parametrize("processing", SETTINGS)
def test_a_block_comes_over_once(processing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where laws hold zeros, which a logit that is not finite leaves behind, too."""
    loop = loop_of(*models("cpu"), "block", SETTINGS[processing], 8, True)
    loop.block([1, 2, 5], 0, None, 100)
    assert loop.on_device is not None
    brought = torch.Tensor.cpu
    seen: list[int] = []

    def counted(tensor: torch.Tensor) -> torch.Tensor:
        seen.append(tensor.numel())
        return brought(tensor)

    monkeypatch.setattr(torch.Tensor, "cpu", counted)
    loop.on_device.block([1, 2, 5, 3], 3, np.array([0.1, 0.5, 0.9]))
    assert len(seen) == 1


@torch.inference_mode()
def test_the_same_block_again_and_several_tokens_at_once() -> None:
    draft, target = models("cpu")
    whole = OnDevice(DeviceModel(draft), DeviceModel(target), LawMaker(Processing(), 8))
    one, other = (whole.block([1, 2, 5, 3], 3, np.array([0.1, 0.5, 0.9])) for _ in range(2))
    assert one.tokens == other.tokens
    assert np.allclose(one.draft, other.draft, rtol=0, atol=1e-9)
    assert np.allclose(one.target, other.target, rtol=0, atol=1e-9)
    model, drafted = DeviceModel(target), [torch.tensor([[token]]) for token in (4, 0, 6)]
    model.rows_after([1, 2, 5], drafted[:1])
    found = model.rows_after([1, 2, 5], drafted, 2)
    assert torch.allclose(found, CachedModel(target).rows([1, 2, 5, 4, 0, 6], 2), rtol=0, atol=1e-9)


@pytest.mark.parametrize("processing", SETTINGS)
@pytest.mark.parametrize("broken", ["draft", "target"])
def test_broken_weights_are_named_and_nothing_stays_behind(broken: str, processing: str) -> None:
    draft, target = models("cpu")
    loop = loop_of(draft, target, "block", SETTINGS[processing], 8, True)
    head = {"draft": draft, "target": target}[broken].lm_head.weight
    right = head[3].clone()
    with torch.no_grad():
        head[3] = float("nan")
    with pytest.raises(NonFiniteLogits, match=f"the {broken} model gave the logit nan for token 3 at position 3"):
        run(loop, 1)
    with torch.no_grad():
        head[3] = right
    again = [step.committed for step in run(loop, 4)]
    assert again == [step.committed for step in run(loop_of(draft, target, "block", SETTINGS[processing], 8, False), 4)]


def test_only_a_whole_pair_on_one_gpu_stays_there() -> None:
    draft, target = models("cpu")
    assert not can_stay_on_device(draft, target)
    assert not can_stay_on_device(draft, tiny_llama(8, seed=0).to("meta"))


@pytest.mark.parametrize("gamma", [3, 0])
def test_a_block_tells_what_each_step_took(gamma: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that moves on by one each time somebody looks at it: the parts are those of the block, and add up to it."""
    loop = loop_of(*models("cpu"), "block", Processing(), 8, True)
    loop.gamma = gamma
    looks: list[float] = []
    clock = itertools.count(0.0, 1.0)
    monkeypatch.setattr(time, "perf_counter", lambda: looks.append(next(clock)) or looks[-1])  # type: ignore[func-returns-value]
    seconds = loop.block([1, 2, 5], 0, None, 100).seconds
    assert seconds["draft_steps"] == [1.0] * gamma and seconds["target"] == 1.0
    assert seconds["draft"] == (gamma + 1 if gamma else 0), "and what it drafts for a rule's memory"
    assert sum(seconds[part] for part in ("draft", "target", "verify", "rest")) == looks[-1] - looks[0]


class Event:
    """torch.cuda.Event as far as it goes: it knows the time when its stream has come to it, and nobody is told before."""

    did: ClassVar[list[str]] = []
    made: ClassVar[list[Event]] = []

    def __init__(self, enable_timing: bool = False) -> None:
        assert enable_timing, "without it an event knows no time"
        self.name, self.at = f"event {len(self.made)}", -1.0
        self.made.append(self)

    def record(self, stream: Any) -> None:
        assert stream == "the stream of cuda:1"
        self.at = -1.0
        self.did.append(self.name)

    def elapsed_time(self, end: Event) -> float:
        if min(self.at, end.at) < 0:
            raise RuntimeError("CUDA error: device not ready")
        return end.at - self.at

    def synchronize(self) -> None:
        pytest.fail("the block has crossed: there is nothing to wait for")


@pytest.mark.skipif(torch.cuda.is_available(), reason="the real events are there")
def test_on_cuda_events_stand_around_each_step_and_are_read_when_the_block_has_crossed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    did, made = Event.did, Event.made
    brought, fed = torch.Tensor.cpu, DeviceModel.rows_after

    def cpu(tensor: torch.Tensor) -> torch.Tensor:
        for at, event in enumerate(event for event in made if event.name in did):
            event.at = 2.0 * at  # milliseconds
        did.append("crossed")
        return brought(tensor)

    def rows_after(model: DeviceModel, *given: Any) -> torch.Tensor:
        did.append("fed")
        return fed(model, *given)

    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: f"the stream of {device}")
    monkeypatch.setattr(torch.Tensor, "cpu", cpu)
    monkeypatch.setattr(DeviceModel, "rows_after", rows_after)
    loop = loop_of(*models("cpu"), "block", Processing(), 8, True)
    assert loop.on_device is not None and isinstance(loop.on_device._marks, HostMarks)
    loop.on_device._marks = marks_of(torch.device("cuda:1"))
    for _ in range(2):
        did.clear()
        found = loop.on_device.block([1, 2, 5], 2, np.array([0.1, 0.5]))
        assert did == ["event 0", "fed", "event 1", "fed", "event 2", "fed", "event 3", "crossed"]
        assert found.draft_steps == [0.002, 0.002] and found.target_seconds == 0.002
    assert len(made) == 4, "a later block records the same ones anew"


@needs_cuda
def test_a_drafted_token_is_not_waited_for() -> None:
    """Everything before the one transfer runs while PyTorch refuses to wait."""
    draft, target = models("cuda")
    assert can_stay_on_device(draft, target)
    loop = build_loop(
        draft, target, 8, get("block"), 3, Processing(), PhiloxUniforms(0), frozenset(), 200,
    )  # fmt: skip
    assert loop.on_device is not None
    loop.block([1, 2, 5], 0, None, 100)
    waits = []
    brought = torch.Tensor.cpu

    def counted(tensor: torch.Tensor) -> torch.Tensor:
        waits.append(tuple(tensor.shape))
        torch.cuda.set_sync_debug_mode("default")
        return brought(tensor)

    torch.Tensor.cpu = counted
    torch.cuda.set_sync_debug_mode("error")
    try:
        loop.on_device.block([1, 2, 5, 3], 3, np.array([0.1, 0.5, 0.9]))
    finally:
        torch.cuda.set_sync_debug_mode("default")
        torch.Tensor.cpu = brought
    assert len(waits) == 1
