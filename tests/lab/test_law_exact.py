"""The first token's law from the first row alone: equal to the enumerated law of every rule that claims it, different for every other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from specdemo.lab import law_exact
from specdemo.lab.law_exact import exact_law, first_row_decides, first_token_law, law_of_first_row
from specdemo.transport import output_law
from specdemo.verifiers import Verifier, get, mistakes, names
from specdemo.verifiers.token import TokenVerifier
from tests.lab.law_steps import steps
from tests.worlds import KINDS, Tree, random_trees

EXACT = 1e-12
CLEARLY = 1e-6
EVERY = [*names(), *mistakes.names()]
DECIDED = [name for name in EVERY if first_row_decides(get(name))]
UNDECIDED = [name for name in EVERY if name not in DECIDED]


def worlds(gamma: int, each: int = 2) -> Iterator[tuple[Tree, Tree]]:
    """Three symbols, every kind of law."""
    for seed in range(each * (len(KINDS) + 1)):
        yield random_trees(seed, 3, gamma + 1, [*KINDS, "mixed"][seed % (len(KINDS) + 1)])


def largest_difference(name: str) -> float:
    """Between the law of the first row and the enumerated one, over all worlds, γ = 2 and 3."""
    return max(
        float(np.abs(law_of_first_row(get(name), draft[0], target[0]) - output_law(name, draft, target, 1, gamma)).max())
        for gamma in (2, 3)
        for draft, target in worlds(gamma)
    )  # fmt: skip


def test_which_rules_the_first_row_decides() -> None:
    assert set(names()) <= set(DECIDED)
    assert UNDECIDED == [
        "current_row_for_next", "inner_formula_at_gamma", "break_at_first_failure", "one_uniform_for_all", "uniform_used_twice",
        "product_of_uniforms", "draft_law_before_temperature", "soft_law_for_argmax_drafter",
    ]  # fmt: skip


@pytest.mark.parametrize("name", DECIDED)
def test_exact_is_exact(name: str) -> None:
    assert largest_difference(name) < EXACT


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_is_not_exact_differs(name: str) -> None:
    assert largest_difference(name) > CLEARLY
    draft, target = random_trees(0, 3, 3, "plain")
    assert exact_law(get(name), draft[0], target[0], 2) is None


@pytest.mark.parametrize("name", DECIDED)
def test_the_row_behind_the_first_is_not_looked_at(name: str) -> None:
    rule = get(name)
    for draft, target in worlds(1):
        other = np.roll(target[0], 1)
        for x in np.flatnonzero(draft[0]):
            plans = [
                rule.core_plan(np.array([x]), draft[0][None], np.stack([target[0], row])) for row in (target[0], other)
            ]
            assert np.array_equal(plans[0].length_law, plans[1].length_law)
            if plans[0].length_law[0] > 0:
                assert np.array_equal(plans[0].next_law(0), plans[1].next_law(0))  # fmt: skip


@pytest.mark.parametrize("name", EVERY)
def test_the_law_given_the_block_is_exact_on_average(name: str) -> None:
    """Σ over drafted blocks of D(block) · law of the first token given the block, whether the first row decides it or not."""
    rule = get(name)
    for draft, target in worlds(2, each=1):
        law = sum((mass * first_token_law(plan) for _, plan, mass in steps(rule, draft, target, 2)), np.zeros(3))
        assert np.abs(law - output_law(name, draft, target, 1, 2)).max() < EXACT


@pytest.mark.parametrize("name", EVERY)
def test_without_a_draft_every_law_is_exact(name: str) -> None:
    draft, target = random_trees(5, 3, 1, "plain")
    law = exact_law(get(name), draft[0], target[0], 0)
    assert law is not None and np.abs(law - output_law(name, draft, target, 1, 0)).max() < EXACT
    law[:] = 0.0  # a copy, not the caller's row
    assert target[0].sum() == pytest.approx(1.0)


def test_rules_that_are_not_known_are_estimated() -> None:
    class LooksAhead(TokenVerifier):
        """Keeps nothing where the second row is peaked."""

        def core_plan(self, tokens: Any, draft: Any, target: Any, memory: Any = None) -> Any:
            return super().core_plan(tokens, draft, target if target[1].max() < 0.5 else target[::-1], memory)

    draft, target = random_trees(0, 3, 2, "plain")
    assert not first_row_decides(LooksAhead())
    assert exact_law(LooksAhead(), draft[0], target[0], 1) is None


@pytest.mark.parametrize(("name", "largest"), [("sampled_match", 8192), ("typical", 8192), ("token", 160_000)])
def test_what_would_take_too_long_is_left(name: str, largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked, not measured: the search itself is replaced by its name."""
    monkeypatch.setattr(law_exact, "law_of_first_row", lambda rule, draft, target: target)
    rule: Verifier = get(name)
    uniform, larger = (np.full(size, 1 / size) for size in (largest, largest + 10_000))
    assert exact_law(rule, uniform, uniform, 4) is uniform
    assert exact_law(rule, larger, larger, 4) is None
    few = np.zeros(len(larger))
    few[:50] = 0.02
    assert exact_law(rule, few, larger, 4) is larger  # top-k 50 leaves little to look at
