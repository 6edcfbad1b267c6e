"""A sweep as a whole: resumed it is the same bit for bit, nothing is measured twice, time and people can stop it, engines agree."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from specdemo.lab import sweep_sums, sweep_texts
from specdemo.lab.sweep import Progress, sweep
from specdemo.lab.sweep_cells import Cell, PairIdentity
from specdemo.lab.sweep_engine import LocalEngine
from specdemo.lab.sweep_file import LabFile, Row, read_lab
from specdemo.lab.sweep_summary import summarise
from specdemo.pairs import Pair
from specdemo.trace.run import pair_facts
from tests.lab.swept import the_cells, the_head, the_pair, the_rows


def no_loading(draft: str) -> Pair:
    raise AssertionError(f"the draft {draft} is loaded already")


def engine() -> LocalEngine:
    return LocalEngine(no_loading, (the_pair(),))


class Replay:
    """An engine that hands out rows measured before; `seen` are the cells it was asked for."""

    name = "replay"

    def __init__(self, clock: list[float] | None = None, shuffled: bool = False) -> None:
        self.seen: list[Cell] = []
        self._rows = {row["key"]: row for row in the_rows()}
        self._clock, self._shuffled = clock, shuffled

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[Row]:
        taken = list(cells) if self._shuffled else cells
        if self._shuffled:
            random.Random(3).shuffle(taken)  # type: ignore[arg-type]
        for cell in taken:
            if stopped():
                return
            self.seen.append(cell)
            if self._clock is not None:
                self._clock[0] += 10.0
            yield {**self._rows[cell.key], "engine": self.name}


def swept(path: Path, **options: Any) -> list[Progress]:
    with LabFile(path) as file:
        file.begin([pair_facts(the_pair())], 1)
        options.setdefault("engine", Replay())
        return list(sweep(file, options.pop("cells", the_cells()), options.pop("engine"), **options))


def statistics(path: Path) -> str:
    """Everything but times, in the order of the keys."""
    rows = sorted(read_lab(path)[1], key=lambda row: row["key"])
    return json.dumps([[row["key"], row["cell"], row["statistics"]] for row in rows])


def figures(rows: list[Row]) -> str:
    summary = summarise([the_head()], rows, [cell.to_json() for cell in the_cells()])
    del summary["created"]
    return json.dumps(summary, allow_nan=False)


def test_stopped_and_resumed_is_the_same_bit_for_bit(tmp_path: Path) -> None:
    """Measured, not replayed: stopped within the third cell, resumed by a new process's engine."""
    calls = 0

    def stopped() -> bool:
        nonlocal calls
        calls += 1
        return len(told) == 2 and calls % 7 == 0

    told: list[Progress] = []
    path = tmp_path / "lab.jsonl"
    with LabFile(path) as file:
        file.begin([pair_facts(the_pair())], 1)
        for progress in sweep(file, the_cells(), engine(), stopped=stopped):
            told.append(progress)
    assert [progress.done for progress in told] == [1, 2] and len(read_lab(path)[1]) == 2
    assert [p.done for p in swept(path, engine=engine())] == list(range(3, 11))
    swept(tmp_path / "whole.jsonl")
    assert statistics(path) == statistics(tmp_path / "whole.jsonl")


def test_a_cell_in_the_file_is_never_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "lab.jsonl"
    swept(path, cells=the_cells()[3:6])
    rest = Replay()
    found = swept(path, engine=rest)
    assert rest.seen == the_cells()[:3] + the_cells()[6:]
    assert [progress.done for progress in found] == list(range(4, 11)) and {p.planned for p in found} == {10}
    before = path.read_bytes()
    nothing = Replay()
    assert swept(path, engine=nothing) == [] and nothing.seen == []
    assert path.read_bytes() == before


def test_a_row_is_on_the_disk_before_it_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "lab.jsonl"
    with LabFile(path) as file:
        file.begin([pair_facts(the_pair())], 1)
        for progress in sweep(file, the_cells(), Replay()):
            assert read_lab(path)[1][-1]["key"] == progress.row["key"]


def test_time_is_kept_and_left(tmp_path: Path) -> None:
    """Each cell takes 10 seconds: in 45 four are finished, and a fifth that would end at 50 is not begun."""
    now = [100.0]
    found = swept(tmp_path / "a.jsonl", engine=Replay(now), seconds=45.0, clock=lambda: now[0])
    assert [progress.done for progress in found] == [1, 2, 3, 4]
    assert [progress.seconds_left for progress in found] == [35.0, 25.0, 15.0, 5.0]
    found = swept(tmp_path / "b.jsonl", engine=Replay(now), clock=lambda: now[0])
    assert [progress.seconds_left for progress in found] == [10.0 * left for left in range(9, -1, -1)]
    assert swept(tmp_path / "c.jsonl", seconds=0.0, clock=lambda: now[0]) == []


