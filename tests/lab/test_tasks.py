"""The tasks of the lab: enough prompts of each kind, all different, right where they state something, readable by the pair that ships."""

from __future__ import annotations

import ast
import pickle
import re
from itertools import combinations
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from specdemo.lab import tasks
from specdemo.lab.prompts import TEXTS, TITLES, read_prompt_set
from specdemo.lab.tasks import FOLDER, MOST_OWN_PROMPTS, Task, get, names, read_own
from specdemo.pairs import registry

STORIES = Path(registry.__file__).parents[2] / "assets" / "pairs" / "stories" / "target" / "tokenizer.json"


def shingles(text: str, length: int = 8) -> set[str]:
    plain = " ".join(text.lower().split())
    return {plain[at : at + length] for at in range(max(1, len(plain) - length + 1))}


@pytest.mark.parametrize("name", names())
def test_a_task_holds_enough_prompts_that_are_all_texts_of_their_own(name: str) -> None:
    task = get(name)
    assert task.name == name and task.mode in ("text", "chat") and not task.notices
    assert task.note.endswith(".") and task.title and task.title[-1] != "."
    assert len(task.prompts) >= 40 and len(set(task.prompts)) == len(task.prompts)
    for prompt in task.prompts:
        assert prompt == prompt.strip(), "a space at the end makes an unusual beginning for the next token"
        assert prompt.isascii() and prompt.isprintable() | ("\n" in prompt), prompt
        assert not re.search(r" \n|\n\n\n", prompt), prompt


def test_no_prompt_is_much_like_another() -> None:
    every = [(prompt, shingles(prompt)) for name in names() for prompt in get(name).prompts]
    for (first, ours), (second, theirs) in combinations(every, 2):
        assert len(ours & theirs) < 0.5 * min(len(ours), len(theirs)), (first, second)


def test_there_is_a_file_for_every_task_and_a_task_for_every_file() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {entry.file for entry in tasks._SETS.values()}
    assert names("chat") == ("instruct",) and (*names("text"), *names("chat")) == names()
    assert len(names("text")) >= 8


def test_sums_that_are_stated_are_right() -> None:
    found = 0
    for prompt in get("arithmetic").prompts:
        asked = re.findall(r"What is (\d+ [-+x] \d+)\?\nA: (\d+)", prompt)
        for left, right in [*re.findall(r"(\d+(?: [-+x] \d+)+) (?:=|is) (\d+)(?!\d| [-+x])", prompt), *asked]:
            assert eval(left.replace("x", "*")) == int(right), prompt
            found += 1
    assert found > 40


def test_programs_are_the_beginnings_of_programs() -> None:
    """Some end makes each of them parse; none of these ends would save a wrong beginning."""
    closings = ("", " x", "x", ")", "x)", " x)", "x]", " x]", " x])", " x}", ")]")
    block = "\n" + " " * 12 + "pass"
    ends = [closing + body for closing in closings for body in ("", block, ":" + block)]
    for prompt in get("code").prompts:
        assert any(_parses(prompt + end) for end in ends), prompt
    assert not any(_parses("def wrong(:\n    return" + end) for end in ends)


def _parses(program: str) -> bool:
    try:
        ast.parse(program)
    except SyntaxError:
        return False
    return True


@pytest.mark.skipif(not STORIES.exists(), reason="the embedded pair is not in assets/pairs/stories")
def test_every_prompt_leaves_the_pair_that_ships_room_for_a_long_continuation() -> None:
    tokenizer = Tokenizer.from_file(str(STORIES))
    for name in names("text"):
        lengths = [len(tokenizer.encode(prompt, add_special_tokens=False).ids) for prompt in get(name).prompts]
        assert min(lengths) >= 3 and max(lengths) <= 128, name


def test_a_task_is_plain_data_and_known_by_what_it_holds() -> None:
    verse = get("verse")
    assert pickle.loads(pickle.dumps(verse)) == verse and get("verse").digest == verse.digest
    digests = {get(name).digest for name in names()}
    assert len(digests) == len(names())
    parts = Task("x", "x", "x", ("a", "b"))
    assert parts.digest != Task("x", "x", "x", ("a\nb",)).digest != Task("x", "x", "x", ("b", "a")).digest
    assert parts.digest != Task("x", "x", "x", ("a", "b"), "chat").digest
    assert parts.digest == Task("y", "z", "", ("a", "b"), notices=("n",)).digest
    with pytest.raises(ValueError, match=r"no task 'poems': choose one of .*verse"):
        get("poems")


def test_what_a_race_may_choose_from_are_the_tasks_that_are_continued() -> None:
    assert names("text") == TEXTS and list(TITLES) == list(TEXTS)
    assert read_prompt_set("code") == list(get("code").prompts)
    for name in ("instruct", "../stories"):
        with pytest.raises(ValueError, match=f"no prompt set '{name}': choose one of .*stories"):
            read_prompt_set(name)


def test_own_prompts_become_a_task() -> None:
    pasted = read_own("One day\nTwo days\n")
    assert pasted.prompts == ("One day", "Two days") and pasted.mode == "text" and pasted.notices == ()
    assert (pasted.title, pasted.note) == ("your prompts", "2 prompts of yours, one a line.")
    assert pasted.name == f"own-{pasted.digest[7:15]}" == read_own(b"One day\r\nTwo days", "days.txt").name
    asked = read_own('text\n"Why?\nWhy not?"\n', "/home/x/q.csv", mode="chat")
    assert asked.mode == "chat" and asked.prompts == ("Why?\nWhy not?",)
    assert (asked.title, asked.note) == ("q.csv", '1 prompt of yours, from the column "text".')
    assert read_own("Why?", mode="chat").name != read_own("Why?").name
    assert read_own("a\na").notices[0].startswith("1 prompt repeats")
    assert read_own("a", "x\x1b[31m\ud800" + "y" * 99).title == "x\ufffd[31m\ufffd" + "y" * 53 + "…"
    with pytest.raises(ValueError, match=r"prompt file 'q\.csv', line 2: no CSV"):
        read_own('prompt\n"a', "q.csv")


def test_own_prompts_are_bounded_in_number() -> None:
    lines = [f"prompt {number}" for number in range(MOST_OWN_PROMPTS)]
    assert len(read_own("\n".join(lines)).prompts) == MOST_OWN_PROMPTS
    with pytest.raises(ValueError, match="1,001 prompts are too many, at most 1,000"):
        read_own("\n".join([*lines, "one more"]))
