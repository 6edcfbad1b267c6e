"""The file of a sweep: nothing finished is lost, nothing foreign is touched, one writes at a time, and another pair is refused."""

from __future__ import annotations

import copy
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from specdemo.lab.sweep_file import LabFile, as_line, parsed, read_lab
from specdemo.trace.run import pair_facts
from tests.lab.swept import the_head, the_pair, the_rows

FACTS = pair_facts(the_pair())


def begun(path: Path, rows: int) -> Path:
    """A file with a head and some rows."""
    with LabFile(path) as file:
        file.begin([FACTS], 1)
        for row in the_rows()[:rows]:
            file.append(row)
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = begun(tmp_path / "lab.jsonl", 3)
    before = path.read_bytes()
    with LabFile(path) as file:
        file.begin([FACTS], 1)
        assert file.rows == list(the_rows()[:3]) and file.keys == {row["key"] for row in the_rows()[:3]}
        assert len(file.heads) == 1 and file.notices == []
        assert {**file.heads[0], "created": None} == {**the_head(), "created": None}
        with pytest.raises(ValueError, match=r"is in lab\.jsonl already"):
            file.append(the_rows()[0])
    assert path.read_bytes() == before, "the same sweep begun again writes nothing"
    heads, rows = read_lab(path)
    assert (len(heads), len(rows)) == (1, 3)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (1, 2, 0)])
def test_of_the_rows_of_a_cell_the_first_with_times_is_taken(order: tuple[int, ...]) -> None:
    first = the_rows()[0]
    without = {**first, "timings": None}
    timed = [{**first, "engine": name} for name in ("one", "two")]
    some = [(without, *timed)[i] for i in order]
    lines = [as_line(record).encode() for record in (the_head(), *some)]
    assert parsed(lines, "lab.jsonl")[1] == [timed[0]]
    assert parsed([lines[0], as_line(without).encode()], "lab.jsonl")[1] == [without]
    del without["timings"]
    with pytest.raises(ValueError, match="is no row of a lab sweep"):
        parsed([lines[0], as_line(without).encode()], "lab.jsonl")


def test_a_half_written_last_line_is_dropped_with_a_notice(tmp_path: Path) -> None:
    path = begun(tmp_path / "lab.jsonl", 3)
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for cut in (last + 1, last + 500, len(whole) - 2):
        path.write_bytes(whole[:cut])
        assert len(read_lab(path)[1]) == 2, "who only reads leaves it out"
        with LabFile(path) as file:
            assert len(file.rows) == 2 and "was cut off when it was written" in file.notices[0]
            file.append(the_rows()[2])
        assert path.read_bytes() == whole


def test_a_last_line_that_only_lacks_its_end_is_kept(tmp_path: Path) -> None:
    path = begun(tmp_path / "lab.jsonl", 2)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with LabFile(path) as file:
        assert len(file.rows) == 2 and file.notices == []
    assert path.read_bytes() == whole


def test_a_file_of_which_nothing_came_is_not_left_behind(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for path in (empty, tmp_path / "new.jsonl"):
        with pytest.raises(RuntimeError, match="no such pair"), LabFile(path):
            raise RuntimeError("no such pair")
    assert [path.name for path in tmp_path.iterdir()] == ["empty.jsonl"], "what was there before stays"


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_head_cut_off_begins_anew(tmp_path: Path, cut: int) -> None:
    path = begun(tmp_path / "lab.jsonl", 0)
    path.write_bytes(path.read_bytes()[:cut])
    with LabFile(path) as file:
        assert file.heads == [] and len(file.notices) == 1
        file.begin([FACTS], 1)
    assert len(read_lab(path)[0]) == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"Dear diary,\n", "is not a file of a lab sweep"),
        (b"Dear diary", "is not a file of a lab sweep"),
        (b'{"schema":"specdemo.race/1"}\n', "is not a file of a lab sweep"),
        (b'{"schema":"specdemo.lab/2"}\n', "is of specdemo.lab/2, this version reads specdemo.lab/1"),
        (b"\n", "is not a file of a lab sweep"),
        (b"[" * 100_000 + b"\n", "is not a file of a lab sweep"),
    ],
)
def test_a_foreign_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=says):
        LabFile(path)
    assert path.read_bytes() == content


def test_a_damaged_line_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    path = begun(tmp_path / "lab.jsonl", 3)
    lines = path.read_bytes().split(b"\n")
    changed = json.loads(lines[2])
    changed["cell"]["gamma"] += 1  # by hand: it is no measurement of that cell
    for damaged in (b"{", b"{}", b"17", json.dumps(changed).encode()):
        content = b"\n".join([*lines[:2], damaged, *lines[3:]])
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"line 3 of lab\.jsonl is no row"):
            LabFile(path)
        assert path.read_bytes() == content


