"""How a pass is recorded: on CUDA as a graph, which one launch replays; elsewhere the pass is simply called, on the same memory.

A graph is captured from transformers' own eager pass. `torch.compile(mode="reduce-overhead")` would do as well and fuse some operators; but it
needs a compiler where the app runs, takes much longer than a few passes, and its graphs belong to the thread that made them.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

Pass = Callable[[], Tensor]
_TRIES = 3  # before a capture: what libraries make at their first call must not be captured

log = logging.getLogger(__name__)


@dataclass
class Captures:
    """What this process has learnt of capturing graphs, None while all is well: `failure` says why none is tried any more, `broken` what
    PyTorch's allocator has said since.

    PyTorch leaves a capture that fails without telling its allocator, which may believe for ever that one is under way: then every later
    capture fails, and so does giving memory back.
    """

    failure: str | None = None
    broken: str | None = None

    def fail(self, error: BaseException) -> None:
        """A capture has failed: try none again, and find out whether the process can go on."""
        self.failure = first_line(error)
        log.warning("a CUDA graph could not be captured, and no other is tried in this process: %s", self.failure)
        try:
            torch.cuda.empty_cache()
        except Exception as found:
            self.broken = first_line(found)
            log.error("after that, the GPU's memory cannot be given back any more: %s", self.broken)


captures = Captures()


def first_line(error: BaseException) -> str:
    """The kind of an error, and what it says first."""
    first = (str(error).strip().splitlines() or [""])[0][:200]
    return f"{type(error).__name__}: {first}"


class Recorder(Protocol):
    """Makes a pass that can be repeated: it reads, writes and returns the same memory every time."""

    def record(self, made: Pass) -> Pass:
        """The pass, recorded; whatever `made` raises, or recording does. It runs a few times: what it writes is written."""


class CallingRecorder:
    """Records nothing: to repeat a pass is to call it. For devices without graphs."""

    def record(self, made: Pass) -> Pass:
        """See Recorder."""
        made()
        return made


class CudaRecorder:
    """Captures CUDA graphs of one model. They share memory for what lies between input and output, so that only one may run at a time."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        # Tried and captured on the same stream: handles of libraries, with their workspaces, belong to a stream.
        self._stream = torch.cuda.Stream(device)
        self._pool = torch.cuda.graph_pool_handle()

    def record(self, made: Pass) -> Pass:
        """See Recorder. Nothing else may be asked of the device meanwhile: see `recordings.py`. RuntimeError once a capture has failed."""
        if captures.failure is not None:
            raise RuntimeError(f"no graph is captured any more: {captures.failure}")
        with torch.cuda.device(self._device):
            before = torch.cuda.current_stream()
            self._try(made, before)
            try:
                graph, logits = self._captured(made)
            except BaseException as error:
                torch.cuda.set_stream(before)  # a capture that fails leaves its own behind
                captures.fail(error)
                raise

        def replay() -> Tensor:
            graph.replay()
            return logits

        return replay

    def _try(self, made: Pass, before: torch.cuda.Stream) -> None:
        self._stream.wait_stream(before)
        with torch.cuda.stream(self._stream):
            for _ in range(_TRIES):
                made()
        before.wait_stream(self._stream)

    def _captured(self, made: Pass) -> tuple[torch.cuda.CUDAGraph, Tensor]:
        graph, mode = torch.cuda.CUDAGraph(), "thread_local"
        # Only this thread's own mistakes end the capture: another one may still free memory or ask for some.
        with _no_collection(), torch.cuda.graph(graph, self._pool, self._stream, capture_error_mode=mode):
            logits = made()
        return graph, logits


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing is collected meanwhile: the graphs of a pair that is gone cannot be taken apart during a capture."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


def recorder_of(device: torch.device) -> Recorder:
    """The recorder that suits a device."""
    return CudaRecorder(device) if device.type == "cuda" else CallingRecorder()
