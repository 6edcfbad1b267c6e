"""From the machine's limits to whole decoding: the arithmetic by hand, and a small pair from end to end."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from specdemo.cli import main
from specdemo.lab import machine
from specdemo.lab.competitors import Setting
from specdemo.lab.engine import RUNS, engine_bench
from specdemo.lab.machine import SIDE, Job, Work, interleaved, work_of
from specdemo.lab.many_blocks import block_costs, many_blocks
from specdemo.lab.prompts import encoded_prompts
from specdemo.pairs import Pair
from specdemo.pairs.weights import suited_to_few_rows, unpacked
from tests.pairs.packing import needs_half
from tests.tiny import tiny_llama, tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


@pytest.fixture(autouse=True)
def small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "COPIED", 1 << 16)
    monkeypatch.setattr("gc.collect", lambda *generation: 0)


def test_the_floor_is_the_longer_of_reading_and_computing() -> None:
    work = Work(weights=1000, read=2000)
    assert work.operations(5) == 10_000
    square = 2 * SIDE**3
    assert work.floor(5, reading_seconds=3.0, multiplying_seconds=0.5) == 3.0
    assert work.floor(5, reading_seconds=0.0, multiplying_seconds=2.0) == pytest.approx(2.0 * 10_000 / square)


@needs_half
def test_the_work_of_a_model() -> None:
    plain = tiny_llama(50, seed=1, layers=2, width=32).float().half().float()
    count = 2 * (4 * 32 * 32 + 3 * 32 * 64) + 50 * 32
    assert work_of(plain) == Work(count, 4 * count)
    assert work_of(suited_to_few_rows(unpacked(plain))) == Work(count, 2 * count)


def test_jobs_take_turns_and_the_first_of_each_does_not_count() -> None:
    clock, order = itertools.count(10.0, -1.0), list[str]()

    def job(name: str) -> Job:
        def work() -> float:
            order.append(name)
            return next(clock)

        return work

    found = interleaved({name: job(name) for name in "abc"}, rounds=2, repeats=2)
    assert "".join(order) == "aaabbbccc" + "bbbcccaaa"
    assert found == {"a": [8.0, -7.0], "b": [5.0, -1.0], "c": [2.0, -4.0]}


def test_a_small_pair(pair: Pair) -> None:
    setting = Setting(gamma=2, max_new_tokens=7)
    prompts = encoded_prompts(pair, ["the cat", "a dog"], setting)
    said: list[str] = []
    found = engine_bench(pair, pair, prompts, setting, itertools.count(1.0).__next__, rounds=2, progress=said.append)
    assert said == ["forward passes", "prompt 1 of 2", "prompt 2 of 2", "many blocks"]
    assert list(found["passes"]) == ["draft, 1 token", "target, 1 token", "target, 3 tokens"]
    # This clock takes a second between two looks at it.
    for one in found["passes"].values():
        assert (
            one["lean_ms"]["median"] == one["eager_ms"]["median"] == 1000.0 and one["eager_over_lean"]["median"] == 1.0
        )
    assert set(found["speed"]) == set(RUNS) and found["speed"]["ours"]["median"] == pytest.approx(7.0)
    assert found["ratios"]["ours"]["plain"]["median"] == 1.0
    calls = found["block"]["bare_ms"]["median"] / 1000  # a second a forward pass: γ of the draft and one of the target
    assert 2.0 < calls <= 3.0
    assert found["block"]["laws_ms"]["median"] == found["block"]["read_laws_ms"]["median"] == 1000.0
    assert found["block"]["blocks"] >= 4 and found["block"]["parts"]["target"] > 0
    assert found["many_blocks"]["forward"]["late_ms"]["median"] <= 3000.0 and found["many_blocks"]["blocks"] > 4
    json.dumps(found, allow_nan=False)


def test_a_block_is_timed_apart_from_its_passes(pair: Pair) -> None:
    """The clock is looked at twice a pass and twice a block, and takes a second each time; the passes are those of the block."""
    setting = Setting(gamma=2, max_new_tokens=30)
    prompt = encoded_prompts(pair, ["the cat"], setting)[0]
    costs = block_costs(pair, prompt, setting, itertools.count(1.0).__next__, "block")
    assert [cost.start for cost in costs] == sorted({cost.start for cost in costs})
    assert costs[0].start == len(prompt.ids) and {cost.forward for cost in costs} == {3.0}
    assert {cost.outside for cost in costs} == {4.0}
    found = many_blocks(pair, prompt, setting, itertools.count(1.0).__next__, "block", rounds=2)
    assert found["outside"]["late_over_early"] == {"median": 1.0, "low": 1.0, "high": 1.0}
    early, late = found["tokens"]
    assert costs[1].start <= early < late <= costs[-2].start and found["blocks"] == len(costs) - 2


def test_only_on_the_cpu(pair: Pair) -> None:
    elsewhere = replace(pair, target_model=tiny_llama(300, seed=0).to("meta"))
    with pytest.raises(ValueError, match="measures on the CPU so far, this pair is on meta"):
        engine_bench(elsewhere, elsewhere, [], Setting(), lambda: 0.0)


def test_the_command(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("specdemo.cli.bench._load", lambda options: pair)
    prompts, out = tmp_path / "cats.txt", tmp_path / "engine.json"
    prompts.write_text("the cat sat\na dog ran\n", encoding="utf-8")
    given = ["bench", "engine", "--quick", "--prompt-file", str(prompts), "--gamma", "2", "--json", str(out)]
    before = torch.get_num_threads()
    assert main(given) == 0
    shown = capsys.readouterr()
    assert "sampling and verification cannot take less than" in shown.out
    assert (
        "One long text" in shown.out
        and "target, 3 tokens" in shown.out
        and "transformers, assisted" in shown.out
        and "GB/s" in shown.out
    )
    assert "prompt 2 of 2" in shown.err
    bench = json.loads(out.read_text(encoding="utf-8"))
    assert bench["schema"] == "specdemo.bench-engine/1" and bench["settings"]["threads"] == 1
    assert bench["settings"]["max_new_tokens"] == 32 and bench["settings"]["prompts"] == 2
    assert main([*given, "--markdown", "--clock", "cpu", "--threads", "2"]) == 2
    assert "adds up the times of all threads" in capsys.readouterr().err
    assert torch.get_num_threads() == before
