"""The engine that `specdemo lab --engine` names: this process and those forked from it, or workers on Ray."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from specdemo.cli.lab_options import asked_drafts

if TYPE_CHECKING:
    from specdemo.lab.sweep_engine import Engine
    from specdemo.lab.sweep_ray import RayEngine
    from specdemo.pairs import Pair


def check_engine(options: argparse.Namespace) -> None:
    """What can be said before models are loaded: ImportError without Ray, RuntimeError where nobody answers at `--address`."""
    if options.engine == "ray":
        from specdemo.lab.sweep_ray import check_reachable, imported_ray

        imported_ray(alone=options.address is None)
        check_reachable(options.address)


@contextmanager
def engine_of(
    options: argparse.Namespace, pairs: list[Pair], load: Callable[[str], Pair], say: Callable[[str], None]
) -> Iterator[Engine]:
    """The engine, for as long as it is needed. `pairs` are there already, `load` loads one again by its draft's name."""
    if options.no_times:
        yield _batched(options, pairs, load, say)
        return
    if options.engine == "local":
        from specdemo.lab.sweep_engine import LocalEngine

        yield LocalEngine(load, tuple(pairs))
        return
    from specdemo.lab.sweep_ray import connected

    threads = threads_of(pairs[0])
    cores = None if options.workers is None else options.workers * (threads or 1)
    # Ray prints what it has to say of nodes that are gone; standard output is the report's.
    with contextlib.redirect_stdout(sys.stderr), connected(options.address, cores):
        yield _ray_engine(options, pairs, threads, say)


def _batched(
    options: argparse.Namespace, pairs: list[Pair], load: Callable[[str], Pair], say: Callable[[str], None]
) -> Engine:
    from specdemo.lab.forked import can_be_forked, processes_suited_to
    from specdemo.lab.sweep_batched import BatchedEngine
    from specdemo.lab.sweep_forked import ForkedEngine

    workers = processes_suited_to(pairs[0]) if options.workers is None else options.workers
    if workers > 1 and not can_be_forked(pairs[0]):
        say(f"one process instead of {workers}: several are for models on a CPU that compute with one thread, on Linux")
        workers = 1
    return (
        ForkedEngine(pairs, workers, options.batch) if workers > 1 else BatchedEngine(load, tuple(pairs), options.batch)
    )


def _ray_engine(
    options: argparse.Namespace, pairs: list[Pair], threads: int | None, say: Callable[[str], None]
) -> RayEngine:
    from specdemo.lab.sweep_cells import PairIdentity
    from specdemo.lab.sweep_ray import RayEngine
    from specdemo.lab.sweep_sources import NamedPair, PairSource, Put, folder_pairs
    from specdemo.pairs.folders import is_model_folder
    from specdemo.pairs.placement import AUTO_MAP

    identities, given = [PairIdentity.of(pair) for pair in pairs], asked_drafts(options)
    _let_go(pairs)
    device = AUTO_MAP if options.device == AUTO_MAP else identities[0].device

    def sources(put: Put) -> dict[str, PairSource]:
        if is_model_folder(options.pair):
            folders = [(identity, Path(draft or "")) for identity, draft in zip(identities, given, strict=True)]
            return folder_pairs(Path(options.pair), folders, device, put)
        return {
            identity.draft: NamedPair(options.pair, draft, device, identity.dtype)
            for identity, draft in zip(identities, given, strict=True)
        }

    gpus = (
        (1.0 if options.gpus_per_worker is None else options.gpus_per_worker) if identities[0].device == "cuda" else 0.0
    )
    if options.gpus_per_worker is not None and not gpus:
        raise ValueError(f"--gpus-per-worker is for models on cuda, these are on {identities[0].device}")
    return RayEngine(sources, threads=threads, gpus=gpus, workers=options.workers, say=say)


def threads_of(pair: Pair) -> int | None:
    """As many as this process computes with, and so every worker: with others the last bits of a large model would differ. None off the CPU."""
    import torch

    return torch.get_num_threads() if pair.device.type == "cpu" else None


def _let_go(pairs: list[Pair]) -> None:
    """Free the memory of the models: the workers load their own, perhaps on this very GPU."""
    import gc

    import torch

    pairs.clear()
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
