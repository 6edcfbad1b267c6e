"""Reports: the weather, small news, notes about animals and plants, descriptions of places and things, verses."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author, Slots

WEATHER = (
    "[Tomorrow|On {weekday}|This {season}|In the morning] it will be {weather_adjective} and {weather_adjective}[ in {town}|].",
    "{Rough} is expected {near} the {place}, [mostly after {hour}|with some sunshine later|and it may last for {duration}].",
    "Temperatures [rise|fall] to {degrees} degrees[, at night to {low}|].",
    "The wind comes from the {direction} and is [weak|strong|{adjective}].",
    "In {town} [the roads are closed|schools stay shut|the ferry does not run|the {event} has been put off] because of {rough}.",
    "[Take a {clothes} with you|Stay at home|Do not forget your {thing}|Bring in the {vegetable}].",
    "On {weekday} [the fog lifts|{rough} returns|it clears up] and [it turns {weather_adjective}|the {flower_plural} may suffer].",
)


def weather(author: Author) -> str:
    """A weather report of three to six sentences."""
    slots = {"degrees": lambda: str(author.number(-5, 30)), "low": lambda: str(author.number(-12, 8)), "direction": lambda: author.pick(("north", "south", "east", "west"))}
    head = author.prose("[Weather for {town}|The weather on {weekday}|Weather report, {day} {month}|]", {"day": str(author.number(1, 28))})
    return (head + ("\n" if head else "")) + " ".join(author.prose(t, slots) for t in author.random.sample(WEATHER, author.number(3, 6)))


NEWS_BODY = (
    "[It happened|The accident happened|Witnesses saw it] at {hour} {near} the {place}.",
    "\"I [heard a {sound}|smelled {smell}|thought it was {rough}], and then I saw the {animal},\" {said_past} {name} {surname}, a {trade}.",
    "[Nobody was hurt|{small_number} people lost their {clothes}|The damage is {number} coins], [but {problem}|although there was {rough}|said the mayor].",
    "The [police|mayor|fire brigade|museum] of {town_} [is looking for|has found|would like to know who owns] a {adjective} {colour} {thing}.",
    "It is the [first|second|third] time since {month} that something like this has happened in {town_}.",
    "The {place} will be closed until {weekday}. [Visitors|Children|{animal_plural}] are asked to use the {place}.",
    "\"{Virtue} is what we need now,\" the mayor {said_past}. [Some|Many|Not all] agreed.",
)


def news(author: Author) -> str:
    """A local news item with a headline."""
    name, town = author.word(author.pick(("girl", "boy"))), author.word("town")
    slots: Slots = {"name": name, "town_": town, "number": str(author.number(3, 90)), "said_past": lambda: author.pick(("said", "told us", "reported", "explained"))}
    head = author.prose(
        "[{animal} stops {vehicle} in {town_}|{trade} from {town_} wins {event}|{adjective} {thing} found at the {place}|{rough} in {town_}|"
        "{problem} in {town_}|{number} {countable} stolen|New {place} for {town_}|{trait} {animal} on the loose]",
        slots,
    )
    lead = author.prose(
        "{town_}, {weekday}. [A {trait} {animal} [ran|walked|flew] into the {place} and [would not leave|ate all the {food}|frightened a {trade}].|"
        "The {trade} {name} {surname} has [won a {treasure}|built a {machine} of {material}|baked a {dish} for {number} people].|"
        "The people of {town_} were {feeling} when they woke: {problem}.|A {event} took place at the {place} with {number} guests, among them a {animal}.]",
        slots,
    )
    return f"{head}\n{lead} " + " ".join(author.prose(t, slots) for t in author.random.sample(NEWS_BODY, author.number(2, 4)))


NOTES = (
    "The {animal_} [lives {near} the {place}|is found in the {place}|builds its nest {near} the {place}] and [eats|likes|feeds on] {food} and {food}.",
    "It is [about as big as a {thing}|{size}, {colour} and {adjective}|smaller than a {animal} but larger than a {animal}].",
    "[It sleeps|It hunts|It can be seen] [by day|at night|from {month} to {month}|in {season}].",
    "Its young [stay with it for {duration}|learn to swim in {small_number} days|are born in {month} and are {colour}].",
    "When it is in danger, it [hides under a {tree}|makes a {sound}|runs away|rolls up|pretends to be a {thing}].",
    "[Farmers|Sailors|Children|Old people] say that a {animal_} in the {place} means {rough}.",
    "Its worst enemy is the {animal}, [which takes its eggs|for it is faster|but people are a danger too].",
    "Its {body} is [covered with fur|rough as {material}|{colour} and {adjective}|good for digging].",
)


def note(author: Author) -> str:
    """An encyclopedia-like entry about an (imagined) animal's life."""
    animal = author.word("animal")
    head = author.write("[The {animal_}|All about the {animal_}|{Animal_}|]", {"animal_": animal})
    return (head + "\n" if head else "") + " ".join(author.prose(t, {"animal_": animal}) for t in author.random.sample(NOTES, author.number(4, 7)))


