"""Fables: two animals, one mistake, a moral."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author

SCENES = (
    (
        "A {trait} {a} and a {trait} {b} lived {near} the same {place}. The {a} [had {food} enough for {season}|owned a {adjective} {thing}|could sing like nobody else], while the {b} had [nothing|only a {thing}].",
        "\"[Give me a little of it|Let us share|Will you help me {task_plain}],\" said the {b}. \"[What do I get for it|Everyone must look after himself|Come back tomorrow],\" answered the {a}.",
        "In {month} {rough} came over the land, and the {a} [lost everything|was trapped in the {place}|fell ill]. [The only one who came|Then who came by] was the {b}.",
        "[It brought {food} and asked for nothing|It pulled the {a} out by the tail|It nursed the {a} for {duration}]. The {a} was {feeling} and [said nothing|gave half of everything away|begged its pardon].",
    ),
    (
        "A {trait} {a} boasted that it was the [fastest|strongest|cleverest|most beautiful] of all {b_plural}, {c_plural} and other beasts.",
        "A {trait} {b} heard it and said, \"[Let us see|Then catch that {animal}|Then carry this {thing} to the {place}].\" All the animals came to watch.",
        "The {a} [laughed|bowed] and [lay down to rest|stopped to look at itself in the {place}|told everyone what it would do], while the {b} {went} on without a word.",
        "When the {a} [looked up|woke|had finished talking], the {b} was already [there|at the goal|eating the prize, a plate of {food}].",
    ),
    (
        "A {trait} {a} found a {treasure} {near} the {place} and did not want to show it to anyone.",
        "It hid it [under a {tree}|in a hole|in a {adjective} {thing}] and [sat on it day and night|could not sleep any more|forgot to eat].",
        "A {b} came by and asked, \"[What are you guarding|Why do you not come to the {event}|What is it good for]?\" \"[Nothing|For nothing yet|It is mine],\" said the {a}.",
        "In the end [a {c} stole it|it turned out to be a piece of {material}|the {a} could not find the hole again]. The {b} said, \"[Put a {thing} in its place, it will serve you as well|You never had it at all|Now you can come to the {event}].\"",
    ),
    (
        "A {a} and a {b} wanted to cross the {place} to get to the {food} on the other side.",
        "\"I go first, for I am the [older|larger|better] one,\" said the {a}. \"No, I, for I was here {duration} before you,\" said the {b}.",
        "So they [pushed|argued|stood there] until {hour}, and neither gave way. A {trait} {c} [went between them|swam across|found another way] and [ate all the {food}|was home before dark].",
        "[Hungry and {feeling}|Wet and {feeling}], the two looked at each other. \"[Next time we go together|You first, please|What fools we were],\" {told} the {b}.",
    ),
    (
        "A {trait} {a} asked a {trait} {b}, \"[How do you get through the {season}|Why are you so {feeling}|What is the secret of a good life]?\"",
        "\"[I wake at sunrise and {task_plain}|I eat {food} and tell no lies|I listen first and speak later],\" said the {b}. The {a} [laughed at that|shook its head|did not believe it].",
        "But when {rough} came and {problem}, the {a} [did not know what to do|ran in circles|called for help], and the {b} [had all it needed|showed it the way|opened its door].",
        "From then on the {a} [did the same|visited the {b} every {weekday}|asked before it laughed].",
    ),
)

MORALS = (
    "Moral: {virtue} [is worth more than {treasure_plural}|lasts longer than {material}|opens every door].",
    "Whoever trusts in {vice} will [lose|be left with nothing|stand alone in the {rough}].",
    "So it is with all who [boast before the race|will not share|do not listen].",
    "{Vice} goes before a fall.",
    "[Remember|Think of it]: {virtue} first, {food} later.",
)


def fable(author: Author) -> str:
    """One fable with a title line and a moral at the end."""
    a, b, c = author.several("animal", 3)
    b_plural, c_plural = author.several("animal_plural", 2)
    slots = {
        "a": a, "b": b, "c": c, "b_plural": b_plural, "c_plural": c_plural, "his": "its", "food": author.word("food"), "place": author.word("place"),
        "task_plain": author.word("task").replace("{his}", "my"), "treasure_plural": "gold and silver", "thing": author.word("thing"),
    }  # fmt: skip
    sentences = [author.prose(template, slots) for template in author.random.choice(SCENES)]
    title = author.write("[The {a} and the {b}|The {b} and the {a}]\n", slots) if author.chance(0.6) else ""
    return title.title().replace(" And ", " and ").replace(" The ", " the ") + " ".join(
        [*sentences, author.prose(author.pick(MORALS), slots)]
    )
