"""What a verifier must do, as named assertions: the right rules pass them, and every mutant of `tests/mutants.py` fails one.

Each takes a rule and, where the expected numbers depend on it, the name of the rule it should behave like.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.transport import expected_accepted, output_law
from specdemo.verifiers import Plan, Verifier
from specdemo.verifiers.base import ratios
from tests.reference import decided
from tests.worlds import (
    KINDS,
    MODEL_C_DRAFT,
    MODEL_C_TARGET,
    Tree,
    drafted_blocks,
    joint,
    law_of,
    model_c,
    random_trees,
    rows_along,
    two_symbols,
)

EXACT = 1e-12
CLEARLY = 1e-3

# E[τ] to hit: two symbols at γ = 1, 2, 3, then model C.
EXPECTED_KEPT = {
    "token": ([2 / 3, 10 / 9, 38 / 27], 0.75),
    "block": ([2 / 3, 11 / 9, 5 / 3], 0.86),
}
# Model C: drafted tokens, η_1 η_2, kept by token, kept by block, block's law of Y (None: not stated).
KEPT_TABLE = [
    ((2, 2), (0.5, 0.05), 2, 2, None),
    ((2, 2), (0.5, 0.5), 1, 0, None),
    ((2, 0), (0.2, 0.97), 2, 1, [0.0, 1.0, 0.0]),
    ((0, 2), (0.9, 0.5), 1, 1, [0.4, 0.6, 0.0]),
    ((2, 1), (0.99, 0.99), 0, 2, None),
    ((1, 0), (0.0, 0.0), 0, 0, None),
]


@cache
def worlds() -> list[tuple[Tree, Tree]]:
    """Model C and one random three-symbol world of every kind, four levels deep, for γ = 2 and four emitted tokens."""
    draft, target = model_c()
    deep = draft + random_trees(5, 3, 7)[0][2:], target + random_trees(6, 3, 7)[1][3:]
    return [deep, *(random_trees(seed, 3, 7, kind) for seed, kind in enumerate([*KINDS, "mixed", "mixed"]))]


def distance(law: FloatArray, target: FloatArray) -> float:
    """Total variation; infinite where `law` holds a NaN."""
    tv = float(0.5 * np.abs(law - target).sum())
    return tv if np.isfinite(tv) else float("inf")


@cache
def output_distance(rule: Verifier, length: int = 4, gamma: int = 2) -> float:
    """The largest distance, over all worlds, of the rule's output law (several blocks, from its plans) to the target's."""
    return _largest(
        distance(output_law(rule, draft, target, length, gamma), joint(target, length)) for draft, target in worlds()
    )


@cache
def decided_distance(rule: Verifier, gamma: int = 2) -> float:
    """The same for one block, but from what the rule DECIDES on given uniforms; the text is then filled up from the target."""
    return _largest(
        distance(_decided_law(rule, draft, target, gamma), joint(target, gamma + 1)) for draft, target in worlds()
    )


def _largest(distances: Iterator[float]) -> float:
    """The largest distance, or the first that leaves no doubt: wrong rules need not be measured in every world."""
    largest = 0.0
    for one in distances:
        largest = max(largest, one)
        if largest > CLEARLY:
            break
    return largest


def _decided_law(rule: Verifier, draft: Tree, target: Tree, gamma: int) -> FloatArray:
    law = np.zeros((draft[0].size,) * (gamma + 1))
    for block, mass in drafted_blocks(draft, gamma):
        plan = rule.core_plan(np.array(block), rows_along(draft, block, gamma), rows_along(target, block, gamma + 1))
        for coins, width in _coin_cells(plan):
            law_of_next = plan.decide_unchecked(np.array([*coins, 0.5])).next_law
            for y, chance in enumerate(law_of_next.tolist()):
                if chance > 0:
                    u = float(law_of_next[:y].sum() + chance / 2)
                    verdict = plan.decide_unchecked(np.array([*coins, u]))
                    text = (*block[: verdict.accepted], verdict.next_token)
                    law[text] += mass * width * chance * _fill(target, text, gamma + 1)
    return law


def _coin_cells(plan: Plan) -> Iterator[tuple[tuple[float, ...], float]]:
    """Midpoints and volumes of a partition of [0,1)^γ that is fine enough for right rules (exactly) and wrong ones (nearly)."""
    assert plan.accept_prob is not None
    edges = np.unique(np.concatenate([np.linspace(0, 1, 5), plan.accept_prob]))
    cells = [((a + b) / 2, b - a) for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)]
    for chosen in product(cells, repeat=plan.gamma):
        yield tuple(middle for middle, _ in chosen), float(np.prod([width for _, width in chosen]))


def _fill(target: Tree, text: tuple[int, ...], length: int) -> FloatArray:
    """The target's law of what follows `text`, up to `length` tokens in all."""
    law = np.ones(())
    for i in range(len(text), length):
        law = law[..., None] * target[i][text]
    return law


