"""What a command reads or writes is not written over: refused before anything is measured, with both options and the file."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from specdemo.cli import main, places
from specdemo.cli.places import check_apart
from tests.cli.test_cli import tiny_entry

__all__ = ["tiny_entry"]  # fixture
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a file of every kind that is read, left as it was; no models are loaded and nothing is measured."""

    def untimely(*given: object) -> None:
        pytest.fail("began before it looked where it writes")

    for measuring in (
        "cli.loading.asked_pair", "auditor.audit", "auditor.steps.audit_steps", "lab.verify.verify_cost", "standalone.record_of",
        "auditor.vectors.load.load_or_generate",
    ):  # fmt: skip
        monkeypatch.setattr(f"specdemo.{measuring}", untimely)
    monkeypatch.chdir(tmp_path)
    for kept in (
        "p.txt",
        "t.json",
        "steps.jsonl",
        "verify.py",
        "laws.npy",
        "target/config.json",
        "v/manifest.json",
        "d/race.csv",
    ):
        Path(kept).parent.mkdir(exist_ok=True)
        Path(kept).write_text("kept", encoding="utf-8")
    Path("link.txt").symlink_to("p.txt")
    os.link("p.txt", "hard.txt")
    Path("again").symlink_to(".", target_is_directory=True)
    before = sorted(tmp_path.rglob("*"))
    yield tmp_path
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"
    assert {path.read_text(encoding="utf-8") for path in before if path.is_file()} == {"kept"}


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("lab --out l.jsonl --csv l.jsonl", "--csv l.jsonl would be written over l.jsonl, which --out writes"),
        ("lab --out l.jsonl --json ./l.jsonl", "--json l.jsonl would be written over l.jsonl, which --out writes"),
        ("lab --out l.jsonl --html again/l.jsonl", "--html again/l.jsonl would be written over l.jsonl, which --out"),
        ("lab --csv lab-stories.jsonl", "--csv lab-stories.jsonl would be written over lab-stories.jsonl, which --out"),
        ("lab --json same.x --csv same.x", "--csv same.x would be written over same.x, which --json writes"),
        ("lab --tasks code,p.txt --html p.txt", "--html p.txt would be written over p.txt, which --tasks reads"),
        ("lab --tasks p.txt --out p.txt", "--out p.txt would be written over p.txt, which --tasks reads"),
        ("lab --tasks p.txt --json link.txt", "--json link.txt would be written over p.txt, which --tasks reads"),
        ("lab --tasks link.txt --csv hard.txt", "--csv hard.txt would be written over link.txt, which --tasks reads"),
        (
            "lab --pair target --drafts target --json target/config.json",
            "--json target/config.json would be written over target/config.json, which --pair reads",
        ),
        ("compare --race --prompts p.txt --json p.txt", "--json p.txt would be written over p.txt, which --prompts"),
        ("compare hi --csv d --json d/blocks.csv", "--csv d/blocks.csv would be written over d/blocks.csv, which --json"),
        ("compare hi --csv new --json new", "--csv new would be written over new, which --json writes"),
        ("compare --race --prompts d/race.csv --csv d", "--csv d/race.csv would be written over d/race.csv, which --prompts"),
        ("decode hi --pair target --draft target --html target/config.json", "target/config.json, which --pair reads"),
        ("export t.json --html t.json", "--html t.json would be written over t.json, which export reads"),
        ("audit verify.py:verify --json verify.py", "--json verify.py would be written over verify.py, which the audit"),
        ("audit --log steps.jsonl --junit steps.jsonl", "--junit steps.jsonl would be written over steps.jsonl, which --log"),
        ("audit --log steps.jsonl --json laws.npy", "--json laws.npy would be written over laws.npy, which --log reads"),
        ("audit --program 'python verify.py' --json verify.py", "over verify.py, which --program reads"),
        ("audit block --json r --junit r", "--junit r would be written over r, which --json writes"),
        ("audit block --json - --junit -", "cannot both be written to standard output"),
        ("audit block --json no/r", "--json: the folder of no/r does not exist"),
        ("vectors --from v --table v/manifest.json", "--table v/manifest.json would be written over v/manifest.json, which"),
        ("bench --prompt-file p.txt --json p.txt", "--json p.txt would be written over p.txt, which --prompt-file reads"),
        ("bench verify --json no/x", "--json: the folder of no/x does not exist"),
        ("bench server --json v", "--json: v is a folder"),
    ],
)  # fmt: skip
def test_a_file_in_two_places(folder: Path, capsys: pytest.CaptureFixture[str], command: str, says: str) -> None:
    assert main(shlex.split(command)) == 2
    said = capsys.readouterr()
    assert says in said.err and len(said.err.strip().splitlines()) == 1 and said.out == ""


def test_names_that_a_file_system_takes_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apart = [("--json", tmp_path / "Lab.x"), ("--csv", tmp_path / "lab.X")]
    one_for_it = places._ignores_case(tmp_path)
    if not one_for_it:
        check_apart(apart)
        (tmp_path / "kept.txt").touch()
        (tmp_path / "KEPT.TXT").touch()
        check_apart(apart)
    monkeypatch.setattr(places, "_ignores_case", lambda folder: folder == tmp_path)
    with pytest.raises(ValueError, match=r"--csv .*lab\.X would be written over .*Lab\.x, which --json writes"):
        check_apart(apart)


def test_other_files_and_what_is_thrown_away(tmp_path: Path) -> None:
    nowhere = Path(os.devnull)
    check_apart([("--json", tmp_path / "a"), ("--csv", tmp_path / "b"), ("--out", tmp_path / "c" / "a")])
    check_apart([("--json", nowhere), ("--csv", nowhere)], [("--prompts", nowhere)])


def test_where_the_shell_leads_the_streams(tmp_path: Path) -> None:
    """`< FILE` and `> FILE` are files too."""
    text = json.dumps({"schema": "specdemo.sandbox-file/1"})
    run = [sys.executable, "-m", "specdemo", "export", "-", "--html"]
    (tmp_path / "t.json").write_text(text)
    for html, says in (
        ("t.json", "--html t.json would be written over the file of standard input"),
        ("o", "standard output"),
    ):
        with (tmp_path / "t.json").open() as given, (tmp_path / "o").open("w") as out:
            done = subprocess.run(
                [*run, html], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=given, stdout=out, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
            )  # fmt: skip
        assert done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert (tmp_path / "t.json").read_text() == text


@pytest.mark.parametrize("command", [["decode", "the cat"], ["compare", "the cat"], ["decode", "the cat", "--json"]])
def test_closed_standard_output(
    tiny_entry: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main([*command, "--pair", "tiny", "--max-new-tokens", "4", "--device", "cpu"]) == 0
    assert capsys.readouterr().err == ""


def test_no_file_takes_the_place_of_a_closed_stream() -> None:
    code = (
        "import os, sys\nfrom specdemo.cli import main\nmain(['verifiers'])\nos.write(2, b'%d' % sys.stdout.fileno())"
    )
    done = subprocess.run(
        ["sh", "-c", f"exec {shlex.quote(sys.executable)} -c {shlex.quote(code)} >&-"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stderr == "1"