SIGHTS = (
    "[In the middle|In the corner|By the window|On the {direction}] stands a {adjective} {thing} of {material}, [{colour} and {adjective}|once used by a {trade}|with a {thing} on it].",
    "On the wall hangs a {thing}, and [under|beside|above] it a picture of a {trait} {animal}.",
    "It smells of {smell} and {smell}.",
    "[Through the window|From here] one can see the {place} and, {far}, a {adjective} {place}.",
    "[A {trait} {pet} sleeps|{few} {countable} lie] on the {thing}.",
    "[The floor|The door|The ceiling] is {colour} and made of {material}.",
    "[Once|In the old days|Before the {danger}] it belonged to a {trait} {trade} from {town}.",
    "Nobody [has been there for {duration}|may touch the {thing}|knows who built it].",
    "In {season} it is full of {animal_plural} and {flower_plural}.",
)


def description(author: Author) -> str:
    """A description of a room or place."""
    head = author.prose("[The {place} of {town} is {adjective} and {adjective}.|My {kin}'s {home} is {near} the {place}.|This is the room of {girl}, the {trade}.|"
                        "Come in and look around!|The {adjective} {home} stands {near} a {tree}.]")  # fmt: skip
    return head + " " + " ".join(author.prose(t) for t in author.random.sample(SIGHTS, author.number(3, 6)))


RHYMES = (
    ("day", "hay", "bay", "way"), ("night", "light", "kite", "knight"), ("tree", "sea", "bee", "key"), ("hill", "mill", "quill"),
    ("moon", "tune", "spoon", "noon"), ("snow", "crow", "bow", "doe"), ("rain", "lane", "train", "pane", "crane"), ("sky", "pie", "fly"),
    ("stone", "bone", "throne"), ("door", "floor", "shore", "boar"), ("bed", "bread", "shed", "thread"), ("goat", "boat", "coat", "moat"),
    ("mouse", "house", "grouse"), ("ring", "king", "spring", "string"), ("fox", "box", "clocks", "socks"), ("hare", "chair", "bear", "stair"),
)  # fmt: skip
LINES = (
    "The {animal} {went_plain} [into|along|beside] the ",
    "A {adjective} {thing}, a {colour} ",
    "My {kin} has a {thing} and a ",
    "[Far|Down|Up] in {town} they have the ",
    "I gave my {thing} for a {adjective} ",
    "I [saw|heard|met] a {trait} {animal} by the ",
    "And {rough} comes [over|after|before] the ",
    "[Sing|Whisper|Call], my {trait} {animal}, to the ",
    "{few} {animal_plural} and one ",
    "O {adjective} {place}, O {colour} ",
    "There is no {food} under the ",
)


def verse(author: Author) -> str:
    """A short poem whose lines rhyme in pairs."""
    lines = []
    for rhymes in author.random.sample(RHYMES, author.number(2, 4)):
        for word in author.random.sample(rhymes, 2):
            lines.append(author.prose(author.pick(LINES) + word, {"went_plain": author.pick(("walks", "runs", "creeps", "looks", "flies"))}))
    marks = [",", "."] * (len(lines) // 2)
    title = author.write("[The {Animal}|{Season}|{Month} Song|To a {Thing}|]")
    return (title + "\n" if title else "") + "\n".join(line + mark for line, mark in zip(lines, marks, strict=True))
