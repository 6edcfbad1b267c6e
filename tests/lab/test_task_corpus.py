"""No task asks for what was trained on: every prompt against the whole training corpus of the pair that ships."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from specdemo.lab.tasks import get, names
from specdemo.pairs.corpus import natural
from specdemo.pairs.corpus.build import SOURCES, chapters, training_documents
from specdemo.pairs.distilling.prompts import make_prompt
from specdemo.pairs.training.recipe import Recipe

needs_packages = pytest.mark.skipif(
    not (natural.AUSTEN_INDEX.exists() and natural.BIBLE_FOLDER.exists()),
    reason="Debian packages of the natural sources are not installed",
)
PIECE = 5_000_000  # characters looked through at once


def training_texts() -> Iterator[str]:
    piece, size = [], 0
    for source in SOURCES:
        for document in training_documents(source, Recipe().documents):
            piece.append("".join(document))
            size += len(piece[-1])
            if size > PIECE:
                yield "\0".join(piece)
                piece, size = [], 0
    yield "\0".join(piece)


@pytest.mark.slow
@needs_packages
def test_no_prompt_stands_in_the_training_corpus_and_nearly_all_their_words_do() -> None:
    prompts = {prompt: name for name in names() for prompt in get(name).prompts}
    wanted = {name: set(re.findall(r"[a-z']+", " ".join(get(name).prompts).lower())) for name in names("text")}
    unseen = {name: set(words) for name, words in wanted.items()}
    control, found = "lived happily ever after", False
    for text in training_texts():
        assert not [prompt for prompt in prompts if prompt in text]
        found = found or control in text
        known = set(re.findall(r"[a-z']+", text.lower()))
        for words in unseen.values():
            words -= known
    assert found, "the corpus was really looked through"
    for name, words in unseen.items():
        assert len(words) <= 0.25 * len(wanted[name]) if name == "code" else len(words) <= 0.06 * len(wanted[name]), (
            words
        )


@pytest.mark.slow
@needs_packages
@pytest.mark.parametrize(("name", "source"), [("austen", "austen"), ("scripture", "bible")])
def test_natural_prompts_stand_in_chapters_that_were_held_out(name: str, source: str) -> None:
    held_out = "\0".join("".join(chapter) for chapter in chapters(source, held_out=True))
    assert [prompt for prompt in get(name).prompts if prompt not in held_out] == []


def test_instructions_are_none_that_a_draft_was_taught_with() -> None:
    taught = {make_prompt(number).text.casefold().rstrip(".?!") for number in range(5_000)}
    assert [prompt for prompt in get("instruct").prompts if prompt.casefold().rstrip(".?!") in taught] == []
