"""The word lists, by name: `WORDS["animal"]` is a tuple of strings that templates draw from as `{animal}`."""

from __future__ import annotations

from specdemo.pairs.corpus import words_people, words_things, words_world


def _read(text: str) -> tuple[str, ...]:
    return tuple(" ".join(word.split()) for word in text.split(",") if word.strip())


WORDS: dict[str, tuple[str, ...]] = {
    name: _read(text)
    for lists in (words_people.LISTS, words_things.LISTS, words_world.LISTS)
    for name, text in lists.items()
}
