"""A state's laws as trees without end, and which prefixes are known to have the same future."""

from __future__ import annotations

from itertools import product

import pytest

from specdemo.sandbox.laws import trees_of
from tests.sandbox.checks import law_of
from tests.sandbox.states import laws_of, random_state, state


@pytest.mark.parametrize("context", ["free", "position", "prefix"])
@pytest.mark.parametrize("size_and_gamma", [(2, 1), (2, 3), (3, 2), (2, 4)])
def test_the_law_after_any_prefix(context: str, size_and_gamma: tuple[int, int]) -> None:
    given = random_state(1, *size_and_gamma, context, parts=16)
    for side, tree in zip(("draft", "target"), trees_of(laws_of(given)), strict=True):
        law = law_of(given, side)
        for length in range(7 if size_and_gamma[0] == 2 else 5):
            for prefix in product(range(size_and_gamma[0]), repeat=length):
                assert tree(prefix).tolist() == pytest.approx(law(prefix), abs=1e-15)


@pytest.mark.parametrize("context", ["free", "position", "prefix"])
def test_prefixes_of_one_place_have_the_same_future(context: str) -> None:
    """Laws in halves, so that many prefixes share their law and fewer their future."""
    for seed in range(8):
        tree = trees_of(laws_of(random_state(seed, 2, 4, context, parts=2)))[0]
        prefixes = [p for length in range(5) for p in product(range(2), repeat=length)]
        futures = [p for length in range(5) for p in product(range(2), repeat=length)]
        seen = {p: tuple(tuple(tree((*p, *more)).tolist()) for more in futures) for p in prefixes}
        for a in prefixes:
            for b in prefixes:
                assert (tree.place(a) == tree.place(b)) == (seen[a] == seen[b]), (a, b)


def test_a_markov_chain_has_as_many_places_as_laws() -> None:
    rows = [["0.5", "0.5"], ["0.2", "0.8"], ["0.9", "0.1"]]
    levels = [[rows[0]], [rows[1], rows[2]], [rows[1], rows[2], rows[1], rows[2]]]
    tree = trees_of(laws_of(state("prefix", 3, levels, levels)))[0]
    assert len({tree.place(p) for length in range(6) for p in product(range(2), repeat=length)}) == 3
