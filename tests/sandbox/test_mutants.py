"""Mistakes planted into the Sandbox's numerics: the check of every number finds each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from specdemo.sandbox import laws, nodes, picture
from specdemo.sandbox.laws import RepeatingLaws
from specdemo.transport import flows, tables
from tests.sandbox.checks import assert_right
from tests.sandbox.states import picture as picture_of
from tests.sandbox.states import random_state

STATES = [
    random_state(0, 2, 3, "prefix", "greedy_block", "correction_from_target", parts=24),
    random_state(1, 3, 2, "prefix", "greedy_block", "correction_from_target", parts=24),
    # Its coins let laws beyond the first γ positions reach back into the first γ tokens.
    random_state(2, 2, 3, "prefix", "current_row_for_next", "token", parts=24),
]

Plant = Callable[[pytest.MonkeyPatch], None]


def transposed_coupling(patch: pytest.MonkeyPatch) -> None:
    right = flows.flows_of
    patch.setattr(picture, "flows_of", lambda *given: right(*given).transpose(0, 2, 1))


def corrected_at_the_wrong_child(patch: pytest.MonkeyPatch) -> None:
    right = nodes.nodes_of

    def wrong(*given: Any) -> dict[str, dict[str, float]]:
        found = right(*given)
        found["A"]["corrected"], found["B"]["corrected"] = found["B"]["corrected"], found["A"]["corrected"]
        return found

    patch.setattr(picture, "nodes_of", wrong)


def corrected_where_it_was_kept(patch: pytest.MonkeyPatch) -> None:
    right = nodes.nodes_of
    patch.setattr(picture, "nodes_of", lambda given, size: right(np.roll(given, 1, axis=0), size))


def the_first_tokens_choose_the_last_level(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: RepeatingLaws, prefix: tuple[int, ...]) -> tuple[int, int]:
        level, row = min(len(prefix), len(self.levels) - 1), 0
        for symbol in prefix[:level]:
            row = row * self._symbols + symbol
        return level, row

    patch.setattr(RepeatingLaws, "at", wrong)


def the_last_level_does_not_repeat(patch: pytest.MonkeyPatch) -> None:
    right = RepeatingLaws.at
    patch.setattr(RepeatingLaws, "at", lambda self, prefix: right(self, prefix[: max(0, len(self.levels) - 1)]))


def all_prefixes_of_one_place(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RepeatingLaws, "place", lambda self, prefix: 0)


def memory_forgotten(patch: pytest.MonkeyPatch) -> None:
    right = flows.GoingOn.law
    patch.setattr(flows.GoingOn, "law", lambda self, context, missing, memory=None: right(self, context, missing, None))


def lossy_rules_go_on_with_the_target(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(flows.GoingOn, "_enough", lambda self, missing: 0)


def impossible_blocks_weigh_the_same(patch: pytest.MonkeyPatch) -> None:
    right = tables.block_table

    def wrong(*given: Any) -> tables.BlockTable:
        table = right(*given)
        return tables.BlockTable(
            np.full_like(table.masses, 1 / len(table.masses)), table.lengths, table.next_laws, table.plans
        )

    patch.setattr(picture, "block_table", wrong)


def the_draft_for_the_target(patch: pytest.MonkeyPatch) -> None:
    right = laws.trees_of
    patch.setattr(picture, "trees_of", lambda given: right(given)[::-1])


MUTANTS: list[Plant] = [
    transposed_coupling,
    corrected_at_the_wrong_child,
    corrected_where_it_was_kept,
    the_first_tokens_choose_the_last_level,
    the_last_level_does_not_repeat,
    all_prefixes_of_one_place,
    memory_forgotten,
    lossy_rules_go_on_with_the_target,
    impossible_blocks_weigh_the_same,
    the_draft_for_the_target,
]


def check() -> None:
    for state in STATES:
        assert_right(state, picture_of(state))


def test_without_a_mistake_nothing_is_found() -> None:
    check()


@pytest.mark.parametrize("plant", MUTANTS, ids=lambda plant: plant.__name__)
def test_the_mistake_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check()
