"""People talking: dialogues with speakers, interviews, small plays, riddles."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author, Slots

EXCHANGES = (
    ("[Have you seen my {thing}|Do you know where the {thing} is]?", "[It is {near} the {place}|The {trade} has it|I thought you had it|Which one, the {colour} one]?"),
    ("[What are we going to do on {weekday}|Have you any plans for {weekday}]?", "[Nothing, because {cause}|We could go to the {event}|I must {task_my}|{Hobby}, what else]."),
    ("Did you hear? {Problem}!", "[Again|That is {opinion}|And who will mend it|I heard it from {third}]."),
    ("[I am so {feeling}|Why do you look so {feeling}]{mark}", "[Have some {food}|Come, let us go to the {place}|It is because {cause}|You should try {hobby}]."),
    ("How much is this {adjective} {thing}?", "[{small_number} coins|Nothing, it is a present|More than you have|{small_number}, and the {thing} is free]."),
    ("[What is the weather like|How is the weather in {town}]?", "[{Weather_adjective} and {weather_adjective}|There will be {rough}|It has been {weather_adjective} for {duration}]."),
    ("[Tell me about {subject}|What do you know about {subject}].", "[Well, it is {opinion}|I learned it from my {kin}|Ask {third}, not me|It takes {duration} to explain]."),
    ("Would you like [some {food}|a cup of {drink}|to see my {treasure}]?", "[Yes, please|No, thank you, I had {food}|Only if you have some too|I would rather have {drink}]."),
    ("[Who is that {trait} {trade}|Who lives in that {home}]?", "[That is {third}|Somebody from {town}|Nobody knows|My {kin}, believe it or not]."),
    ("[Can you keep a secret|May I tell you something]?", "[Of course|That depends|Is it about {third}]{mark2}"),
    ("I would like {wish_my}.", "[So would I|You are too {trait} for that|Then begin with {hobby}|Why not]."),
    ("[When does the train to {town} leave|When do we meet]?", "At {hour}, [from the {place}|unless there is {rough}|as always|do not be late]."),
)  # fmt: skip


def dialogue(author: Author) -> str:
    """Two named speakers take turns, four to ten lines; some have a stage direction or a heading first."""
    first, second = author.several(author.pick(("girl", "boy")), 2)
    third = author.word("boy")
    slots: Slots = {"third": third, "his": "my", "task_my": author.word("task").replace("{his}", "my"),
             "wish_my": lambda: author.word("wish").replace("{his}", "my"), "mark": lambda: author.pick((".", "!", "...")),
             "mark2": lambda: author.pick(("?", "."))}  # fmt: skip
    head = author.prose(
        "[|At the {place}. {hour_c}.\n|[{one} meets {two} {near} the {place}.]\n|Scene {number}: a {place} in {town}.\n|]",
        {"one": first, "two": second, "hour_c": author.word("hour"), "number": str(author.number(1, 5))},
    ).replace("[", "(").replace("]", ")")  # fmt: skip
    lines = []
    for asked, answered in author.random.sample(EXCHANGES, author.number(2, 5)):
        lines += [f"{first}: {author.prose(asked, slots)}", f"{second}: {author.prose(answered, slots).replace('?.', '?')}"]
        if author.chance(0.3):
            first, second = second, first
    if author.chance(0.4):
        lines.append(author.prose("{one}: [Goodbye, {two}!|See you on {weekday}.|Good night.|Then it is settled.]", {"one": first, "two": second}))
    return head + "\n".join(lines)


INTERVIEW = (
    ("How did you become {a_trade}?", "[My {kin} was one too|By accident: {problem}, and somebody had to {task_my}|I read a book about {subject}|I have always loved {hobby}]."),
    ("What do you need for your work?", "[A {tool}, {material} and {virtue}|Mostly a {adjective} {thing}|Good eyes and a lot of {drink}|Only this {tool}, it is {duration} old]."),
    ("What was your worst day?", "[When {problem}|The day of the {danger}|In {month}, when we had {rough} for {duration}|I do not talk about it]."),
    ("And your best day?", "[When I met {third} at the {event}|The first day of {season}|When I made {small_number} {countable} before {hour}|Today, I hope]."),
    ("What would you tell a young {trade_}?", "[{Virtue} is everything|Get up at {hour}|Do not trust {vice}|Eat more {food}]."),
    ("What do you do in the evening?", "[{Hobby}|I drink {drink} and listen to the {instrument}|I {task_my}, as everyone does|I sleep]."),
)  # fmt: skip


def interview(author: Author) -> str:
    """A newspaper asks somebody about a trade."""
    trade, name, third = author.word("trade"), author.word(author.pick(("girl", "boy"))), author.word("boy")
    slots = {"a_trade": f"a {trade}", "trade_": trade, "third": third, "his": "my", "task_my": author.word("task").replace("{his}", "an")}
    head = author.prose("{name} {surname} is a {trade_} in {town}. We met {name} at the {place}[, over {drink} and {food}|].", {**slots, "name": name})
    rows = [f"Q: {author.prose(q, slots)}\nA: {author.prose(a, slots)}" for q, a in author.random.sample(INTERVIEW, author.number(3, 5))]
    return head + "\n" + "\n".join(rows)


RIDDLES = {
    "clock": "I have a face and two hands, but I cannot smile or wave.",
    "candle": "I am tall when I am young and short when I am old.",
    "river": "I run all day and never get tired, and I have a mouth but never eat.",
    "map": "I have towns without houses, forests without trees and rivers without water.",
    "echo": "I answer everyone who calls, but nobody has ever seen me.",
    "needle": "I have one eye and cannot see.",
    "shadow": "I follow you in the sunshine and leave you in the dark.",
    "egg": "You must break me before you can use me.",
    "hole": "The more you take away, the larger I become.",
    "towel": "The more I dry, the wetter I get.",
    "comb": "I have many teeth, but I never bite.",
    "letter": "I travel around the world and stay in a corner of an envelope.",
    "bell": "I have a tongue and never speak a word, yet everyone hears me.",
    "snow": "I fall and am never hurt, I am white and live until the sun comes.",
    "piano": "I have many keys but open no door.",
    "glove": "I have five fingers and no bones.",
    "book": "I have a back and many leaves, but I am no tree.",
    "mirror": "I show you your face, and I never tell a lie.",
    "onion": "Whoever undresses me must cry.",
    "stairs": "I go up and down and never move.",
    "wind": "I whistle without lips and fly without wings.",
    "sponge": "I am full of holes and still I hold water.",
    "bed": "I have four legs and cannot walk, and you tell me your dreams.",
    "future": "I am always coming but never arrive.",
}  # fmt: skip


def riddle(author: Author) -> str:
    """One to three riddles with wrong guesses and the answer."""
    rows = []
    for answer in author.random.sample(list(RIDDLES), author.number(1, 3)):
        asker, guesser = author.word("girl"), author.word("boy")
        guess = author.pick(("thing", "animal", "tree"))
        if author.chance(0.5):
            rows.append(f"Riddle: {RIDDLES[answer]} What am I?\nAnswer: {author.write('a ' + answer)}.")
        else:
            rows.append(author.prose(
                f"\"{RIDDLES[answer]} What is it?\" asked {asker}. \"[A {{{guess}}}|Perhaps a {{{guess}}}|Is it a {{{guess}}}]?\" [guessed|said] {guesser}. "
                f"\"[No|Wrong|Almost|Not quite],\" said {asker}. {guesser} {{gesture}}. \"[Then it must be|Now I know, it is|Could it be] the {answer}!\" "
                f"\"[Right|Well done|Yes, the {answer}]!\"", {"his": "his"}))  # fmt: skip
    return "\n".join(rows)
