"""How trees may be given, and how a wrong one is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from specdemo.transport import coupling, expected_accepted, output_law
from specdemo.transport.trees import LawTree, as_trees
from tests.worlds import Tree, random_trees


def as_function(tree: Tree) -> Any:
    """A tree as a function prefix → law."""
    return lambda prefix: tree[len(prefix)][prefix]


def test_lists_tensors_and_functions_give_the_same_numbers() -> None:
    draft, target = random_trees(0, 3, 3, "plain")
    expected = coupling("block", draft, target, 2)
    assert np.array_equal(coupling("block", [a.tolist() for a in draft], [a.tolist() for a in target], 2), expected)
    assert np.array_equal(coupling("block", as_function(draft), as_function(target), 2), expected)
    tensors = [torch.tensor(a) for a in draft], [torch.tensor(a) for a in target]
    assert np.array_equal(coupling("block", *tensors, 2), expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_lower_precisions_are_judged_by_their_own_precision(dtype: torch.dtype) -> None:
    """A bfloat16 row does not sum to 1 within float64's tolerance, as a list of levels or from a function."""
    draft, target = ([torch.tensor(a, dtype=dtype) for a in tree] for tree in random_trees(0, 3, 3, "plain"))
    listed = expected_accepted("block", draft, target, 2)
    asked = expected_accepted("block", lambda p: draft[len(p)][p], lambda p: target[len(p)][p], 2)
    assert listed == pytest.approx(asked, abs=1e-12)
    exact = expected_accepted("block", *random_trees(0, 3, 3, "plain"), 2)
    assert listed == pytest.approx(exact, abs=2e-2)


def test_gamma_is_the_depth_of_the_draft_tree() -> None:
    draft, target = random_trees(0, 2, 4)
    assert as_trees(draft[:2], target, None)[2] == 2
    assert expected_accepted("token", draft[:2], target) == expected_accepted("token", draft, target, 2)


def test_a_function_is_asked_once_for_a_prefix() -> None:
    asked: list[tuple[int, ...]] = []

    def law(prefix: tuple[int, ...]) -> list[float]:
        asked.append(prefix)
        return [0.5, 0.5]

    output_law("block", law, law, 3, 2)
    assert max(asked.count(prefix) for prefix in asked) <= 2  # once by the draft's tree, once by the target's


@pytest.mark.parametrize(
    ("draft", "target", "gamma", "words"),
    [
        ([[0.5, 0.5]], [[0.2, 0.3, 0.5]], 1, r"draft has 2 symbols and target 3: both need one alphabet"),
        ([[0.5, 0.5]], [[0.5, 0.5]], -1, r"gamma must be ≥ 0, got -1"),
        ([[0.5, 0.6]], [[0.5, 0.5]], 1, r"draft\[0\]\[0\] sums to 1.1"),
        ([[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5]], 1, r"draft\[1\] must have shape \(V,\)\*2.*got \(2,\)"),
        ([[0.2, 0.3, 0.5], np.full((2, 2), 0.5)], [[0.5, 0.5]], 1, r"draft\[1\] has 2 symbols, but draft\[0\] has 3"),
        ([[0.5, 0.5]], [[0.5, 0.5]], 1, r"the target tree has 1 levels, but the law after a prefix of length 1"),
        ([[0.5, 0.5]], [[1.5, -0.5]], 1, r"target\[0\]\[0, 1\] is -0.5"),
        ([], [[0.5, 0.5]], 1, r"the draft tree has 0 levels"),
        (lambda p: [0.5, 0.5], [[0.5, 0.5]], None, r"gamma must be given when the draft is a function"),
        (lambda p: [0.5, 0.5 + len(p)], [[0.5, 0.5]] * 1 + [np.full((2, 2), 0.5), np.full((2, 2, 2), 0.5)], 2, r"draft\(0,\)\[0\] sums to 2"),
    ],
)  # fmt: skip
def test_a_wrong_tree_is_named(draft: Any, target: Any, gamma: int | None, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        expected_accepted("token", draft, target, gamma)


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(ValueError, match=r"there is no verifier 'blokk'"):
        expected_accepted("blokk", [[0.5, 0.5]], [[0.5, 0.5], [[0.5, 0.5]] * 2])


def test_a_tree_is_called_with_a_prefix() -> None:
    draft, _ = random_trees(0, 3, 2, "plain")
    tree = LawTree("draft", draft)
    assert tree.vocab_size == 3 and tree.depth == 2
    assert np.abs(tree((1,)) - draft[1][1]).max() < 1e-12
    assert LawTree("draft", as_function(draft)).depth is None
