"""`make bench-cuda`: the script runs on a CPU with tiny models, and without a GPU says so."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from specdemo.lab import device_bench


def test_the_script_on_a_cpu(tmp_path: Path, capsys: Any) -> None:
    before = torch.get_num_threads()
    out = tmp_path / "device.json"
    assert device_bench.main(["--device", "cpu", "--tiny", "--json", str(out)]) == 0
    shown = capsys.readouterr()
    record = json.loads(out.read_text(encoding="utf-8"))
    assert record == json.loads(shown.out.splitlines()[-1])
    assert record["schema"] == "specdemo.bench-device/1" and record["card"] == "cpu"
    assert [one["pair"] for one in record["pairs"]] == ["random weights, tiny → tiny target"]
    for one in record["pairs"]:
        assert one["path"] == "eager" and [found["gamma"] for found in one["found"]] == [2]
        found = one["found"][0]
        assert found["loop_ms"]["median"] > 0 and min(s["median"] for s in found["steps_ms"].values()) > 0
        ratio = found["loop_ms"]["median"] / found["bare_ms"]["median"]
        assert found["loop_over_bare"]["median"] == pytest.approx(ratio - 1)
        assert one["bytes"]["target"] > one["bytes"]["draft"] > 0
    assert "| γ |" in shown.out and "over bare" in shown.out
    assert torch.get_num_threads() == before


def test_bandwidth_counts_what_is_read_and_what_is_written() -> None:
    found = device_bench.bandwidth(torch.device("cpu"), 4000, itertools.count(1.0).__next__)
    assert found["median"] == pytest.approx(8000 / 1e9), "this clock takes a second between two looks at it"


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert device_bench.main([]) == 2
    shown = capsys.readouterr()
    assert "there is no CUDA device here: nothing was measured" in shown.err and not shown.out
