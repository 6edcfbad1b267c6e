"""What is wrong with a request, in words for a person: pydantic's own are for who wrote the program."""

from __future__ import annotations

from typing import Any

from specdemo.sentences import ENGLISH, Sentence, sentence, sentence_of

# What the page calls the fields that have no name of their own on it.
_PLACES = {"blocks": "blocks (how many are asked for)", "": "request"}


def words_of(mistake: dict[str, Any]) -> str:
    """One sentence for one of the errors of a pydantic.ValidationError.

    >>> words_of({"type": "less_than_equal", "loc": ("settings", "gamma"), "ctx": {"le": 16}, "msg": "Input should be …"})
    'settings.gamma: it must be 16 or less.'
    """
    place = ".".join(str(part) for part in mistake["loc"])
    place, code, bounds = _PLACES.get(place, place), f"refused_{mistake['type']}", mistake.get("ctx") or {}
    if code in ENGLISH:
        return sentence(code, place=place, **{name: _value(bound) for name, bound in bounds.items()})
    whole = f"{place}: {str(mistake['msg']).removeprefix('Value error, ').removesuffix('.')}."
    said = sentence_of(bounds["error"]) if isinstance(bounds.get("error"), ValueError) else ""
    return Sentence(whole, said.code, said.values) if isinstance(said, Sentence) else whole


def _value(bound: Any) -> str | int | float:
    return bound if isinstance(bound, int | float) else str(bound)
