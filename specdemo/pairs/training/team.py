"""Data-parallel training by forked workers of one thread each, over shared memory.

On a busy machine two threads of one process wait for each other hundreds of times a step; two processes meet twice a step.
Every worker draws the same batch, takes its rows, and updates its share of the parameters, of which there is only one copy.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

MEETING_SECONDS = 1200.0  # a first step that compiles on a busy machine takes minutes


class Team:
    """`size` workers; `rank` is this process's number; `gradients[i][r]` is worker r's gradient of parameter i."""

    def __init__(self, parameters: list[nn.Parameter], size: int) -> None:
        self.size, self.rank, self.parameters = size, 0, parameters
        self.control = torch.zeros(2, dtype=torch.float64)
        self.gradients: list[Tensor] = []
        self._context = multiprocessing.get_context("fork") if size > 1 else None
        self._barrier: Any = None
        if self._context is not None:
            self._barrier = self._context.Barrier(size)
            self.control.share_memory_()
            for parameter in parameters:
                parameter.data.share_memory_()
                self.gradients.append(torch.zeros((size, *parameter.shape)).share_memory_())

    def meet(self) -> None:
        """Wait for all workers; BrokenBarrierError when one of them is gone."""
        if self._barrier is not None:
            self._barrier.wait(MEETING_SECONDS)

    def average(self) -> None:
        """Replace every gradient by its mean over the workers."""
        if self.size == 1:
            return
        used = [
            (parameter, shared)
            for parameter, shared in zip(self.parameters, self.gradients, strict=True)
            if parameter.grad is not None
        ]
        for parameter, shared in used:
            assert parameter.grad is not None
            shared[self.rank].copy_(parameter.grad)
        self.meet()
        for parameter, shared in used:
            parameter.grad = shared.mean(0)

    def run(self, work: Callable[[], None]) -> None:
        """Run `work` in every worker; returns when this process, number 0, is done."""
        if self._context is None:
            work()
            return
        others = [
            self._context.Process(target=self._enter, args=(rank, work), daemon=True) for rank in range(1, self.size)
        ]
        for other in others:
            other.start()
        try:
            work()
            for other in others:
                other.join(30)
        finally:
            self._barrier.abort()
            for other in others:
                if other.is_alive():
                    other.kill()

    def _enter(self, rank: int, work: Callable[[], None]) -> None:
        # A session of its own makes a worker a job of its own for the scheduler. The first worker alone decides when to stop
        # and tells the others through `control`.
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.rank = rank
        work()
