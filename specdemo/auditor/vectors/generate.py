"""Makes all vectors: the cases, decided in exact fractions, with margins, tags and the mistakes they find. The same everywhere, every time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from math import floor

from specdemo.auditor.vectors.exact_rules import Exact, exactly, rules
from specdemo.auditor.vectors.hand_made import hand_made
from specdemo.auditor.vectors.kills import kills_of
from specdemo.auditor.vectors.large_cases import large_cases
from specdemo.auditor.vectors.margin import drawn, margin_of
from specdemo.auditor.vectors.random_cases import random_cases
from specdemo.auditor.vectors.record import Case, Expected, Recipe, Vector
from specdemo.auditor.vectors.tags import tags_of


def generate() -> list[Vector]:
    """All vectors, rule by rule, small before large; ValueError if two have one name."""
    order = list(rules())
    cases = sorted(chain(hand_made(), random_cases(), large_cases()), key=lambda case: order.index(case.rule))
    vectors = [decide(case) for case in sorted(cases, key=lambda case: isinstance(case.rows, Recipe))]
    names = [vector.case.name for vector in vectors]
    if len(set(names)) != len(names):
        raise ValueError(f"two vectors have one name: {sorted(name for name in names if names.count(name) > 1)}")
    return list(_with_kills(vectors))


def decide(case: Case) -> Vector:
    """The case's outcome by `exact_rules`, without the mistakes it finds."""
    exact = exactly(case.rule, case.tokens, case.draft, case.target, case.memory)
    accepted = exact.accepted(case.uniforms[:-1])
    after = exact.next_law(accepted)
    next_token = drawn(after, case.uniforms[-1])
    shown = _symbols_to_state(case, exact, accepted, next_token)
    expected = Expected(
        accepted, next_token, tuple(coin.chance for coin in exact.coins), tuple(exact.weights),
        {v: after.law[v] for v in shown}, exact.memory_after(accepted, next_token),
    )  # fmt: skip
    margin, condition = margin_of(exact, accepted, case.uniforms)
    tags = tags_of(case, exact, expected, float(margin))
    return Vector(case, expected, _rounded_down(margin), _rounded_down(condition), tags)


def _with_kills(vectors: list[Vector]) -> Iterator[Vector]:
    for vector in vectors:
        kills, in_numbers = kills_of(vector)
        yield replace(vector, kills=kills, kills_in_numbers=in_numbers)


def _symbols_to_state(case: Case, exact: Exact, accepted: int, next_token: int) -> list[int]:
    """All symbols of a small vocabulary; of a large one those a mistake would show at: drafted, emitted, the most probable ones."""
    if not isinstance(case.rows, Recipe):
        return list(range(case.vocab_size))
    law, target = exact.next_law(accepted).law, case.target[accepted]
    tops = [v for row in (law, target) for v in sorted(range(len(row)), key=lambda v: -row.weights[v])[:4]]
    return sorted({0, next_token, case.vocab_size - 1, *case.tokens[accepted : accepted + 1], *tops})


def _rounded_down(value: Fraction) -> float:
    """Six decimals, never above the value."""
    return floor(value * 1_000_000) / 1_000_000
