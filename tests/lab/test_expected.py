"""Expected tokens of every rule on the same blocks: against the trace of the same run, and through the command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.cli import main
from specdemo.decoding import decode_run
from specdemo.lab.competitors import Setting
from specdemo.lab.expected import expected_report, expected_tokens
from specdemo.lab.prompts import FOLDER, encoded_prompts, read_prompts
from specdemo.pairs import Pair
from specdemo.verifiers import names
from tests.stories import stories
from tests.tiny import tiny_pair

TABLE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


def test_the_estimate_is_the_mean_of_the_traces_expectations(pair: Pair) -> None:
    setting = Setting(gamma=3, max_new_tokens=12)
    texts, rules = ["the cat", "a dog", "abc"], ("token", "block", "greedy_block", "sampled_match")
    found = {line.rule: line for line in expected_tokens(pair, encoded_prompts(pair, texts, setting), setting, rules)}
    expected: dict[str, list[float]] = {rule: [] for rule in rules}
    for number, text in enumerate(texts):
        trace = decode_run(
            pair, text, gamma=3, verifier="block", seed=setting.seed, stream=number, max_new_tokens=12, eos_token_id=[], rules=rules
        )  # fmt: skip
        for block in trace["blocks"]:
            for rule in rules:
                expected[rule].append(1 + block["verdicts"][rule]["expected_accepted"])
    for rule in rules:
        assert found[rule].blocks == len(expected[rule])
        assert found[rule].tokens.mean == pytest.approx(float(np.mean(expected[rule])), abs=1e-9)
        difference = np.mean(np.array(expected[rule]) - np.array(expected["token"]))
        assert found[rule].over_token.mean == pytest.approx(float(difference), abs=1e-9)
    assert found["token"].over_token.mean == 0 and found["block"].tokens.standard_error is not None
    words = expected_report(list(found.values()))
    assert "greedy_block is asked afresh" in words and "E[τ]+1" in words


def test_the_command(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("specdemo.cli.bench._load", lambda options: pair)
    prompts, out = tmp_path / "cats.txt", tmp_path / "rules.json"
    prompts.write_text("the cat sat\na dog ran\n", encoding="utf-8")
    given = [
        "bench",
        "rules",
        "--prompt-file",
        str(prompts),
        "--max-new-tokens",
        "6",
        "--gamma",
        "2",
        "--json",
        str(out),
    ]
    assert main(given) == 0
    shown = capsys.readouterr()
    assert "cats: 2 prompts" in shown.out and "sampled_match" in shown.out and "cats 2/2" in shown.err
    record = json.loads(out.read_text(encoding="utf-8"))
    assert record["schema"] == "specdemo.bench-rules/1"
    assert [line["rule"] for line in record["texts"]["cats"]] == names()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "column"), [("stories", 1), ("austen", 2)])
def test_the_table_of_the_docs_is_what_the_command_prints_today(name: str, column: int) -> None:
    """docs/rules.md, by the command that stands above it. A prompt set, the weights or the loop may change: then the table is to be made anew."""
    rows = re.findall(r"^\| (\w+)[^|]* \|.*± .*\|$", TABLE, flags=re.MULTILINE)
    assert rows == [rule for rule in names() if rule != "exact_match"]
    setting = Setting(gamma=6, temperature=1.0, max_new_tokens=60, seed=0)
    pair = stories()
    found = expected_tokens(
        pair, encoded_prompts(pair, read_prompts(FOLDER / f"{name}.txt", 20), setting), setting, rows
    )
    for line in found:
        (row,) = re.findall(rf"^\| {line.rule}\b.*$", TABLE, flags=re.MULTILINE)
        cells = [cell.strip().replace("−", "-") for cell in row.strip("|").split("|")]
        for cell, mean in ((cells[column], line.tokens), (cells[column + 2], line.over_token)):
            if cell:  # the token rule has no difference to itself
                value, error = (float(part) for part in cell.split(" ± "))
                # Another machine's last bits may turn a token, but seldom more than one.
                assert value == pytest.approx(mean.mean, abs=0.02) and error == pytest.approx(
                    mean.standard_error, abs=0.02
                ), line.rule
