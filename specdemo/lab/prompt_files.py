"""Prompts out of somebody's file: lines, CSV, JSON or JSON Lines, read as data and nothing else.

The end of a file's name says which format it is, the content is never guessed at; a text without a name is one prompt a line. A text
is UTF-8, with or without a byte order mark. Sizes are bounded, and every error names the place and says what would be right. What a
task is, and how a prompt is decoded, is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from specdemo.lab.prompt_tables import Found, Wrong, csv_prompts, json_prompts, jsonl_prompts, line_of, line_prompts

MOST_BYTES = 1_000_000  # what the server takes in one request; about 180,000 words
MOST_CHARACTERS = 20_000  # of one prompt, as on the pages: some 5,000 tokens
_SHOWN_EXAMPLES = 3  # an error or a notice stays a sentence, however large the file
_SHOWN_NAME = 60

_READERS: dict[str, Callable[[str], Found]] = {
    ".txt": line_prompts,
    ".csv": csv_prompts,
    ".tsv": csv_prompts,
    ".json": json_prompts,
    ".jsonl": jsonl_prompts,
    ".ndjson": jsonl_prompts,
}
_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK\x03\x04": "a zip archive or a spreadsheet"}
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class PromptFile:
    """The prompts in the order of the file, where in it they stood ("one a line", 'from the column "prompt"'), and what a person should know."""

    prompts: tuple[str, ...]
    source: str
    notices: tuple[str, ...]


def read_prompt_file(content: str | bytes, filename: str | None = None) -> PromptFile:
    """The prompts of a pasted text (no file name: one a line) or of a file's content, by the end of its name.

    Raises ValueError, in one sentence with the line, row or item, for what is no UTF-8, too large, not of its format, or without prompts.
    """
    name = None if filename is None else base_name(filename)
    subject = "the text" if name is None else f"the prompt file {name[:_SHOWN_NAME]!r}"
    try:
        found = _reader(name)(_decoded(content))
        prompts = tuple(_checked(place, value) for place, value in found.rows)
        if not prompts:
            raise Wrong(f"is empty: write {found.wanted}")
    except Wrong as wrong:
        raise ValueError(f"{subject}, {wrong.place}: {wrong}" if wrong.place else f"{subject} {wrong}") from None
    return PromptFile(prompts, found.source, (*found.notices, *_repeated(prompts)))


def read_bounded(path: Path) -> bytes:
    """A file's content, one byte more than is read at most where it is larger: that says so, however large it is."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def base_name(filename: str) -> str:
    """The last part of a path of any system: all that is told of where a file lay."""
    return re.split(r"[/\\]", filename)[-1]


def _reader(name: str | None) -> Callable[[str], Found]:
    if name is None:
        return line_prompts
    _, dot, ending = name.rpartition(".")
    reader = _READERS.get((dot + ending).lower()) if dot else line_prompts
    if reader is None:
        raise Wrong(f"is not read: its name should end in {', '.join(_READERS)} (.txt: one prompt a line)")
    return reader


def _decoded(content: str | bytes) -> str:
    if len(content) > MOST_BYTES or (isinstance(content, str) and len(content.encode(errors="replace")) > MOST_BYTES):
        raise Wrong(f"has more than {MOST_BYTES:,} bytes, which are read at most: take fewer or shorter prompts")
    text = content.removeprefix("\ufeff") if isinstance(content, str) else _from_bytes(content)
    if "\0" in text:
        raise Wrong(
            "a NUL character, so this is no text: save the prompts as plain text", line_of(text, text.index("\0"))
        )
    if half := _HALF_CHARACTER.search(text):
        raise Wrong("half a character (a lone surrogate): write the whole character", line_of(text, half.start()))
    return text


def _from_bytes(content: bytes) -> str:
    for start, encoding in _OTHER_ENCODINGS.items():
        if content.startswith(start):
            raise Wrong(f"is not UTF-8 text but {encoding}: save it as UTF-8 text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content.removeprefix(b"\xef\xbb\xbf")[: error.start].decode("latin-1")
        raise Wrong(
            f"the byte 0x{error.object[error.start]:02X} is not UTF-8: save the file as UTF-8",
            line_of(before, len(before)),
        ) from None


def _checked(place: str, prompt: str) -> str:
    if not prompt.strip():
        raise Wrong("the prompt is empty: write one, or leave the row out", place)
    if "\0" in prompt:
        raise Wrong("the prompt holds a NUL character, which is no text: leave it out", place)
    if _HALF_CHARACTER.search(prompt):  # as an escape of JSON
        raise Wrong("the prompt holds half a character (a lone surrogate): write the whole character", place)
    if len(prompt) > MOST_CHARACTERS:
        raise Wrong(
            f"the prompt has {len(prompt):,} characters, and at most {MOST_CHARACTERS:,} are read: shorten it", place
        )
    return prompt


def _repeated(prompts: Iterable[str]) -> list[str]:
    first: dict[str, int] = {}
    repeats = [
        (number, first[text]) for number, text in enumerate(prompts, 1) if first.setdefault(text, number) != number
    ]
    if not repeats:
        return []
    shown = ", ".join(f"{again} is {before} again" for again, before in repeats[:_SHOWN_EXAMPLES])
    more = ", …" if len(repeats) > _SHOWN_EXAMPLES else ""
    many = "1 prompt repeats" if len(repeats) == 1 else f"{len(repeats)} prompts repeat"
    return [f"{many} an earlier one (number {shown}{more}): all are kept, and errors count each as a text of its own."]
