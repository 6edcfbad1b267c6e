"""The command line, run as a person runs it, on a tiny real pair loaded from folders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from specdemo.cli import main
from specdemo.cli.loading import tell_slow_steps
from specdemo.pairs import registry
from specdemo.pairs.registry import PairEntry, Source
from specdemo.trace.schema import check_trace
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def tiny_entry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A pair named "tiny" in the registry, its models in folders."""
    folder: Path = tmp_path_factory.mktemp("tiny")
    pair = tiny_pair()
    for name, model in (("draft", pair.draft_model), ("target", pair.target_model)):
        model.save_pretrained(folder / name)
        pair.tokenizer.save_pretrained(folder / name)
    registry.register(
        PairEntry("tiny", "Tiny", Source(folder=folder / "target"), {"d": ("draft", Source(folder=folder / "draft"))})
    )
    yield "tiny"
    del registry._registry["tiny"]


def decoded(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["decode", *arguments, "--pair", "tiny", "--device", "cpu"]) == 0
    return capsys.readouterr().out


def test_decode_json_is_a_trace_of_the_schema(tiny_entry: str, capsys: pytest.CaptureFixture[str]) -> None:
    trace: dict[str, Any] = json.loads(decoded(capsys, "the cat", "--json", "--seed", "7", "--max-new-tokens", "12"))
    check_trace(trace)
    assert main(["schema"]) == 0
    jsonschema.validate(trace, json.loads(capsys.readouterr().out))
    assert trace["settings"]["seed"] == 7
    assert sum(len(b["committed"]) for b in trace["blocks"]) == 12 or trace["finish"] == "eos"


def test_decode_prints_text_and_a_row_for_each_block(tiny_entry: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("the cat", "--seed", "7", "--max-new-tokens", "12", "--gamma", "3")
    trace = json.loads(decoded(capsys, *arguments, "--json"))
    plain = decoded(capsys, *arguments)
    rows = [line for line in plain.splitlines() if line[:5].strip().isdigit()]
    assert len(rows) == len(trace["blocks"])
    assert [int(row.split()[1].split("/")[0]) for row in rows] == [b["kept"] for b in trace["blocks"]]
    assert "\033[" not in plain
    assert "\033[" in decoded(capsys, *arguments, "--color", "always")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--gamma", "-1"], "gamma"),
        (["--temperature", "nan"], "temperature"),
        (["--top-p", "0"], "top_p"),
        (["--seed", "-3"], "seed"),
        (["--verifier", "tokens"], "choose one of token, block"),
        (["--draft", "x"], "has no draft 'x'"),
        (["--max-new-tokens", "0"], "max_new_tokens"),
    ],
)
def test_wrong_settings_are_one_line_and_status_2(
    tiny_entry: str, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert main(["decode", "the cat", "--pair", "tiny", *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.strip().splitlines()) == 1


def test_a_rule_that_is_not_lossless_says_so(tiny_entry: str, capsys: pytest.CaptureFixture[str]) -> None:
    short = ("cat", "--max-new-tokens", "6")
    for rule in ("token", "block", "greedy_block", "sampled_match"):
        assert "LOSSLESS" not in decoded(capsys, *short, "--verifier", rule)
    assert "LOSSLESS" not in decoded(capsys, *short, "--verifier", "exact_match", "--temperature", "0")
    assert "NOT LOSSLESS above temperature 0" in decoded(capsys, *short, "--verifier", "exact_match")
    assert "NOT LOSSLESS: this text" in decoded(capsys, *short, "--verifier", "threshold")
    assert "counts it twice" in decoded(capsys, *short, "--verifier", "correction_from_target")


def test_mistakes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verifiers", "--mistakes"]) == 0
    assert "vllm-project/vllm-ascend#7807" in capsys.readouterr().out
    assert main(["verifiers", "--mistakes", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert {"name", "title", "rule", "goes_wrong", "issue"} == set(records[0]) and len(records) > 20


def test_pairs_are_listed_with_what_there_is_of_them(
    tiny_entry: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = registry.get("tiny")
    absent = replace(registry.SMOLLM2, module="no_such_weights")
    monkeypatch.setitem(
        registry._registry, "tiny-packed", replace(tiny, name="tiny-packed", target=Source(package=absent, repo="a/b"))
    )
    gone = {"x": ("X", Source(folder=registry.ASSETS / "no-such-draft"))}
    monkeypatch.setitem(registry._registry, "tiny-partial", replace(tiny, name="tiny-partial", drafts=gone))
    assert main(["pairs", "--json"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert list(found)[:2] == ["stories", "smollm2"]
    assert {name: found[name]["available"] for name in ("tiny", "tiny-packed", "tiny-partial", "gpt2-hub")} == {
        "tiny": True, "tiny-packed": None, "tiny-partial": False, "gpt2-hub": None,
    }  # fmt: skip
    assert found["smollm2"]["prompt_mode"] == "chat" and 5 <= len(found["smollm2"]["examples"]) <= 8
    assert main(["pairs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    where = {
        line.split()[0]: (line, following) for line, following in zip(lines, lines[2:], strict=False) if line[0] != " "
    }
    assert where["tiny"][0].endswith(" · ships with specdemo") and where["tiny-packed"][0].endswith(" · from the hub")
    assert "SmolLM2 is not installed here" in where["tiny-packed"][1] and "make app SMOLLM=1" in where["tiny-packed"][1]
    assert (
        where["tiny-partial"][0].endswith(" · files are missing")
        and "assets/pairs/no-such-draft" in where["tiny-partial"][1]
    )


def test_only_slow_steps_are_told_and_not_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    tell_slow_steps("Loading the tokenizer", 0.1)
    tell_slow_steps("Unpacking it: once", None)
    assert capsys.readouterr() == ("", "Unpacking it: once …\n")


def test_pairs_and_verifiers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pairs", "--json"]) == 0
    assert "stories" in [entry["name"] for entry in json.loads(capsys.readouterr().out)]
    assert main(["verifiers", "--json"]) == 0
    assert {rule["name"] for rule in json.loads(capsys.readouterr().out)} >= {"token", "block"}
