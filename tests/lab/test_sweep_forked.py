"""Cells measured by forked processes have the statistics of cells measured in one, and a process that fails or is gone is told of."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from specdemo.decoding.batched_loop import BatchedLoop
from specdemo.lab import sweep_batched
from specdemo.lab.forked import Forked, can_be_forked, processes_suited_to
from specdemo.lab.sweep import sweep
from specdemo.lab.sweep_batched import BatchedEngine
from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Cell, PairIdentity
from specdemo.lab.sweep_file import Row
from specdemo.lab.sweep_forked import ForkedEngine, _Shares
from specdemo.pairs import Pair, weights
from tests.batches import packed_pair
from tests.lab.swept import the_cells, the_grid, the_pair
from tests.pairs.packing import needs_half
from tests.tiny import tiny_pair

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def forked(cells: list[Cell], pair: Pair, workers: int = 2, batch: int = 4) -> dict[str, Row]:
    """The rows of cells by key."""
    rows = list(ForkedEngine((pair,), workers, batch).run(iter(cells), lambda: False))
    assert len({row["key"] for row in rows}) == len(rows)
    return {row["key"]: row for row in rows}


@needs_half
def test_statistics_are_those_of_cells_measured_one_by_one_to_the_bit() -> None:
    pair = packed_pair()
    cells = list(the_grid(gammas=(2, 5), prompts=2).cells([PairIdentity.of(pair)]))
    found = forked(cells, pair)
    assert set(found) == {cell.key for cell in cells}
    for cell in cells[::3]:
        assert json.dumps(found[cell.key]["statistics"]) == json.dumps(measure(pair, cell)["statistics"])
    alone = {row["key"]: row for row in BatchedEngine(lambda draft: pair, (pair,), 4).run(iter(cells), lambda: False)}
    assert json.dumps([found[cell.key] for cell in cells]) == json.dumps([alone[cell.key] for cell in cells])


def test_cells_of_several_pairs() -> None:
    other = dataclasses.replace(tiny_pair(), draft_name="another")
    with torch.no_grad():
        other.draft_model.lm_head.weight.mul_(0.5)
    pairs = (the_pair(), other)
    cells = list(the_grid(rules=("token",), gammas=(2,), prompts=2).cells([PairIdentity.of(pair) for pair in pairs]))
    rows = list(ForkedEngine(pairs, 2, 3).run(iter(cells), lambda: False))
    assert {row["key"] for row in rows} == {cell.key for cell in cells}
    of = [
        {row["cell"]["prompt"]: row["statistics"]["text"] for row in rows if row["cell"]["draft"] == p.draft_name}
        for p in pairs
    ]
    assert of[0] != of[1]


def test_more_processes_than_cells_and_no_cells() -> None:
    cells = the_cells(rules=("token",), gammas=(2,), prompts=1)
    assert len(forked(cells[:1], the_pair(), 3)) == 1
    assert forked([], the_pair()) == {}


def test_the_memory_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = the_cells()[0]
    monkeypatch.setattr(sweep_batched, "_LAW_BYTES", 6 * 8 * the_pair().vocab_size * cell.max_new_tokens)
    assert [sweep_batched._slots(16, the_pair(), cell, sharing) for sharing in (1, 2, 3, 9)] == [6, 3, 2, 1]
    init = BatchedLoop.__init__

    def seen(self: BatchedLoop, *given: Any) -> None:
        assert given[-1] == 3, f"{given[-1]} texts at once"
        init(self, *given)

    monkeypatch.setattr(BatchedLoop, "__init__", seen)
    assert len(forked([cell], the_pair(), 2, 16)) == 1


def shares(cells: list[Cell], asking: Callable[[int], int]) -> list[list[Cell]]:
    """Who got which cells when two processes ask, the n-th time the process `asking(n)`."""
    found: list[list[Cell]] = [[], []]
    given = _Shares(iter(cells), 2)
    for n in range(len(cells)):
        number = asking(n)
        cell = given.next_of(number)
        assert cell is not None
        found[number].append(cell)
    assert given.next_of(0) is given.next_of(1) is None
    return found


def test_a_process_keeps_its_prompts() -> None:
    cells = the_cells(gammas=(2, 3, 4))
    found = shares(cells, lambda n: n % 2)
    assert sorted(cell.key for share in found for cell in share) == sorted(cell.key for cell in cells)
    prompts = [{(cell.task, cell.prompt) for cell in share} for share in found]
    assert len(prompts[0] & prompts[1]) <= 1, "at the end one may take over what waits for the other"


def test_nobody_idles_while_cells_wait() -> None:
    cells = the_cells(gammas=(2, 3, 4))
    one_is_slow = shares(cells, lambda n: int(n == 0))
    assert [len(share) for share in one_is_slow] == [len(cells) - 1, 1]


def test_stopping_ends_the_processes() -> None:
    asked = iter([False] * 2 + [True] * 100)
    rows = list(ForkedEngine((the_pair(),), 2, 64).run(iter(the_cells()), lambda: next(asked)))
    assert len(rows) < len(the_cells())


class Known:
    def __init__(self) -> None:
        self.keys: set[str] = set()

    def append(self, row: Row) -> None:
        self.keys.add(row["key"])


def test_time_ends_the_sweep() -> None:
    assert list(sweep(Known(), the_cells(), ForkedEngine((the_pair(),), 2, 4), seconds=0.0)) == []


def test_an_error_is_raised_here() -> None:
    wrong = dataclasses.replace(the_cells()[0].identity, draft_revision="seed:9")
    with pytest.raises(RuntimeError, match="the cell is for"):
        forked([dataclasses.replace(the_cells()[0], identity=wrong)], the_pair())


class Unsendable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} of {two}")


def test_an_error_that_cannot_be_sent_is_told_in_words() -> None:
    def failing(pipe: Any) -> None:
        raise Unsendable(1, 2)

    worker = Forked(failing, [])
    with pytest.raises(RuntimeError, match="Unsendable: 1 of 2"):
        worker.receive()
    worker.end()


def test_a_process_that_is_gone_is_told_of() -> None:
    workers: list[Forked] = []
    for _ in range(2):
        workers.append(Forked(lambda pipe: os.kill(os.getpid(), signal.SIGKILL), workers))
    for worker in workers:
        with pytest.raises(RuntimeError, match=r"has ended \(status -9\).*--workers"):
            worker.receive()
        worker.end()


def test_a_process_ends_when_its_parent_is_gone_but_not_by_ctrl_c() -> None:
    def waiting(pipe: Any) -> None:
        pipe.send(os.getpid())
        pipe.recv()
        pipe.send("still there")
        pipe.recv()

    workers: list[Forked] = []
    for _ in range(2):
        workers.append(Forked(waiting, workers))
    for worker in workers:
        os.kill(worker.receive(), signal.SIGINT)
        worker.pipe.send("go on")
        assert worker.receive() == "still there"
        worker.pipe.close()
        worker._process.join(20)
        assert worker._process.exitcode == 0
        worker.end()


def test_one_thread_in_each() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        torch.ones(300, 300).softmax(1)
        worker = Forked(lambda pipe: pipe.send((torch.get_num_threads(), float(torch.ones(1 << 20).sum()))), [])
        assert worker.receive() == (1, 1 << 20)
        worker.end()
    finally:
        torch.set_num_threads(before)


def test_how_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, before = the_pair(), torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        for cores, processes in ((1, 1), (3, 3), (64, 16)):
            monkeypatch.setattr(weights, "_AVAILABLE_THREADS", cores)
            assert processes_suited_to(pair) == processes
        assert not can_be_forked(dataclasses.replace(pair, target_model=tiny_pair().target_model.to("meta")))
        torch.set_num_threads(2)
        assert processes_suited_to(pair) == 1
    finally:
        torch.set_num_threads(before)
