"""Greedy block verification: its numbers, its debt to the next blocks, and how that debt is written down."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

import numpy as np
import pytest

from specdemo.transport import closed_form_accepted, coupling, expected_accepted, optimal_coupling, output_law
from specdemo.transport.exact import block_outcomes
from specdemo.transport.trees import LawTree, Prefix
from specdemo.verifiers import get
from specdemo.verifiers.windows import LARGEST_RATIO, capped_product
from tests.worlds import KINDS, Tree, joint, model_c, random_trees, two_symbols

EXACT = 1e-12
GREEDY = get("greedy_block")
NINTHS = [[1, 0, 0, 3], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]


@pytest.mark.parametrize(("gamma", "expected"), [(1, 2 / 3), (2, 12 / 9), (3, 50 / 27)])
def test_expected_accepted_of_two_symbols(gamma: int, expected: float) -> None:
    assert expected_accepted("greedy_block", *two_symbols(gamma)) == pytest.approx(expected, abs=EXACT)


def test_the_coupling_in_ninths_is_optimal() -> None:
    matrix = coupling("greedy_block", *two_symbols(2))
    assert np.abs(matrix * 9 - NINTHS).max() < EXACT
    assert expected_accepted("greedy_block", *model_c()) == pytest.approx(0.91, abs=EXACT)


def test_by_hand_on_two_symbols() -> None:
    """D = (2/3, 1/3), T = (1/3, 2/3), drafted A A: R = 1/2, 1/4; the first correction is surely B, after which R = 2."""
    draft, target = np.array([[2 / 3, 1 / 3]] * 2), np.array([[1 / 3, 2 / 3]] * 3)
    plan = GREEDY.plan([0, 0], draft, target)
    assert plan.prefix_weight is not None and plan.accept_prob is not None
    assert plan.prefix_weight.tolist() == pytest.approx([1, 1 / 2, 1 / 4], abs=EXACT)
    # Prefix 1: (T/2 − D)₊ is empty at R = 1/2, for T/2 = (1/6, 1/3) exceeds D nowhere.
    assert plan.accept_prob.tolist() == pytest.approx([0, 1 / 4], abs=EXACT)
    assert plan.next_law(0).tolist() == pytest.approx([0, 1], abs=EXACT)
    assert plan.memory_after(0, 1) == [[pytest.approx(2.0), 1]]
    assert plan.memory_after(2, 1) is None
    # T̃ ∝ (2 T − D)₊ = (0, 1): the token after B is surely B.
    after = GREEDY.plan([0], draft[:1], target[:2], plan.memory_after(0, 1))
    assert after.effective_target[0].tolist() == pytest.approx([0, 1], abs=EXACT)
    assert after.effective_target[1].tolist() == pytest.approx([1 / 3, 2 / 3], abs=EXACT)


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_the_text_follows_the_target_while_windows_nest(kind: str) -> None:
    """Six tokens in blocks of three: corrections inside windows inside windows."""
    draft, target = random_trees(3, 2, 9, kind)
    assert np.abs(output_law("greedy_block", draft, target, 6, 3) - joint(target, 6)).max() < EXACT


def written_in_blocks(draft: Tree, target: Tree, gammas: tuple[int, ...], length: int) -> np.ndarray:
    """The law of the first `length` tokens when block n drafts gammas[n] tokens (the last one from then on)."""
    trees = LawTree("draft", draft), LawTree("target", target)
    law = np.zeros((trees[0].vocab_size,) * length)
    states: list[tuple[Prefix, Any, float, int]] = [((), None, 1.0, 0)]
    deepest = 0
    while states:
        text, memory, mass, block = states.pop()
        gamma = gammas[min(block, len(gammas) - 1)]
        for emitted, after, share in block_outcomes(GREEDY, *trees, text, gamma, memory):
            longer = (*text, *emitted)
            deepest = max(deepest, len(after or []))
            if len(longer) >= length:
                law[longer[:length]] += mass * share
            else:
                states.append((longer, after, mass * share, block + 1))
    assert deepest >= 1, "no window was ever open: this proves nothing"
    return law


@pytest.mark.parametrize("gammas", [(3, 0), (3, 1, 0), (4, 1), (4, 2, 1, 0), (2, 3, 0, 3)])
def test_blocks_shorter_than_the_window(gammas: tuple[int, ...]) -> None:
    """A bonus inside the window is drawn from T̃, with the draft's row after the block: then the text still follows the target."""
    for seed, kind in enumerate(("plain", "mixed", "zeros")):
        draft, target = random_trees(20 + seed, 2, 11, kind)
        assert np.abs(written_in_blocks(draft, target, gammas, 5) - joint(target, 5)).max() < EXACT


