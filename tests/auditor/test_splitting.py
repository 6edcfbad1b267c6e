"""The recovered laws: exact for everything that compares single uniforms with thresholds, however odd the thresholds are."""

from __future__ import annotations

import numpy as np
import pytest

from specdemo.auditor.feeding import Feed
from specdemo.auditor.forms import as_subject
from specdemo.auditor.laws import NotExact, block_laws, make_block
from specdemo.auditor.questions import Block
from specdemo.auditor.statistics import divergence, error_bound
from specdemo.auditor.texts import worst_prefix
from specdemo.auditor.trees import World, worlds
from specdemo.verifiers import get


@pytest.mark.parametrize("name", ["token", "block", "sampled_match", "typical", "draft_law_before_temperature"])
def test_laws_are_those_that_the_plan_announces(name: str) -> None:
    subject = as_subject(name)
    world = World("plain", 3, (3,), 4)
    blocks = [make_block(subject, world, (), tokens) for tokens, _ in world.blocks((), 3)]
    for law in block_laws(subject, blocks, np.random.default_rng(0)):
        plan = get(name).core_plan(np.array(law.block.tokens), law.block.draft, law.block.target)
        announced = np.array([plan.length_law[i] * plan.next_law(i) for i in range(4)])
        assert np.abs(law.table - announced).max() < 1e-11
        assert 0 < law.error < 1e-10
        assert sum(cell.volume for cell in law.cells) == pytest.approx(1, abs=1e-12)


def test_intervals_inside_intervals_are_found() -> None:
    def verify(tokens: object, draft: object, target: object, uniforms: np.ndarray) -> tuple[int, int]:
        a, b, c = uniforms.tolist()
        # Kept in a band whose walls no formula knows, the lower one moved by another uniform's cell.
        kept = 1 if (0.2 if b < 0.317 else 0.45) < a < 0.789 else 0
        return kept, int(c > 0.6) + int(c > 0.9)

    laws = np.full((3, 3), 1 / 3)
    (law,) = block_laws(as_subject(verify), [Block((0, 0), laws[:2], laws)], np.random.default_rng(0))
    kept = 0.317 * 0.589 + 0.683 * 0.339
    expected = np.outer([1 - kept, kept, 0], [0.6, 0.3, 0.1])
    assert np.abs(law.table - expected).max() < 1e-11
    assert law.expected_accepted == pytest.approx(kept, abs=1e-11)


def test_what_depends_on_two_uniforms_at_once_is_not_called_exact() -> None:
    def verify(tokens: object, draft: object, target: object, uniforms: np.ndarray) -> tuple[int, int]:
        return int(uniforms[0] + uniforms[1] < 1), 0

    laws = np.full((3, 2), 1 / 2)
    with pytest.raises(NotExact):
        block_laws(as_subject(verify), [Block((0, 0), laws[:2], laws)], np.random.default_rng(0))


def test_worlds_are_small_first_and_their_laws_are_laws() -> None:
    for budget in ("quick", "thorough"):
        tried = worlds(budget, Feed())
        gammas = [world.gamma for world in tried]
        assert gammas[0] == 0 and gammas[-1] >= 3
        assert {world.kind for world in tried} >= {"zeros", "ties", "near", "one_hot", "disjoint", "hot_draft", "equal"}
        for world in tried:
            for prefix in [(), *((v,) for v in range(world.vocab_size))]:
                for law in (world.draft(prefix), world.target(prefix)):
                    assert (law >= 0).all() and law.sum() == pytest.approx(1, abs=1e-12)
    random = World("mixed", 3, (2,), 5)
    assert np.array_equal(random.target((1, 2)), World("mixed", 3, (2,), 5).target((1, 2)))
    assert not np.array_equal(random.target((1, 2)), random.target((2, 1)))


def test_the_worst_prefix_is_the_shortest_of_equals() -> None:
    right = np.full((2, 2), 0.25)
    got = np.array([[0.5, 0.25], [0.0, 0.25]])
    assert worst_prefix(got, right) == ((0,), 0.25, 0.5, 0.75)
    assert worst_prefix(right, right)[1] == 0


def test_a_frequency_is_judged_by_chernoff() -> None:
    assert float(divergence(np.array(0.1), np.array(0.0))) == np.inf
    assert float(divergence(np.array(0.9), np.array(1.0))) == np.inf
    assert float(divergence(np.array(0.75), np.array(0.5))) == pytest.approx(0.130812, abs=1e-6)
    assert error_bound(10_000, 100) == pytest.approx(np.sqrt(np.log(2e8) / 20_000))
