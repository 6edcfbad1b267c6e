"""Which rules are called one: those that keep the same and go on alike, and their runs on real models say so too."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from specdemo.lab import same_rules as module
from specdemo.lab.same_rules import is_certain, same_rules
from specdemo.lab.sweep_cell import measure
from specdemo.verifiers import names
from tests.lab.swept import CATS, the_cells, the_pair

DRAWN, GREEDY = {"temperature": 0.8, "top_k": 0}, {"temperature": 0.0, "top_k": 0}
RULES = ("token", "block", "greedy_block", "sampled_match", "threshold")


def test_three_rules_are_one_at_gamma_1_and_none_beyond() -> None:
    assert same_rules(names(), 1, DRAWN)[0] == ("token", "block", "greedy_block")
    assert all(len(group) == 1 for group in same_rules(names(), 1, DRAWN)[1:])
    for gamma in (2, 5):
        assert same_rules(names(), gamma, DRAWN) == [(rule,) for rule in names()]


def test_with_certain_laws_all_lossless_rules_are_one() -> None:
    certain = ("token", "block", "greedy_block", "sampled_match", "exact_match")
    for setting, gamma in itertools.product((GREEDY, {"temperature": 1.0, "top_k": 1}), (1, 3, 16)):
        assert is_certain(setting) and same_rules(names(), gamma, setting)[0] == certain
    assert not is_certain(DRAWN) and not is_certain({"temperature": 1.0, "top_k": 2})


def test_a_rule_that_is_not_lossless_is_never_called_the_same() -> None:
    """Of these two the plan is the token rule's at γ = 1: what is wrong is how its coins are drawn."""
    wrong = ("product_of_uniforms_in_token", "one_uniform_for_all_in_token")
    assert same_rules(("token", *wrong), 1, DRAWN) == [("token",), *((rule,) for rule in wrong)]


def test_coins_corrections_and_memory_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the mistakes were lossless: one has another coin, two draw another correction behind the same coins."""
    monkeypatch.setattr(module, "lossless_at", lambda rule, temperature: True)
    module._alike.cache_clear()
    for wrong in ("inner_formula_at_gamma", "correction_from_target", "argmax_correction"):
        assert same_rules(("block", wrong), 1, DRAWN) == [("block",), (wrong,)]
    assert same_rules(("token", "threshold"), 1, DRAWN) == [("token",), ("threshold",)]
    module._alike.cache_clear()
    worlds = list(module._worlds(2, certain=False))
    assert all(module._same_plan("block", "block", world) for world in worlds)
    assert not all(module._same_plan("greedy_block", "greedy_block", world) for world in worlds), "a memory is left"


@pytest.mark.parametrize("gamma", [1, 3])
def test_runs_are_the_same_where_the_rules_are(gamma: int) -> None:
    """On the same uniforms they write the same text, by as many calls: the groups are asked of the rules, these runs are measured."""
    (cell,) = the_cells(tasks=(CATS,), rules=RULES, gammas=(gamma,), prompts=1, max_new_tokens=30)
    runs: dict[str, Any] = measure(the_pair(), cell)["statistics"]["runs"]
    groups = same_rules(RULES, gamma, DRAWN)

    def alike(one: str, other: str) -> bool:
        return all(
            runs[one][part] == pytest.approx(runs[other][part], rel=1e-9) for part in ("calls", "gained", "expected")
        )

    for one, other in itertools.combinations(RULES, 2):
        assert alike(one, other) == any({one, other} <= set(group) for group in groups), (one, other)
