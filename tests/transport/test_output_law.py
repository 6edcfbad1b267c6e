"""The text follows the target: exactly, over several blocks, for every kind of draft; and the reference says so too."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.transport import output_law
from specdemo.transport.exact import block_outcomes
from specdemo.transport.trees import LawTree
from specdemo.verifiers import get
from tests.reference import emitted, text_law
from tests.worlds import KINDS, joint, law_of, random_trees

EXACT = 1e-12
RULES = ("token", "block")


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
@pytest.mark.parametrize("rule", RULES)
def test_two_blocks_of_two(rule: str, kind: str) -> None:
    for seed in range(2):
        draft, target = random_trees(100 + seed, 3, 7, kind)
        law = output_law(rule, draft, target, 4, 2)
        assert np.abs(law - joint(target, 4)).max() < EXACT


@pytest.mark.parametrize(("size", "gamma", "length"), [(2, 3, 6), (3, 1, 4), (3, 3, 4), (4, 1, 2), (2, 1, 5)])
@pytest.mark.parametrize("rule", RULES)
def test_other_sizes(rule: str, size: int, gamma: int, length: int) -> None:
    draft, target = random_trees(size + 10 * gamma, size, length + gamma + 1)
    assert np.abs(output_law(rule, draft, target, length, gamma) - joint(target, length)).max() < EXACT


@pytest.mark.parametrize("rule", RULES)
def test_one_block_emits_the_law_of_the_reference(rule: str) -> None:
    """Not only what is emitted, also how far: the law of the emitted tuple of τ + 1 tokens."""
    for seed in range(15):
        draft, target = random_trees(200 + seed, 3, 4)
        expected = emitted(rule, law_of(draft), law_of(target), (), 3)
        found = dict.fromkeys(expected, 0.0)
        for text, memory, mass in block_outcomes(
            get(rule), LawTree("draft", draft), LawTree("target", target), (), 3, None
        ):
            assert memory is None
            found[text] = found.get(text, 0.0) + mass
        assert max(abs(found[text] - float(expected.get(text, 0))) for text in found) < EXACT


def test_no_draft_is_plain_sampling() -> None:
    draft, target = random_trees(1, 3, 4)
    assert np.abs(output_law("block", draft, target, 3, 0) - joint(target, 3)).max() < EXACT


def test_the_law_of_no_tokens_is_one() -> None:
    draft, target = random_trees(1, 3, 3)
    with pytest.raises(ValueError, match="length must be ≥ 0, got -1"):
        output_law("token", draft, target, -1, 2)
    assert float(output_law("token", draft, target, 0, 2)) == pytest.approx(1, abs=EXACT)


def test_the_joint_law_is_what_the_reference_says() -> None:
    """The yardstick itself: `joint` against one token at a time, in fractions."""
    _, target = random_trees(2, 3, 3)
    expected = text_law(law_of(target), 3)
    assert max(abs(joint(target, 3)[text] - float(p)) for text, p in expected.items()) < EXACT
