"""Instruct prompts for the teacher to answer: templates filled with words, thousands of different ones, each fixed by its number.

The prompts in assets/prompts/instruct.txt, on which a draft is measured, are written by hand and are not made here.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from specdemo.pairs.distilling.prompt_templates import TEMPLATES
from specdemo.pairs.distilling.prompt_words import WORDS

TEMPERATURES = (1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.5, 0.5, 0.3)
_CONTINUATION_SHARE = 0.12
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Prompt:
    """What the teacher is asked, whether through its chat template, and the temperature at which its answer is sampled."""

    text: str
    chat: bool
    temperature: float


def fill(template: str, chance: random.Random) -> str:
    """The template with every `{kind}` replaced by a word of that kind; two slots of a kind get different words."""
    used: set[str] = set()

    def word(slot: re.Match[str]) -> str:
        found = chance.choice([word for word in WORDS[slot[1]] if word not in used])
        used.add(found)
        return found

    text = _SLOT.sub(word, template)
    return re.sub(r"\ba (?=[aeiou])", "an ", text)


def make_prompt(number: int) -> Prompt:
    """Prompt number `number`; most go through the chat template, the rest are openings of plain text."""
    chance = random.Random(number)
    temperature = chance.choice(TEMPERATURES)
    if chance.random() < _CONTINUATION_SHARE:
        opening = chance.choice(WORDS["opening"])
        if chance.random() < 0.5:
            opening += " " + fill(
                chance.choice(("{subject}", "the {animal}", "{person}", "{place}", "{setting}")), chance
            )
        return Prompt(opening, False, temperature)
    kinds = list(TEMPLATES.values())
    _, templates = chance.choices(kinds, [share for share, _ in kinds])[0]
    text = fill(chance.choice(templates), chance)
    variant = chance.random()
    if variant < 0.06:
        text = text[0].lower() + text[1:].rstrip(".?")
    elif variant < 0.12 and text.endswith("."):
        text = f"Please {text[0].lower()}{text[1:]}" if text.split()[0] not in ("I", "My", "Hi!") else text
    return Prompt(text, True, temperature)
