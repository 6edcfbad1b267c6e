"""Instructions on the command line: --chat, --text and the pair's own mode, and how an answer is printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from specdemo.cli import main
from specdemo.pairs import registry
from specdemo.pairs.registry import PairEntry, Source
from tests.tiny import tiny_pair

MESSAGE = "the <|eos|> hat"


@pytest.fixture(scope="module", autouse=True)
def entries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One pair in folders under three names: plain by itself, instructed by itself, and without a chat template."""
    made: dict[bool, dict[str, Source]] = {}
    for chat in (True, False):
        folder: Path = tmp_path_factory.mktemp("chat" if chat else "bare")
        pair = tiny_pair(chat=chat)
        for name, model in (("draft", pair.draft_model), ("target", pair.target_model)):
            model.save_pretrained(folder / name)
            pair.tokenizer.save_pretrained(folder / name)
        made[chat] = {name: Source(folder=folder / name) for name in ("draft", "target")}
    for entry in (
        PairEntry("either", "Either", made[True]["target"], {"d": ("draft", made[True]["draft"])}, chat_template=True),
        PairEntry(
            "talking", "Talking", made[True]["target"], {"d": ("draft", made[True]["draft"])}, prompt_mode="chat"
        ),
        PairEntry("bare", "Bare", made[False]["target"], {"d": ("draft", made[False]["draft"])}),
    ):
        registry.register(entry)
    yield
    for name in ("either", "talking", "bare"):
        del registry._registry[name]


def decoded(capsys: pytest.CaptureFixture[str], pair: str, *arguments: str) -> str:
    options = ["--pair", pair, "--device", "cpu", "--max-new-tokens", "8", "--seed", "3"]
    assert main(["decode", MESSAGE, *options, *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("pair", "asked", "mode"),
    [
        ("either", [], "text"), ("either", ["--chat"], "chat"), ("either", ["--text"], "text"),
        ("talking", [], "chat"), ("talking", ["--text"], "text"), ("bare", [], "text"),
    ],
)  # fmt: skip
def test_the_mode_is_the_one_asked_for_or_the_pairs_own(
    capsys: pytest.CaptureFixture[str], pair: str, asked: list[str], mode: str
) -> None:
    trace: dict[str, Any] = json.loads(decoded(capsys, pair, "--json", *asked))
    assert trace["settings"]["prompt_mode"] == mode and ("message" in trace["prompt"]) == (mode == "chat")


def test_an_answer_is_printed_below_what_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    trace = json.loads(decoded(capsys, "either", "--chat", "--json"))
    plain = decoded(capsys, "either", "--chat", "--color", "never")
    heading, *_ = plain.splitlines()
    assert heading.endswith("· instruction")
    typed = "…<|bos|>user⏎" + MESSAGE + "<|eos|>⏎<|bos|>cat⏎"
    text = plain[plain.index(typed) :]
    assert text.startswith(typed + "\n") and len(text.splitlines()) > 2
    assert "system" not in plain and "sat" not in text.splitlines()[0], "what frames the message is cut short"
    colored = decoded(capsys, "either", "--chat", "--color", "always")
    assert f"\033[2m…<|bos|>user⏎\033[0m{MESSAGE}\033[2m<|eos|>⏎<|bos|>cat⏎\033[0m\n" in colored
    assert re.sub(r"\033\[[\d;]*m", "", colored)[: len(heading)] == heading
    assert "instruction" not in decoded(capsys, "either", "--text").splitlines()[0]
    assert len(trace["blocks"]) == sum(line[:5].strip().isdigit() for line in plain.splitlines())


def test_special_tokens_of_the_answer_are_faint_and_bare() -> None:
    from specdemo.cli.painting import Painter

    pieces = {"7": " cat", "1": {"special": "<|eos|>"}}
    head = {"pieces": {"7": " cat"}, "prompt": {"ids": [7]}}
    verdicts = {"block": {"next_kind": "correction"}}
    block = {"pieces": pieces, "kept": 1, "verifier": "block", "verdicts": verdicts, "committed": [7, 1]}
    assert Painter(False).text(head, [block]) == " cat cat<|eos|>"
    assert Painter(True).text(head, [block]) == " cat\033[32m cat\033[0m\033[31;1;2m<|eos|>\033[0m"


def test_compare_races_and_checks_in_the_mode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    options = ["--pair", "either", "--device", "cpu", "--max-new-tokens", "6", "--samples", "4", "--json", str(file)]
    assert main(["compare", MESSAGE, "--chat", "--race", "--law", *options]) == 0
    found = json.loads(file.read_text())
    assert "· instruction" not in capsys.readouterr().out.splitlines()[1]
    assert [found[part]["settings"]["prompt_mode"] for part in ("trace", "race", "law")] == ["chat"] * 3
    tokens = len(found["trace"]["prompt"]["ids"])
    assert found["race"]["prompts"][0]["tokens"] == found["law"]["prompt"]["tokens"] == tokens
    committed = [i for block in found["trace"]["blocks"] for i in block["committed"]]
    assert found["race"]["runs"][0]["lanes"]["block"]["ids"] == committed


def test_what_cannot_be_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decode", MESSAGE, "--pair", "bare", "--device", "cpu", "--chat"]) == 2
    error = capsys.readouterr().err
    assert "no chat template" in error and "use plain continuation" in error and len(error.strip().splitlines()) == 1
    with pytest.raises(SystemExit) as ended:
        main(["decode", MESSAGE, "--chat", "--text"])
    assert ended.value.code == 2 and "not allowed with" in capsys.readouterr().err
