"""Recipes, lists, directions and instructions: ordered steps and enumerations."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author

STEPS = (
    "[Mix|Stir together|Combine] the {x} and the {y} in a [large|deep|small] bowl.",
    "[Heat|Warm|Melt] the {x} in a pan over [low|medium|high] heat for {small_number} minutes.",
    "[Add|Fold in|Pour in] the {x} and [stir|whisk|beat] until the mixture is [smooth|thick|golden|foamy].",
    "Let it [rest|cool|rise|stand] for {time} minutes[ in a warm place| under a cloth|].",
    "[Bake|Roast] for {time} minutes at {heat} degrees, until the top is [brown|crisp|golden].",
    "[Cut|Slice|Chop] the {y} into [thin|small|thick] pieces.",
    "[Season with|Sprinkle with|Add a pinch of] {z}.",
    "[Cover|Line] the dish with [paper|{x}|a lid].",
    "[Simmer|Boil] the {x} with the {z} for {time} minutes and [stir now and then|drain|do not let it burn].",
    "[Taste it|Try a spoonful] and add more {z} if you like.",
)
AMOUNTS = (
    "100 grams of", "200 grams of", "250 grams of", "50 grams of", "75 grams of", "500 grams of", "2 cups of", "3 cups of", "half a cup of",
    "1 cup of", "2 spoons of", "3 spoons of", "4 spoons of", "a spoon of", "a handful of", "2 handfuls of", "a pinch of", "a little", "a jar of",
)  # fmt: skip


def recipe(author: Author) -> str:
    """A recipe: title, ingredients with amounts, numbered or plain steps that use those ingredients, serving."""
    dish = author.word("dish")
    parts = author.several("ingredient", author.number(4, 7))
    amounts = [f"{author.pick(AMOUNTS)} {part}" for part in parts]
    lines = [author.write("[{Dish}|Recipe for {dish}|How to make {dish}|{name}'s {dish}]", {"dish": dish, "name": author.word("girl")})]
    lines.append("Ingredients: " + ", ".join(amounts) + "." if author.chance(0.5) else "Ingredients:\n" + "\n".join(f"- {a}" for a in amounts))
    steps = []
    for template in author.random.sample(STEPS, author.number(4, 7)):
        x, y, z = author.random.sample(parts, 3)
        slots = {"x": x, "y": y, "z": z, "time": str(5 * author.number(1, 12)), "heat": str(10 * author.number(15, 23))}
        steps.append(author.prose(template, slots))
    if author.chance(0.6):
        lines += [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    else:
        lines.append(" ".join(steps))
    lines.append(author.prose("Serve [hot|cold|warm|at once|the next day] with {food}[ and {drink}|]. [Enough for {small_number} people.|Enjoy!|]").strip())
    return "\n".join(lines)


LIST_TITLES = (
    ("Shopping list for {weekday}", "food"),
    ("Things to pack for {town}", "thing"),
    ("Things in the attic", "adjective_thing"),
    ("To do on {weekday}", "task_my"),
    ("{count} animals I saw at the {place}", "animal"),
    ("Guests at the {event}", "person"),
    ("Trees in our street", "tree"),
    ("Instruments in the school orchestra", "instrument"),
    ("My favourite colours", "colour"),
    ("Flowers for the {event}", "flower"),
    ("{count} things that make me {feeling_good}", "joy"),
    ("What {name} has in {his} pockets", "adjective_thing"),
    ("Presents for {name}", "adjective_thing"),
    ("Books in the window", "title"),
)


def _entry(author: Author, kind: str) -> str:
    if kind == "adjective_thing":
        return author.write("a {adjective} {thing}")
    if kind == "task_my":
        return author.write("{task}", {"his": "my"})
    if kind == "person":
        return author.write("[{girl} {surname}|{boy} {surname}|the {trade}|my {kin} {girl}]")
    if kind == "joy":
        return author.write("[the smell of {smell}|{hobby} with my {kin}|{rough} on the roof|{food} for breakfast|a letter from {town}|a {trait} {pet}]")
    if kind == "title":
        return author.write("\"[The {trait} {trade}|A {adjective} {thing}|All about {subject}|The {place} of {town}|{girl} and the {animal}]\"")
    return author.word(kind)


def listing(author: Author) -> str:
    """A titled list with bullets, numbers or commas."""
    title, kind = author.random.choice(LIST_TITLES)
    count = author.number(4, 9)
    names = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    slots = {"count": names[count - 1], "name": author.word("boy"), "his": "his"}
    entries: list[str] = []
    while len(entries) < count:
        entry = _entry(author, kind)
        if entry not in entries:
            entries.append(entry)
    head = author.prose(title, slots)
    style = author.number(0, 3)
    if style == 0:
        return f"{head}:\n" + "\n".join(f"- {entry}" for entry in entries)
    if style == 1:
        return f"{head}:\n" + "\n".join(f"{number}. {entry}" for number, entry in enumerate(entries, 1))
    if style == 2:
        return f"{head}: {', '.join(entries[:-1])} and {entries[-1]}."
    return f"{head}\n" + "\n".join(f"* {entry}" for entry in sorted(entries))


WAYS = (
    "[Go|Walk|Ride] {terrain} [until you come to the {place}|for {small_number} minutes|as far as the {place}].",
    "Turn {direction} at the {adjective} {tree}.",
    "[Cross|Pass] the {place} and keep to the {direction}.",
    "There you will [see|hear|smell] a {adjective} {thing}; do not [touch|follow] it.",
    "[Ask the {trade} for the key|Ask for {girl}|If you hear a {sound}, go back].",
    "Take the [first|second|third|fourth] path on the {direction}.",
    "Mind the {animal_plural}, they are {trait}.",
)


def directions(author: Author) -> str:
    """How to get from one place to another, step by step."""
    start = author.prose("[How to get to|The way to|How do I find] the {place} in {town}[|?| from the station]")
    steps = [author.prose(template) for template in author.random.sample(WAYS, author.number(4, 6))]
    last = author.prose("[The {home} with the {colour} door is on your {direction}.|You can't miss it.|It takes about {small_number} minutes.|If you are lost, call {girl}.]")
    return f"{start}\n{' '.join(steps)} {last}"


REPAIRS = (
    "[Unscrew|Open|Lift] the {adjective} cover with a {tool}.",
    "Check whether the {part} is [broken|bent|full of dust|in its place].",
    "If it [makes a {sound}|smells of {smell}|does not move], [stop at once|turn it to the {direction}|add a drop of oil].",
    "[Clean|Replace|Tighten] the {part} [with a soft cloth|every {month}|before the {season}].",
    "Never [use {drink}|pull the {part}|touch it with wet hands].",
    "Wait {small_number} minutes and [try again|count to ten|listen].",
    "Put everything back in the [same|reverse] order.",
)


def manual(author: Author) -> str:
    """Numbered instructions for a machine and its part."""
    machine, part = author.word("machine"), author.pick(("wheel", "spring", "handle", "chain", "lamp", "belt", "valve", "screw", "switch", "lens"))
    steps = [author.prose(template, {"part": part}) for template in author.random.sample(REPAIRS, author.number(4, 7))]
    title = author.prose(f"[How to repair a|How to use the|Instructions for the|Taking care of your] {machine}")
    return f"{title}\n" + "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
