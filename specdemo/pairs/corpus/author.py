"""A small template language that writes sentences from a seed.

`[a|b|c]` is one of the alternatives (they nest, an empty one makes the rest optional), `{slot}` is a value handed in or,
where none of that name was handed in, a word drawn from the list of that name; `{Slot}` is the same with a capital letter.

    >>> Author(3).write("A [small|small] {who} ran home.", {"who": "owl"})
    'A small owl ran home.'

It does not know any grammar beyond "a" and "an": sentences are right because their templates are.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Union

from specdemo.pairs.corpus.words import WORDS

Slots = Mapping[str, str | Callable[[], str]]
Node = Union[str, "Choice", "Slot"]

_ARTICLE = re.compile(r"\b([Aa]) (?=[AEIOUaeiou]|honest|hour)")
_SENTENCE_START = re.compile(r'(^|\n"?|[.!?:] "|[.!?] |\." )([a-z])')
_CONSONANT_SOUND = re.compile(r"\b([Aa])n (?=(?:one\b|once\b|uni|use|usu|Eur|eu))")


class Choice:
    """Alternatives of which one is written."""

    __slots__ = ("options",)

    def __init__(self, options: list[list[Node]]) -> None:
        self.options = options


class Slot:
    """A place that a value fills."""

    __slots__ = ("capital", "name")

    def __init__(self, name: str) -> None:
        self.capital = name[0].isupper()
        self.name = name[0].lower() + name[1:]


def capital(text: str) -> str:
    """`text` with its first letter in upper case."""
    return text[:1].upper() + text[1:]


@cache
def parse(template: str) -> tuple[Node, ...]:
    """The tree of a template; ValueError where brackets or braces do not match."""
    nodes, end = _sequence(template, 0, top=True)
    if end != len(template):
        raise ValueError(f"unbalanced template at {end}: {template!r}")
    return tuple(nodes)


def _sequence(text: str, start: int, top: bool) -> tuple[list[Node], int]:
    nodes: list[Node] = []
    at = start
    while at < len(text):
        sign = text[at]
        if sign == "[":
            options: list[list[Node]] = []
            while True:
                option, at = _sequence(text, at + 1, top=False)
                options.append(option)
                if at >= len(text):
                    raise ValueError(f"missing ] in {text!r}")
                if text[at] == "]":
                    break
            nodes.append(Choice(options))
            at += 1
        elif sign == "{":
            end = text.index("}", at)
            nodes.append(Slot(text[at + 1 : end]))
            at = end + 1
        elif sign in "|]" and not top:
            return nodes, at
        else:
            end = at
            while end < len(text) and text[end] not in ("[{" if top else "[{|]"):
                end += 1
            nodes.append(text[at:end])
            at = end
    return nodes, at


class Author:
    """A seeded writer of templates; the same seed writes the same text on every platform and Python version."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def pick(self, options: Sequence[str]) -> str:
        """One of the options, each as likely as the others."""
        return options[int(self.random.random() * len(options))]

    def word(self, kind: str) -> str:
        """A word of the list called `kind`."""
        return self.pick(WORDS[kind])

    def several(self, kind: str, count: int) -> list[str]:
        """`count` different words of the list called `kind`."""
        return self.random.sample(WORDS[kind], count)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.random.random() < probability

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self.random.random() * (high - low + 1))

    def write(self, template: str, slots: Slots | None = None) -> str:
        """The template written out once; KeyError names a slot that is neither handed in nor a word list."""
        pieces: list[str] = []
        self._expand(parse(template), slots or {}, pieces)
        text = _ARTICLE.sub(r"\1n ", "".join(pieces))
        return _CONSONANT_SOUND.sub(r"\1 ", text)

    def prose(self, template: str, slots: Slots | None = None) -> str:
        """Like `write`, with a capital letter where a sentence starts (so `?" he asked` stays small)."""
        return _SENTENCE_START.sub(lambda found: found[1] + found[2].upper(), self.write(template, slots))

    def _expand(self, nodes: Sequence[Node], slots: Slots, pieces: list[str]) -> None:
        for node in nodes:
            if isinstance(node, str):
                pieces.append(node)
            elif isinstance(node, Choice):
                options = node.options
                self._expand(options[int(self.random.random() * len(options))], slots, pieces)
            else:
                value = slots.get(node.name)
                text = self.word(node.name) if value is None else value if isinstance(value, str) else value()
                if "{" in text or "[" in text:
                    inner: list[str] = []
                    self._expand(parse(text), slots, inner)
                    text = "".join(inner)
                pieces.append(capital(text) if node.capital else text)
