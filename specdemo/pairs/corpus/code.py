"""Small Python programs with their output or a doctest, so that the text is right as code (every one of them runs)."""

from __future__ import annotations

from specdemo.pairs.corpus.author import Author

NOUNS = ("apples", "books", "cups", "lamps", "boats", "stones", "keys", "birds", "coins", "shells", "words", "names", "scores", "prices", "ages")
VERBS = {
    "add": ("a + b", "Return the sum of a and b."),
    "subtract": ("a - b", "Return a minus b."),
    "multiply": ("a * b", "Return the product of a and b."),
    "largest": ("max(a, b)", "Return the larger of a and b."),
    "smallest": ("min(a, b)", "Return the smaller of a and b."),
    "average": ("(a + b) / 2", "Return the mean of a and b."),
    "distance": ("abs(a - b)", "Return how far a and b are apart."),
    "remainder": ("a % b", "Return what is left when a is divided by b."),
}
LOOPS = {
    "total": ("0", "result += item", "Add up all {noun}."),
    "count_large": ("0", "if item > {limit}:\n            result += 1", "Count the {noun} above {limit}."),
    "doubled": ("[]", "result.append(2 * item)", "Double each of the {noun}."),
    "only_even": ("[]", "if item % 2 == 0:\n            result.append(item)", "Keep the even {noun}."),
    "longest": ("0", "if item > result:\n            result = item", "Find the largest of the {noun}."),
    "squares": ("[]", "result.append(item ** 2)", "Square each of the {noun}."),
}


def _function(author: Author) -> str:
    name, (expression, comment) = author.random.choice(list(VERBS.items()))
    a, b = author.number(1, 20), author.number(1, 20)
    value = eval(expression, {"max": max, "min": min, "abs": abs}, {"a": a, "b": b})
    doc = f'    """{comment}"""\n' if author.chance(0.7) else ""
    return f"def {name}(a, b):\n{doc}    return {expression}\n\n\nprint({name}({a}, {b}))  # {value}"


def _loop(author: Author) -> str:
    name, (start, body, comment) = author.random.choice(list(LOOPS.items()))
    noun, limit = author.pick(NOUNS), author.number(2, 9)
    values = [author.number(0, 12) for _ in range(author.number(3, 6))]
    body = body.format(limit=limit)
    text = (
        f"def {name}({noun}):\n    \"\"\"{comment.format(noun=noun, limit=limit)}\"\"\"\n    result = {start}\n"
        f"    for item in {noun}:\n        {body}\n    return result\n"
    )
    scope: dict[str, object] = {}
    exec(text + f"answer = {name}({values})", scope)
    return f"{text}\n\n{noun} = {values}\nprint({name}({noun}))  # {scope['answer']}"


def _class(author: Author) -> str:
    animal, sound, name = author.word("animal"), author.pick(("woof", "meow", "hoo", "quack", "squeak", "roar", "baa", "hiss")), author.word("girl")
    title = "".join(part.capitalize() for part in animal.split())
    attribute, value = author.random.choice([("age", author.number(1, 20)), ("legs", 4), ("weight", author.number(1, 90)), ("speed", author.number(2, 40))])
    return (
        f"class {title}:\n    def __init__(self, name, {attribute}={value}):\n        self.name = name\n        self.{attribute} = {attribute}\n\n"
        f"    def speak(self):\n        return self.name + \" says {sound}\"\n\n\n{animal.split()[0]} = {title}(\"{name}\")\n"
        f"print({animal.split()[0]}.speak())  # {name} says {sound}"
    )


def _dictionary(author: Author) -> str:
    noun = author.pick(("stock", "prices", "ages", "points", "colours"))
    keys = author.several("countable", author.number(3, 5)) if noun in ("stock", "prices") else author.several("boy", author.number(3, 5))
    values = [author.word("colour") if noun == "colours" else author.number(1, 60) for _ in keys]
    body = "\n".join(f"    \"{key}\": {value!r},".replace("'", '"') for key, value in zip(keys, values, strict=True))
    if noun == "colours":
        tail = f"for name, colour in {noun}.items():\n    print(name, \"likes\", colour)"
    else:
        tail = author.random.choice(
            [
                f"for key, value in {noun}.items():\n    print(key, value)",
                f"print(sum({noun}.values()))  # {sum(v for v in values if isinstance(v, int))}",
                f"best = max({noun}, key={noun}.get)\nprint(best)",
                f"for key in sorted({noun}):\n    print(f\"{{key}}: {{{noun}[key]}}\")",
            ]
        )
    return f"{noun} = {{\n{body}\n}}\n{tail}"


def _printing(author: Author) -> str:
    start, step, count = author.number(0, 10), author.number(1, 5), author.number(3, 6)
    values = list(range(start, start + step * count, step))
    thing = author.word("countable")
    return author.random.choice(
        [
            f"for i in range({start}, {start + step * count}, {step}):\n    print(i, \"{thing}\")\n\n" + "\n".join(f"# {v} {thing}" for v in values),
            f"numbers = list(range({start}, {start + step * count}, {step}))\nprint(numbers)  # {values}",
            f"words = {author.several('animal', 3)}\nfor word in words:\n    print(word.upper(), len(word))".replace("'", '"'),
            f"text = \"{author.write('the {adjective} {animal}')}\"\nprint(text[::-1])\nprint(text.split())",
            f"import random\n\nrandom.seed({author.number(0, 99)})\n{thing} = {count}\nwhile {thing} > 0:\n    print({thing}, \"{thing} left\")\n    {thing} -= 1",
        ]
    )


def snippet(author: Author) -> str:
    """One Python program of 3 to 15 lines, sometimes under a comment that says what it does."""
    program = author.random.choice((_function, _loop, _class, _dictionary, _printing))(author)
    head = author.write("[# A small example.|# {girl}'s program|# Exercise {number}|# Python]\n", {"number": str(author.number(1, 40))}) if author.chance(0.3) else ""
    return head + program
