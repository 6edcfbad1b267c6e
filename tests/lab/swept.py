"""One sweep over tiny models, made once for all tests that look at it."""

from __future__ import annotations

import functools
from typing import Any

from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Cell, Grid, PairIdentity
from specdemo.lab.sweep_file import head_of
from specdemo.lab.tasks import Task
from specdemo.pairs import Pair
from specdemo.trace.run import pair_facts
from tests.tiny import tiny_pair

CATS = Task("cats", "cats", "", ("the cat", "a cat sat on", "once upon a"))
DOGS = Task("dogs", "dogs", "", ("a dog ran", "the dog saw"))
RULES = ("token", "block", "greedy_block", "threshold")


@functools.cache
def the_pair() -> Pair:
    """The models."""
    return tiny_pair()


def the_grid(**change: Any) -> Grid:
    """Two tasks, four rules, two block lengths: ten cells."""
    asked: dict[str, Any] = {
        "tasks": (CATS, DOGS), "rules": RULES, "gammas": (2, 4), "temperatures": (0.8,), "seeds": (7,), "max_new_tokens": 12, **change,
    }  # fmt: skip
    return Grid(**asked)


def the_cells(**change: Any) -> list[Cell]:
    """Its cells, in their order."""
    return list(the_grid(**change).cells([PairIdentity.of(the_pair())]))


@functools.cache
def the_rows() -> tuple[dict[str, Any], ...]:
    """Every cell measured."""
    return tuple({**measure(the_pair(), cell), "engine": "local"} for cell in the_cells())


@functools.cache
def the_head() -> dict[str, Any]:
    """The head of its file."""
    return head_of([pair_facts(the_pair())], 1)
