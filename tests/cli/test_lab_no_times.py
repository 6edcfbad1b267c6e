"""`specdemo lab --no-times`: the same statistics in batches and processes, no speeds; predictions from given costs, times when they are asked for."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from specdemo.cli import main
from specdemo.decoding.batched_loop import BatchedLoop
from specdemo.lab.sweep_file import read_lab
from specdemo.pairs import Pair
from tests.tiny import tiny_pair

Captured = pytest.CaptureFixture[str]
SHORT = ("--gammas", "2,4", "--max-new-tokens", "8", "--prompts", "2", "--out", "x.jsonl")


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


@pytest.fixture
def cats(tmp_path: Path, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "cats.txt").write_text("the cat sat\na cat ran up\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("specdemo.cli.lab._load", lambda options: ([pair], lambda draft: pair))
    yield tmp_path


def lab(*arguments: str, expected: int = 0) -> None:
    assert main(["lab", "--tasks", "cats.txt", *arguments]) == expected


def test_without_times_and_then_with_them(cats: Path, capsys: Captured) -> None:
    lab(*SHORT, "--batch", "5", "--csv", "x.csv")
    out = capsys.readouterr().out
    rows = read_lab(cats / "x.jsonl")[1]
    assert [(row["timings"], row["engine"]) for row in rows] == [(None, "batched")] * 4
    assert "× plain" not in out and "Predicted" not in out and "No times yet at γ = 4" in out
    csv = (cats / "x.csv").read_text(encoding="utf-8").splitlines()
    counts = csv[0].split(",").index("timed_prompts")
    assert [line.split(",")[counts] for line in csv[1:]] == [""] * (len(csv) - 1)
    lab(*SHORT, "--no-times", "--costs", "0.1,1.5")
    shown = capsys.readouterr()
    assert "4 of 4 cells are in x.jsonl already" in shown.err
    assert "c = 0.100, v(4) = 1.50" in shown.out and "block: " in shown.out
    lab(*SHORT, "--json", "x.json")
    shown = capsys.readouterr()
    assert "already" not in shown.err and "× plain" in shown.out
    timed = {row["key"]: row for row in read_lab(cats / "x.jsonl")[1]}
    assert len(timed) == 4 and all(row["timings"] and row["engine"] == "local" for row in timed.values())
    for row in rows:
        mine, other = (one["statistics"]["runs"] for one in (row, timed[row["key"]]))
        for rule, run in mine.items():
            assert run == {**other[rule], "expected": pytest.approx(other[rule]["expected"], abs=1e-9)}
    assert json.loads((cats / "x.json").read_text(encoding="utf-8"))["results"][0]["timed_prompts"] == 2
    lab(*SHORT, "--no-times")
    assert "4 of 4 cells are in x.jsonl already" in capsys.readouterr().err


def test_the_batch_is_as_large_as_asked_for(cats: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slots: list[int] = []
    init = BatchedLoop.__init__

    def seen(self: BatchedLoop, draft: Any, target: Any, size: int, limit: int, count: int) -> None:
        slots.append(count)
        init(self, draft, target, size, limit, count)

    monkeypatch.setattr(BatchedLoop, "__init__", seen)
    for name, given in (("a", ["--no-times"]), ("b", ["--batch", "3"])):
        lab("--gammas", "2", "--max-new-tokens", "4", "--prompts", "1", "--out", f"{name}.jsonl", *given)
    assert slots == [16, 3]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--batch", "0"], "--batch must be 1 to 256, got 0"),
        (["--batch", "300"], "--batch must be 1 to 256, got 300"),
        (["--no-times", "--engine", "ray"], "--no-times measures in this process"),
        (["--no-times", "--workers", "0"], "--workers must be at least 1, got 0"),
        (["--workers", "2"], "--workers is for --engine ray or --no-times"),
        (["--costs", "0.1"], "--costs takes c ≥ 0 and v > 0"),
        (["--costs", "0.1,nan"], "--costs takes c ≥ 0 and v > 0"),
        (["--costs", "a,b"], "--costs takes numbers"),
    ],
)
def test_what_is_wrong_is_said(cats: Path, capsys: Captured, arguments: list[str], says: str) -> None:
    lab(*arguments, expected=2)
    assert says in capsys.readouterr().err


def test_on_several_cores(cats: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    from specdemo.lab.sweep_forked import ForkedEngine

    workers: list[int] = []
    init = ForkedEngine.__init__

    def seen(self: ForkedEngine, pairs: Any, count: int, batch: int) -> None:
        workers.append(count)
        init(self, pairs, count, batch)

    monkeypatch.setattr(ForkedEngine, "__init__", seen)
    monkeypatch.setattr("specdemo.pairs.weights._AVAILABLE_THREADS", 2)
    for name, given in (
        ("a", ["--no-times"]),
        ("b", ["--no-times", "--workers", "1"]),
        ("c", ["--batch", "4", "--workers", "3"]),
    ):
        lab("--gammas", "2,4", "--max-new-tokens", "4", "--prompts", "2", "--out", f"{name}.jsonl", *given)
    assert workers == ([2, 3] if sys.platform == "linux" else [])
    rows = [sorted(read_lab(cats / f"{name}.jsonl")[1], key=lambda row: str(row["key"])) for name in "abc"]
    assert len(rows[0]) == 4 and {row["engine"] for some in rows for row in some} == {"batched"}
    assert [row["key"] for row in rows[0]] == [row["key"] for row in rows[1]] == [row["key"] for row in rows[2]]
    capsys.readouterr()
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        lab(
            "--gammas",
            "2",
            "--max-new-tokens",
            "4",
            "--prompts",
            "1",
            "--out",
            "d.jsonl",
            "--batch",
            "4",
            "--workers",
            "2",
        )
    finally:
        torch.set_num_threads(before)
    assert "one process instead of 2" in capsys.readouterr().err and len(read_lab(cats / "d.jsonl")[1]) == 1
