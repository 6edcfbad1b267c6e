"""The benchmark from end to end on a tiny pair, and the arithmetic of its summary and report."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.lab.bench import PARTS, PromptResult, measure, stock_copy
from specdemo.lab.competitors import Prompt, Setting
from specdemo.lab.prompts import encoded_prompts, read_prompts
from specdemo.lab.report import table
from specdemo.lab.summary import summary
from specdemo.pairs import Pair
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


@pytest.fixture(autouse=True)
def no_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before every turn the benchmark collects garbage: fair to what is timed, and most of the time of these tests."""
    monkeypatch.setattr("gc.collect", lambda *generation: 0)


def result(number: int, seconds: float, tokens: list[float]) -> PromptResult:
    """A made-up measurement: ours (block) takes `seconds` for 100 tokens, plain 4 s, the bare forwards 1 s."""
    runs = {"plain": 4.0, "assisted": 3.0, "token": 2.0, "block": seconds, "recorded": 2 * seconds}
    return PromptResult(
        prompt=number,
        prompt_tokens=5,
        new_tokens=100,
        seconds=runs,
        floor={"token": 1.0, "block": 1.0},
        blocks=[{"token": t, "block": t + 0.5} for t in tokens],
        target_calls={"token": 30, "block": 25},
        parts=[dict.fromkeys(PARTS, 2.0), dict.fromkeys(PARTS, 4.0)],
        costs={"draft_step": [0.002], "target_step": [0.01, 0.03, 0.02], "target_call": [0.03]},
    )


def test_the_summary_by_hand() -> None:
    figures = summary([result(0, 1.0, [2.0, 2.0]), result(1, 2.0, [3.0]), result(2, 1.6, [4.0])], gamma=4)
    assert figures["speed"]["plain"]["median"] == 25.0
    assert figures["over_plain"]["block"] == {"median": 2.5, "low": 2.25, "high": 3.25}
    assert figures["over_assisted"]["token"]["median"] == 1.5
    assert figures["overhead"]["block"]["median"] == pytest.approx(0.6)
    assert figures["recording"]["median"] == 1.0
    assert figures["expected_tokens"]["token"]["mean"] == 11 / 4
    assert figures["gain"] == {"mean": 0.5, "standard_error": 0.0}
    assert figures["parts"]["draft"] == 3.0
    assert figures["costs"]["draft_cost"] == pytest.approx(0.1) and figures["costs"]["verify_cost"] == 1.5
    assert figures["predicted"]["token"] == pytest.approx(2.75 / 1.9)
    assert figures["over_bare_steps"]["token"]["median"] == pytest.approx(1.0)


def test_measuring_a_tiny_pair(pair: Pair) -> None:
    setting = Setting(gamma=2, max_new_tokens=7)
    seen: list[int] = []
    results = measure(
        pair,
        encoded_prompts(pair, ["the cat", "a dog"], setting),
        setting,
        time.perf_counter,
        lambda done, found: seen.append(done),
        stock=stock_copy(pair),
    )
    assert seen == [1, 2]
    for found in results:
        assert set(found.seconds) == {
            "plain",
            "assisted",
            "plain_stock",
            "assisted_stock",
            "token",
            "block",
            "recorded",
        }
        assert found.target_calls["block"] == len(found.blocks) == len(found.parts)
        assert all(value > 0 for value in [*found.seconds.values(), *found.floor.values()])


def test_stock_copies_lie_in_rows_and_are_copies(pair: Pair) -> None:
    stock = stock_copy(pair)
    for copied, own in ((stock.draft_model, pair.draft_model), (stock.target_model, pair.target_model)):
        assert all(p.is_contiguous() for p in copied.parameters())
        assert not {p.data_ptr() for p in copied.parameters()} & {p.data_ptr() for p in own.parameters()}


def test_a_competitor_that_stops_early_is_an_error(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specdemo.lab.bench.ours", lambda *given: [1, 2])
    with pytest.raises(RuntimeError, match="made 2 tokens on prompt 1, not 7"):
        measure(pair, [Prompt(0, "a", [2])], Setting(gamma=2, max_new_tokens=7), lambda: 0.0)


def test_prompts(tmp_path: Path, pair: Pair) -> None:
    path = tmp_path / "some.txt"
    path.write_text("one\n\n two \nthree\n", encoding="utf-8")
    assert read_prompts(path, 2) == ["one", " two "]
    with pytest.raises(ValueError, match=r"needs .* this pair reads 96"):
        encoded_prompts(pair, ["x"], Setting(max_new_tokens=96))
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(ValueError, match="is empty"):
        read_prompts(path, 2)
    with pytest.raises(ValueError, match=r"no prompt file 'other\.txt'"):
        read_prompts(tmp_path / "other.txt", 2)


def test_tables() -> None:
    assert table(["a", "bb"], [["ccc", "1"]], markdown=False) == "a    bb\n───  ──\nccc   1"
    assert table(["a", "b"], [["c", "1"]], markdown=True) == "| a | b |\n| --- | ---: |\n| c | 1 |"


def test_the_command(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("specdemo.cli.bench._load", lambda options: pair)
    prompts, out = tmp_path / "cats.txt", tmp_path / "bench.json"
    prompts.write_text("the cat sat\na dog ran\n", encoding="utf-8")
    given = ["bench", "--prompt-file", str(prompts), "--max-new-tokens", "6", "--gamma", "2", "--json", str(out)]
    assert main(given) == 0
    shown = capsys.readouterr()
    assert "cats: 2 prompts" in shown.out and "block − token, same blocks" in shown.out
    assert "cats 2/2" in shown.err
    bench = json.loads(out.read_text(encoding="utf-8"))
    assert bench["schema"] == "specdemo.bench/1" and len(bench["measurements"]["cats"]) == 2
    assert main([*given, "--markdown"]) == 0
    assert "| ours, block |" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--gamma", "--prompts", "--max-new-tokens", "--threads"])
def test_a_wrong_number_is_named(option: str, capsys: Any) -> None:
    assert main(["bench", option, "0"]) == 2
    assert f"{option} must be at least 1" in capsys.readouterr().err
