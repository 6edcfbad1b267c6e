"""`specdemo lab` as a person runs it, on a tiny pair: measured, stopped, resumed, killed, and told what is wrong."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import lab_options, main
from specdemo.cli.lab_report import lab_report
from specdemo.lab.race_lanes import Lane
from specdemo.lab.sweep_file import read_lab
from specdemo.lab.tasks import names
from specdemo.pairs import Pair
from specdemo.standalone import filled, template
from tests.decoding.graphs import stay_on_device
from tests.tiny import tiny_pair
from tests.viewer.standalone_page import record_in

Captured = pytest.CaptureFixture[str]
SHORT = ("--gammas", "2,4", "--max-new-tokens", "10", "--prompts", "2")


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


@pytest.fixture
def cats(tmp_path: Path, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in, with a file of prompts and the tiny pair loaded."""
    (tmp_path / "cats.txt").write_text("the cat sat\na cat ran up\nthe mat\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("specdemo.cli.lab._load", lambda options: ([pair], lambda draft: pair))
    yield tmp_path


def lab(*arguments: str, expected: int = 0) -> None:
    assert main(["lab", "--tasks", "cats.txt", *arguments]) == expected


def statistics(path: Path) -> str:
    return json.dumps(sorted([row["key"], row["statistics"]] for row in read_lab(path)[1]))


def test_a_sweep_from_beginning_to_end(cats: Path, capsys: Captured) -> None:
    lab(*SHORT, "--out", "x.jsonl", "--json", "x.json", "--csv", "x.csv")
    shown = capsys.readouterr()
    assert re.search(
        r"^lab 4/4 · own-\w+ γ=2 T=1 draft tiny-draft prompt 2 seed 0 · tokens a call: token \d", shown.err, re.M
    )
    summary = json.loads((cats / "x.json").read_text(encoding="utf-8"))
    assert summary["schema"] == "specdemo.lab-summary/1" and summary["cells"] == {"done": 4, "planned": 4}
    heads, rows = read_lab(cats / "x.jsonl")
    assert len(heads) == 1 and len(rows) == 4
    for result in summary["results"]:
        gamma = result["setting"]["gamma"]
        section = shown.out.split(f"γ = {gamma}\n")[1]
        line = next(line for line in section.splitlines() if line.startswith("own-"))
        for rule in ("token", "block"):
            assert f"{result['rules'][rule]['texts']['efficiency']['mean']:.2f}" in line.split()
    for prediction in summary["predictions"]:
        assert prediction["setting"]["task"] is not None or prediction["sentence"] in shown.out
    assert "where the draft fails" in shown.out and "4 of 4 cells" in shown.out
    assert shown.out.count("Fewer than six prompts: intervals may be too narrow.") == 1
    many = [{**result, "group_count": 6, "timed_prompts": 6} for result in summary["results"]]
    assert "Fewer than six" not in lab_report(summary | {"results": many})
    other = [{**result, "setting": {**result["setting"], "task": "austen"}} for result in many]
    (own,) = {result["setting"]["task"] for result in summary["results"]}
    assert f"Fewer than six prompts of {own}: inter" in lab_report(summary | {"results": [*summary["results"], *other]})
    untimed = [{**result, "timed_prompts": 0} for result in many]
    assert "Fewer than six" not in lab_report(summary | {"results": untimed}), "no times, no intervals of them"
    assert (cats / "x.csv").read_text(encoding="utf-8").startswith("draft,temperature,")
    lab(*SHORT, "--out", "x.jsonl", "--markdown")
    again = capsys.readouterr()
    assert "4 of 4 cells are in x.jsonl already" in again.err and "lab 4/4" not in again.err
    assert (
        "## draft tiny-draft · T = 1 · 10 tokens a text at most" in again.out
        and "### γ = 4\n\n|  | prompts |" in again.out
    )
    lab("--gammas", "2,4", "--max-new-tokens", "10", "--prompts", "3", "--out", "x.jsonl")
    assert len(read_lab(cats / "x.jsonl")[1]) == 6, "a wider grid measures what is new"


def test_on_a_device_a_sweep_predicts_and_recommends(
    cats: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay_on_device(monkeypatch)
    lab(*SHORT, "--out", "x.jsonl", "--json", "x.json")
    shown = capsys.readouterr().out
    assert "Predicted speed-up, average of the tasks: E/(γc + v) with c = " in shown
    summary = json.loads((cats / "x.json").read_text(encoding="utf-8"))
    assert summary["predictions"] and all(result["costs"] for result in summary["results"])


def test_other_rules_and_temperatures(cats: Path, capsys: Captured) -> None:
    lab(
        "--gammas",
        "3",
        "--temperatures",
        "0.5,1",
        "--rules",
        "token,greedy_block,threshold",
        "--prompts",
        "1",
        "--max-new-tokens",
        "8",
    )
    out = capsys.readouterr().out
    assert out.index("T = 0.5") < out.index("T = 1 ·")
    for rule in ("token", "greedy_block", "threshold"):
        assert re.search(rf"^{rule} +\d", out, re.M)
    assert len(read_lab(cats / "lab-stories.jsonl")[1]) == 2, "the file is named after the pair"


def test_the_page_it_writes_is_the_summary_it_prints(cats: Path, capsys: Captured) -> None:
    lab(*SHORT, "--out", "x.jsonl", "--html", "x.html", "--json", "x.json")
    assert "opens in a browser, offline" in capsys.readouterr().err
    record = record_in(cats / "x.html")
    assert record["answer"]["summary"] == json.loads((cats / "x.json").read_text(encoding="utf-8"))
    assert record["asked"]["own"] and record["asked"]["tasks"] == [] and record["asked"]["gammas"] == [2, 4]
    assert filled(template("lab"), record).encode() == (cats / "x.html").read_bytes()


def test_a_seed_that_no_page_holds_is_refused_before_anything_is_measured(cats: Path, capsys: Captured) -> None:
    lab(*SHORT, "--html", "x.html", "--seed", str(2**53), expected=2)
    assert "--html: a browser cannot hold a seed above" in capsys.readouterr().err
    assert not (cats / "lab-stories.jsonl").exists()


def options(*given: str) -> tuple[argparse.Namespace, str]:
    """What a command asks for, and what it says of that."""
    parser = argparse.ArgumentParser()
    lab_options.arguments(parser)
    asked = parser.parse_args(given)
    return asked, " ".join(lab_options.fill_in(asked))


def test_a_sweep_begins_at_the_pairs_own_temperature() -> None:
    asked, said = options("--pair", "smollm2")
    assert (asked.temperatures, asked.tasks) == ("0.5", "all") and "T = 0.5, as smollm2 has it" in said
    for given in (("--pair", "stories"), ("--pair", "org/some-target")):
        asked, said = options(*given)
        assert (asked.temperatures, asked.tasks, said) == ("1", "all", "")
    asked, said = options("--pair", "smollm2", "--temperatures", "0.7,1")
    assert (asked.temperatures, said) == ("0.7,1", "")


def test_the_papers_table_stays_at_1_and_takes_the_tasks_that_suit_the_pair() -> None:
    asked, said = options("--preset", "paper", "--pair", "smollm2")
    assert (asked.tasks, asked.temperatures, asked.gammas) == ("instruct", "1", "4,6,8")
    assert "measured on instruct" in said and "T = 1, as in the paper" in said
    asked, said = options("--preset", "paper")
    assert asked.tasks.split(",") == [*names("text")] and asked.temperatures == "1" and said == ""
    asked, said = options("--preset", "paper", "--pair", "smollm2", "--tasks", "austen", "--temperatures", "0.5")
    assert (asked.tasks, asked.temperatures, said) == ("austen", "0.5", "")


def test_without_time_nothing_is_measured(cats: Path, capsys: Captured) -> None:
    lab(*SHORT, "--minutes", "0", "--html", "x.html")
    shown = capsys.readouterr()
    assert "nothing is measured yet: x.html is not written" in shown.err and not (cats / "x.html").exists()
    assert "0 of 4 cells" in shown.out and "Nothing is measured yet" in shown.out
    assert "no cell was finished in --minutes 0: a larger one would help" in shown.err
    lab(*SHORT, "--minutes", "0", "--batch", "4")
    assert "a larger one, or a smaller --batch would help" in capsys.readouterr().err


@pytest.mark.parametrize("after", [2, 40])
def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(
    cats: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    calls, call = 0, Lane.call

    def pressed(lane: Any) -> list[int]:
        nonlocal calls
        calls += 1
        if calls == after:
            signal.raise_signal(signal.SIGINT)
        return call(lane)

    with monkeypatch.context() as patched:
        patched.setattr(Lane, "call", pressed)
        lab(*SHORT, "--out", "a.jsonl", expected=130)
    assert calls == after, "the call it came in is the last one"
    shown = capsys.readouterr()
    done = len(read_lab(cats / "a.jsonl")[1])
    assert (done > 0) == (after == 40) and done < 4 and f"{done} of 4 cells" in shown.out
    assert "the same command goes on from there" in shown.err
    lab(*SHORT, "--out", "a.jsonl")
    lab(*SHORT, "--out", "b.jsonl")
    assert statistics(cats / "a.jsonl") == statistics(cats / "b.jsonl")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--gammas", "4,x"], "--gammas takes whole numbers with commas between them, got 'x'"),
        (["--gammas", ""], "gammas is empty"),
        (["--temperatures", "hot"], "--temperatures takes numbers"),
        (["--temperatures", "-1"], "temperature"),
        (["--rules", "token,tokens"], "there is no verifier 'tokens'"),
        (["--tasks", "nonsense"], "there is no task 'nonsense': choose one of"),
        (["--tasks", "none.csv"], "there is no file 'none.csv'"),
        (["--tasks", "instruct"], "the task 'instruct' gives instructions"),
        (["--minutes", "-1"], "--minutes must be at least 0"),
        (["--minutes", "nan"], "--minutes must be at least 0"),
        (["--seeds", "0"], "--seeds must be at least 1"),
        (["--prompts", "0"], "prompts must be at least 1"),
        (["--out", "no/where.jsonl"], "--out: the folder of no/where.jsonl does not exist"),
        (["--out", "."], "--out: . is a folder"),
        (["--csv", "no/where.csv"], "--csv: the folder of"),
        (["--html", "no/where.html"], "--html: the folder of"),
        (["--out", "verse.txt"], "verse.txt is not a file of a lab sweep"),
        (["--out", "cats.txt"], "--out cats.txt would be written over cats.txt, which --tasks reads"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(cats: Path, capsys: Captured, arguments: list[str], says: str) -> None:
    (cats / "verse.txt").write_text("Roses are red\n", encoding="utf-8")
    before = {name: (cats / name).read_bytes() for name in ("cats.txt", "verse.txt")}
    lab(*arguments, expected=2)
    error = capsys.readouterr().err
    assert says in error and len(error.strip().splitlines()) == 1
    assert {name: (cats / name).read_bytes() for name in before} == before


def test_own_prompts_from_what_is_no_plain_file(cats: Path, capsys: Captured) -> None:
    assert main(["lab", "--tasks", os.devnull]) == 2
    assert "the prompt file 'null' is empty: write one prompt a line" in capsys.readouterr().err
    reading, writing = os.pipe()
    os.write(writing, b"the cat sat\n")
    os.close(writing)
    assert main(["lab", "--tasks", f"/dev/fd/{reading}", *SHORT, "--minutes", "0"]) == 0
    os.close(reading)
    assert "is the task own-" in capsys.readouterr().err


def test_a_file_that_is_being_written_is_refused(cats: Path, capsys: Captured) -> None:
    from specdemo.lab.sweep_file import LabFile

    with LabFile(cats / "x.jsonl"):
        lab(*SHORT, "--out", "x.jsonl", expected=2)
    assert "another process is writing to x.jsonl" in capsys.readouterr().err


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny pair in folders."""
    folder: Path = tmp_path_factory.mktemp("tiny")
    pair = tiny_pair()
    for name, model in (("draft", pair.draft_model), ("target", pair.target_model)):
        model.save_pretrained(folder / name)
        pair.tokenizer.save_pretrained(folder / name)
    (folder / "cats.txt").write_text("the cat sat\na cat ran up\n" * 20, encoding="utf-8")
    return folder


def test_a_pair_in_folders(folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["lab", "--tasks", str(folders / "cats.txt"), "--pair", str(folders / "target"), *SHORT, "--device", "cpu"]
    assert main(given) == 2 and "give the draft's folder too (--drafts)" in capsys.readouterr().err
    both = f"{folders / 'draft'},{folders / 'target'}"
    assert main([*given, "--drafts", both]) == 0
    heads, rows = read_lab(tmp_path / "lab-target.jsonl")
    assert list(heads[0]["drafts"]) == ["draft", "target"] and len(rows) == 8
    exact = [row["statistics"]["runs"]["token"] for row in rows if row["cell"]["draft"] == "target"]
    assert all(run["expected"] == pytest.approx(run["calls"] * 5, abs=1e-4) for run in exact[:1]), (
        "D = T keeps everything"
    )
    assert main([*given, "--drafts", f"{folders / 'draft'},{folders / 'draft'}"]) == 2
    assert "names a draft twice" in capsys.readouterr().err


@pytest.mark.slow
def test_killed_and_resumed_nothing_finished_is_lost(folders: Path, tmp_path: Path) -> None:
    """The whole command in a process of its own, killed in the middle of the sweep; resumed, it equals one that was not."""
    command = [
        sys.executable, "-m", "specdemo", "lab", "--tasks", str(folders / "cats.txt"), "--pair", str(folders / "target"),
        "--drafts", str(folders / "draft"), "--gammas", "2,4", "--max-new-tokens", "24", "--prompts", "30", "--device", "cpu", "--out",
    ]  # fmt: skip
    path = tmp_path / "killed.jsonl"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [*command, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
    )
    deadline = time.monotonic() + 240
    while not path.exists() or path.read_bytes().count(b"\n") < 10:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.communicate()
    done = [row["key"] for row in read_lab(path)[1]]
    assert 9 <= len(done) < 60
    again = subprocess.run([*command, str(path)], capture_output=True, text=True, env=environment)
    assert again.returncode == 0, again.stderr
    assert f"{len(done)} of 60 cells are in killed.jsonl already" in again.stderr
    assert [row["key"] for row in read_lab(path)[1]][: len(done)] == done
    whole = subprocess.run([*command, str(tmp_path / "whole.jsonl")], capture_output=True, text=True, env=environment)
    assert whole.returncode == 0 and statistics(path) == statistics(tmp_path / "whole.jsonl")
