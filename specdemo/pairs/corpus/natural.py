"""The natural prose: Jane Austen's novels and an English Bible, both in the public domain, read from Debian packages.

r-cran-janeaustenr (MIT packaging of Project Gutenberg texts) and sword-text-web (World English Bible, public domain; its name is
a trademark for the unaltered text only, so the altered text made here is called "bible" and nothing else).
A document is a chapter, a list of its paragraphs; hyphens, quotes and dashes are made plain.
"""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

from specdemo.pairs.corpus.rdata import read_variables

AUSTEN_INDEX = Path("/usr/lib/R/site-library/janeaustenr/data/Rdata.rdx")
BIBLE_FOLDER = Path("/usr/share/sword/modules/texts/ztext/engWEB2015eb")
PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "—": "--", "–": "-", "\u00a0": " ", "é": "e", "ê": "e", "à": "a", "è": "e"})
_HEADING = re.compile(r"^(?:chapter|volume|letter)\s+(?:[ivxlc]+|\d+|the last|one)\b", re.IGNORECASE)


def _plain(text: str) -> str:
    return " ".join(text.translate(PLAIN).replace("_", "").split())


def austen_chapters(index: Path = AUSTEN_INDEX) -> list[list[str]]:
    """The chapters of the six novels, each a list of paragraphs without title pages and headings; FileNotFoundError without the package."""
    chapters: list[list[str]] = []
    for _, lines in sorted(read_variables(index).items()):
        paragraphs: list[str] = []
        current: list[str] = []
        started = False
        for line in [*lines, "", "Chapter 1"]:
            if _HEADING.match(line.strip()):
                if started and len(paragraphs) > 3:
                    chapters.append(paragraphs)
                paragraphs, current, started = [], [], True
            elif line.strip():
                current.append(line)
            elif current:
                text = _plain(" ".join(current))
                current = []
                if started and len(text) > 3 and not text.isupper():
                    paragraphs.append(text)
    return chapters


def _without_markup(text: str) -> str:
    text = re.sub(r"<note\b.*?</note>|<title\b.*?</title>", " ", text, flags=re.DOTALL)
    text = re.sub(r"</?(?:w|q|transChange|divineName|hi|seg)\b[^>]*>", "", text)
    text = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    return re.sub(r" (?=[,.;:?!)”’])|(?<=[“(‘]) |(?<=—) ", "", text)


def bible_chapters(folder: Path = BIBLE_FOLDER) -> list[list[str]]:
    """The chapters, each a list of paragraphs of a few verses, without notes, titles and front matter; FileNotFoundError without the package."""
    table_entry = struct.Struct("<IIH")
    chapters: list[list[str]] = []
    for testament in ("ot", "nt"):
        table, data = (folder / f"{testament}.bzs").read_bytes(), (folder / f"{testament}.bzz").read_bytes()
        books = [
            zlib.decompress(data[start : start + size]) for start, size, _ in struct.iter_unpack("<III", table[: len(table) // 12 * 12])
        ]
        verses: list[str] = []
        for book, start, size in table_entry.iter_unpack((folder / f"{testament}.bzv").read_bytes()):
            text = books[book][start : start + size].decode("utf-8", "ignore") if size and book < len(books) else ""
            if "<chapter" in text or not size:
                if len(verses) >= 4:
                    chapters.append(verses)
                verses = []
            verse = _plain(_without_markup(text)) if "<chapter" not in text else ""
            if verse:
                verses.append(verse)
        if len(verses) >= 4:
            chapters.append(verses)
    return [[" ".join(chapter[at : at + 5]) for at in range(0, len(chapter), 5)] for chapter in chapters]