def test_a_bonus_from_the_plain_target_would_be_wrong() -> None:
    """What the decision above avoids: the same blocks, with memory forgotten at the bonus, miss the target clearly."""
    wrong = 0.0
    for seed in range(3):
        draft, target = random_trees(20 + seed, 2, 8, "plain")
        trees = LawTree("draft", draft), LawTree("target", target)
        law = np.zeros((2,) * 4)
        for first, memory, mass in block_outcomes(GREEDY, *trees, (), 3, None):
            second = block_outcomes(GREEDY, *trees, first, 0, None)  # a plain step, whatever the memory says
            assert memory is None or len(memory) == 1
            for emitted, _, share in second:
                text = (*first, *emitted)
                for rest in product(range(2), repeat=max(0, 4 - len(text))):
                    chance = mass * share
                    for i, token in enumerate(rest):
                        chance *= target[len(text) + i][(*text, *rest[:i])][token]
                    law[(*text, *rest)[:4]] += chance
        wrong = max(wrong, float(0.5 * np.abs(law - joint(target, 4)).sum()))
    assert wrong > 1e-3


def test_one_block_attains_the_optimum_and_no_rule_beats_it() -> None:
    for seed in range(12):
        draft, target = random_trees(seed, 3, 3)
        best = 2 - optimal_coupling(draft, target, 2)[1]
        found = expected_accepted("greedy_block", draft, target, 2)
        assert found == pytest.approx(best, abs=1e-8)
        assert found == pytest.approx(closed_form_accepted("greedy_block", draft, target, 2), abs=EXACT)


def test_in_the_long_run_block_keeps_more() -> None:
    """Two symbols, γ = 2: tokens per target call over many blocks, exactly, from the law of the memory (it recurs)."""
    draft, target = np.array([2 / 3, 1 / 3]), np.array([1 / 3, 2 / 3])
    states: dict[str, tuple[Any, float]] = {"": (None, 1.0)}
    tokens = blocks = 0.0
    for index in range(60):
        following: dict[str, tuple[Any, float]] = defaultdict(lambda: (None, 0.0))
        for memory, mass in states.values():
            for block in product(range(2), repeat=2):
                p = mass * float(np.prod(draft[list(block)]))
                plan = GREEDY.core_plan(np.array(block), np.stack([draft] * 2), np.stack([target] * 3), memory)
                for i, chance in enumerate(plan.length_law.tolist()):
                    law = plan.next_law(i)
                    for y in range(2):
                        share = p * chance * float(law[y])
                        if share > 1e-15:
                            after = plan.memory_after(i, y)
                            key = repr([[round(r, 9), n] for r, n in after or []])
                            following[key] = (after, following[key][1] + share)
                        if index >= 30:
                            tokens += share * (i + 1)
        blocks += index >= 30
        states = dict(following)
    assert tokens / blocks == pytest.approx(2.1111, abs=5e-5)
    assert tokens / blocks < expected_accepted("block", *two_symbols(2)) + 1 - 0.1


