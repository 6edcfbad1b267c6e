"""`specdemo compare` as a person runs it, on a tiny pair: what is printed is what is written, and both are the library's."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.cli.compare_report import law_report, race_report
from specdemo.cli.compare_words import number, token_text
from specdemo.decoding import decode_run
from specdemo.lab.compare_tables import FILES
from specdemo.lab.race_lanes import Lane
from specdemo.lab.tasks import get
from specdemo.pairs import Pair
from specdemo.trace.schema import check_trace
from tests.tiny import tiny_pair
from tests.viewer.measure_records import law_record


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


@pytest.fixture(autouse=True)
def loaded(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specdemo.cli.compare._load", lambda options: pair)


Captured = pytest.CaptureFixture[str]
SHORT = ("--max-new-tokens", "10", "--gamma", "3", "--seed", "2")


def compared(capsys: Captured, *arguments: str) -> str:
    assert main(["compare", *arguments]) == 0
    return capsys.readouterr().out


def table_rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_blocks_in_columns(pair: Pair, capsys: Captured, tmp_path: Path) -> None:
    out = compared(
        capsys, "the cat", "--rules", "token,block,greedy_block", *SHORT, "--json", str(tmp_path / "all.json")
    )
    record = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert record["schema"] == "specdemo.comparison/1" and record["race"] is None and record["law"] is None
    trace = record["trace"]
    check_trace(trace)
    alone = decode_run(pair, "the cat", rules=["token", "block", "greedy_block"], gamma=3, seed=2, max_new_tokens=10)
    assert trace["digest"] == alone["digest"] and trace["verifiers"] == ["token", "block", "greedy_block"]
    sections = re.split(r"\nblock (?=\d+[:,\n])", out)[1:]
    assert len(sections) == len(trace["blocks"])
    for section, block in zip(sections, trace["blocks"], strict=True):
        lines = section.splitlines()
        verdicts = block["verdicts"].values()
        tokens = [token_text(block, token) for token in block["paths"][0]["tokens"]]
        for i in range(block["gamma"]):
            assert lines[3 + i].startswith(f"{i + 1} {tokens[i]} ")
            row = next(line for line in lines if line.startswith(f"{i + 1} "))
            for verdict in verdicts:
                assert number(verdict["accept_prob"][i]) in row.split()
            assert number(block["uniforms"]["verify"][i]) in row.split()
        kept = next(line for line in lines if line.startswith("τ"))
        assert [int(word) for word in kept.split()[1:]] == [verdict["accepted"] for verdict in verdicts]
        expected = next(line for line in lines if line.startswith("E[τ│block]"))
        assert expected.split()[1:] == [number(verdict["expected_accepted"]) for verdict in verdicts]
        following = next(line for line in lines if line.startswith("then"))
        assert following.split()[1:] == [
            word for v in verdicts for word in (v["next_kind"], token_text(block, v["next_token"]))
        ]
        for rule, verdict in block["verdicts"].items():
            own = block["verdicts"]["block"]
            said = any(line.startswith(f"{rule} kept {verdict['accepted']}") for line in lines)
            assert said == any(verdict[part] != own[part] for part in ("accepted", "next_token")), (rule, section)
    blocks = trace["blocks"]
    for rule in trace["verifiers"]:
        mean = sum(block["verdicts"][rule]["expected_accepted"] + 1 for block in blocks) / len(blocks)
        assert re.search(rf"^{rule} +{mean:.3f} ", out, re.MULTILINE)
    words = r"greedy_block is asked afresh at every block: .* A race \(--race\) tells what it does on its own\."
    assert re.search(words, out) and f"{len(blocks)} target calls" in out


def test_the_text_follows_the_chosen_rule(capsys: Captured, tmp_path: Path, pair: Pair) -> None:
    path = tmp_path / "one.json"
    compared(capsys, "the cat", "--follow", "token", *SHORT, "--json", str(path))
    trace = json.loads(path.read_text(encoding="utf-8"))["trace"]
    alone = decode_run(pair, "the cat", verifier="token", gamma=3, seed=2, max_new_tokens=10)
    assert [b["committed"] for b in trace["blocks"]] == [b["committed"] for b in alone["blocks"]]
    compared(capsys, "the cat", "--rules", "token,threshold", *SHORT, "--json", str(path))
    assert json.loads(path.read_text(encoding="utf-8"))["trace"]["settings"]["verifier"] == "token", (
        "no block: the first"
    )


def test_blocks_that_pay_for_earlier_ones_and_rules_with_their_own_numbers(capsys: Captured) -> None:
    rules = "token,greedy_block,product_of_uniforms"
    given = ["--gamma", "4", "--max-new-tokens", "16", "--seed", "7", "--temperature", "0.8"]
    out = compared(capsys, "the cat", "--rules", rules, "--follow", "greedy_block", *given)
    assert "greedy_block pays for an earlier block here and works with T̃, the others with T" in out
    assert "product_of_uniforms compares its coins not with η but with" in out
    assert "asked afresh" not in out, "it is the one that decides"


def test_a_rule_that_is_not_lossless_is_announced_before_its_numbers(capsys: Captured) -> None:
    out = compared(capsys, "cat", "--rules", "block,exact_match,threshold,correction_from_target", *SHORT)
    first = out.index("block 0")
    for words in (
        "exact_match: NOT LOSSLESS above temperature 0: its text",
        "threshold: NOT LOSSLESS",
        "counts it twice",
    ):
        assert 0 <= out.find(words) < first
    assert "block: NOT" not in out
    assert "NOT LOSSLESS" not in compared(capsys, "cat", "--rules", "block,exact_match", *SHORT, "--temperature", "0")


def test_the_race(capsys: Captured, tmp_path: Path) -> None:
    prompts = tmp_path / "cats.txt"
    prompts.write_text("the cat sat\na dog ran\nabc\n", encoding="utf-8")
    given = ["--race", "--prompts", str(prompts), "--runs", "2", "--seeds", "2", *SHORT]
    out = compared(capsys, *given, "--csv", str(tmp_path / "tables"), "--json", str(tmp_path / "race.json"))
    record = json.loads((tmp_path / "race.json").read_text(encoding="utf-8"))
    race = record["race"]
    assert record["trace"] is None and race["settings"]["prompt_set"] == "cats.txt" and len(race["runs"]) == 4
    for verify_cost, doubted in ((0.62, True), (1.0, False), (1.4, False)):
        said = race_report(race | {"costs": race["costs"] | {"v": verify_cost}})
        assert ("the predictions are not to be relied on" in said) == doubted
    assert "95% Student intervals over 2 prompts (1 degrees of freedom" in out and "4 runs" in out
    assert out.count("Fewer than six prompts: intervals may be too narrow.") == 1
    for groups, count, few in (
        ("prompt", 5, True),
        ("prompt", 6, False),
        ("seed", 5, True),
        ("seed", 40, False),
        ("seed", 1, False),
    ):
        said = race_report(race | {"summary": race["summary"] | {"groups": groups, "group_count": count}})
        assert (f"Fewer than six {groups}s" in said) == few
    for rule, figures in race["summary"]["rules"].items():
        row = next(line for line in out.splitlines() if line.startswith(f"{rule} "))
        efficiency = figures["efficiency"]
        assert f"{efficiency['mean']:.3f} [{efficiency['low']:.3f}, {efficiency['high']:.3f}]" in row
        if figures["over_token"]:
            assert f"{figures['over_token']['mean']:+.3f} [" in row
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == [
        "prompts.csv", "race.csv", "settings.csv", "summary.csv",
    ]  # fmt: skip
    assert [row["text"] for row in table_rows(tmp_path / "tables", "prompts.csv")] == ["the cat sat", "a dog ran"]
    facts = {row["name"]: row["value"] for row in table_rows(tmp_path / "tables", "settings.csv")}
    assert facts["prompt_set"] == "cats.txt" and float(facts["c"]) == race["costs"]["c"] and facts["gamma"] == "3"
    calls, lines = table_rows(tmp_path / "tables", "race.csv"), table_rows(tmp_path / "tables", "summary.csv")
    for line in lines:
        figures = race["summary"]["rules"][line["rule"]]
        mine = [call for call in calls if call["rule"] == line["rule"]]
        assert int(line["calls"]) == len(mine) == figures["calls"]
        assert float(line["efficiency"]) == figures["efficiency"]["mean"], "a digit is missing"
        mean = sum(float(call["expected"]) for call in mine) / len(mine)
        assert mean == pytest.approx(figures["efficiency"]["mean"], abs=1e-12)


def test_a_race_takes_all_prompts_unless_it_is_told_how_many(capsys: Captured, tmp_path: Path) -> None:
    prompts = tmp_path / "many.txt"
    prompts.write_text("the cat\n" * 12, encoding="utf-8")
    given = ["--race", "--prompts", str(prompts), "--max-new-tokens", "2", "--gamma", "1"]
    assert "Race: 12 runs" in compared(capsys, *given)
    assert "Race: 3 runs" in compared(capsys, *given, "--runs", "3")


def test_a_race_over_a_set_of_the_project_or_a_file_of_prompts_of_several_lines(
    capsys: Captured, tmp_path: Path
) -> None:
    (tmp_path / "own.csv").write_text('n,prompt\n1,"the cat\nsat"\n2,a dog\n', encoding="utf-8")
    for given, name, texts in (
        ("verse", "verse", get("verse").prompts[:2]),
        (str(tmp_path / "own.csv"), "own.csv", ("the cat\nsat", "a dog")),
    ):
        out = ["--max-new-tokens", "2", "--gamma", "1", "--json", str(tmp_path / "race.json")]
        compared(capsys, "--race", "--prompts", given, "--runs", "2", *out)
        race = json.loads((tmp_path / "race.json").read_text(encoding="utf-8"))["race"]
        assert race["settings"]["prompt_set"] == name
        assert tuple(prompt["text"] for prompt in race["prompts"]) == texts


def test_a_rule_that_is_lossless_here_is_not_marked(capsys: Captured) -> None:
    given = ["the cat", "--rules", "token,exact_match", "--race", "--max-new-tokens", "4", "--gamma", "2"]
    assert "exact_match (not lossless) " in compared(capsys, *given)
    assert "(not lossless)" not in compared(capsys, *given, "--temperature", "0")


def test_a_block_that_the_end_cuts_says_so(capsys: Captured, tmp_path: Path) -> None:
    path, seen = tmp_path / "one.json", 0
    for seed in range(6):
        given = ["the cat", "--temperature", "0.5", "--gamma", "4", "--max-new-tokens", "7", "--seed", str(seed)]
        out = compared(capsys, *given, "--json", str(path))
        blocks = json.loads(path.read_text(encoding="utf-8"))["trace"]["blocks"]
        cut = [block for block in blocks if block["shown_tokens"] < block["gained"]]
        seen += len(cut)
        assert out.count("gained tokens join") == len(cut)
        for block in cut:
            why = "the limit of 7 is reached" if block["finish"] == "length" else "the text ends here"
            assert re.search(
                rf"^{block['shown_tokens']} of the {block['gained']} gained tokens joins? the text: {why}$",
                out,
                re.MULTILINE,
            )
    assert seen


def test_what_a_race_says_of_its_groups(capsys: Captured) -> None:
    long = compared(capsys, "the cat " * 60, "--race", "--law", "--samples", "3", *SHORT)
    assert long.count("The prompt has ") == 3, "said of the blocks, the race and the law"
    assert "over 3 seeds of one prompt" in compared(capsys, "the cat", "--race", "--seeds", "3", *SHORT)
    alone = compared(capsys, "the cat", "--race", *SHORT)
    assert "one run of one prompt; nothing to estimate an error from" in alone and "Student" not in alone


def test_a_plus_minus_is_a_standard_error_and_said_to_be_one() -> None:
    record = law_record()
    found = record["next"]["rules"]["break_at_first_failure"]
    said = law_report(record)
    assert found["error"] and f"{number(found['law'][0])} ± {number(found['error'][0])}" in said
    assert f"{number(found['tv'])}, error ≤ {number(found['tv_error'])}" in said
    assert "± is the standard error, ≤ bounds the mean error of a total variation" in said


def test_the_law_and_everything_at_once(capsys: Captured, tmp_path: Path) -> None:
    given = ["the cat", "--rules", "token,threshold", "--race", "--law", "--samples", "40", *SHORT]
    out = compared(capsys, *given, "--csv", str(tmp_path / "tables"), "--json", str(tmp_path / "all.json"))
    law = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["law"]
    assert law["pairs"]["done"] == 40 and "decoded 40 times by each rule" in out
    row = next(line for line in out.splitlines() if line.startswith("total variation from T"))
    assert row.split()[-2:] == ["0", number(law["next"]["rules"]["threshold"]["tv"])]
    # In the blocks' means, the race, the law's columns and the counted pairs: each time where the numbers are.
    assert sum(line.startswith("threshold (not lossless) ") for line in out.splitlines()) == 3
    assert re.search(r"^token +T +D +token +threshold \(not lossless\)$", out, re.MULTILINE)
    assert not re.search(r"^(token|plain) \(", out, re.MULTILINE)
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {*FILES} == {
        "settings.csv", "blocks.csv", "lengths.csv", "prompts.csv", "race.csv", "summary.csv", "law.csv", "pairs.csv",
    }  # fmt: skip
    pairs = [line for line in table_rows(tmp_path / "tables", "pairs.csv") if line["rule"] == "token"]
    assert sum(int(line["count"]) for line in pairs) == 40


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["the cat", "--rules", "token,blok"], "there is no verifier 'blok': choose one of token, block"),
        (["the cat", "--rules", "token,token"], "one to four different rules"),
        (["the cat", "--rules", ","], "one to four different rules"),
        (["the cat", "--follow", "threshold"], "the text can only follow one of the compared rules, token, block"),
        ([], "give a prompt"),
        (["--race"], "give a prompt"),
        (["--law", "--race", "--prompts", "austen"], "give a prompt"),
        (["the cat", "--prompts", "austen"], "--prompts are for --race"),
        (["--race", "--prompts", "nowhere.txt"], "no prompt file 'nowhere.txt'"),
        (["--race", "--prompts", os.devnull], "the prompt file 'null' is empty: write one prompt a line"),
        (["--race", "--prompts", os.curdir], "'.' is a folder, a file of prompts is needed"),
        (["--race", "--prompts", "poems"], "no prompt set of this name: code, quizzes"),
        (["--race", "--prompts", "austen", "--runs", "0"], "--runs must be at least 1"),
        (["--race", "--prompts", "austen", "--seeds", "3"], "40 prompts with 3 seeds are 120 runs"),
        (["the cat", "--race", "--gamma", "0"], "no lane of this race would draft anything"),
        (["the cat", "--top-p", "0"], "top_p"),
        (["the cat", "--json", "nowhere/x.json"], "--json: the folder of nowhere/x.json does not exist"),
        (["the cat", "--csv", "nowhere/x"], "--csv: the folder of nowhere/x does not exist"),
        (["the cat", "--json", "."], "--json: . is a folder"),
        (["the cat", "--race", "--runs", "5"], "--runs says something only together with --prompts"),
        (["the cat", "--seeds", "5"], "--seeds says something only together with --race"),
        (["the cat", "--samples", "5"], "--samples says something only together with --law"),
        (["the cat", "--law", "--samples", "100000"], "--samples must be at most 5000"),
    ],
)
def test_what_cannot_be_compared_is_one_line_and_status_2(capsys: Captured, arguments: list[str], says: str) -> None:
    assert main(["compare", *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error and len(error.strip().splitlines()) == 1


def test_an_interrupted_race_is_reported_as_far_as_it_came(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, calls = Lane.call, 0

    def interrupting(lane: Lane) -> list[int]:
        nonlocal calls
        calls += 1
        if calls == 60:
            signal.raise_signal(signal.SIGINT)
        return call(lane)

    monkeypatch.setattr(Lane, "call", interrupting)
    before = signal.getsignal(signal.SIGINT)
    path = tmp_path / "race.json"
    given = ["the cat", "--race", "--seeds", "30", "--max-new-tokens", "4", "--gamma", "2"]
    status = main(["compare", *given, "--json", str(path)])
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["race"]
    assert status == 130 and 0 < len(record["runs"]) < record["planned"] == 30
    shown = capsys.readouterr()
    assert f"{len(record['runs'])} of 30 runs" in shown.out and shown.err.endswith("stopped\n")
    assert signal.getsignal(signal.SIGINT) is before
