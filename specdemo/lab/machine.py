"""What this machine can do, measured here: how fast it copies, reads and multiplies, with as many threads as PyTorch uses now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from specdemo.lab.competitors import Clock

COPIED = 128 * 2**20  # bytes, far more than caches hold
SIDE = 768  # of the square float32 matrices that are multiplied
Job = Callable[[], float]


def copying(clock: Clock) -> Job:
    """A job that copies COPIED bytes and returns the seconds."""
    source, target = torch.ones(COPIED // 4), torch.empty(COPIED // 4)
    return timed(lambda: target.copy_(source), clock)


def multiplying(clock: Clock) -> Job:
    """A job that multiplies two float32 matrices of SIDE × SIDE and returns the seconds."""
    one, other, result = torch.ones(SIDE, SIDE), torch.ones(SIDE, SIDE), torch.empty(SIDE, SIDE)
    return timed(lambda: torch.mm(one, other, out=result), clock)


def reading(size: int, clock: Clock) -> Job:
    """A job that reads an array of `size` bytes once and returns the seconds: what fits into a cache comes from there."""
    array = torch.ones(max(1, size // 4))
    return timed(lambda: array.sum(), clock)


def timed(work: Callable[[], object], clock: Clock) -> Job:
    """The job that does the work and returns how long it took."""

    def job() -> float:
        started = clock()
        work()
        return clock() - started

    return job


@torch.inference_mode()
def interleaved(jobs: Mapping[str, Job], rounds: int, repeats: int = 3) -> dict[str, list[float]]:
    """Seconds of every job, one number a round: the least of `repeats`, after one more to warm its caches up.

    Jobs take turns, from another one on in every round, so that what slows the machine slows them all: compare within a round.
    """
    names, found = list(jobs), dict[str, list[float]]()
    for turn in range(rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            job = jobs[name]
            job()
            found.setdefault(name, []).append(min(job() for _ in range(repeats)))
    return {name: found[name] for name in names}


@dataclass(frozen=True)
class Work:
    """What a forward pass of a model must do at the least: read its matrices once, and multiply every row with them."""

    weights: int
    read: int

    def operations(self, rows: int) -> int:
        """A multiplication and an addition for each weight and row."""
        return 2 * self.weights * rows

    def floor(self, rows: int, reading_seconds: float, multiplying_seconds: float) -> float:
        """Seconds below which this machine cannot do it: the reading or the arithmetic, whichever takes longer.

        The first is how long it took to read as many bytes, the second how long SIDE × SIDE matrices took.
        """
        return max(reading_seconds, multiplying_seconds * self.operations(rows) / (2 * SIDE**3))


def work_of(model: torch.nn.Module) -> Work:
    """The matrices of the model's linear layers, packed or not; attention, norms and the embedding's few rows are left out."""
    from specdemo.pairs.packed_linear import PackedLinear

    sizes = []
    for module in model.modules():
        if isinstance(module, PackedLinear):
            sizes.append((module.in_features * module.out_features, module.product.weight_bytes))
        elif isinstance(module, torch.nn.Linear):
            sizes.append((module.weight.numel(), module.weight.element_size()))
    return Work(sum(count for count, _ in sizes), sum(count * size for count, size in sizes))