def test_infinite_ratios_close_the_window() -> None:
    """A correction that the draft could not have drawn (D = 0) leaves nothing owed: T̃ = T from there on."""
    draft, target = np.array([[1.0, 0.0, 0.0]] * 3), np.array([[0.2, 0.5, 0.3]] * 4)
    plan = GREEDY.plan([0, 0, 0], draft, target)
    assert plan.next_law(0).tolist() == pytest.approx([0, 0.625, 0.375], abs=EXACT)
    assert plan.memory_after(0, 1) is None
    assert capped_product(1e90, 1.0, 1e-20) == LARGEST_RATIO
    assert capped_product(0.0, 1.0, 1e-300) == 0.0


def test_a_row_after_the_block_is_asked_for_where_the_window_reaches_that_far() -> None:
    draft, target = [[0.5, 0.5]], [[0.25, 0.75], [0.5, 0.5]]
    assert GREEDY.draft_rows_wanted(1, [[2.0, 2]]) == 2
    assert GREEDY.draft_rows_wanted(2, [[2.0, 2]]) == 2
    with pytest.raises(ValueError, match="needs the draft's law after the block too, 2 rows"):
        GREEDY.plan([0], draft, target, [[2.0, 2]])
    plan = GREEDY.plan([0], [*draft, [0.5, 0.5]], target, [[2.0, 2]])
    assert plan.next_law(1).tolist() == plan.effective_target[1].tolist()


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        ([], "1 to 1024 windows"),
        ("x", "1 to 1024 windows"),
        ([[1.0]], r"memory\[0\]"),
        ([[2.0, 1], [0.0, 1]], r"memory\[1\]\[0\]"),
        ([[float("nan"), 1]], r"memory\[0\]\[0\]"),
        ([[float("inf"), 1]], r"memory\[0\]\[0\]"),
        ([[True, 1]], r"memory\[0\]\[0\]"),
        ([[2.0, 0]], r"memory\[0\]\[1\]"),
        ([[2.0, 1.5]], r"memory\[0\]\[1\]"),
        ([[2.0, 1025]], r"memory\[0\]\[1\]"),
    ],
)
def test_a_memory_that_cannot_be_is_refused(memory: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GREEDY.check_memory(memory)


def test_tensors_remember_too() -> None:
    torch = pytest.importorskip("torch")
    draft, target = torch.tensor([[2 / 3, 1 / 3]] * 2), torch.tensor([[1 / 3, 2 / 3]] * 3)
    verdict = GREEDY.verify([0, 0], draft, target, [0.9, 0.9, 0.5])
    assert verdict.accepted == 0 and verdict.next_token == 1
    assert verdict.memory == [[pytest.approx(2.0, rel=1e-6), 1]]
    assert isinstance(verdict.effective_target, torch.Tensor)


def test_a_ratio_that_overflows_alone_is_finite_in_the_product() -> None:
    """T(x)/D(x) = 1e310 after R = 1e-300 is R = 1e10, not infinity."""
    tiny = 1e-310
    draft = np.array([[1.0, 1e-300], [tiny, 1.0]])
    target = np.array([[1e-300, 1.0], [1.0, tiny], [0.5, 0.5]])
    plan = get("greedy_block").plan([0, 0], draft, target)
    assert plan.residual_scale is not None and plan.residual_scale[2] == pytest.approx(1e10)
    assert np.isfinite(plan.length_law).all() and plan.memory_after(0, 0) == [[pytest.approx(1e-300), 1]]


def test_the_modified_target_never_agrees_better_with_the_draft() -> None:
    """T̃/D is a steeper function of T/D with the same mean, so that E_D (1 − T̃/D)₊, the total variation, is no smaller."""
    rng, gaps = np.random.default_rng(8), []
    for _ in range(2000):
        draft, target = rng.dirichlet(np.full(4, 0.5), size=2)
        draft[rng.integers(4)] *= rng.integers(2)  # also where the draft lacks a token
        draft /= draft.sum()
        modified = np.maximum(np.exp(rng.normal(0, 2)) * target - draft, 0)
        if modified.sum() > 0:
            apart = [0.5 * float(np.abs(law - draft).sum()) for law in (modified / modified.sum(), target)]
            gaps.append(apart[0] - apart[1])
    assert min(gaps) > -EXACT and float(np.mean(gaps)) > 0.1
