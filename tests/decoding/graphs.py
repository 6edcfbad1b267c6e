"""Recorders for tests of recorded passes: one that fails, one that lies, one that counts; and runs that use them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from specdemo.decoding import recorded_models
from specdemo.decoding.device import DeviceModel, OnDevice
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import BlockLoop, Step
from specdemo.decoding.recorder import CallingRecorder, Pass, recorder_of
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.verifiers import get
from tests.tiny import tiny_llama

PROMPT = [1, 2, 4, 3, 0, 2]
TOLERANCE = 1e-5  # of a law in float32
needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
DEVICES = ["cpu", pytest.param("cuda", marks=needs_cuda)]


class Counting(CallingRecorder):
    """Calls the pass, and counts. From replay `fails_at` on it raises; from `lies_at` on its logits are another token's."""

    def __init__(self, fails_at: int | None = None, lies_at: int | None = None, unrecordable: bool = False) -> None:
        self.fails_at, self.lies_at, self.unrecordable = fails_at, lies_at, unrecordable
        self.recorded = self.replayed = 0

    def record(self, made: Pass) -> Pass:
        if self.unrecordable:
            raise torch.OutOfMemoryError("no memory is left\nfor a graph")
        recorded = super().record(made)
        self.recorded += 1
        same: list[Tensor] = []  # as a graph's, every replay writes over what the one before has given

        def replay() -> Tensor:
            self.replayed += 1
            if self.fails_at is not None and self.replayed >= self.fails_at:
                raise RuntimeError("the device has lost a graph")
            logits = recorded()
            lying = self.lies_at is not None and self.replayed >= self.lies_at
            if not same:
                same.append(torch.empty_like(logits))
            return same[0].copy_(logits.roll(1, 1) if lying else logits)

        return replay


@contextmanager
def recording(draft: Any, target: Any, recorder: Any = None, turn: Any = None) -> Iterator[Any]:
    """These models' passes are recorded by this recorder (that of the device where None) for as long as the context lasts."""
    recorders = recorder_of if recorder is None else lambda device: recorder
    assert recorded_models.record_passes(draft, target, turn, recorders)
    try:
        yield recorder
    finally:
        recorded_models.forget_passes(draft, target)


def stay_on_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every loop that is built decodes as on CUDA, wherever its models are."""
    monkeypatch.setattr("specdemo.decoding.plain.can_stay_on_device", lambda draft, target: True)


def loop_of(
    draft: Any,
    target: Any,
    rule: str = "block",
    gamma: int = 3,
    seed: int = 3,
    context: int = 64,
    temperature: float = 1.0,
) -> BlockLoop:
    """A loop that stays on the device, which may be the CPU; with recordings where there are any."""
    size = int(target.config.vocab_size)
    laws, ours = LawMaker(Processing(temperature), size), (DeviceModel(draft), DeviceModel(target))
    return BlockLoop(
        ModelDrafter(ours[0], laws, size), ours[1], laws, get(rule), PhiloxUniforms(seed), gamma, frozenset(), context,
        OnDevice(*ours, laws),
    )  # fmt: skip


def run(loop: BlockLoop, blocks: int, ids: list[int] | None = None) -> list[Step]:
    """Up to so many blocks, fewer where the context ends."""
    ids, memory, steps = list(ids or PROMPT), None, []
    for index in range(blocks):
        if len(ids) > loop.context_limit:
            break
        steps.append(loop.block(ids, index, memory, 100))
        ids, memory = [*ids, *steps[-1].committed], steps[-1].verdict.memory
    return steps


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
