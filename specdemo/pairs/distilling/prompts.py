"""Instruct prompts for the teacher to answer: templates filled with words, thousands of different ones, each fixed by its number.

The prompts in assets/prompts/instruct.txt, on which a draft is measured, are written by hand and are not made here.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from specdemo.pairs.distilling.prompt_openings import FILLED_OPENINGS, OPENINGS
from specdemo.pairs.distilling.prompt_templates import TEMPLATES
from specdemo.pairs.distilling.prompt_words import WORDS

TEMPERATURES = (1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.5, 0.5, 0.3)
_CONTINUATION_SHARE = 0.12
_SLOT = re.compile(r"\{(\w+)\}")
_AN = re.compile(r"\ba (?=(?!uni|use|euro|one\b|ukulele|US )[aeiou]|hour|heir|honest|MRI|SQL|X-ray)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.?!:] ")
# What an order begins with: it may be preceded by "Please" or turned into a question.
_ORDERS = frozenset(
    re.findall(
        r"\w+",
        "Argue Ask Compare Convert Define Describe Divide Explain Find Give Help Imagine Introduce Invent List Make Name "
        "Outline Plan Round Show Suggest Teach Tell Use Write",
    )
)
_POLITE = (
    "Please {}.",
    "Please {}.",
    "Can you {}?",
    "Could you {}?",
    "Could you please {}?",
    "I would like you to {}.",
)
_BRIEF = (" Keep it short.", " Be brief.", " Answer in one or two sentences.", " Thank you!")
_BRIEF_KINDS = frozenset(("explanations", "reasons", "instructions", "problems", "advice"))


@dataclass(frozen=True)
class Prompt:
    """What the teacher is asked, whether through its chat template, and the temperature at which its answer is sampled.

    `begun`: the text is the beginning of an instruction only, the teacher writes the rest of it.
    """

    text: str
    chat: bool
    temperature: float
    begun: bool = False


def fill(template: str, chance: random.Random) -> str:
    """The template with every `{kind}` replaced by a word of that kind; two slots of a kind get different words."""
    used: set[str] = set()

    def word(slot: re.Match[str]) -> str:
        found = chance.choice([word for word in WORDS[slot[1]] if word not in used])
        used.add(found)
        return found

    return _AN.sub(lambda a: a[0][0] + "n ", _SLOT.sub(word, template))


def _varied(text: str, kind: str, chance: random.Random) -> str:
    """The text, sometimes typed carelessly, asked more politely or with a wish for the answer's length."""
    variant = chance.random()
    if variant < 0.05:
        return text[0].lower() + text[1:].rstrip(".?")
    alone = not _SENTENCE_END.search(text)
    if variant < 0.17 and alone and text.endswith(".") and text.split()[0] in _ORDERS:
        return chance.choice(_POLITE).format(text[0].lower() + text[1:-1])
    if variant > 0.95 and alone and kind in _BRIEF_KINDS:
        return text + chance.choice(_BRIEF)
    return text


def make_prompt(number: int) -> Prompt:
    """Prompt number `number`; most go through the chat template, the rest are openings of plain text."""
    chance = random.Random(number)
    temperature = chance.choice(TEMPERATURES)
    if chance.random() < _CONTINUATION_SHARE:
        if chance.random() < 0.4:
            noun = chance.choice(("{subject}", "the {animal}", "{person}", "{place}", "{figure}", "{event}", "{hobby}"))
            opening = fill("{lead} " + noun, chance)
        else:
            opening = chance.choice(WORDS["opening"])
        return Prompt(opening, False, temperature)
    kind = chance.choices(list(TEMPLATES), [share for share, _ in TEMPLATES.values()])[0]
    text = fill(chance.choice(TEMPLATES[kind][1]), chance)
    return Prompt(_varied(text[0].upper() + text[1:], kind, chance), True, temperature)


def own_prompt(number: int) -> Prompt:
    """Prompt number `number` of those that the teacher writes itself: no text, only the temperature of the answer."""
    return Prompt("", True, random.Random(number).choice(TEMPERATURES), begun=True)


def led_prompt(number: int) -> Prompt:
    """Prompt number `number` of those that the teacher goes on with itself, from the words people begin with."""
    chance = random.Random(number)
    temperature = chance.choice(TEMPERATURES)
    opening = chance.choice(OPENINGS) if chance.random() < 0.5 else fill(chance.choice(FILLED_OPENINGS), chance)
    return Prompt(opening[0].upper() + opening[1:], True, temperature, begun=True)
