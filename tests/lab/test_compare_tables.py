"""The tables of a comparison against the records they are made from, and CSV as other programs read it."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

from specdemo.decoding import decode_run
from specdemo.lab.compare_tables import (
    block_rows,
    comparison_tables,
    csv_text,
    law_rows,
    length_rows,
    number_text,
    pair_rows,
    piece_text,
    prompt_rows,
    race_rows,
    setting_rows,
    summary_rows,
)
from specdemo.lab.law import law_check
from specdemo.verifiers import get
from tests.lab.raced import RULES, the_pair, the_race

LOSSLESS = {rule: get(rule).lossless for rule in ("token", "block", "threshold", "break_at_first_failure")}


def dicts(rows: list[list[Any]]) -> list[dict[str, Any]]:
    """Rows by the names of their columns; every row is as long as the header."""
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    """A short run whose last blocks have no room for drafts."""
    return decode_run(
        the_pair(), "the cat " * 20, rules=["token", "block", "threshold"], seed=3, max_new_tokens=40, eos_token_id=[]
    )


def test_blocks_are_the_traces(trace: dict[str, Any]) -> None:
    rows = dicts(block_rows(trace, LOSSLESS))
    assert len(rows) == sum(3 * max(1, block["gamma"]) for block in trace["blocks"])
    for row in rows:
        block = trace["blocks"][row["block"]]
        verdict, i = block["verdicts"][row["rule"]], row["position"] - 1
        assert row["lossless"] == LOSSLESS[row["rule"]]
        assert (row["accepted"], row["next_kind"]) == (verdict["accepted"], verdict["next_kind"])
        assert (
            row["expected_accepted"] == verdict["expected_accepted"] and row["next_token_id"] == verdict["next_token"]
        )
        assert row["next_token"] == piece_text(block["pieces"][str(verdict["next_token"])])
        drafted = block["paths"][0]["rows"][i] if i >= 0 else None
        if drafted is None:
            assert (
                block["gamma"] == 0 and row["token_id"] is row["uniform"] is row["kept"] is row["accept_prob"] is None
            )
            continue
        assert row["token_id"] == block["paths"][0]["tokens"][i]
        assert [row[name] for name in ("draft", "target", "ratio")] == [
            drafted[name] for name in ("draft", "target", "ratio")
        ]
        assert row["uniform"] == block["uniforms"]["verify"][i] and row["kept"] == (i < verdict["accepted"])
        assert (row["accept_prob"], row["prefix_weight"]) == (
            verdict["accept_prob"][i],
            verdict["prefix_weight"][i + 1],
        )


def test_a_block_without_drafts_has_a_row_a_rule() -> None:
    trace = decode_run(
        the_pair(), "the cat", gamma=0, rules=["token"], verifier="token", max_new_tokens=2, eos_token_id=[]
    )
    rows = dicts(block_rows(trace, LOSSLESS))
    assert [(row["block"], row["position"], row["token_id"], row["next_kind"]) for row in rows] == [
        (0, 0, None, "bonus"), (1, 0, None, "bonus"),
    ]  # fmt: skip


def test_length_laws_sum_to_one(trace: dict[str, Any]) -> None:
    sums: dict[tuple[int, str], float] = {}
    for row in dicts(length_rows(trace)):
        sums[row["block"], row["rule"]] = sums.get((row["block"], row["rule"]), 0.0) + row["probability"]
    assert len(sums) == 3 * len(trace["blocks"]) and np.allclose(list(sums.values()), 1, atol=1e-12)


def test_the_race_adds_up() -> None:
    race = the_race()
    calls, lines = dicts(race_rows(race)), {row["rule"]: row for row in dicts(summary_rows(race))}
    assert list(lines) == ["plain", *RULES]
    for rule, line in lines.items():
        mine = [row for row in calls if row["rule"] == rule]
        assert line["calls"] == len(mine) and line["gained"] == sum(row["gained"] for row in mine)
        assert line["efficiency"] == pytest.approx(np.mean([row["expected"] for row in mine]), abs=1e-12)
        assert [row["call"] for row in mine if row["run"] == 2] == list(range(sum(row["run"] == 2 for row in mine)))
        assert {(row["run"], row["prompt"], row["seed"]) for row in mine} == {
            (0, 0, 7),
            (1, 1, 7),
            (2, 0, 8),
            (3, 1, 8),
        }
        figures = race["summary"]["rules"][rule]
        for name in ("efficiency", "over_token", "first_block", "speedup"):
            part = figures[name] or dict.fromkeys(("mean", "standard_error", "low", "high"))
            assert [line[name], line[f"{name}_standard_error"], line[f"{name}_low"], line[f"{name}_high"]] == list(
                part.values()
            )
    assert lines["plain"]["lossless"] is None and lines["threshold"]["lossless"] == "never"
    assert summary_rows({**race, "runs": [], "summary": None})[1:] == []


def test_laws_sum_to_one_and_pairs_to_what_was_decoded() -> None:
    rules = ["token", "threshold", "break_at_first_failure"]
    *_, law = law_check(the_pair(), "the cat", rules, gamma=3, samples=30, seed=1)
    rows = dicts(law_rows(law))
    for rule in rules:
        mine = [row for row in rows if row["rule"] == rule]
        for name in ("law", "target", "draft"):
            assert sum(row[name] for row in mine) == pytest.approx(1.0, abs=1e-9)
        assert sum(row["tokens"] for row in mine) == the_pair().vocab_size
        assert [row["token_id"] for row in mine] == [*law["next"]["ids"], None]
        assert {row["exact"] for row in mine} == {int(law["next"]["rules"][rule]["exact"])}
    estimated = [row for row in rows if row["rule"] == "break_at_first_failure"]
    assert (
        estimated[0]["exact"] == 0
        and estimated[0]["error"] == law["next"]["rules"]["break_at_first_failure"]["error"][0]
    )
    pairs = dicts(pair_rows(law))
    for rule in rules:
        mine = [row for row in pairs if row["rule"] == rule]
        assert sum(row["count"] for row in mine) == 30 == mine[0]["done"]
        assert sum(row["target"] for row in mine) == pytest.approx(1.0, abs=1e-9)
        assert [(row["first_id"], row["second_id"]) for row in mine] == [
            *map(tuple, law["pairs"]["cells"]),
            (None, None),
        ]
        assert mine[0]["p_value"] == law["pairs"]["rules"][rule]["p_value"]


def test_only_what_was_compared_has_tables(trace: dict[str, Any]) -> None:
    assert list(comparison_tables({"trace": trace, "race": None, "law": None}, LOSSLESS)) == [
        "settings.csv",
        "blocks.csv",
        "lengths.csv",
    ]
    assert list(comparison_tables({"trace": None, "race": the_race(), "law": None}, {})) == [
        "settings.csv",
        "prompts.csv",
        "race.csv",
        "summary.csv",
    ]
    assert comparison_tables({"trace": None, "race": None, "law": None}, {}) == {}


def test_settings_say_what_everything_was_made_with(trace: dict[str, Any]) -> None:
    *_, law = law_check(the_pair(), "the cat", ["token"], gamma=2, samples=7, seed=5)
    race = the_race()
    rows = dicts(setting_rows({"trace": trace, "race": race, "law": law}))
    facts = {(row["part"], row["name"]): row["value"] for row in rows}
    assert len(facts) == len(rows), "a name stands for two things"
    for part, record in (("trace", trace), ("race", race), ("law", law)):
        assert facts[part, "created"] == record["created"] and facts[part, "pair"] == record["pair"]["name"]
        for name, version in record["versions"].items():
            assert facts[part, f"version_{name}"] == version
        for name in ("draft", "draft_revision", "target_revision"):
            assert facts[part, name] == record["pair"][name]
        for name, value in record["settings"].items():
            if name not in ("verifier", "eos_token_ids"):
                assert facts[part, name] == value
    assert (facts["trace", "rules"], facts["trace", "follow"]) == ("token,block,threshold", "block")
    assert facts["trace", "prompt"] == "the cat " * 20 and facts["law", "prompt"] == "the cat"
    assert facts["trace", "eos_token_ids"] == "" and facts["law", "samples"] == 7 and facts["race", "seeds"] == 2
    assert (facts["race", "c"], facts["race", "v"]) == (race["costs"]["c"], race["costs"]["v"])
    assert not any(isinstance(value, (list, dict)) for value in facts.values())
    texts = [prompt["text"] for prompt in race["prompts"]]
    assert [(row["prompt"], row["text"]) for row in dicts(prompt_rows(race))] == list(enumerate(texts))
    assert [row["tokens"] for row in dicts(prompt_rows(race))] == [len(the_pair().encode(text).ids) for text in texts]


def test_csv_is_read_back_as_it_was(trace: dict[str, Any]) -> None:
    awkward: list[list[Any]] = [["a", "b"], ['say "no"', "x,y"], ["two\nlines", "\r"], [None, " "], ["‹f0 9f›", "'=1"]]
    read = list(csv.reader(io.StringIO(csv_text(awkward), newline="")))
    assert read == [[cell or "" for cell in row] for row in awkward]
    rows = block_rows(trace, LOSSLESS)
    read = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    numeric = [
        rows[0].index(name) for name in ("draft", "target", "ratio", "uniform", "accept_prob", "expected_accepted")
    ]
    for row, back in zip(rows[1:], read[1:], strict=True):
        assert [float(back[i]) if back[i] else None for i in numeric] == [row[i] for i in numeric], "a digit is missing"
    token = rows[0].index("token")
    # What a spreadsheet would run as a formula has an apostrophe before it.
    safe = [("'" if row[token] and row[token][0] in "=+-@\t" else "") + (row[token] or "") for row in rows]
    assert safe == [row[token] for row in read] and any(cell.startswith("'") for cell in safe)


def test_numbers_as_javascript_writes_them() -> None:
    for value, text in {
        0.000001: "0.000001", 1.5e-6: "0.0000015", 9.99e-7: "9.99e-7", 5e-324: "5e-324", 1e21: "1e+21", 1.5e300: "1.5e+300",
        123456789012345680000.0: "123456789012345680000", 0.1 + 0.2: "0.30000000000000004", -0.0: "0", 1e-100: "1e-100", 2.0: "2",
        -0.25: "-0.25",
    }.items():  # fmt: skip
        assert number_text(value) == text
    rng = np.random.default_rng(1)
    for value in (rng.standard_normal(300) * 10.0 ** rng.integers(-30, 30, 300)).tolist():
        assert float(number_text(value)) == value
    assert number_text(2**53 + 1) == "9007199254740993" and number_text(True) == "1"


def test_pieces_as_text() -> None:
    assert piece_text({"bytes": "e282"}) == "‹e2 82›" and piece_text({"bytes": "80"}) == "‹80›"
    assert piece_text("\n") == "\n" and piece_text({"special": "<|bos|>"}) == "<|bos|>"
