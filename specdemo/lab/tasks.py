"""The tasks of the lab: named sets of prompts of one kind of text each, and a person's own.

A set is a file in assets/prompts (`.txt`: one prompt a line, `.jsonl`: prompts of several lines) and one line of the registry below.
docs/lab-tasks.md says where each comes from, and what was measured of it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from specdemo.lab.prompt_files import base_name, read_prompt_file

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "prompts"
MOST_OWN_PROMPTS = (
    1_000  # of 64 tokens each they are an hour of decoding on two cores, and an error a fifth of that of 40
)
_SHOWN_NAME = 60

Mode = Literal["text", "chat"]


class _Set(NamedTuple):
    title: str
    file: str
    note: str
    mode: Mode = "text"


# From low to high entropy of the target of the pair "stories" along its own continuations (docs/lab-tasks.md); `instruct` is asked, not continued.
_SETS: dict[str, _Set] = {
    "code": _Set("Python code", "code.jsonl", "Functions, classes and short programs in Python, begun."),
    "quizzes": _Set("quizzes", "quizzes.jsonl", "Questions with answers, riddles and questions on a short text, begun."),
    "stories": _Set("generated stories", "stories.txt", "Openings of little stories, by the templates of the training corpus."),
    "arithmetic": _Set("arithmetic", "arithmetic.jsonl", "Sums, tables, counting and word problems, begun."),
    "dialogue": _Set("dialogue", "dialogue.jsonl", "People talking, with their names before what they say; two interviews."),
    "recipes": _Set("recipes", "recipes.jsonl", "Recipes, some from the ingredients on, some in the middle of the work."),
    "encyclopaedia": _Set("an encyclopaedia", "encyclopaedia.jsonl", "Entries on animals, places and things: a headword and the first words."),
    "letters": _Set("letters and notices", "letters.jsonl", "Letters, pages of diaries, notices and advertisements, begun."),
    "verse": _Set("verse", "verse.jsonl", "First lines of rhymes and poems."),
    "scripture": _Set("scripture", "scripture.txt", "From chapters of an English Bible that were held out of the training."),
    "austen": _Set("Jane Austen", "austen.txt", "From chapters of her novels that were held out of the training."),
    "instruct": _Set("instructions", "instruct.txt", "Questions and requests to an assistant.", "chat"),
}  # fmt: skip


@dataclass(frozen=True)
class Task:
    """Prompts of one kind of text: to be continued (`mode` "text") or to be answered ("chat").

    `title` completes "40 prompts of …", `note` is a sentence on what they are, `notices` are what a person should know of own prompts.
    """

    name: str
    title: str
    note: str
    prompts: tuple[str, ...]
    mode: Mode = "text"
    notices: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A hash of what is measured, mode and prompts: tasks that share it are the same, whatever they are called."""
        content = json.dumps([self.mode, *self.prompts], ensure_ascii=True).encode("ascii")
        return f"sha256:{hashlib.sha256(content).hexdigest()}"


def names(mode: Mode | None = None) -> tuple[str, ...]:
    """The project's own tasks in the order in which they are shown; only those of one mode, if it is given."""
    return tuple(name for name, entry in _SETS.items() if mode in (None, entry.mode))


@cache
def get(name: str) -> Task:
    """The task of this name; ValueError if the project has none."""
    if name not in _SETS:
        raise ValueError(f"there is no task {name!r}: choose one of {', '.join(_SETS)}")
    entry = _SETS[name]
    found = read_prompt_file((FOLDER / entry.file).read_bytes(), entry.file)
    return Task(name, entry.title, entry.note, found.prompts, entry.mode, found.notices)


def read_own(content: str | bytes, filename: str | None = None, *, mode: Mode = "text") -> Task:
    """A person's own prompts: a pasted text (one prompt a line), or a file's content with its name (.txt, .csv, .tsv, .json, .jsonl).

    Its name tells own tasks apart by what they hold. Raises ValueError with the line, row or item, and what would be right.
    """
    found = read_prompt_file(content, filename)
    count = len(found.prompts)
    if count > MOST_OWN_PROMPTS:
        raise ValueError(
            f"{count:,} prompts are too many, at most {MOST_OWN_PROMPTS:,} are measured: take a part of them"
        )
    title = "your prompts"
    if filename is not None:
        shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in base_name(filename))
        title = shown if len(shown) <= _SHOWN_NAME else shown[:_SHOWN_NAME] + "…"
    task = Task(
        "own",
        title,
        f"{count} {'prompt' if count == 1 else 'prompts'} of yours, {found.source}.",
        found.prompts,
        mode,
        found.notices,
    )
    return Task(f"own-{task.digest[7:15]}", task.title, task.note, task.prompts, mode, task.notices)
