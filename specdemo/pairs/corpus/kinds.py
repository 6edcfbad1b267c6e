"""The registry of generated document kinds: a name, its writer, and its share of the generated documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from specdemo.pairs.corpus import code, fables, household, letters, reports, school, stories, talk
from specdemo.pairs.corpus.author import Author


class Kind(NamedTuple):
    """One kind of document; `weight` is relative and counts documents, not tokens."""

    write: Callable[[Author], str]
    weight: float


KINDS: dict[str, Kind] = {
    "story": Kind(stories.story, 50.0),
    "fable": Kind(fables.fable, 7.0),
    "letter": Kind(letters.letter, 7.0),
    "diary": Kind(letters.diary, 4.0),
    "notice": Kind(letters.notice, 3.0),
    "recipe": Kind(household.recipe, 5.0),
    "list": Kind(household.listing, 4.0),
    "directions": Kind(household.directions, 2.0),
    "manual": Kind(household.manual, 2.0),
    "counting": Kind(school.counting, 2.0),
    "arithmetic": Kind(school.arithmetic, 4.0),
    "word_problem": Kind(school.word_problem, 2.0),
    "quiz": Kind(school.quiz, 4.0),
    "reading": Kind(school.reading, 2.0),
    "python": Kind(code.snippet, 5.0),
    "dialogue": Kind(talk.dialogue, 5.0),
    "interview": Kind(talk.interview, 2.0),
    "riddle": Kind(talk.riddle, 2.0),
    "weather": Kind(reports.weather, 3.0),
    "news": Kind(reports.news, 4.0),
    "note": Kind(reports.note, 3.0),
    "description": Kind(reports.description, 3.0),
    "verse": Kind(reports.verse, 2.0),
}


def write_document(kind: str, seed: int) -> str:
    """Document number `seed` of a kind; the same two arguments always write the same text."""
    return KINDS[kind].write(Author(f"{kind}/{seed}"))


def kind_of(seed: int) -> str:
    """The kind of document number `seed` of the mixed corpus, drawn by weight."""
    names = tuple(KINDS)
    return Author(f"kind/{seed}").random.choices(names, [KINDS[name].weight for name in names])[0]
