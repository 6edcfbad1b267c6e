"""Model folders on the command line: every command that takes a pair takes two folders, and the trace says which weights they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.pairs.sources import folder_revision
from tests.pairs.test_loading import save

SHORT = ["--max-new-tokens", "6", "--gamma", "2", "--device", "cpu"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("own")
    save(place / "models" / "target", 2, layers=2)
    save(place / "models" / "near", 1)
    return place


@pytest.fixture(autouse=True)
def there(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(models)


def revisions(pair: dict[str, Any]) -> tuple[str, str]:
    return pair["target_revision"], pair["draft_revision"]


HASHES = [Path("models/target"), Path("models/near")]


@pytest.mark.parametrize("form", ["models/{}", "./models/{}", "{here}/models/{}"])
def test_decode_takes_folders(form: str, models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, draft = (form.format(name, here=models) for name in ("target", "near"))
    assert main(["decode", "the cat", "--pair", target, "--draft", draft, *SHORT, "--json"]) == 0
    pair = json.loads(capsys.readouterr().out)["pair"]
    assert revisions(pair) == tuple(map(folder_revision, HASHES)) and (pair["name"], pair["draft"]) == (
        "target",
        "near",
    )


def test_compare_takes_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.json"
    folders = ["--pair", "models/target", "--draft", "./models/near"]
    assert main(["compare", "the cat", *folders, *SHORT, "--json", str(file)]) == 0
    assert "target, draft near" in capsys.readouterr().out
    assert revisions(json.loads(file.read_text())["trace"]["pair"]) == tuple(map(folder_revision, HASHES))


def test_bench_and_lab_take_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prompts, record, rows = tmp_path / "p.txt", tmp_path / "b.json", tmp_path / "rows.jsonl"
    prompts.write_text("the cat\n", encoding="utf-8")
    bench = ["bench", "rules", "--pair", "models/target", "--draft", "models/near", "--prompt-file", str(prompts)]
    assert main([*bench, "--max-new-tokens", "4", "--gamma", "2", "--json", str(record)]) == 0
    assert revisions(json.loads(record.read_text())["pair"]) == tuple(map(folder_revision, HASHES))
    lab = ["lab", "--pair", "./models/target", "--drafts", "./models/near", "--tasks", str(prompts), "--out", str(rows)]
    assert main([*lab, "--gammas", "2", "--max-new-tokens", "6", "--no-times", "--device", "cpu"]) == 0
    head = json.loads(rows.read_text().splitlines()[0])
    assert (head["pair"]["target_revision"], head["drafts"]["near"]) == tuple(map(folder_revision, HASHES))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["decode", "x", "--pair", "./models/target"], "--pair is a folder: give the draft's folder too (--draft)"),
        (["compare", "x", "--pair", "models/target"], "--pair is a folder: give the draft's folder too (--draft)"),
        (["bench", "rules", "--pair", "models/target"], "--pair is a folder: give the draft's folder too (--draft)"),
        (["lab", "--pair", "models/target", "--out", "x.jsonl"], "--pair is a folder: give the draft's folder too (--drafts)"),
        (["decode", "x", "--pair", "./missing", "--draft", "./models/near"], "there is no folder './missing'"),
        (["decode", "x", "--pair", "models", "--draft", "models/near"], "the folder 'models' has no config.json"),
        (["decode", "x", "--pair", "target", "--draft", "near"], "there is no pair 'target': choose one of stories"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_folder_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err.strip()
    assert says in error and len(error.splitlines()) == 1, error
