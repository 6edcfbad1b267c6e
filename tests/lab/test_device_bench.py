"""`make bench-cuda`: the script runs on a CPU with tiny models, and without a GPU says so."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from specdemo.lab import device_bench
from tests.decoding.graphs import Counting


def test_the_script_on_a_cpu(tmp_path: Path, capsys: Any) -> None:
    before = torch.get_num_threads()
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
    assert torch.get_num_threads() == before


def test_graphed_rows_are_recorded_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Counting()
    monkeypatch.setattr("specdemo.lab.device_passes.recorder_of", lambda device: recorder)
    (record,) = device_bench.bench("cpu", tiny=True)
    assert recorder.recorded == 3, "one token of both models, and γ + 1 = 3"
    blocks = 8 / record["found"][0]["ways"]["graphed"]["loop_ms"]["median"]
    assert blocks > 0 and recorder.replayed > 3 * 8, "two runs, the bare passes of one, and single steps"


def test_graphed_rows_are_left_out_where_recorded_passes_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specdemo.lab.device_passes.recorder_of", lambda device: Counting(lies_at=1))
    found = list(device_bench.bench("cpu", tiny=True))
    assert list(found[0]["found"][0]["ways"]) == ["eager"]
    rate = {"median": 1.0, "low": 1.0, "high": 1.0}
    shown = device_bench.report({"card": "cpu", "torch": "2", "copy_gb_s": rate, "pairs": found})
    assert "| 2 | eager |" in shown and "graphed |" not in shown
    assert "No graphed passes at γ = 2: PassesDiffer: laws differ by" in shown


def test_bandwidth_counts_what_is_read_and_what_is_written() -> None:
    found = device_bench.bandwidth(torch.device("cpu"), 4000, itertools.count(1.0).__next__)
    assert found["median"] == pytest.approx(8000 / 1e9), "this clock takes a second between two looks at it"


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert device_bench.main([]) == 2
    shown = capsys.readouterr()
    assert "there is no CUDA device here: nothing was measured" in shown.err and not shown.out
