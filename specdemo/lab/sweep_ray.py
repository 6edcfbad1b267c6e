"""The sweep on Ray: workers on all nodes of a cluster, or on all cores of this machine, each with the pair loaded once.

Ray places the workers and carries cells and rows; which cell is measured when, and what is measured again, is said in `sweep_window.py`.
Only this process writes the file. Nothing of Ray is imported before it is asked for.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_file import Row
from specdemo.lab.sweep_ray_worker import Worker
from specdemo.lab.sweep_sources import PairSource, Put
from specdemo.lab.sweep_window import Event, windowed
from specdemo.trace.run import versions

Say = Callable[[str], None]
PATIENCE = 180.0  # seconds for a first worker to begin: a cluster that grows on demand takes minutes
_STAFFING = 5.0  # seconds between two looks at how large the cluster is
_REACH = 5.0


def imported_ray(alone: bool = False) -> Any:
    """Ray, without its statistics of use; `alone`: for a cluster of this machine only. ImportError saying how to have it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A worker is told its device when it loads the pair.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if alone:
        # Ray listens on all of a Linux machine's addresses unless it is told that clusters are not for this system.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        import ray
    except ImportError:
        raise ImportError("the engine 'ray' needs Ray, which is not installed here: pip install '.[ray]'") from None
    return ray