@pytest.mark.parametrize("part", ["cell", "statistics"])
@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "9" * 400])
def test_a_number_that_none_can_compute_with_is_named_with_its_line(tmp_path: Path, part: str, number: str) -> None:
    path = begun(tmp_path / "lab.jsonl", 3)
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(f'"{part}":{{'.encode(), f'"{part}":{{"x":{number},'.encode(), 1)
    path.write_bytes(b"\n".join(lines))
    for read in (LabFile, read_lab):
        with pytest.raises(
            ValueError, match=rf"line 3 of lab\.jsonl holds {number[:20]}.*no number to compute with: mend"
        ):
            read(path)
    assert path.read_bytes() == b"\n".join(lines)
    foreign = tmp_path / "foreign.json"
    foreign.write_text(f"[{number}]\n")
    with pytest.raises(ValueError, match="is not a file of a lab sweep"):
        LabFile(foreign)


def test_a_second_writer_is_refused_until_the_first_is_done(tmp_path: Path) -> None:
    path = tmp_path / "lab.jsonl"
    with LabFile(path) as file:
        file.begin([FACTS], 1)
        with pytest.raises(RuntimeError, match=r"another process is writing to lab\.jsonl"):
            LabFile(path)
        file.append(the_rows()[0])
    with LabFile(path) as file:
        assert len(file.rows) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies of this one")
def test_a_killed_process_loses_no_finished_row_and_frees_the_file(tmp_path: Path) -> None:
    path = tmp_path / "lab.jsonl"
    the_rows()
    child = os.fork()
    if child == 0:  # writes the rows again and again, each a cell of its own, until it is killed
        with LabFile(path) as file:
            file.begin([FACTS], 1)
            for seed in range(10_000):
                for row in the_rows():
                    file.append(renamed(row, seed))
        os._exit(0)
    deadline = time.monotonic() + 60
    while not path.exists() or path.stat().st_size < 200_000:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    complete = path.read_bytes().count(b"\n") - 1
    with LabFile(path) as file:
        assert complete <= len(file.rows) <= complete + 1 and len(file.rows) > 20
        for i, row in enumerate(file.rows):
            assert row == renamed(the_rows()[i % len(the_rows())], i // len(the_rows()))


def renamed(row: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same row as if of another seed."""
    from specdemo.lab.sweep_cells import key_of

    cell = {**row["cell"], "seed": seed}
    return {**row, "cell": cell, "key": key_of(cell)}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"target_revision": "seed:9"}, "another pair .*target_revision 'seed:1' there, 'seed:9' here"),
        ({"name": "other"}, "another pair .*name 'tiny' there"),
        ({"dtype": "float32"}, "another pair .*dtype"),
        ({"draft_revision": "seed:9"}, "other weights of the draft 'tiny-draft'"),
    ],
)
def test_another_pair_is_refused(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    path = begun(tmp_path / "lab.jsonl", 1)
    before = path.read_bytes()
    with LabFile(path) as file, pytest.raises(ValueError, match=says):
        file.begin([{**FACTS, **change}], 1)
    assert path.read_bytes() == before


def test_another_draft_of_the_pair_joins(tmp_path: Path) -> None:
    path = begun(tmp_path / "lab.jsonl", 1)
    more = {**FACTS, "draft": "other", "draft_revision": "seed:5"}
    for _ in range(2):
        with LabFile(path) as file:
            file.begin([more], 1)
            assert file.heads[-1]["drafts"] == {"tiny-draft": "seed:2", "other": "seed:5"} and len(file.heads) == 2


def test_other_versions_and_machines_are_told_of(tmp_path: Path) -> None:
    path = begun(tmp_path / "lab.jsonl", 1)
    lines = path.read_bytes().split(b"\n")
    head = json.loads(lines[0])
    older = copy.deepcopy(head)
    older["versions"]["torch"] = "2.0"
    older["machine"]["threads"] = 7
    path.write_bytes(b"\n".join([json.dumps(older, separators=(",", ":")).encode(), *lines[1:]]))
    with LabFile(path) as file:
        file.begin([FACTS], 1)
        told = " ".join(file.notices)
    assert "torch 2.0 → " in told and "last digits" in told and "threads 7 → 1" in told and "two machines" in told
    heads, rows = read_lab(path)
    assert len(heads) == 2 and heads[1]["versions"] == head["versions"] and len(rows) == 1
