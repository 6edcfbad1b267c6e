"""A block drafted and scored on a device, with one look at it: the host's tokens and laws. On the CPU to the bit; on a GPU where there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.device import DeviceModel, OnDevice, can_stay_on_device, drawn
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
    assert one[0] == other[0]
    assert all(np.allclose(a, b, rtol=0, atol=1e-9) for a, b in zip(one[1:], other[1:], strict=True))
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
