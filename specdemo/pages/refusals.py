"""What is wrong with a request, in words for a person: pydantic's own are for who wrote the program."""

from __future__ import annotations

from typing import Any

# By pydantic's name of the mistake; the bound is what it calls `ctx`.
_WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "nothing of this name is known here",
    "greater_than_equal": "it must be {ge} or more",
    "greater_than": "it must be more than {gt}",
    "less_than_equal": "it must be {le} or less",
    "less_than": "it must be less than {lt}",
    "string_too_long": "it may have {max_length} characters at most",
    "too_long": "at most {max_length} are taken",
    "too_short": "at least {min_length} must be given",
    "int_type": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "float_type": "it must be a number",
    "finite_number": "it must be a finite number",
    "string_type": "it must be text",
    "bool_type": "it must be true or false",
    "tuple_type": "it must be a list",
    "list_type": "it must be a list",
    "model_type": "it must be an object",
    "literal_error": "it must be one of {expected}",
    "string_pattern_mismatch": "it is not of the form that is expected",
}
# What the page calls the fields that have no name of their own on it.
_PLACES = {"blocks": "blocks (how many are asked for)", "": "request"}


def words_of(mistake: dict[str, Any]) -> str:
    """One sentence for one of the errors of a pydantic.ValidationError.

    >>> words_of({"type": "less_than_equal", "loc": ("settings", "gamma"), "ctx": {"le": 16}, "msg": "Input should be …"})
    'settings.gamma: it must be 16 or less.'
    """
    place = ".".join(str(part) for part in mistake["loc"])
    words = _WORDS.get(mistake["type"])
    if words is None:
        said = str(mistake["msg"]).removeprefix("Value error, ")
    else:
        bounds = mistake.get("ctx") or {}
        said = words.format(
            **{name: f"{bound:,}" if isinstance(bound, int) else bound for name, bound in bounds.items()}
        )
    return f"{_PLACES.get(place, place)}: {said}."
