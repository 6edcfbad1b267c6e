"""The corpus as a whole: the named sources, what is trained on and what is held out.

A source gives documents; a document is a list of text units that are joined as they are (a generated document is one unit, a chapter
is its paragraphs, each with its line break). The held-out part is never trained on: chapters by their number, generated documents by seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from specdemo.pairs.corpus import natural
from specdemo.pairs.corpus.kinds import kind_of, write_document

Document = list[str]
SOURCES = ("generated", "austen", "bible")
HELD_OUT_SEED = 10**9  # generated documents numbered from here on are held out
AUSTEN_HELD_OUT = 20  # every 20th chapter of the novels
BIBLE_HELD_OUT = 60


def generated(count: int, start: int = 0, kind: str | None = None) -> Iterator[Document]:
    """Documents number `start` to `start + count - 1` of the mixed generated corpus, or of one kind."""
    for number in range(start, start + count):
        yield [write_document(kind or kind_of(number), number)]


@cache
def all_chapters(source: str) -> list[list[str]]:
    """Every chapter of "austen" or "bible" as its paragraphs."""
    return natural.austen_chapters() if source == "austen" else natural.bible_chapters()


def chapters(source: str, held_out: bool) -> list[Document]:
    """The chapters of "austen" or "bible" that are held out, or those that are not."""
    every = AUSTEN_HELD_OUT if source == "austen" else BIBLE_HELD_OUT
    return [
        [paragraph + "\n" for paragraph in chapter[:-1]] + chapter[-1:]
        for number, chapter in enumerate(all_chapters(source))
        if (number % every == every - 1) == held_out
    ]


def training_documents(source: str, generated_count: int) -> Iterator[Document]:
    """What one pass over the training part of a source reads."""
    return generated(generated_count) if source == "generated" else iter(chapters(source, held_out=False))


def held_out_documents(source: str, generated_count: int = 300) -> Iterator[Document]:
    """The held-out part; of "generated" (all kinds) or of one generated kind, `generated_count` documents."""
    if source in ("austen", "bible"):
        return iter(chapters(source, held_out=True))
    return generated(generated_count, HELD_OUT_SEED, None if source == "generated" else source)