def check_reachable(address: str | None) -> None:
    """RuntimeError at once where nobody listens at HOST:PORT; Ray itself would try for more than a minute, and then end the process."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH).close()
    except (OSError, ValueError, OverflowError) as error:
        raise _unreachable(address, error) from None


@contextmanager
def connected(address: str | None = None, cores: int | None = None) -> Iterator[None]:
    """A connection to the cluster at `address` ("auto", HOST:PORT, ray://HOST:PORT), or None: a Ray of this machine alone, for so long.

    `cores`: how many CPUs the latter may fill with workers, at least; None leaves that to Ray. RuntimeError where the cluster cannot be reached.
    """
    check_reachable(address)
    ray = imported_ray(alone=address is None)
    options: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        options |= {"address": "local", "include_dashboard": False}
        if cores is not None:
            options["num_cpus"] = max(cores, os.cpu_count() or 1)
    try:
        ray.init(**options)
    except (Exception, SystemExit) as error:  # kinds of their own for each way to fail
        raise _unreachable(address, error) from error
    try:
        yield
    finally:
        ray.shutdown()


class RayEngine:
    """An engine on the connected cluster.

    `sources` gives every pair's source by its draft, its data put by the function it is given. A worker takes `threads` CPUs and computes
    with so many threads (None: one CPU, PyTorch's threads as they are) and `gpus` GPUs, a fraction or a number. `workers` None is as many as
    there is room for, nodes that come later included.
    """

    name = "ray"

    def __init__(
        self,
        sources: Callable[[Put], Mapping[str, PairSource]],
        *,
        threads: int | None = 1,
        gpus: float = 0.0,
        workers: int | None = None,
        say: Say = lambda text: None,
        patience: float = PATIENCE,
    ) -> None:
        self._ray = imported_ray()
        self._sources = sources(self._ray.put)
        self._threads, self._gpus, self._workers, self._say, self._patience = threads, gpus, workers, say, patience

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[Row]:
        """See Engine. RuntimeError where workers are lost again and again, no node has room for one, or a node's versions are others."""
        return windowed(cells, _RayCrew(self._ray, self._hire, self._wanted, self._patience), stopped, self._say)

    def _hire(self) -> tuple[Any, Any]:
        actor = self._ray.remote(Worker).options(num_cpus=self._threads or 1, num_gpus=self._gpus, max_restarts=0)
        hired = actor.remote(self._threads, self.name)
        return hired, hired.begin.remote(self._sources)

    def _wanted(self) -> int:
        if self._workers is not None:
            return self._workers
        room = 0
        for node in self._ray.nodes():
            has = node["Resources"] if node["Alive"] else {}
            # Fractions of GPUs are counted in ten-thousandths, and a worker does not lie across two.
            share = [_fit(has.get("GPU", 0.0), self._gpus)] if self._gpus else []
            room += min([int(has.get("CPU", 0.0) // (self._threads or 1)), *share])
        return max(1, room)  # one may wait for a node that is still to come


def _fit(gpus: float, each: float) -> int:
    return int(gpus // each) if each >= 1 else int(gpus) * int((1 + 1e-9) // each)


class _RayCrew:
    """See Crew. `hire` makes an actor and lets it begin, `wanted` says how many there should be."""

    def __init__(
        self, ray: Any, hire: Callable[[], tuple[Any, Any]], wanted: Callable[[], int], patience: float
    ) -> None:
        self._ray, self._hire, self._wanted, self._patience = ray, hire, wanted, patience
        self._actors: dict[int, Any] = {}
        self._promises: dict[Any, tuple[int, bool]] = {}  # what is waited for: whose, and whether it is a row
        self._hired, self._next_look, self._target = 0, 0.0, 0
        self._begun: set[int] = set()
        self._idle_since = time.monotonic()

    def wait(self, seconds: float) -> Event | None:
        """See Crew."""
        self._staff()
        done, _ = self._ray.wait([*self._promises], num_returns=1, timeout=seconds)
        if not done:
            self._check_room()
            return None
        worker, measured = self._promises.pop(done[0])
        try:
            found = self._ray.get(done[0])
        except self._ray.exceptions.RayTaskError as error:
            raise _said(error) from error
        except self._ray.exceptions.RayError as error:
            return self._lost(worker, error)
        if measured:
            return Event(worker, row=found)
        _check_versions(found)
        self._begun.add(worker)
        return Event(worker)

    def give(self, worker: int, cell: Cell) -> None:
        """See Crew."""
        self._promises[self._actors[worker].measure.remote(cell)] = (worker, True)

    def dismiss(self) -> None:
        """See Crew."""
        for actor in self._actors.values():
            with contextlib.suppress(Exception):  # the cluster itself may be gone
                self._ray.kill(actor)
        self._actors, self._promises = {}, {}

    def _staff(self) -> None:
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look, self._target = now + _STAFFING, self._wanted()
        while len(self._actors) < self._target:
            self._actors[self._hired], begun = self._hire()
            self._promises[begun] = (self._hired, False)
            self._hired += 1

    def _lost(self, worker: int, error: Exception) -> Event:
        with contextlib.suppress(Exception):  # it may only be out of reach, and must not come back
            self._ray.kill(self._actors[worker])
        del self._actors[worker]
        self._begun.discard(worker)
        self._next_look = 0.0
        if getattr(error, "actor_init_failed", False):
            raise RuntimeError(f"a worker could not begin: {_last_line(error)}")
        return Event(worker, lost=_reason(error))

    def _check_room(self) -> None:
        now = time.monotonic()
        if self._begun:
            self._idle_since = now
        elif now - self._idle_since > self._patience:
            raise RuntimeError(
                f"no worker could begin within {self._patience:.0f} s: no node of the Ray cluster has room for one (`ray status` shows what "
                "is free), or none of them starts; fewer --workers or a smaller --gpus-per-worker may help"
            )


def _said(error: Any) -> Exception:
    """What went wrong in a worker, as it would have been said here."""
    cause = error.cause
    if isinstance(cause, ImportError):
        return RuntimeError(
            f"a node lacks what a worker needs ({cause}): specdemo with its requirements must be installed on every node of the cluster"
        )
    return cause if isinstance(cause, Exception) else RuntimeError(_last_line(error))


def _check_versions(found: Mapping[str, str]) -> None:
    """Statistics are reproducible under the versions in the file's head only; Ray itself sees to Python's."""
    own = versions()
    others = [
        f"{name} {found[name]} there, {own[name]} here" for name in own if name != "python" and found[name] != own[name]
    ]
    if others:
        raise RuntimeError(
            f"a node has other versions ({'; '.join(others)}), and its statistics would differ in their last digits: install the same on every node"
        )


def _reason(error: Exception) -> str:
    text = str(error)
    if "node has died" in text or "node was terminated" in text or "node failure" in text:
        return "its node is gone"
    if "OutOfMemory" in type(error).__name__ or "OOM" in text.split("(OOM)")[0]:
        return "it ran out of memory"
    return "its process or its node is gone"  # which, Ray learns later than it tells of the loss


def _last_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip()[:300]


def _unreachable(address: str | None, error: BaseException) -> RuntimeError:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
    if address is None:
        return RuntimeError(f"Ray could not be started on this machine: {reason}")
    return RuntimeError(
        f"no Ray cluster answers at {address} ({reason}): start one with `ray start --head`, and give its HOST:PORT, or auto on one of its nodes"
    )
