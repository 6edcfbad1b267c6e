"""Cells measured in batches have the statistics of cells measured one by one, no times, and every part behind them can do without."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import torch

from specdemo.cli.lab_report import lab_report
from specdemo.decoding.batched_loop import BatchedLoop, Text
from specdemo.decoding.loop import Step
from specdemo.lab import sweep_batched
from specdemo.lab.sweep import sweep
from specdemo.lab.sweep_batched import BatchedEngine
from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Cell, PairIdentity
from specdemo.lab.sweep_file import LabFile, Row, head_of, read_lab
from specdemo.lab.sweep_summary import summarise
from specdemo.lab.table import table_text, tables
from specdemo.pages.lab_rows import checked_file
from specdemo.pairs import Pair
from specdemo.trace.run import pair_facts
from tests.batches import packed_pair
from tests.lab.swept import RULES, the_cells, the_grid, the_head, the_pair, the_rows
from tests.pairs.packing import needs_half
from tests.tiny import tiny_pair


def no_loading(draft: str) -> Pair:
    raise AssertionError(f"the draft {draft} is loaded already")


def batched(cells: Iterable[Cell], batch: int = 7, stopped: Callable[[], bool] = lambda: False) -> dict[str, Row]:
    """The rows of cells of the tiny pair by key."""
    return {row["key"]: row for row in BatchedEngine(no_loading, (the_pair(),), batch).run(iter(cells), stopped)}


def untimed() -> list[Row]:
    """The rows measured one by one, as they are without times."""
    return [{**row, "timings": None} for row in the_rows()]


def assert_close(mine: Any, other: Any) -> None:
    """The same plain data, numbers within what a padded pass rounds."""
    if isinstance(mine, dict):
        assert list(mine) == list(other)
        for name in mine:
            assert_close(mine[name], other[name])
    elif isinstance(mine, list):
        assert len(mine) == len(other)
        for one, another in zip(mine, other, strict=True):
            assert_close(one, another)
    else:
        assert mine == (pytest.approx(other, abs=1e-9) if isinstance(other, float) else other)


def test_statistics_are_those_of_cells_measured_one_by_one() -> None:
    found = batched(the_cells())
    for row in the_rows():
        mine = found[row["key"]]
        assert list(mine) == list(row) and mine["cell"] == row["cell"]
        assert mine["timings"] is None and mine["engine"] == "batched"
        assert_close(mine["statistics"], row["statistics"])
    assert len(found) == len(the_rows())


@needs_half
def test_lean_statistics_are_equal_to_the_bit() -> None:
    pair = packed_pair()
    grid = the_grid(rules=("token", "block", "greedy_block"), gammas=(2, 5), prompts=2, temperatures=(0.0, 1.0))
    cells = list(grid.cells([PairIdentity.of(pair)]))
    rows = list(BatchedEngine(no_loading, (pair,), 5).run(iter(cells), lambda: False))
    assert {row["key"] for row in rows} == {cell.key for cell in cells}
    by_key = {row["key"]: row for row in rows}
    for cell in cells[::3]:
        assert json.dumps(by_key[cell.key]["statistics"]) == json.dumps(measure(pair, cell)["statistics"])


@pytest.fixture
def plain_texts(monkeypatch: pytest.MonkeyPatch) -> list[Text]:
    """The texts of plain decoding, from now on; batches of at most four."""
    seen: list[Text] = []
    blocks = BatchedLoop.blocks

    def watched(self: BatchedLoop, texts: list[Text]) -> list[Step]:
        seen.extend(text for text in texts if not text.gamma and text not in seen)
        assert len(texts) <= 4
        return blocks(self, texts)

    monkeypatch.setattr(BatchedLoop, "blocks", watched)
    return seen


def test_plain_decoding_is_done_once_for_all_gammas(plain_texts: list[Text]) -> None:
    cells = the_cells(gammas=(2, 3, 4), rules=("block",), prompts=1)
    assert len(batched(cells, 4)) == 6
    assert len(plain_texts) == len({cell.task for cell in cells}) == 2


def test_the_plain_decodings_that_are_kept_are_the_last(
    plain_texts: list[Text], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_batched, "_PLAINS_KEPT", 1)
    cells = the_cells(gammas=(2, 3, 4), rules=("block",), prompts=1)
    assert len(batched(sorted(cells, key=lambda cell: cell.task), 1)) == 6 and len(plain_texts) == 2
    plain_texts.clear()
    assert len(batched(cells, 1)) == 6 and len(plain_texts) == 6, "one alone is kept, and tasks take turns"


@pytest.mark.parametrize("batch", [1, 30])
def test_cells_share_no_plain_decoding_that_says_something_else(batch: int) -> None:
    first = the_cells(rules=("token",), gammas=(2,), prompts=1)[0]
    changes: list[dict[str, Any]] = [
        {"gamma": 7}, {"rules": ("block",)}, {"text": "the dog"}, {"prompt": 1}, {"seed": 8}, {"temperature": 0.5}, {"top_k": 3},
        {"top_p": 0.6}, {"max_new_tokens": 13},
    ]  # fmt: skip
    cells = [first, *(dataclasses.replace(first, **change) for change in changes)]
    found = batched(cells, batch)
    for cell in cells:
        assert_close(found[cell.key]["statistics"], measure(the_pair(), cell)["statistics"])


def test_fewer_texts_at_once_where_their_laws_would_fill_the_memory(
    plain_texts: list[Text], monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = the_cells(rules=("token",), prompts=1)
    for texts, slots in ((3.9, 3), (1.0, 1), (0.2, 1), (7.0, 5)):
        monkeypatch.setattr(sweep_batched, "_LAW_BYTES", int(texts * 8 * the_pair().vocab_size * 12))
        assert sweep_batched._slots(5, the_pair(), cells[0]) == slots
    monkeypatch.setattr(sweep_batched, "_LAW_BYTES", 2 * 8 * the_pair().vocab_size * 12)
    assert len(batched(cells, 30)) == len(cells), "batches of more than four would be noticed"


@pytest.mark.parametrize("batch", [1, 4])
def test_cells_go_on_where_all_texts_of_a_round_end_together(batch: int) -> None:
    cells = the_cells(rules=("token",), max_new_tokens=1)
    assert set(batched(cells, batch)) == {cell.key for cell in cells}


def test_one_pair_after_the_other() -> None:
    other = dataclasses.replace(tiny_pair(), draft_name="another")
    with torch.no_grad():
        other.draft_model.lm_head.weight.mul_(0.5)
    cells = list(
        the_grid(rules=("token",), gammas=(2,), prompts=2).cells([PairIdentity.of(p) for p in (the_pair(), other)])
    )
    loaded = {"tiny-draft": the_pair(), "another": other}
    rows = {row["key"]: row for row in BatchedEngine(loaded.__getitem__, batch=3).run(iter(cells), lambda: False)}
    assert set(rows) == {cell.key for cell in cells}
    for cell in cells:
        statistics = measure(loaded[cell.identity.draft], cell)["statistics"]
        assert_close(rows[cell.key]["statistics"], statistics)


def test_stopping_gives_up_what_is_under_way() -> None:
    asked = iter([False] * 4 + [True] * 100)
    assert len(batched(the_cells(), 64, lambda: next(asked))) < len(the_cells())


def test_a_cell_of_other_models_is_refused() -> None:
    wrong = dataclasses.replace(the_cells()[0].identity, draft_revision="seed:9")
    with pytest.raises(RuntimeError, match="the cell is for"):
        list(
            BatchedEngine(lambda draft: the_pair()).run(
                iter([dataclasses.replace(the_cells()[0], identity=wrong)]), lambda: False
            )
        )


class Handing:
    """An engine that hands out rows measured before."""

    name = "handing"

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = {row["key"]: row for row in rows}
        self.asked: list[str] = []

    def run(self, cells: Iterable[Cell], stopped: Callable[[], bool]) -> Iterable[Row]:
        for cell in cells:
            self.asked.append(cell.key)
            yield self._rows[cell.key]


def swept(path: Path, rows: list[Row], cells: list[Cell], times: bool) -> list[str]:
    """The cells that were asked for when the file went on with these."""
    engine: Any = Handing(rows)
    with LabFile(path, times=times) as file:
        file.begin([pair_facts(the_pair())], 1)
        list(sweep(file, cells, engine))
        assert len({row["key"] for row in file.rows}) == len(file.rows)
    return list(engine.asked)


def test_a_row_without_times_is_done_until_times_are_asked_for(tmp_path: Path) -> None:
    path, cells = tmp_path / "lab.jsonl", the_cells()
    timed = list(the_rows())
    assert len(swept(path, untimed(), cells[:4], times=False)) == 4
    assert swept(path, untimed(), cells[:4], times=False) == []
    assert swept(path, timed, cells[1:6], times=True) == [cell.key for cell in cells[1:6]]
    assert swept(path, timed, cells[1:6], times=True) == []
    assert swept(path, untimed(), cells[:7], times=False) == [cells[6].key], "times are not thrown away"
    rows = {row["key"]: row for row in read_lab(path)[1]}
    assert [rows[cell.key]["timings"] is None for cell in cells[:7]] == [True, False, False, False, False, False, True]
    whole = path.read_bytes()
    lines = whole.split(b"\n")
    path.write_bytes(b"\n".join(lines[:5]) + b"\n" + lines[6])  # the last is a row with times, without its end
    with LabFile(path) as file:
        assert len({row["key"] for row in file.rows}) == len(file.rows) and file.notices == []


def test_a_summary_without_times() -> None:
    timed, bare = (summarise([the_head()], rows) for rows in (the_rows(), untimed()))
    for mine, other in zip(bare["results"], timed["results"], strict=True):
        assert mine["costs"] is None and mine["timed_prompts"] == 0 and other["timed_prompts"] == other["prompts"]
        for rule, figures in mine["rules"].items():
            assert figures["speed"] is None
            assert {**figures, "speed": other["rules"][rule]["speed"]} == other["rules"][rule]
    assert bare["texts"] == timed["texts"] and bare["load"] is None and bare["predictions"] == []
    for record in bare["averages"]:
        assert all(figures["speed"] is None and figures["runs"] for figures in record["rules"].values())
    for table in tables(bare):
        assert "× plain" not in table_text(table) and "No times yet" in table_text(table)
        assert [line.timed_prompts for line in table.lines] == [None] * len(table.lines)
    for markdown in (False, True):
        assert "Predicted" not in lab_report(bare, markdown=markdown)


def test_the_timed_cells_of_a_setting_give_its_speeds() -> None:
    first = {row["key"] for row in the_rows() if row["cell"]["prompt"] == 0}
    rows = [row if row["key"] in first else {**row, "timings": None} for row in the_rows()]
    mixed, alone = summarise([the_head()], rows), summarise([the_head()], [r for r in the_rows() if r["key"] in first])
    whole = summarise([the_head()], the_rows())
    for mine, few, many in zip(mixed["results"], alone["results"], whole["results"], strict=True):
        assert (mine["timed_prompts"], mine["costs"]) == (1, few["costs"])
        for rule, figures in mine["rules"].items():
            assert figures["speed"] == few["rules"][rule]["speed"]
            assert figures["runs"] == many["rules"][rule]["runs"]


def test_averages_are_over_all_tasks_or_none() -> None:
    whole = summarise([the_head()], the_rows())
    rows = [{**row, "timings": row["timings"] if row["cell"]["task"] == "cats" else None} for row in the_rows()]
    one_timed = summarise([the_head()], rows)
    for record, fewer in zip(whole["averages"], one_timed["averages"], strict=True):
        results = [r for r in whole["results"] if r["setting"]["gamma"] == record["setting"]["gamma"]]
        for rule, figures in record["rules"].items():
            own = [result["rules"][rule]["runs"] for result in results]
            assert len(own) == 2
            mean = sum(runs["efficiency"]["mean"] for runs in own) / 2
            assert figures["runs"]["efficiency"]["mean"] == pytest.approx(mean)
            assert (figures["runs"]["over_token"] is None) == (rule == "token")
            if rule != "token":
                mean = sum(runs["over_token"]["mean"] for runs in own) / 2
                assert figures["runs"]["over_token"]["mean"] == pytest.approx(mean)
                speeds = [record["rules"][name]["speed"]["over_plain"]["mean"] for name in (rule, "token")]
                assert figures["speed"]["over_token"]["mean"] == pytest.approx(speeds[0] / speeds[1])
            assert fewer["rules"][rule] == {**figures, "speed": None}


def test_a_prediction_with_given_costs() -> None:
    for rows in (the_rows(), untimed()):
        found = summarise([the_head()], rows, costs=(0.2, 1.4))["predictions"]
        assert {one["rule"] for one in found} == set(RULES)
        for one in found:
            assert one["draft_cost"] == 0.2 and one["verify_cost"][one["gammas"].index(4)] == pytest.approx(1.4)
            assert one["speedup"] == pytest.approx(
                [e / (g * 0.2 + v) for g, e, v in zip(one["gammas"], one["expected"], one["verify_cost"], strict=True)]
            )
            assert bool(one["measured"]) == (rows[0]["timings"] is not None)


def test_the_page_reads_rows_without_times() -> None:
    lines = [json.dumps(record) for record in (head_of([pair_facts(the_pair())], 1), *untimed()[:2])]
    assert [row["timings"] for row in checked_file(lines, "x.jsonl")[1]] == [None, None]
