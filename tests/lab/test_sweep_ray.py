"""The sweep on a Ray cluster of two nodes on this machine: the local engine's statistics bit for bit, though a node is killed on the way."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from specdemo.lab import sweep_ray
from specdemo.lab.sweep_cells import Cell, Grid, PairIdentity
from specdemo.lab.sweep_engine import LocalEngine
from specdemo.lab.sweep_file import Row, read_lab
from specdemo.lab.sweep_ray import RayEngine, check_reachable, connected, imported_ray
from specdemo.lab.sweep_sources import PairSource, Put, folder_pairs
from specdemo.lab.tasks import get
from specdemo.pairs import Pair
from specdemo.trace.run import versions
from tests.lab.fragile import TooLarge
from tests.tiny import tiny_pair

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install '.[ray]'"
)
PATIENCE = 240.0


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny pair in folders, in float32: what a person brings."""
    folder: Path = tmp_path_factory.mktemp("tiny")
    pair = tiny_pair()
    for name, model in (("draft", pair.draft_model), ("target", pair.target_model)):
        model.float().save_pretrained(folder / name)
        pair.tokenizer.save_pretrained(folder / name)
    return folder


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with a CPU each; losses are noticed sooner than Ray's half minute."""
    imported_ray(alone=True)
    from ray.cluster_utils import Cluster

    quick = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 1000, "health_check_failure_threshold": 5}
    nodes = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, "_system_config": quick}
    )
    nodes.second = nodes.add_node(num_cpus=1)
    try:
        with connected(nodes.address):
            yield nodes
    finally:
        nodes.shutdown()


def test_versions_that_differ_are_named() -> None:
    sweep_ray._check_versions({**versions(), "python": "3.10.1"})
    with pytest.raises(
        RuntimeError, match=r"other versions \(torch 1\.0 there, \S+ here\).*install the same on every node"
    ):
        sweep_ray._check_versions({**versions(), "torch": "1.0"})


def test_nobody_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    for wrong in (address, f"ray://{address}", "somewhere:port"):
        with pytest.raises(RuntimeError, match=rf"no Ray cluster answers at {wrong} .*ray start --head"):
            check_reachable(wrong)


@pytest.mark.parametrize(
    ("gpus", "each", "workers"), [(2, 0.5, 4), (2, 0.4, 4), (1, 0.1, 10), (3, 2, 1), (1, 1, 1), (0, 1, 0)]
)
def test_workers_that_fit_on_gpus(gpus: int, each: float, workers: int) -> None:
    assert sweep_ray._fit(gpus, each) == workers


@needs_ray
@pytest.mark.slow
def test_a_cell_that_ends_its_worker_ends_the_sweep(cluster: Any, folders: Path) -> None:
    cells = the_cells(the_local_pair(folders))
    engine = RayEngine(lambda put: {"draft": TooLarge()})
    with pytest.raises(RuntimeError, match=r"3 workers were lost over one cell \(stories, prompt 1, γ = 4\)"):
        list(engine.run(iter(cells[:5]), never))


@needs_ray
@pytest.mark.slow
def test_what_is_wrong_in_a_worker_is_said_as_here(cluster: Any, folders: Path) -> None:
    """The models are others than the cells are for; then, no node is as large as a worker would be."""
    pair = the_local_pair(folders)
    cells = the_cells(pair)

    def swapped(put: Put) -> dict[str, PairSource]:
        return folder_pairs(folders / "draft", [(PairIdentity.of(pair), folders / "target")], "cpu", put)

    with pytest.raises(RuntimeError, match=r"the models loaded here are .* the cell is for"):
        list(RayEngine(swapped, workers=1).run(iter(cells[:2]), never))
    with pytest.raises(RuntimeError, match="no node of the Ray cluster has room for one"):
        list(RayEngine(swapped, threads=7, patience=2.0).run(iter(cells[:2]), never))