class InTwos(Replay):
    """Two cells side by side, for 20 seconds each."""

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[Row]:
        assert self._clock is not None
        while pair := list(itertools.islice(cells, 2)):
            self._clock[0] += 20.0
            for cell in pair:
                yield {**self._rows[cell.key], "engine": self.name}


def test_time_is_kept_where_cells_are_measured_side_by_side(tmp_path: Path) -> None:
    """From one finished cell to the next it is 10 seconds, but a cell begun at 20 ends at 40."""
    for seconds, expected in ((38.0, 2), (42.0, 4)):
        now = [0.0]
        found = swept(tmp_path / f"{expected}.jsonl", engine=InTwos(now), seconds=seconds, clock=lambda now=now: now[0])
        assert len(found) == expected and now[0] <= seconds


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    rows = list(the_rows()[:5])
    summary = summarise([the_head()], rows, [cell.to_json() for cell in the_cells()])
    assert summary["cells"] == {"done": 5, "planned": 10}
    assert {(m["setting"]["task"], m["setting"]["gamma"]): (m["cells"], m["planned"]) for m in summary["missing"]} == {
        ("cats", 2): (1, 3), ("cats", 4): (2, 3), ("dogs", 2): (1, 2), ("dogs", 4): (1, 2),
    }  # fmt: skip
    assert len(summary["results"]) == 4, "after one round and one more cell every setting has a figure"


def test_engines_and_orders_give_the_same_figures(tmp_path: Path) -> None:
    swept(tmp_path / "a.jsonl")
    swept(tmp_path / "b.jsonl", engine=Replay(shuffled=True))
    one, other = (read_lab(tmp_path / name)[1] for name in ("a.jsonl", "b.jsonl"))
    assert [row["key"] for row in one] != [row["key"] for row in other]
    assert figures(one) == figures(other)


def test_speeds_are_all_tokens_over_all_seconds() -> None:
    for result in summarise([the_head()], the_rows())["results"]:
        setting = result["setting"]
        cells = [(row["cell"]["task"], row["cell"]["gamma"]) for row in the_rows()]
        rows = [row for row, at in zip(the_rows(), cells, strict=True) if at == (setting["task"], setting["gamma"])]

        def speed(name: str, rows: list[Row] = rows) -> float:
            lanes = [row["timings"]["lanes"][name] for row in rows]
            seconds = sum(lane[f"{part}_ms"] / 1e3 for lane in lanes for part in ("draft", "target", "verify", "rest"))
            return float(sum(lane["tokens"] for lane in lanes) / seconds)

        for rule, figures in result["rules"].items():
            assert figures["speed"]["tokens_per_second"] == pytest.approx(speed(rule))
            for base, over in (("plain", "over_plain"), ("token", "over_token")):
                if figures["speed"][over] is not None:
                    assert figures["speed"][over]["mean"] == pytest.approx(speed(rule) / speed(base))
        assert result["rules"]["block"]["speed"]["over_token"] is not None


def test_rows_of_another_grid_are_left_out(tmp_path: Path) -> None:
    more = the_cells(max_new_tokens=13, rules=("token",), gammas=(2,))[:1]
    path = tmp_path / "lab.jsonl"
    swept(path, cells=more, engine=engine())
    swept(path)
    rows = read_lab(path)[1]
    assert len(rows) == 11 and figures(rows) == figures(list(the_rows()))


def test_the_local_engine_loads_what_it_lacks_and_keeps_few(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def load(draft: str) -> Pair:
        loaded.append(draft)
        return the_pair()

    cells = []
    for name in ("a", "b", "a", "c", "a"):
        cell = the_cells()[0]
        identity = PairIdentity(**{**vars(cell.identity), "draft": name})
        cells.append(Cell(**{**vars(cell), "identity": identity}))
    warm: list[bool] = []
    monkeypatch.setattr(
        "specdemo.lab.sweep_engine.measure",
        lambda pair, cell, stopped, warm_up=warm, **of: warm_up.append(of["warm"]) or {},
    )
    assert len(list(LocalEngine(load).run(iter(cells), lambda: False))) == 5
    assert loaded == ["a", "b", "c", "a"], "two are kept"
    assert warm == [False, False, True, False, True], "the first cell of a draft and γ warms up"


def test_a_failure_ends_the_sweep_and_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = 0
    right = sweep_texts.text_calls

    def failing(*arguments: Any) -> Any:
        nonlocal measured
        measured += 1
        if measured == 3:
            raise RuntimeError("out of memory")
        return right(*arguments)

    monkeypatch.setattr(sweep_sums, "text_calls", failing)
    path = tmp_path / "lab.jsonl"
    with pytest.raises(RuntimeError, match="out of memory"):
        swept(path, engine=engine())
    assert len(read_lab(path)[1]) == 2
