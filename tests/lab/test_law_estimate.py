"""The estimate of the first token's law: unbiased by enumeration, with errors that are as large as they say."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.lab.law_estimate import LawEstimate
from specdemo.transport import output_law
from specdemo.verifiers import Verifier, get
from specdemo.verifiers.token import TokenVerifier
from tests.lab.law_steps import steps
from tests.lab.test_law_exact import UNDECIDED
from tests.worlds import KINDS, random_trees


class Foreign(TokenVerifier):
    """A rule of somebody else's: no right rule is known for it."""

    name = "foreign"


@pytest.mark.parametrize("rule", [*map(get, UNDECIDED), Foreign(), get("typical")], ids=lambda rule: rule.name)
def test_the_estimate_is_unbiased(rule: Verifier) -> None:
    """The mean over all blocks of the estimate from that block alone is the law."""
    for gamma in (1, 2, 3):
        for seed, kind in enumerate([*KINDS, "mixed"]):
            draft, target = random_trees(seed, 3, gamma + 1, kind)
            mean = np.zeros(3)
            for step, plan, mass in steps(rule, draft, target, gamma):
                estimate = LawEstimate(rule, target[0])
                estimate.add(step, plan)
                mean += mass * estimate.law
                assert estimate.error is None and estimate.total_variation_error is None
            assert np.abs(mean - output_law(rule, draft, target, 1, gamma)).max() < 1e-12


@pytest.mark.parametrize("name", ["one_uniform_for_all", "break_at_first_failure", "draft_law_before_temperature"])
def test_errors_are_as_large_as_they_say(name: str) -> None:
    """Of 300 estimates from 60 blocks each: squared errors against the exact variance, and the bound on the total variation's error."""
    rule = get(name)
    draft, target = random_trees(1, 3, 4, "ties")
    blocks = list(steps(rule, draft, target, 3))
    masses = np.array([mass for _, _, mass in blocks])
    alone = []
    for step, plan, _ in blocks:
        estimate = LawEstimate(rule, target[0])
        estimate.add(step, plan)
        alone.append(estimate.difference)
    mean = masses @ np.array(alone)
    variance = masses @ (np.array(alone) - mean) ** 2 / 60
    rng = np.random.default_rng(0)
    squares, misses, bounds = [], [], []
    for _ in range(300):
        estimate = LawEstimate(rule, target[0])
        for i in rng.choice(len(blocks), size=60, p=masses):
            estimate.add(*blocks[i][:2])
        assert estimate.error is not None and estimate.total_variation_error is not None
        squares.append(estimate.error**2)
        misses.append(abs(0.5 * np.abs(estimate.difference).sum() - 0.5 * np.abs(mean).sum()))
        bounds.append(estimate.total_variation_error)
    assert np.mean(squares, axis=0) == pytest.approx(variance, rel=0.1)
    assert 0.1 * np.mean(bounds) < np.mean(misses) < np.mean(bounds)


def test_what_two_rules_have_in_common_is_no_noise() -> None:
    """A mistake that changes nothing here has error 0: the right rule's noise is taken away, and T stays to the last bit."""
    rule = get("soft_law_for_argmax_drafter")  # no row of this draft is one-hot
    draft, target = random_trees(0, 3, 3, "plain")
    estimate = LawEstimate(rule, target[0])
    for step, plan, _ in steps(rule, draft, target, 2):
        estimate.add(step, plan)
    assert np.array_equal(estimate.law, target[0]) and estimate.total_variation_error == 0