@needs_ray
@pytest.mark.slow
def test_a_node_is_killed_and_nothing_is_lost(cluster: Any, folders: Path) -> None:
    import ray
    from ray._private import state

    pair = the_local_pair(folders)
    cells, said = the_cells(pair), list[str]()
    engine = RayEngine(
        lambda put: folder_pairs(folders / "target", [(PairIdentity.of(pair), folders / "draft")], "cpu", put),
        say=said.append,
    )
    rows: list[Row] = []
    second, met = cluster.second.node_id, None
    for row in engine.run(iter(cells), never):
        rows.append(row)
        alive = [actor["Address"]["NodeID"] for actor in state.actors().values() if actor["State"] == "ALIVE"]
        if met is None and len(alive) == 2 and second in alive:
            met = len(rows)
        if met is not None and len(rows) == met + 4:
            cluster.remove_node(cluster.second, allow_graceful=False)
    assert met is not None and met + 4 < len(cells), "both nodes took part, and cells were left"
    assert (
        len(said) == 1
        and said[0].startswith("A worker was lost (its ")
        and "node is gone); its cell is measured again (" in said[0]
    )
    until = time.monotonic() + 30  # the cluster hears of it later than the sweep on a busy machine
    while sum(node["Alive"] for node in ray.nodes()) > 1 and time.monotonic() < until:
        time.sleep(0.2)
    assert sum(node["Alive"] for node in ray.nodes()) == 1
    local = list(LocalEngine(no_loading, (pair,)).run(iter(cells), never))
    assert {row["engine"] for row in rows} == {"ray"}
    assert statistics(rows) == statistics(local)


@needs_ray
@pytest.mark.slow
def test_the_command(folders: Path, tmp_path: Path) -> None:
    """On a Ray of this machine alone: interrupted by Ctrl-C, which its processes get too; resumed; and equal to the local engine's."""
    command = [
        sys.executable, "-m", "specdemo", "lab", "--pair", str(folders / "target"), "--drafts", str(folders / "draft"), "--device", "cpu",
        "--tasks", "stories", "--gammas", "2,4", "--prompts", "30", "--max-new-tokens", "48",
    ]  # fmt: skip
    root = str(Path(__file__).parents[2])
    settings: dict[str, Any] = {
        "text": True, "cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": root, "OMP_NUM_THREADS": "1"}, "stderr": subprocess.PIPE,
        "stdout": subprocess.PIPE,
    }  # fmt: skip
    path = tmp_path / "ray.jsonl"
    on_ray = [*command, "--out", str(path), "--engine", "ray", "--workers", "2"]
    process = subprocess.Popen(on_ray, start_new_session=True, **settings)
    wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= 4, process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    done = [row["key"] for row in read_lab(path)[1]]
    assert process.returncode == 130 and "the same command goes on from there" in errors, errors
    assert 3 <= len(done) < 60
    again = subprocess.run(on_ray, **settings)
    assert again.returncode == 0 and f"{len(done)} of 60 cells" in again.stderr, again.stderr
    assert [row["key"] for row in read_lab(path)[1]][: len(done)] == done
    local = subprocess.run([*command, "--out", "local.jsonl"], **settings)
    assert local.returncode == 0, local.stderr
    assert statistics(read_lab(path)[1]) == statistics(read_lab(tmp_path / "local.jsonl")[1])


def wait_for(true: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def the_local_pair(folders: Path) -> Pair:
    return Pair.from_folders(folders / "draft", folders / "target", device="cpu")


def the_cells(pair: Pair) -> list[Cell]:
    return list(Grid((get("stories"),), gammas=(2, 4), prompts=20, max_new_tokens=48).cells([PairIdentity.of(pair)]))


def no_loading(draft: str) -> Pair:
    raise AssertionError(f"the draft {draft} is loaded already")


def never() -> bool:
    return False


def statistics(rows: list[Row]) -> str:
    return json.dumps(sorted([row["key"], row["cell"], row["statistics"]] for row in rows))
