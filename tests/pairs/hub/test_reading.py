"""Prompts are read in a process of their own: the same ids as here, and whatever never comes to an end is ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Regex, Tokenizer, pre_tokenizers

from specdemo.pairs import Pair, PairUnavailable
from specdemo.pairs.chat import ChatTemplate
from specdemo.pairs.hub import reading
from specdemo.pairs.hub.process import read_tokenizer
from specdemo.pairs.hub.reading import BoundedTokenizer, Reader, _asked
from tests.pairs.test_loading import save
from tests.tiny import CHAT_TEMPLATE, tiny_pair, tiny_tokenizer

REPO = "some/model"
# The sandbox refuses a range of more than 100,000 numbers, and nothing else of this. What is not "loop" or "fill" is rendered.
HOSTILE = (
    "{% if 'loop' in messages[0]['content'] %}{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}{% endif %}"
    "{% if 'fill' in messages[0]['content'] %}{{ ('a' * 10000000000) | length }}{% endif %}"
    "{% if 'long' in messages[0]['content'] %}{{ 'a' * 2000000 }}{% endif %}"
    "{% if 'range' in messages[0]['content'] %}{% for i in range(100000000) %}{% endfor %}{% endif %}"
    "{% if 'python' in messages[0]['content'] %}{{ messages.__class__.__base__.__subclasses__() }}{% endif %}"
) + CHAT_TEMPLATE


def child(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def test_what_does_not_answer_in_time_is_ended() -> None:
    process = child("while True: pass")
    began = time.monotonic()
    assert _asked(process, {"text": "x"}, 0.3) is None
    assert process.wait(5) != 0 and time.monotonic() - began < 5


@pytest.mark.parametrize(
    "code", ["", "print('no json')", "print('[]')", "print('{\"a\": ')", "import os; os.write(1, b'\\xff\\n')"]
)
def test_what_ends_or_answers_something_else_is_no_answer(code: str) -> None:
    process = child(code)
    assert _asked(process, None, 10) is None
    process.kill()
    process.wait(5)


def test_an_answer_that_is_longer_than_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_ANSWER", 1_000)
    process = child(ECHO)
    assert _asked(process, {"text": "x"}, 10) == {"text": "x"}
    assert _asked(process, {"text": "x" * 1_000}, 10) is None and process.wait(5) != 0


ANSWERS = """
import json, sys
print(json.dumps({"weights": 1}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    while asked["text"] == "loop": pass
    print(json.dumps({"input_ids": [len(asked["text"])], "number": asked["number"]}), flush=True)
"""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Reader]:
    """A reader whose process is there at once and counts characters."""
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")

    def started(folder: Path, repo: str) -> tuple[subprocess.Popen[bytes], dict[str, Any]]:
        process = child(ANSWERS)
        return process, _asked(process, None, 60) or {}

    monkeypatch.setattr(reading, "_started", started)
    found = Reader(tmp_path, REPO)
    assert found.facts == {"weights": 1}
    yield found
    found.stop()


def test_what_takes_too_long_is_stopped_and_started_again(quick: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PROMPT_SECONDS", 1.0)
    with pytest.raises(ValueError, match=r"has taken more than 1 seconds for this prompt, and was stopped"):
        quick.ask({"text": "loop"})
    monkeypatch.setattr(reading, "PROMPT_SECONDS", 60.0)
    wait_for(quick)
    assert quick.ask({"text": "abc"})["input_ids"] == [3]


def wait_for(reader: Reader) -> None:
    until = time.monotonic() + 120
    while not reader.running and time.monotonic() < until:
        time.sleep(0.05)


def test_where_it_has_to_be_started_again_it_is_said(quick: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(folder: Path, repo: str) -> None:
        raise PairUnavailable("not now")

    monkeypatch.setattr(reading, "_started", never)
    quick.stop()
    with pytest.raises(ValueError, match="is being started again: try again in a moment"):
        quick.ask({"text": "abc"})


def test_everything_for_one_prompt_shares_its_time(quick: Reader) -> None:
    with quick.one_prompt():
        assert quick.ask({"text": "abc"})["input_ids"] == [3]
        quick._until = time.monotonic() - 0.1
        with pytest.raises(ValueError, match="has taken more than"):
            quick.ask({"text": "abc"})


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forks_ask_the_same_process_in_turn(quick: Reader) -> None:
    def fork(work: Callable[[], bool]) -> int:
        pid = os.fork()
        if pid == 0:
            try:
                os._exit(0 if work() else 1)
            finally:
                os._exit(2)
        return pid

    def asks(count: int) -> bool:
        return all(quick.ask({"text": "x" * n})["input_ids"] == [n] for n in range(count))

    def leaves() -> bool:
        assert quick._process.stdin is not None
        quick._process.stdin.write(b'{"text": "nobody reads this", "number": "0"}\n')
        quick._process.stdin.flush()
        return True

    with quick._mine():  # as a thread may at the time of the fork
        children = [fork(lambda: asks(200)) for _ in range(3)]
    assert asks(200)
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0, 0, 0]
    assert os.waitpid(fork(leaves), 0)[1] == 0 and asks(3)
    assert quick.running, "the end of a fork is not its end"


def hostile_folder(folder: Path) -> Path:
    """A model whose chat template and whose pre-tokenizer can be made to go on for ever."""
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = HOSTILE
    save(folder, 1, tokenizer=tokenizer)
    backend = Tokenizer.from_file(str(folder / "tokenizer.json"))
    slow = pre_tokenizers.Split(Regex(r"(?:z|z|zz)+(?:z|z|zz)+$"), "isolated")
    backend.pre_tokenizer = pre_tokenizers.Sequence([slow, backend.pre_tokenizer])
    backend.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_folder(tmp_path_factory.mktemp("hostile") / "model")


@pytest.fixture(scope="module")
def reader(folder: Path) -> Iterator[Reader]:
    found = Reader(folder, REPO)
    yield found
    found.stop()


@pytest.fixture
def tokenizer(folder: Path, reader: Reader) -> BoundedTokenizer:
    reader.start()
    return BoundedTokenizer(read_tokenizer(str(folder)), reader)


def pair_with(tokenizer: BoundedTokenizer) -> Pair:
    pair = tiny_pair()
    return Pair.from_models(pair.draft_model, pair.target_model, tokenizer)


@pytest.mark.slow
def test_the_ids_are_those_of_the_tokenizer_itself(folder: Path, tokenizer: BoundedTokenizer, reader: Reader) -> None:
    own = read_tokenizer(str(folder))
    assert reader.facts["weights"] > 0
    for text in ("the cat", "", "<|bos|> é 猫 \n", "a\u2028b"):
        asked = {"add_special_tokens": False, "return_offsets_mapping": True, "split_special_tokens": True}
        found, expected = tokenizer(text, **asked), own(text, **asked)
        assert found.input_ids == expected.input_ids
        assert [tuple(place) for place in found.offset_mapping] == expected.offset_mapping
        assert ChatTemplate(tokenizer).encode(text + "x") == ChatTemplate(own).encode(text + "x")
    plain = Pair.from_models(tiny_pair().draft_model, tiny_pair().target_model, own)
    assert pair_with(tokenizer).encode("the cat", mode="chat") == plain.encode("the cat", mode="chat")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("fill", "chat template fails"), ("long", "more than 1,000,000 characters"), ("range", "Range too big"),
        ("python", "access to attribute '__class__'"),
    ],
)  # fmt: skip
def test_a_template_that_fails_is_said(tokenizer: BoundedTokenizer, message: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pair_with(tokenizer).encode(message, mode="chat")


@pytest.mark.slow
@pytest.mark.parametrize(("prompt", "mode"), [("loop", "chat"), (("z" * 12 + "y") * 800, "text")])
def test_what_never_comes_to_an_end_is_stopped_said_and_started_again(
    tokenizer: BoundedTokenizer, reader: Reader, monkeypatch: pytest.MonkeyPatch, prompt: str, mode: str
) -> None:
    monkeypatch.setattr(reading, "PROMPT_SECONDS", 2.0)
    pair = pair_with(tokenizer)
    began = time.monotonic()
    with pytest.raises(ValueError, match="has taken more than 2 seconds for this prompt, and was stopped"):
        pair.encode(prompt, mode=mode)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is being started again: try again in a moment"):
        pair.encode("the cat")
    assert time.monotonic() - began < 10
    wait_for(reader)
    assert pair.encode("the cat").ids


@pytest.mark.slow
def test_a_folder_that_cannot_be_read_is_said_and_leaves_no_process(folder: Path, tmp_path: Path) -> None:
    import shutil

    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "tokenizer.json").write_text(json.dumps({"version": "1.0", "model": {"type": "BPE"}}), encoding="utf-8")
    with pytest.raises(PairUnavailable, match=f"the configuration or the tokenizer of {REPO} cannot be read") as caught:
        Reader(broken, REPO)
    assert str(tmp_path) not in str(caught.value)


def test_nothing_of_the_tokenizer_runs_here(folder: Path) -> None:
    class Nobody:
        """A reader that is never asked."""

    bounded = BoundedTokenizer(read_tokenizer(str(folder)), Nobody())  # type: ignore[arg-type]
    assert bounded.get_vocab() and bounded.is_fast and bounded.chat_template
    for name in ("encode", "decode", "tokenize", "batch_decode", "save_pretrained", "_tokenizer_call", "__getstate__x"):
        with pytest.raises(AttributeError):
            getattr(bounded, name)
