"""`bench batch`: every way does the same work in turns, and the report says whether the results were the same."""

from __future__ import annotations

import argparse
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.cli.bench_batch import measured
from specdemo.lab import batch_bench as batch_bench_module
from specdemo.lab.batch_bench import ALONE, SIZES, batch_bench, batch_report
from specdemo.lab.competitors import Setting
from specdemo.lab.prompts import encoded_prompts
from specdemo.pairs import Pair
from tests.batches import packed_pair
from tests.pairs.packing import needs_half


@pytest.fixture(scope="module")
def pair() -> Pair:
    return packed_pair()


@needs_half
def test_a_small_pair(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_bench_module, "_GAMMAS", (2,))
    setting = Setting(gamma=2, max_new_tokens=4)
    prompts = encoded_prompts(pair, ["the cat", "a dog ran"], setting)
    found = batch_bench(pair, prompts, setting, itertools.count(1.0).__next__, rounds=1, processes=3)
    assert [*found["works"]] == ["plain decoding", "block, γ = 2", "a sweep, γ = 2"]
    for work in found["works"].values():
        for way, one in work["ways"].items():
            # This clock takes a second between two looks at it.
            assert one["per_second"]["median"] == (8 if work["unit"] == "tokens" else 2), way
            assert one["over_alone"]["median"] == 1.0 and one["same_results"]
    assert [*found["works"]["plain decoding"]["ways"]] == [ALONE, *(f"batch {size}" for size in SIZES), "3 × batch 16"]
    assert [*found["works"]["a sweep, γ = 2"]["ways"]] == [ALONE, "batch 16", "3 × batch 16"]
    json.dumps(found, allow_nan=False)


def test_other_results_are_told() -> None:
    ways = {ALONE: lambda: [1], "batch 4": lambda: [2]}
    work = batch_bench_module._in_turns(ways, 1, "tokens", itertools.count(1.0).__next__, 1, lambda said: None, "x")
    assert re.search(r"batch 4 .* no$", batch_report({"works": {"x": work}}), re.M)


def test_a_way_that_takes_half_the_time_is_twice_as_fast() -> None:
    now = [0.0]

    def taking(seconds: float) -> None:
        now[0] += seconds

    ways = {ALONE: lambda: taking(2.0), "batch 4": lambda: taking(1.0)}
    found = batch_bench_module._in_turns(ways, 6, "tokens", lambda: now[0], 2, lambda said: None, "x")["ways"]
    assert [found[way]["per_second"]["median"] for way in ways] == [3.0, 6.0]
    assert [found[way]["over_alone"]["median"] for way in ways] == [1.0, 2.0]


def test_the_command(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("specdemo.cli.bench._load", lambda options: pair)
    monkeypatch.setattr("specdemo.pairs.weights._AVAILABLE_THREADS", 2)
    monkeypatch.setattr(batch_bench_module, "_GAMMAS", (2,))
    monkeypatch.setattr(batch_bench_module, "SIZES", (64,))
    prompts, out = tmp_path / "cats.txt", tmp_path / "batch.json"
    prompts.write_text("the cat sat\n", encoding="utf-8")
    assert main(["bench", "batch", "--quick", "--prompt-file", str(prompts), "--gamma", "2", "--json", str(out)]) == 0
    shown = capsys.readouterr()
    assert "batch 64" in shown.out and "× one by one" in shown.out and "round 1 of 1" in shown.err
    bench = json.loads(out.read_text(encoding="utf-8"))
    assert bench["schema"] == "specdemo.bench-batch/1" and len(bench["works"]) == 3
    assert "2 × batch 16" in shown.out


@pytest.mark.parametrize(("clock", "cores", "processes"), [("wall", 3, 3), ("wall", 1, 1), ("cpu", 3, 1)])
def test_processor_time_is_that_of_one_process(
    pair: Pair, clock: str, cores: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def asking(*given: Any, **named: Any) -> dict[str, Any]:
        asked.append(named["processes"])
        return {}

    monkeypatch.setattr(batch_bench_module, "batch_bench", asking)
    monkeypatch.setattr("specdemo.pairs.weights._AVAILABLE_THREADS", cores)
    measured(argparse.Namespace(clock=clock, threads=1, quick=True), pair, ["the cat"], Setting(max_new_tokens=4))
    assert asked == [processes]
