"""`specdemo bench --quick`: smaller numbers where nothing was said, and what was said as it was said."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.pairs import Pair
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=96, eos=None)


@pytest.mark.parametrize(
    ("given", "prompts", "tokens"),
    [
        ([], 4, 32),
        (["--max-new-tokens", "6"], 4, 6),
        (["--prompts", "2"], 2, 32),
        (["--prompts", "5", "--max-new-tokens", "7"], 5, 7),
    ],
)
def test_what_is_given_beside_quick_stands(
    given: list[str],
    prompts: int,
    tokens: int,
    pair: Pair,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("specdemo.cli.bench._load", lambda options: pair)
    file, out = tmp_path / "cats.txt", tmp_path / "bench.json"
    file.write_text("the cat\n" * 6, encoding="utf-8")
    command = ["bench", "rules", "--quick", "--prompt-file", str(file), "--gamma", "2", "--json", str(out)]
    assert main([*command, *given]) == 0
    record: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert record["settings"]["max_new_tokens"] == tokens
    assert f"cats: {prompts} prompts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("what", "quick", "whole"),
    [
        ("loop", (4, 32), (30, 100)),
        ("engine", (2, 32), (6, 64)),
        ("batch", (4, 16), (30, 100)),
        ("rules", (4, 32), (30, 100)),
    ],
)
def test_every_measurement_has_sizes_of_its_own(
    what: str, quick: tuple[int, int], whole: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[tuple[int, int]] = []

    def enough(options: argparse.Namespace) -> Pair:
        found.append((options.prompts, options.max_new_tokens))
        raise ValueError("enough")

    monkeypatch.setattr("specdemo.cli.bench._load", enough)
    for given in (["--quick"], [], ["--quick", "--prompts", "9"], ["--quick", "--max-new-tokens", "9"]):
        assert main(["bench", what, *given]) == 2
    assert found == [quick, whole, (9, quick[1]), (quick[0], 9)]


def test_a_short_context_is_no_obstacle_to_who_asks_for_few_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("specdemo.cli.bench._load", lambda options: tiny_pair(context=24, eos=None))
    file = tmp_path / "cats.txt"
    file.write_text("the cat\n", encoding="utf-8")
    command = ["bench", "rules", "--quick", "--prompt-file", str(file), "--gamma", "2"]
    assert main(command) == 2 and "allow fewer new tokens" in capsys.readouterr().err
    assert main([*command, "--max-new-tokens", "6"]) == 0
