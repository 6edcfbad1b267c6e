"""Cases written by hand: the worked examples, and the edges at which verifiers go wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from specdemo.auditor.vectors.exact_rules import LOSSY, rules
from specdemo.auditor.vectors.laws import ExactLaw, law_of
from specdemo.auditor.vectors.record import Case

Rows = Sequence[str]

MAIN = ("token", "block", "greedy_block", "sampled_match")
FINE = 2**20


def _laws(rows: Rows) -> list[ExactLaw]:
    return [law_of(row.split()) for row in rows]


def _case(name: str, rule: str, tokens: Sequence[int], draft: Rows, target: Rows, uniforms: str, about: str) -> Case:
    parts = tuple(Fraction(u) for u in uniforms.split())
    return Case(f"{rule}-{name}", rule, tuple(tokens), parts, (_laws(draft), _laws(target)), about=about)


def hand_made() -> Iterator[Case]:
    """All of them, rule by rule."""
    for rule in rules():
        yield from _no_draft(rule)
        if rule not in LOSSY:
            yield from _edges(rule)
        if rule in MAIN:
            yield from _worked_examples(rule)
            yield from _strict(rule)
        if rule in ("block", "greedy_block"):
            yield from _block_only(rule)


MODEL_C = ["1/10 1/5 7/10", "3/10 1/10 3/5"], ["3/5 0 2/5", "1/2 2/5 1/10", "1/2 1/10 2/5"]
# Drafted tokens and uniforms of the table in MATH, as multiples of 1/1024.
MODEL_C_TABLE = [
    ((2, 2), "1/2 51/1024"),
    ((2, 2), "1/2 1/2"),
    ((2, 0), "205/1024 993/1024"),
    ((0, 2), "922/1024 1/2"),
    ((2, 1), "1014/1024 1014/1024"),
    ((1, 0), "0 0"),
]


def _worked_examples(rule: str) -> Iterator[Case]:
    for number, (tokens, etas) in enumerate(MODEL_C_TABLE, start=1):
        about = "three symbols whose laws depend on the position only"
        yield _case(f"model-c-{number}", rule, tokens, *MODEL_C, f"{etas} 3/8", about)
    two_symbols: list[tuple[tuple[int, ...], str]] = [
        ((0,), "3/8 5/8"), ((0, 0), "5/8 3/16 1/8"), ((0, 1), "3/4 1/4 3/4"), ((1, 0), "7/8 7/8 1/2"), ((0, 0, 1), "7/8 7/8 7/16 1/4"),
    ]  # fmt: skip
    about = "D = (2/3, 1/3), T = (1/3, 2/3)"
    for drafted, uniforms in two_symbols:
        name = "two-symbols-" + "".join("AB"[x] for x in drafted)
        draft, target = ["2/3 1/3"] * len(drafted), ["1/3 2/3"] * (len(drafted) + 1)
        yield _case(name, rule, drafted, draft, target, uniforms, about)


def _no_draft(rule: str) -> Iterator[Case]:
    for number, (target, u) in enumerate(
        [("1/4 3/4", "3/8"), ("0 1/3 2/3", "0"), ("2/5 1/5 2/5 0", "1023/1024")], start=1
    ):
        yield _case(f"no-draft-{number}", rule, (), [], [target], u, "nothing was drafted: Y follows T")


def _edges(rule: str) -> Iterator[Case]:
    equal = ["1/6 1/3 1/2", "1/2 1/4 1/4"]
    about = "D = T: the lossless rules with a draft law keep everything, and no residual may be divided by 0"
    yield _case("equal-laws", rule, (2, 0), equal, [*equal, "1/5 3/5 1/5"], "1023/1024 1023/1024 1/2", about)
    yield _case("equal-laws-two-symbols", rule, (1,), ["1/4 3/4"], ["1/4 3/4", "1/2 1/2"], "1/16 1/4", about)
    hot = ["0 1 0", "1 0 0"]
    about = "one-hot draft rows: the drafter takes its argmax"
    yield _case("hot-draft-kept", rule, (1, 0), hot, ["1/8 5/8 1/4", "3/4 0 1/4", "0 1/2 1/2"], "1/16 3/16 1/4", about)
    yield _case(
        "hot-draft-stopped", rule, (1, 0), hot, ["3/8 3/8 1/4", "1/4 1/2 1/4", "0 1/2 1/2"], "7/8 15/16 1/8", about
    )
    about = "one-hot target rows, as at temperature 0"
    hot_target = ["0 0 1", "0 1 0", "1 0 0"]
    yield _case("hot-target-kept", rule, (2, 1), ["1/4 1/4 1/2", "1/3 1/3 1/3"], hot_target, "7/8 7/8 3/4", about)
    yield _case("hot-target-stopped", rule, (2, 0), ["1/4 1/4 1/2", "1/3 1/3 1/3"], hot_target, "1/8 1/8 3/4", about)
    about = "draft and target share no symbol"
    apart = ["1/2 1/2 0 0", "1/4 3/4 0 0"], ["0 0 1/4 3/4", "0 0 2/3 1/3", "1/4 1/4 1/4 1/4"]
    yield _case("disjoint", rule, (0, 1), *apart, "1/8 1/8 3/8", about)
    about = "the first symbols of the next token's law have probability 0 and the last uniform is 0"
    zeros = ["0 1/2 1/4 1/4"], ["0 1/4 1/2 1/4", "0 0 1/2 1/2"]
    yield _case("zero-uniform-kept", rule, (2,), *zeros, "1/4 0", about)
    yield _case("zero-uniform-stopped", rule, (1,), *zeros, "7/8 0", about)
    about = "the last uniform is as near to 1 as it gets, behind the last symbol of positive probability"
    ends = ["1/2 1/4 1/4 0"], ["1/4 1/2 1/4 0", "1/2 1/2 0 0"]
    yield _case("almost-one-kept", rule, (1,), *ends, f"1/4 {FINE - 1}/{FINE}", about)
    yield _case("almost-one-stopped", rule, (0,), *ends, f"7/8 {FINE - 1}/{FINE}", about)
    about = "token id 0 is drafted, and is what follows"
    yield _case("token-zero", rule, (0,), ["1/2 1/4 1/4"], ["3/4 1/8 1/8", "1/2 1/4 1/4"], "1/8 1/8", about)
    yield _case("token-zero-stopped", rule, (1,), ["1/8 1/2 3/8"], ["5/8 1/8 1/4", "1/2 1/4 1/4"], "7/8 1/8", about)


def _strict(rule: str) -> Iterator[Case]:
    about = "T(x) = 0 and η = 0: an accept test with ≤ keeps what cannot be"
    wide = ["1/2 1/2", "1/2 1/2"], ["0 1", "1 0", "1/2 1/2"]
    yield _case("impossible-1", rule, (0, 0), *wide, "0 0 1/4", about)
    yield _case("impossible-2", rule, (0,), ["1/3 1/3 1/3"], ["0 1/4 3/4", "1/3 1/3 1/3"], "0 1/8", about)
    three = ["1/4 3/4 0", "1/5 2/5 2/5", "1/3 1/3 1/3"], ["1/2 0 1/2", "3/5 1/5 1/5", "1/4 1/4 1/2", "1/3 1/3 1/3"]
    yield _case("impossible-3", rule, (1, 0, 2), *three, "0 0 0 5/8", about)
    yield _case(
        "impossible-4",
        rule,
        (0, 2, 1),
        three[0],
        ["1/2 0 1/2", "3/4 1/4 0", "3/4 0 1/4", "1/3 1/3 1/3"],
        "1/8 0 0 3/8",
        about,
    )
    about = "η = h exactly: a coin succeeds only below h"
    yield _case(
        "strict-coin",
        rule,
        (0,),
        ["1/2 1/2"],
        ["1/4 3/4", "1/2 1/2"],
        "1/2 1/8" if rule != "sampled_match" else "1/4 1/8",
        about,
    )
    about = "the last uniform lies on a step of the cumulative law: the token after the step is drawn"
    yield _case("on-a-step", rule, (0,), ["1/2 1/2 0"], ["1/2 1/4 1/4", "1/4 1/4 1/2"], "1/4 1/4", about)


def _block_only(rule: str) -> Iterator[Case]:
    about = "the first token alone would be refused; a later coin rescues it"
    yield _case("rescue", rule, (0, 1), ["1/2 1/2", "3/4 1/4"], ["1/4 3/4", "1/8 7/8", "3/8 5/8"], "3/4 7/8 1/8", about)
    about = "w = 1 by clipping and D = T in the next row: 0/0 is read as 1"
    yield _case(
        "zero-by-zero",
        rule,
        (0, 1),
        ["1/4 3/4", "1/2 1/2"],
        ["3/4 1/4", "1/2 1/2", "1/3 2/3"],
        "1023/1024 1023/1024 3/8",
        about,
    )
    yield _case(
        "zero-by-zero-stopped",
        rule,
        (0, 1, 1),
        ["1/4 3/4", "1/2 1/2", "1/8 7/8"],
        ["3/4 1/4", "1/2 1/2", "7/8 1/8", "1/3 2/3"],
        "1023/1024 1023/1024 15/16 3/8",
        about,
    )
    about = (
        "the first ratio is 3, the second 1/4: the surplus of the first must not pay for the second (nor R be clipped)"
    )
    surplus = ["1/4 3/4", "1/2 1/2"], ["3/4 1/4", "1/8 7/8", "1/3 2/3"]
    for number, etas in enumerate(["1/2 1/2", "1/8 1/8", "15/16 5/8", "15/16 7/8"], start=1):
        yield _case(f"surplus-{number}", rule, (0, 0), *surplus, f"{etas} 5/8", about)
    about = "the token rule keeps more of this draft on the same uniforms"
    yield _case("token-keeps-more", rule, (2, 2), *MODEL_C, "1/2 1/2 3/4", about)
    about = "a coin in the middle fails and a later one succeeds: the last success wins"
    middle = ["1/2 1/4 1/4", "1/4 1/4 1/2", "1/2 1/4 1/4"], ["3/8 3/8 1/4", "1/4 1/2 1/4", "3/8 1/2 1/8", "1/3 1/3 1/3"]
    yield _case("middle-fails", rule, (0, 1, 0), *middle, "63/64 63/64 1/8 3/8", about)
    yield _case("first-wins", rule, (0, 2, 0), *middle, "1/64 31/32 31/32 7/8", about)
