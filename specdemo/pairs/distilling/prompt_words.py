"""The words, by kind, that the prompt generator fills its templates with; sentences and short texts to work on are kinds too."""

from __future__ import annotations

from specdemo.pairs.distilling import (
    prompt_words_knowledge,
    prompt_words_language,
    prompt_words_life,
    prompt_words_making,
)


def _words(text: str) -> list[str]:
    """The words of a text, parted by bars if there are any, otherwise by commas; each once."""
    return list(dict.fromkeys(" ".join(word.split()) for word in text.split("|" if "|" in text else ",")))


_THEMES = (prompt_words_knowledge, prompt_words_life, prompt_words_language, prompt_words_making)

WORDS: dict[str, list[str]] = {kind: _words(text) for theme in _THEMES for kind, text in theme.TEXTS.items()}
WORDS["subject"] = WORDS["single"] + WORDS["plural"]
WORDS["place"] = WORDS["country"] + WORDS["city"]
WORDS["fault"] = [problem for problem in WORDS["problem"] if not problem.startswith("I ")]
