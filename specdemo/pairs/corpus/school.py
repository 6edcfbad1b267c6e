"""School papers: counting, arithmetic, quizzes, word problems, questions about a short text."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author, capital
from specdemo.pairs.corpus.words import WORDS

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
CAPITALS = {
    "France": "Paris", "Spain": "Madrid", "Italy": "Rome", "Germany": "Berlin", "Austria": "Vienna", "Japan": "Tokyo", "Egypt": "Cairo", "Greece": "Athens",
    "Portugal": "Lisbon", "Norway": "Oslo", "Sweden": "Stockholm", "Finland": "Helsinki", "Denmark": "Copenhagen", "Poland": "Warsaw", "Hungary": "Budapest",
    "Ireland": "Dublin", "England": "London", "Scotland": "Edinburgh", "Kenya": "Nairobi", "Peru": "Lima", "Chile": "Santiago", "Cuba": "Havana", "China": "Beijing",
    "India": "New Delhi", "Turkey": "Ankara", "Canada": "Ottawa", "Mexico": "Mexico City", "Argentina": "Buenos Aires", "Iceland": "Reykjavik", "Belgium": "Brussels",
}  # fmt: skip
YOUNG = {"dog": "puppy", "cat": "kitten", "cow": "calf", "sheep": "lamb", "horse": "foal", "goat": "kid", "pig": "piglet", "duck": "duckling", "goose": "gosling",
             "hen": "chick", "bear": "cub", "lion": "cub", "deer": "fawn", "frog": "tadpole", "swan": "cygnet", "owl": "owlet"}  # fmt: skip
OPPOSITES = (
    "hot cold,big small,old new,long short,wet dry,light heavy,loud quiet,early late,full empty,rich poor,high low,near far,hard soft,"
    "happy sad,fast slow,open closed,day night,left right,up down,first last,strong weak,bright dark,rough smooth,sweet sour"
)


def in_words(number: int) -> str:
    """0 to 99 in English words."""
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")


def counting(author: Author) -> str:
    """Counting up, down or in steps, in digits or words, of numbers or things."""
    step = author.random.choice((1, 1, 1, 2, 3, 5, 10))
    start, length = author.number(0, 40) if step > 1 else author.number(0, 80), author.number(6, 18)
    numbers = [start + step * index for index in range(length) if start + step * index < 100]
    if author.chance(0.3):
        numbers.reverse()
    name, thing = author.word(author.pick(("girl", "boy"))), author.word("countable")
    style = author.number(0, 4)
    words = [in_words(number) if style in (1, 3) else str(number) for number in numbers]
    if style == 0:
        return f"Count {'down' if numbers[0] > numbers[-1] else 'up'}: " + ", ".join(words) + "."
    if style == 1:
        return f"{name} counted the {thing}: " + ", ".join(words) + ". " + f"There were {in_words(max(numbers))} {thing}."
    if style == 2:
        return f"Counting by {step}s:\n" + " ".join(words)
    if style == 3:
        return "\n".join(capital(word) for word in words)
    return "\n".join(f"{word} {thing}" for word in words if word not in ("0", "1"))


def _sum(author: Author) -> tuple[str, int]:
    sign = author.random.choice("++-x")
    if sign == "+":
        a, b = author.number(0, 20), author.number(0, 20)
        return f"{a} + {b}", a + b
    if sign == "-":
        a = author.number(1, 20)
        b = author.number(0, a)
        return f"{a} - {b}", a - b
    a, b = author.number(0, 10), author.number(0, 10)
    return f"{a} x {b}", a * b


def arithmetic(author: Author) -> str:
    """Sums up to 20 and the times tables, as lines, questions or a table."""
    style = author.number(0, 3)
    if style == 0:
        base = author.number(2, 10)
        return f"The {base} times table\n" + "\n".join(f"{n} x {base} = {n * base}" for n in range(1, 11))
    sums = [_sum(author) for _ in range(author.number(4, 10))]
    if style == 1:
        return "\n".join(f"{left} = {right}" for left, right in sums)
    if style == 2:
        return "\n".join(f"Q: What is {left}?\nA: {right}" for left, right in sums[:5])
    name = author.word("girl")
    return f"{name} does her sums. " + " ".join(f"{left} is {right}." for left, right in sums)


def word_problem(author: Author) -> str:
    """One to three small problems about things that are given, bought or lost, with the way to the answer."""
    problems = []
    for _ in range(author.number(1, 3)):
        name, thing, other = author.word(author.pick(("girl", "boy"))), author.word("countable"), author.word("trade")
        a, b = author.number(3, 20), author.number(1, 15)
        if author.chance(0.5):
            text = f"{name} has {a} {thing}. The {other} gives {name} {b} more. How many {thing} does {name} have now?"
            answer = f"{a} + {b} = {a + b}. {name} has {a + b} {thing}."
        else:
            b = min(b, a - 1)
            text = f"{name} has {a} {thing} and {author.pick(('loses', 'sells', 'gives away', 'breaks', 'eats up'))} {b} of them. How many {thing} are left?"
            answer = f"{a} - {b} = {a - b}. There are {a - b} {thing} left."
        problems.append(f"Question: {text}\nAnswer: {answer}")
    return "\n".join(problems)


def _fact(author: Author) -> tuple[str, str, list[str]]:
    kind = author.number(0, 5)
    if kind == 0:
        country = author.random.choice(list(CAPITALS))
        return f"What is the capital of {country}?", CAPITALS[country], list(CAPITALS.values())
    if kind == 1:
        animal = author.random.choice(list(YOUNG))
        return f"What do you call a young {animal}?", f"a {YOUNG[animal]}".replace("a o", "an o"), [f"a {word}".replace("a o", "an o") for word in YOUNG.values()]
    if kind == 2:
        pairs = [pair.split() for pair in OPPOSITES.split(",")]
        word, opposite = author.random.choice(pairs)
        return f"What is the opposite of {word}?", opposite, [pair[1] for pair in pairs]
    if kind == 3:
        days = WORDS["weekday"]
        index = author.number(0, 6)
        return f"Which day comes after {days[index]}?", days[(index + 1) % 7], list(days)
    if kind == 4:
        months = WORDS["month"]
        index = author.number(0, 11)
        return f"Which month comes before {months[index]}?", months[(index - 1) % 12], list(months)
    left, right = _sum(author)
    return f"What is {left}?", str(right), [str(right + delta) for delta in (-2, -1, 1, 2, 3, 10) if right + delta >= 0]


def quiz(author: Author) -> str:
    """Three to six questions with answers, half the time with choices."""
    title = author.prose("[Quiz|Questions and answers|A quiz for {weekday}|{girl}'s quiz|Test your knowledge]\n")
    choices = author.chance(0.5)
    rows = []
    for number in range(1, author.number(3, 6) + 1):
        question, answer, others = _fact(author)
        if choices:
            options = [*author.random.sample(sorted({other for other in others if other != answer}), 2), answer]
            author.random.shuffle(options)
            letter = "abc"[options.index(answer)]
            rows.append(f"{number}. {question} " + " ".join(f"{mark}) {option}" for mark, option in zip("abc", options, strict=True)) + f"\nAnswer: {letter}) {answer}")
        else:
            rows.append(f"{number}. {question}\nAnswer: {answer}" if author.chance(0.5) else f"Q: {question}\nA: {capital(answer)}.")
    return title + "\n".join(rows)


def reading(author: Author) -> str:
    """A short passage and questions whose answers stand in it."""
    girl, trade, place, town = author.word("girl"), author.word("trade"), author.word("place"), author.word("town")
    thing, colour, food, day, pet = author.word("thing"), author.word("colour"), author.word("food"), author.word("weekday"), author.word("pet")
    sentences = [
        (f"{girl} is a {trade} in {town}.", [(f"What is {girl}?", f"A {trade}."), (f"Where does {girl} live?", f"In {town}.")]),
        (f"On {day} she went to the {place} with her {pet}.", [(f"When did {girl} go to the {place}?", f"On {day}."), ("Who went with her?", f"Her {pet}.")]),
        (f"She bought a {colour} {thing} and some {food}.", [(f"What colour was the {thing}?", f"{capital(colour)}."), (f"What did {girl} buy?", f"A {thing} and some {food}.")]),
        (author.prose("On the way home " + "{problem}."), [("What happened on the way home?", "")]),
    ]  # fmt: skip
    happened = sentences[3][0].removeprefix("On the way home ")
    sentences[3] = (sentences[3][0], [("What happened on the way home?", capital(happened))])
    text = " ".join(sentence for sentence, _ in sentences)
    asked = [author.random.choice(options) for _, options in author.random.sample(sentences, author.number(2, 4))]
    return author.write(text) + "\n" + "\n".join(author.write(f"Question: {question}\nAnswer: {answer}") for question, answer in asked)
