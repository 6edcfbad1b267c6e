"""The command line, run as a person runs it, on a tiny real pair loaded from folders."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from specdemo.cli import main
from specdemo.cli.loading import tell_slow_steps
from specdemo.cli.terminal import bars_drawn, visible_streams
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


# A window's title, a colour, a line written over, a bell; the same by C1; DEL; a turned direction of writing.
HOSTILE = "cat\x1b]0;owned\x07\x1b[31m\rdog\x9b2J\x7f\u202etac\u2066"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
OUR_COLOURS = re.compile("\x1b\\[(32|31;1|35;1|90;9|2|0)(;2)?m")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str, status: int) -> str:
    """Both streams of a command, without a character that a terminal would obey."""
    try:
        ended = main(arguments)
    except SystemExit as left:  # argparse
        ended = int(str(left.code))
    out, err = capsys.readouterr()
    assert ended == status, err
    assert not OBEYED.search(out + err), arguments
    return out + err


def test_what_a_person_or_a_model_writes_is_shown_and_not_obeyed(
    tiny_entry: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(registry._registry, "tiny", replace(registry.get("tiny"), title=f"Tiny {HOSTILE}"))
    tiny = ("--pair", "tiny", "--device", "cpu")
    seen = "cat\\u001b]0;owned\\u0007\\u001b[31m\\u000ddog\\u009b2J\\u007f\\u202etac\\u2066"
    short = ("--max-new-tokens", "6", "--gamma", "2")
    assert f"Tiny {seen}" in shown(capsys, "pairs", status=0)
    assert shown(capsys, "decode", HOSTILE, *tiny, *short, status=0).count(seen) == 2  # in the title and the text
    shown(capsys, "decode", "cat", *tiny, "--verifier", HOSTILE, status=2)
    assert seen in shown(capsys, "compare", HOSTILE, *tiny, *short, "--law", "--samples", "4", status=0)
    shown(capsys, "decode", "cat", *tiny, "--draft", HOSTILE, status=2)
    assert seen in shown(capsys, "decode", "cat", "--gamma", "3", HOSTILE, status=2)  # argparse's own sentence
    assert seen in shown(capsys, "audit", "--log", str(tmp_path / HOSTILE.replace("/", "")), status=2)
    prompts = tmp_path / f"{HOSTILE}.txt"
    prompts.write_text(f"{HOSTILE}\n")
    lab = ("--tasks", str(prompts), "--gammas", "2", "--max-new-tokens", "4", "--out", str(tmp_path / f"{HOSTILE}.jsonl"))
    assert seen in shown(capsys, "lab", *lab, *tiny, status=0)


def test_what_a_verifier_says_is_shown_and_not_obeyed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    subject = tmp_path / "engine.py"
    subject.write_text(
        f"import sys\nHOSTILE = {HOSTILE!r}\n"
        "def verify(tokens, draft, target, uniforms):\n    print(HOSTILE)\n    raise ValueError(HOSTILE)\n"
        'if __name__ == "__main__":\n    sys.stderr.write(HOSTILE + "\\n")\n    sys.exit(3)\n'
    )
    assert "owned" in shown(capsys, "audit", f"{subject}:verify", status=2)
    program = f"{shlex.quote(sys.executable)} {shlex.quote(str(subject))}"
    assert "\\u202etac" in shown(capsys, "audit", "--program", program, status=2)
    log = tmp_path / "steps.jsonl"
    log.write_text(json.dumps({"id": HOSTILE, "tokens": [0], "draft": [[1, 0]], "target": [[2, 0], [1, 0]]}) + "\n")
    shown(capsys, "audit", "--log", str(log), status=2)


def test_colours_are_our_own_and_no_others(tiny_entry: str, capsys: pytest.CaptureFixture[str]) -> None:
    painted = decoded(capsys, HOSTILE, "--max-new-tokens", "24", "--temperature", "5", "--color", "always")
    assert OUR_COLOURS.search(painted) and not OBEYED.search(OUR_COLOURS.sub("", painted))


def test_json_on_standard_output_holds_what_was_written(tiny_entry: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = decoded(capsys, HOSTILE, "--max-new-tokens", "6", "--json")
    assert not OBEYED.search(printed) and json.loads(printed)["prompt"]["text"] == HOSTILE


def test_a_download_draws_its_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with visible_streams(), bars_drawn():
        sys.stderr.write("\r 50%\x1b[A" + HOSTILE[3:9])
    assert capsys.readouterr().err == "\r 50%\x1b[A\\u001b]0;ow"


def test_a_variable_that_is_set_wrongly_is_told_in_its_own_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPECDEMO_DTYPE", "float63")
    assert main(["decode", "Hi", "--max-new-tokens", "1"]) == 2
    assert capsys.readouterr().err.startswith("specdemo decode: SPECDEMO_DTYPE is 'float63': it must be ")