def assert_output_law(rule: Verifier) -> None:
    """The text's law over several blocks is the target's."""
    assert output_distance(rule) < EXACT


def assert_decided_law(rule: Verifier) -> None:
    """The text's law is the target's, when uniforms are really compared with the plan."""
    assert decided_distance(rule) < EXACT


def assert_decisions_follow_length_law(rule: Verifier) -> None:
    """P(τ = i | tokens) as announced by the plan is the volume of the uniforms that lead to τ = i."""
    for draft, target in worlds():
        for block, _ in drafted_blocks(draft, 2):
            plan = rule.core_plan(np.array(block), rows_along(draft, block, 2), rows_along(target, block, 3))
            kept = np.zeros(3)
            for coins, width in _coin_cells(plan):
                kept[plan.decide_unchecked(np.array([*coins, 0.5])).accepted] += width
            assert np.abs(kept - plan.length_law).max() < EXACT, f"{block}: decided {kept}, announced {plan.length_law}"


def assert_kept_table(rule: Verifier, like: str) -> None:
    """Model C's table of τ and of Y's law, one drafted block and pair of uniforms a line."""
    for tokens, etas, token_kept, block_kept, next_law in KEPT_TABLE:
        draft = np.array(MODEL_C_DRAFT)
        verdict = rule.verify(tokens, draft, np.array(MODEL_C_TARGET), [*etas, 0.0])
        assert verdict.accepted == (token_kept if like == "token" else block_kept), f"{tokens} {etas}"
        if like == "block" and next_law is not None:
            assert np.abs(verdict.next_law - next_law).max() < EXACT, f"{tokens} {etas}: {verdict.next_law}"


def assert_expected_kept(rule: Verifier, like: str) -> None:
    """E[τ] for two symbols and for model C."""
    two, three = EXPECTED_KEPT[like]
    for gamma, expected in enumerate(two, start=1):
        found = expected_accepted(rule, *two_symbols(gamma))
        assert abs(found - expected) < EXACT, f"γ = {gamma}: {found}, not {expected}"
    found = expected_accepted(rule, *model_c())
    assert abs(found - three) < EXACT, f"model C: {found}, not {three}"


def assert_prefix_weights(rule: Verifier, like: str) -> None:
    """P(τ ≥ i | x^i), averaged over the drafts that can follow x^i, is w_i of the reference, at every prefix."""
    for draft, target in worlds():
        mass: dict[tuple[int, ...], list[float]] = {}
        for block, p in drafted_blocks(draft, 3):
            plan = rule.core_plan(np.array(block), rows_along(draft, block, 3), rows_along(target, block, 4))
            weights = decided(like, law_of(draft), law_of(target), (), block).weights
            for i in range(4):
                entry = mass.setdefault(block[:i], [0.0, 0.0, float(weights[i])])
                entry[0] += p
                entry[1] += p * float(plan.length_law[i:].sum())
        for prefix, (total, kept, weight) in mass.items():
            assert abs(kept - total * weight) < EXACT, f"{prefix}: {kept / total}, not {weight}"


def assert_reference(rule: Verifier, like: str) -> None:
    """P(τ = i | x) and the law of Y, weighted by it, are those of the independent reference."""
    for draft, target in worlds():
        for block, _ in drafted_blocks(draft, 3):
            plan = rule.core_plan(np.array(block), rows_along(draft, block, 3), rows_along(target, block, 4))
            said = decided(like, law_of(draft), law_of(target), (), block)
            for i in range(4):
                expected = [float(said.lengths[i] * p) for p in said.next_laws[i]]
                found = plan.length_law[i] * plan.next_law(i)
                assert np.abs(found - expected).max() < EXACT, f"{block} at τ = {i}: {found}, not {expected}"


def assert_strict_coins(rule: Verifier) -> None:
    """A token of target probability 0 is never kept, not even with η = 0; one of ratio ≥ 1 always is."""
    verdict = rule.verify([0, 0], [[0.5, 0.5], [0.5, 0.5]], [[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]], [0.0, 0.0, 0.0])
    assert (verdict.accepted, verdict.next_token) == (0, 1)
    almost_one = 1 - 2.0**-53
    assert rule.verify([0], [[0.5, 0.5]], [[0.75, 0.25], [0.5, 0.5]], [almost_one, 0.0]).accepted == 1


def assert_equal_laws_are_harmless(rule: Verifier) -> None:
    """Where D equals T, exactly or up to rounding, every law the plan can show is a law."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        target = rng.dirichlet(np.ones(4), size=4)
        for draft in (target, target * (1 + 3e-16 * rng.standard_normal(target.shape))):
            plan = rule.core_plan(np.array([0, 1, 2]), draft[:3], target)
            assert ratios(plan.tokens, plan.draft, plan.target).shape == (3,)
            for i in range(4):
                law = plan.next_law(i)
                assert np.isfinite(law).all() and abs(law.sum() - 1) < EXACT and (law >= 0).all()
            assert np.isfinite(plan.length_law).all() and plan.length_law[-1] > 1 - 1e-9
