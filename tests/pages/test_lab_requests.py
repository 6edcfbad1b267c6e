"""What the Lab page may ask for, what it is told, and that a sweep cut into turns is the library's sweep."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from specdemo.cli import lab_options
from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import PairIdentity
from specdemo.lab.sweep_file import as_line
from specdemo.lab.sweep_summary import summarise
from specdemo.lab.table import table_csv, tables
from specdemo.pages.lab_answers import plan, summary_of
from specdemo.pages.lab_request import LabGrid, read_lab_request
from specdemo.pages.models import Models
from specdemo.pages.request import LIMITS, RequestError, read_as
from specdemo.pages.service import Service
from specdemo.pages.turns import Turns
from specdemo.pairs import Pair
from tests.lab.swept import the_head, the_rows
from tests.tiny import tiny_pair

OWN = {"content": "the cat\na dog ran\n", "filename": None, "mode": "text"}


def grid(**changes: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "pair": "stories", "drafts": ["192"], "tasks": [], "own": OWN, "rules": ["token", "block"], "gammas": [2, 4], "max_new_tokens": 12,
    }  # fmt: skip
    return {**whole, **changes}


def asked(**changes: Any) -> str:
    return json.dumps({"run": "r", "seconds": 60, **grid(), **changes})


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=256, eos=None)


@pytest.fixture
def service(pair: Pair) -> Service:
    return Service(Models(load=lambda name, draft, progress: pair))


def messages(service: Service, text: str) -> list[dict[str, Any]]:
    return [json.loads(message) for message in service.lab(text)]


def lines(told: list[dict[str, Any]]) -> list[str]:
    return [message["line"] for message in told if message["kind"] == "lab_row"]


def test_a_sweep_in_turns_is_the_librarys(service: Service, pair: Pair) -> None:
    """Every row is what `measure` measures, the second turn has only what the first had not, and the lines keep their keys."""
    cells = list(read_as(LabGrid, json.dumps(grid())).grid().cells([PairIdentity.of(pair)]))
    some = [cell.key for cell in cells[1:3]]
    told = messages(service, asked(done=some))
    [start] = [message for message in told if message["kind"] == "lab_start"]
    assert start["keys"] == [cell.key for cell in cells] and start["done"] == 2 and told[-1]["kind"] == "end"
    rows = [json.loads(line) for line in lines(told)]
    assert [row["key"] for row in rows] == [cell.key for cell in cells if cell.key not in some]
    for row, cell in zip(rows, [cell for cell in cells if cell.key not in some], strict=True):
        assert row["statistics"] == json.loads(json.dumps(measure(pair, cell)["statistics"]))
    rest = messages(service, asked(done=[row["key"] for row in rows]))
    answer = json.loads(summary_of("\n".join(['{"grid":null}', start["head"], *lines(told), *lines(rest)])))
    assert answer["summary"]["cells"] == {"done": len(cells), "planned": len(cells)}


def test_a_turn_ends_and_the_models_are_left_to_others(service: Service) -> None:
    """No cell is begun that would not end in the time that is left, and each call has a turn of its own."""
    few = messages(service, asked(seconds=1e-6))
    assert len(lines(few)) == 0 and few[-1]["kind"] == "end"
    entered = 0
    acquire = service.models.turn.acquire

    def counted(timeout: float | None = None) -> bool:
        nonlocal entered
        entered += 1
        return acquire(timeout)

    service.models.turn.acquire = counted  # type: ignore[method-assign]
    [row] = map(json.loads, lines(messages(service, asked(gammas=[2], own={**OWN, "content": "the cat"}))))
    assert entered > sum(lane["calls"] for lane in row["timings"]["lanes"].values())


def test_cancelling_ends_a_turn(service: Service) -> None:
    stream = service.lab(asked(max_new_tokens=30, gammas=[1, 2, 3, 4]))
    for message in stream:
        if json.loads(message)["kind"] == "lab_row":
            service.cancel("r")
            break
    assert not [message for message in stream if json.loads(message)["kind"] == "lab_row"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"drafts": ["nosuch"]}, "no draft 'nosuch'"),
        ({"pair": "nosuch"}, "nosuch"),
        ({"rules": ["nosuch"]}, "nosuch"),
        ({"own": None}, "No task is chosen"),
        ({"tasks": ["nosuch"]}, "there is no task 'nosuch'"),
        ({"tasks": ["instruct"]}, "no chat template"),
        ({"own": {**OWN, "content": '"a"\nno json', "filename": "p.jsonl"}}, "line 2"),
        ({"gammas": [17]}, "must be 16 or less"),
        ({"gammas": [4, 4]}, "twice"),
        ({"seconds": 1e9}, "seconds"),
        ({"done": ["x"]}, "done.0"),
        ({"tasks": ["austen"], "prompts": 40, "seeds": 20}, "1,680 cells, and at most 1,000"),
        ({"tasks": ["austen"], "max_new_tokens": 512, "prompts": 40, "gammas": [1, 2, 3, 4]}, "python -m specdemo lab --pair stories"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_or_is_too_much_is_refused_in_words(
    service: Service, changes: dict[str, Any], words: str
) -> None:
    told = messages(service, asked(**changes))
    assert [message["kind"] for message in told] == ["error"] and words in told[0]["text"]


def test_a_plan_counts_what_is_measured_and_names_the_command() -> None:
    answer = json.loads(plan(json.dumps(grid(tasks=["austen"], prompts=3))))
    assert answer["cells"] == (3 + 2) * 2 and answer["tokens"] == answer["cells"] * 3 * 12 and answer["refused"] is None
    assert (
        "--tasks austen,my-prompts.txt" in answer["command"]
        and answer["tasks"][1]["note"] == "2 prompts of yours, one a line."
    )
    assert json.loads(plan(json.dumps(grid(tasks=["austen"], prompts=40, seeds=20))))["refused"].startswith(
        "This sweep has 1,680 cells"
    )
    for name, most in (("lab_cells", 1_000), ("lab_tokens", 200_000)):
        assert LIMITS[name] == most


def test_the_command_means_what_was_asked_for() -> None:
    """Read back by the command's own parser: every number to its last digit, and one file whatever its name."""
    temperatures = [0.1234567, 1e-7, 1 / 3, 1.0]
    for name, path in [
        ("--out.txt", "./--out.txt"), ("my file's.txt", "my file's.txt"), ("all.txt", "all.txt"), (None, "my-prompts.txt"),
    ]:  # fmt: skip
        changed_grid = grid(own={**OWN, "filename": name}, temperatures=temperatures, top_ps=[0.987654321])
        asked = read_as(LabGrid, json.dumps(changed_grid))
        command = asked.command()
        assert command is not None and asked.no_command() is None
        parser = argparse.ArgumentParser()
        lab_options.arguments(parser)
        options = parser.parse_args(shlex.split(command)[4:])
        lab_options.fill_in(options)
        assert lab_options.words(options.tasks) == [path]
        assert lab_options.grid(options, asked.chosen_tasks()) == asked.grid()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"filename": "a, b.txt"}, "comma"),
        ({"filename": "a.txt "}, "white space"),
        ({"filename": "a\n.txt"}, "cannot be seen"),
        ({"mode": "chat"}, "not as instructions"),
    ],
)
def test_a_command_that_would_mean_something_else_is_left_out(changes: dict[str, Any], words: str) -> None:
    asked = read_as(LabGrid, json.dumps(grid(own={**OWN, **changes})))
    assert asked.command() is None and words in str(asked.no_command())


