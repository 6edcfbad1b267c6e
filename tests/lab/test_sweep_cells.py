"""The grid and its cells: their order, what a key depends on, and what is refused."""

from __future__ import annotations

import json
import pickle
import time
from dataclasses import fields, replace
from typing import Any

import pytest

from specdemo.lab.sweep_cells import Cell, Grid, PairIdentity, key_of
from specdemo.lab.tasks import Task
from tests.lab.swept import CATS, DOGS

IDENTITIES = [PairIdentity("p", draft, "t1", f"d{draft}", "float32", "cpu") for draft in ("a", "b")]
GRID = Grid((CATS, DOGS), ("block", "token"), gammas=(2, 8), temperatures=(0.5, 1.0), seeds=(0, 1), prompts=2)


def test_every_combination_once_and_breadth_first() -> None:
    cells = list(GRID.cells(IDENTITIES))
    assert len(cells) == 2 * 2 * 2 * 2 * (2 + 2) == len({cell.key for cell in cells})
    settings = 2 * 2 * 2 * 2  # drafts, temperatures, γ, tasks
    first = cells[:settings]
    assert {cell.prompt for cell in first} == {0} and {cell.seed for cell in first} == {0}
    assert len({(c.identity, c.temperature, c.gamma, c.task) for c in first}) == settings
    assert [cell.seed for cell in cells] == sorted(cell.seed for cell in cells)
    assert [cell.gamma for cell in first[:4]] == [8, 8, 2, 2], "one γ over all tasks before the next, the longest first"
    assert [cell.identity.draft for cell in first] == ["a"] * 8 + ["b"] * 8, "models change once a round"


def test_a_task_with_fewer_prompts_just_ends() -> None:
    cells = list(replace(GRID, prompts=3).cells(IDENTITIES[:1]))
    assert {(cell.task, cell.prompt) for cell in cells} == {("cats", i) for i in range(3)} | {
        ("dogs", i) for i in range(2)
    }


CELL = next(GRID.cells(IDENTITIES))


@pytest.mark.parametrize("name", [field.name for field in fields(Cell)])
def test_the_key_depends_on_every_part(name: str) -> None:
    others: dict[str, Any] = {
        "identity": IDENTITIES[1], "text": "another", "rules": ("token",), "mode": "chat", "task": "x", "temperature": 1.5, "top_p": 0.5,
    }  # fmt: skip
    changed = replace(CELL, **{name: others.get(name, 3)})
    assert changed.key != CELL.key
    for part in [field.name for field in fields(PairIdentity)]:
        assert replace(CELL, identity=replace(CELL.identity, **{part: "other"})).key != CELL.key


def test_the_key_is_that_of_the_cell_as_it_is_written() -> None:
    written = json.loads(json.dumps(CELL.to_json()))
    assert key_of(written) == CELL.key and len(CELL.key) == 24
    assert "text" not in written and len(written["digest"]) == 16
    assert {"seconds", "timings", "engine", "created"}.isdisjoint(written), "nothing that is measured is part of a key"
    assert pickle.loads(pickle.dumps(CELL)) == CELL


def test_something_measured_in_the_key_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Cell.to_json
    monkeypatch.setattr(Cell, "to_json", lambda cell: {**right(cell), "started": time.perf_counter_ns()})
    with pytest.raises(AssertionError):
        test_the_key_is_that_of_the_cell_as_it_is_written()


def test_the_same_set_of_rules_is_the_same_cell() -> None:
    turned = next(replace(GRID, rules=("token", "block")).cells(IDENTITIES))
    assert turned == CELL and CELL.rules == ("token", "block")


def test_a_number_is_the_same_cell_however_it_is_written() -> None:
    again = Grid((CATS, DOGS), ("block", "token"), gammas=(8, 2), temperatures=(0.5, 1), seeds=(0, 1), prompts=2)
    assert {cell.key for cell in again.cells(IDENTITIES)} == {cell.key for cell in GRID.cells(IDENTITIES)}
    zero, minus = ({cell.key for cell in replace(GRID, temperatures=(t,)).cells(IDENTITIES)} for t in (0, -0.0))
    assert zero == minus


def test_no_two_prompts_share_a_stream() -> None:
    many = Task("many", "", "", tuple(map(str, range(500))))
    cells = list(Grid((many, CATS, DOGS), gammas=(2,), prompts=500).cells(IDENTITIES[:1]))
    assert len({cell.stream for cell in cells}) == len(cells) == 505
    assert max(cell.stream for cell in cells) < 2**48, "a number that JavaScript holds exactly"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"tasks": ()}, "tasks is empty"),
        ({"rules": ()}, "rules is empty"),
        ({"gammas": (4, 4)}, "gammas holds something twice: 4, 4"),
        ({"tasks": (CATS, CATS)}, "tasks holds something twice: cats, cats"),
        ({"tasks": (CATS, Task("cats", "", "", ("x",)))}, "two tasks have one name"),
        ({"rules": ("token", "tokens")}, "there is no verifier 'tokens'"),
        ({"gammas": (0, 4)}, "nothing would be drafted"),
        ({"gammas": (65,)}, "gamma"),
        ({"temperatures": (-1.0,)}, "temperature"),
        ({"top_ks": (1.5,)}, "top_k"),
        ({"top_ps": (0.0,)}, "top_p"),
        ({"seeds": (-1,)}, "seed"),
        ({"prompts": 0}, "prompts must be at least 1"),
        ({"max_new_tokens": 0}, "max_new_tokens"),
    ],
)
def test_a_wrong_grid_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        replace(GRID, **change)
