"""Characters, and the slots by which a template refers to them: a story keeps its names because every sentence asks here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from specdemo.pairs.corpus.author import Author

PRONOUNS = {"she": ("she", "her", "her", "herself"), "he": ("he", "him", "his", "himself"), "it": ("it", "it", "its", "itself")}


@dataclass(frozen=True)
class Character:
    """Who somebody is: `noun` ("fox"), `name` ("Tilda" or ""), traits and the pronoun."""

    noun: str
    name: str
    trait: str
    size: str
    pronoun: str

    @property
    def introduction(self) -> str:
        """The character's first mention, with the indefinite article: "a kind old fox named Tilda"."""
        return f"a {self.trait} {self.noun} named {self.name}" if self.name else f"a {self.trait} {self.size} {self.noun}"

    def mention(self, author: Author) -> str:
        """A later mention: the name, or "the fox", now and then with its trait."""
        roll = author.random.random()
        if self.name and roll < 0.85:
            return self.name
        if roll > 0.95:
            return f"the {self.trait} {self.noun}"
        return f"the {self.noun}"

    def slots(self, author: Author, prefix: str, subject: str) -> dict[str, str | Callable[[], str]]:
        """The slots for this character: `{prefix}` mentions it (the first time, whichever slot that is, introduces it); `{subject}he` and its kin are its pronouns.

        With prefix "friend" and subject "f": {friend}, {fhe}, {fhim}, {fhis}, {fhimself}, {friend_trait}, {friend_noun}, {friend_call}.
        """
        he, him, his, himself = PRONOUNS[self.pronoun]
        known = False

        def introduced() -> str:
            nonlocal known
            first, known = not known, True
            return self.introduction if first else self.mention(author)

        return {
            prefix: introduced,
            f"{prefix}_intro": introduced,
            f"{prefix}_noun": self.noun,
            f"{prefix}_trait": self.trait,
            f"{prefix}_size": self.size,
            f"{prefix}_call": self.name or f"dear {self.noun}",
            f"{subject}he": he,
            f"{subject}him": him,
            f"{subject}his": his,
            f"{subject}himself": himself,
        }


def invent(author: Author, taken: tuple[str, ...] = ()) -> Character:
    """A character whose noun and name are not among `taken`."""
    while True:
        pronoun = author.pick(("she", "he"))
        name = author.word("girl" if pronoun == "she" else "boy")
        roll = author.random.random()
        if roll < 0.45:
            noun = author.word("animal")
            named = author.chance(0.5)
        elif roll < 0.68:
            noun = "girl" if pronoun == "she" else "boy"
            named = author.chance(0.92)
        elif roll < 0.9:
            noun = author.word("trade")
            named = author.chance(0.6)
        else:
            noun = author.word("creature")
            named = author.chance(0.5)
        if noun not in taken and name not in taken:
            return Character(noun, name if named else "", author.word("trait"), author.word("size"), pronoun)


def company(author: Author) -> dict[str, str | Callable[[], str]]:
    """The slots of a whole cast (hero, friend, elder) and of the things one story keeps: its thing, places, food, town."""
    hero = invent(author)
    friend = invent(author, (hero.noun, hero.name))
    elder = invent(author, (hero.noun, hero.name, friend.noun, friend.name))
    slots: dict[str, str | Callable[[], str]] = {}
    slots.update(hero.slots(author, "hero", ""))
    slots.update(friend.slots(author, "friend", "f"))
    slots.update(elder.slots(author, "elder", "e"))
    place, other_place = author.several("place", 2)
    item, other_item = author.several("thing", 2)
    slots.update(
        thing=item, thing2=other_item, place1=place, place2=other_place, treasure1=author.word("treasure"),
        food1=author.word("food"), town1=author.word("town"), home1=author.word("home"), colour1=author.word("colour"),
        adjective1=author.word("adjective"), event1=author.word("event"), tool1=author.word("tool"), sound1=author.word("sound"),
        danger1=author.word("danger"), hobby1=author.word("hobby"), flower1=author.word("flower"), tree1=author.word("tree"),
        instrument1=author.word("instrument"), drink1=author.word("drink"), clothes1=author.word("clothes"),
        dish1=author.word("dish"), machine1=author.word("machine"), wish1=author.word("wish"), few1=author.word("small_number"),
    )  # fmt: skip
    return slots