def test_a_plan_says_why_it_names_no_command() -> None:
    answer = json.loads(plan(json.dumps(grid(own={**OWN, "filename": "a,b.txt"}))))
    assert answer["command"] is None and "comma" in answer["no_command"]


def file_of(rows: list[dict[str, Any]], head: dict[str, Any] | None = None) -> str:
    return "\n".join(['{"grid":null,"name":"a.jsonl"}', as_line(head or the_head()), *map(as_line, rows), ""])


def test_an_answer_is_the_librarys_summary_and_table() -> None:
    answer = json.loads(summary_of(file_of(list(the_rows()))))
    summary = json.loads(json.dumps(summarise([the_head()], the_rows())))
    assert {**answer["summary"], "created": ""} == {**summary, "created": ""}
    assert answer["csv"] == table_csv(tables(summary)) and "greedy_block" in answer["markdown"]
    [_, four] = answer["tables"]
    assert four["setting"]["gamma"] == 4 and four["paper"] is None and "temperature 1" in four["no_paper"]
    assert [line["name"] for line in four["lines"]] == ["cats", "dogs", "average"]


def changed(change: Callable[[dict[str, Any]], Any]) -> str:
    rows = json.loads(json.dumps(the_rows()[:2]))
    change(rows[1])
    return file_of(rows)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(lambda row: row["cell"].update(gamma=3)), "line 3 of a.jsonl is no row"),
        (changed(lambda row: row["statistics"]["runs"]["token"].update(calls=0)), "line 3 of a.jsonl: statistics.runs.token.calls"),
        (changed(lambda row: row["statistics"]["runs"].pop("plain")), "line 3 of a.jsonl: its runs"),
        (changed(lambda row: row["statistics"]["blocks"]["positions"]["tv"].append(0.0)), "positions, as its γ says"),
        (changed(lambda row: row["statistics"]["text"]["rules"]["token"]["calls"].pop()), "block lengths"),
        (changed(lambda row: row["timings"]["lanes"]["block"].update(tokens=0)), "tokens"),
        (changed(lambda row: row["statistics"].update(notice="x" * 1000)), "notice"),
        (file_of([]), "nothing"),
        (file_of(list(the_rows()[:1]), {**the_head(), "drafts": {}}), "other models"),
        ('{"grid":null}\nno file', "not a file of a lab sweep"),
        ('{"grid":null}', "no head"),
        ("[]", "request"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_with_the_line(text: str, words: str) -> None:
    if words == "nothing":  # a head alone is a file whose sweep has just begun
        assert json.loads(summary_of(text))["summary"]["cells"]["done"] == 0
        return
    with pytest.raises(RequestError) as found:
        summary_of(text)
    assert words in str(found.value)


def test_infinities_are_no_measurements() -> None:
    text = file_of(list(the_rows()[:1])).replace('"expected":', '"expected":1e999,"x":', 1)
    with pytest.raises(RequestError):
        summary_of(text)
    with pytest.raises(RequestError):
        read_lab_request(asked(seconds=float("nan")))


def test_putting_rows_together_waits_for_the_models_but_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    from specdemo.pages import lab_answers

    monkeypatch.setattr(lab_answers, "_PATIENCE", 0.01)
    turns = Turns()
    answer = lab_answers.lab_answers(turns)["lab-summary"]
    with turns:
        assert json.loads(answer(file_of(list(the_rows()[:1]))))["summary"]["cells"]["done"] == 1
    assert turns.acquire(timeout=0)
