"""`make bench-cuda`: the script runs on a CPU with tiny models, and without a GPU says so."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from specdemo.lab import device_bench
from specdemo.lab.device_stages import run_stages, written
from specdemo.lab.prompts import read_prompts
from tests.decoding.graphs import Counting

ROOT = Path(__file__).resolve().parents[2]


def test_the_script_on_a_cpu(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "device.json"
    assert device_bench.main(["--device", "cpu", "--tiny", "--json", str(out)]) == 0
    shown = capsys.readouterr()
    record = json.loads(out.read_text(encoding="utf-8"))
    assert record == json.loads(shown.out.splitlines()[-1])
    assert record["schema"] == "specdemo.bench-device/2" and record["card"] == "cpu"
    assert [one["pair"] for one in record["pairs"]] == ["random weights, tiny → tiny target"]
    for one in record["pairs"]:
        (found,) = one["found"]
        assert found["gamma"] == 2 and found["graphed"] is None and list(found["ways"]) == ["eager", "graphed"]
        assert list(found["tokens_per_second"]) == ["plain", "assisted", "eager", "graphed"]
        for way in found["ways"].values():
            assert way["loop_ms"]["median"] > 0 and min(s["median"] for s in way["steps_ms"].values()) > 0
            ratio = way["loop_ms"]["median"] / way["bare_ms"]["median"]
            assert way["loop_over_bare"]["median"] == pytest.approx(ratio - 1)
        assert one["bytes"]["target"] > one["bytes"]["draft"] > 0
    assert "| γ | passes |" in shown.out and shown.out.count("| 2 | eager |") == shown.out.count("| 2 | graphed |") == 1
    assert record["failed"] == []


def test_graphed_rows_are_recorded_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Counting()
    monkeypatch.setattr("specdemo.lab.device_passes.recorder_of", lambda device: recorder)
    (line,) = device_bench.pair_lines(("tiny", "tiny target"), "cpu", tiny=True)
    assert recorder.recorded == 3, "one token of both models, and γ + 1 = 3"
    blocks = 8 / line["found"]["ways"]["graphed"]["loop_ms"]["median"]
    assert blocks > 0 and recorder.replayed > 3 * 8, "two runs, the bare passes of one, and single steps"


def test_graphed_rows_are_left_out_where_recorded_passes_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specdemo.lab.device_passes.recorder_of", lambda device: Counting(lies_at=1))
    lines = list(device_bench.pair_lines(("tiny", "tiny target"), "cpu", tiny=True))
    assert list(lines[0]["found"]["ways"]) == ["eager"]
    rate = {"median": 1.0, "low": 1.0, "high": 1.0}
    shown = device_bench.report(device_bench.whole([{"card": "cpu", "copy_gb_s": rate}, *lines]))
    assert "| 2 | eager |" in shown and "graphed |" not in shown
    assert "No graphed passes at γ = 2: PassesDiffer: laws differ by" in shown


def test_a_fault_costs_its_own_figure_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = device_bench.measured

    def measured(pair: Any, prompts: Any, setting: Any, clock: Any) -> dict[str, Any]:
        if setting.gamma == 2:
            raise RuntimeError("an illegal memory access\nand much more")
        return {**kept(pair, prompts, replace(setting, max_new_tokens=4), clock), "gamma": setting.gamma}

    monkeypatch.setattr(device_bench, "measured", measured)
    monkeypatch.setattr(device_bench, "read_prompts", lambda path, count: read_prompts(path, 1))
    record = device_bench.whole(list(device_bench.pair_lines(("tiny", "tiny target"), "cpu", tiny=False)))
    assert [found["gamma"] for found in record["pairs"][0]["found"]] == [4, 8]
    assert record["failed"] == ["random weights, tiny → tiny target, γ = 2: RuntimeError: an illegal memory access"]
    assert "Not measured: random weights" in device_bench.report(record)


def test_a_stage_that_hangs_or_fails_is_ended_and_named_and_the_others_run(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    programs = {
        "writes, then hangs": f"open({str(lines)!r}, 'a').write('{{\"figure\": 1}}\\n'); import time; time.sleep(600)",
        "fails": "raise SystemExit(3)",
        "ends": "pass",
    }
    seconds = {"writes, then hangs": 5.0, "fails": 60.0, "ends": 60.0}
    assert not run_stages(lambda stage: [sys.executable, "-c", programs[stage]], seconds, lines)
    lines.open("a").write('{"torn')
    found = written(lines)
    assert found[0] == {"figure": 1}
    assert [line["status"] for line in found[1:]] == ["time over", 3, 0]
    failed = device_bench.whole(found[1:])["failed"]
    assert len(failed) == 2 and failed[0].startswith("stage writes, then hangs: time over after ")
    assert device_bench.whole([])["pairs"] == [] and "unknown device" in device_bench.report(device_bench.whole([]))


def test_the_tests_come_last_and_their_failure_is_a_line() -> None:
    assert [*device_bench.STAGES][-1] == "tests" and sum(device_bench.STAGES.values()) <= 600


def test_bandwidth_counts_what_is_read_and_what_is_written() -> None:
    found = device_bench.bandwidth(torch.device("cpu"), 4000, itertools.count(1.0).__next__)
    assert found["median"] == pytest.approx(8000 / 1e9), "this clock takes a second between two looks at it"


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert device_bench.main([]) == 2
    shown = capsys.readouterr()
    assert "there is no CUDA device here: nothing was measured" in shown.err and not shown.out


@pytest.mark.slow
def test_first_contact_on_a_cpu(tmp_path: Path) -> None:
    environment = {**os.environ, "DEVICE": "cpu", "TINY": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "tools/first_contact.py", str(tmp_path)], cwd=ROOT, env=environment)
    lines = written(tmp_path / "first.jsonl")
    assert done.returncode == 0, (tmp_path / "tests.log").read_text(encoding="utf-8")[-3000:]
    stages = {line["stage"]: line["status"] for line in lines if "stage" in line}
    assert stages == dict.fromkeys(["facts", "text", "steps", "server", "broken", "bench", "tests"], 0)
    assert not [line for line in lines if "error" in line]
    (exact,) = [line for line in lines if line.get("dtype") == "float32" and "same_as_whole" in line]
    assert exact["same_as_whole"] == dict.fromkeys(["stepped", "graphed", "host"], exact["runs"])
    (crowd,) = [line for line in lines if "texts_of_two_settings" in line]
    assert crowd["texts_of_two_settings"] == 2 and crowd["errors"] == []
    assert {line["count"] for line in lines if "replay_ms" in line} == {1, 3, 5, 9}
    assert any("found" in line for line in lines) and [line["tests"] for line in lines if "tests" in line] == [0]
