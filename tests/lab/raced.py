"""One race on tiny models, made once for all tests that look at it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from specdemo.lab.race import race, whole_race
from specdemo.pairs import Pair
from tests.tiny import tiny_pair

PROMPTS = ["the cat", "a dog ran"]
RULES = ["token", "block", "greedy_block", "threshold"]
SETTINGS: dict[str, Any] = {"gamma": 4, "temperature": 0.8, "top_k": 100, "seed": 7, "max_new_tokens": 16}


@functools.cache
def the_pair() -> Pair:
    """The models that race."""
    return tiny_pair()


@functools.cache
def raced_events() -> list[dict[str, Any]]:
    """What is said during the race: four rules and plain decoding, two prompts with two seeds."""
    return list(race(the_pair(), PROMPTS, RULES, seeds=2, prompt_set="cats", **SETTINGS))


@functools.cache
def the_race() -> dict[str, Any]:
    """Its record."""
    return whole_race(raced_events())


def stopped_after(calls: int) -> Callable[[], bool]:
    """A `cancelled` that says yes from the `calls`-th question on."""
    asked = iter(range(10**9))
    return lambda: next(asked) >= calls
