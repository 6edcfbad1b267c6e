"""The gallery of mistakes: each is a verifier, says what goes wrong, announces the law it really decides by, and is not lossless."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.transport import output_law
from specdemo.verifiers import get, mistakes, names, register
from tests.rule_assertions import assert_decisions_follow_length_law
from tests.worlds import KINDS, joint, random_trees

# These do no harm on laws: only one value of a uniform gives them away.
ONLY_AT_AN_EDGE = {"accepts_on_equal", "accepts_on_equal_in_token"}
# Their coins cannot be told apart by a grid of cells; `test_products_of_uniforms` checks them by simulation.
NOT_ON_A_GRID = {n for n in mistakes.names() if n.startswith(("product_of", "one_uniform"))}


def test_names_are_apart_from_the_rules() -> None:
    assert len(mistakes.names()) >= 14
    assert not set(mistakes.names()) & set(names())
    assert get("residual_without_weight") is mistakes.get("residual_without_weight")
    with pytest.raises(ValueError, match="there is no mistake 'nonsense'"):
        mistakes.get("nonsense")
    with pytest.raises(ValueError, match="or of the mistakes residual_without_weight"):
        get("nonsense")
    with pytest.raises(ValueError, match="already registered"):
        register(mistakes.get("one_uniform_for_all"))


@pytest.mark.parametrize("name", mistakes.names())
def test_every_mistake_says_what_goes_wrong(name: str) -> None:
    mistake = mistakes.get(name)
    assert mistake.lossless == "never" and mistake.name == name
    assert mistake.goes_wrong.endswith(".") and len(mistake.goes_wrong) > 40
    assert mistake.issue is None or "#" in mistake.issue


@pytest.mark.parametrize("name", [n for n in mistakes.names() if n not in ONLY_AT_AN_EDGE])
def test_every_mistake_misses_the_target(name: str) -> None:
    """At least 1e-3 in total variation on some tree of three symbols, over two blocks of two."""
    found = 0.0
    for seed, kind in enumerate([*KINDS, "mixed"]):
        draft, target = random_trees(seed, 3, 7, kind)
        law = output_law(name, draft, target, 4, 2)
        found = max(found, float(0.5 * np.abs(law - joint(target, 4)).sum()))
        if found > 1e-3:
            return
    raise AssertionError(f"{name} misses the target by {found} at most")


@pytest.mark.parametrize("name", sorted(ONLY_AT_AN_EDGE))
def test_accepting_on_equal_keeps_the_impossible(name: str) -> None:
    verdict = get(name).verify([0], [[0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]], [0.0, 0.5])
    assert verdict.accepted == 1
    assert mistakes.get(name).right.verify([0], [[0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]], [0.0, 0.5]).accepted == 0


@pytest.mark.parametrize("name", [n for n in mistakes.names() if n not in NOT_ON_A_GRID])
def test_announced_and_decided_lengths_agree(name: str) -> None:
    assert_decisions_follow_length_law(get(name))


@pytest.mark.parametrize("name", sorted(NOT_ON_A_GRID))
def test_products_of_uniforms(name: str) -> None:
    """The announced length law against 6,000 decisions on each of two blocks (five standard errors)."""
    rng = np.random.default_rng(0)
    for seed in range(2):
        draft, target = (rng.dirichlet(np.ones(3), size=rows) for rows in (3, 4))
        plan = get(name).core_plan(rng.integers(3, size=3), draft, target)
        kept = np.zeros(4)
        for uniforms in rng.random((6_000, 4)):
            kept[plan.accepted_by(plan.compared(uniforms[:-1]))] += 1
        error = np.sqrt(plan.length_law * (1 - plan.length_law) / 6_000)
        assert (np.abs(kept / 6_000 - plan.length_law) <= 5 * error + 1e-9).all(), seed
