"""What the Lab page asks outside the queue: what a grid amounts to, and what a sweep's rows add up to. Nothing here trusts its caller."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from specdemo.pages.lab_request import LabGrid, LabLooked, planned_cells
from specdemo.pages.lab_rows import checked_file
from specdemo.pages.request import RequestError, read_as
from specdemo.pages.turns import Turns
from specdemo.sentences import told

# Putting rows together keeps a core busy: it should not fall into a call whose time is being measured, but nobody waits long for that.
_PATIENCE = 3.0


def plan(text: str) -> str:
    """{cells, tokens, tasks, command, no_command, refused} of a LabGrid.

    `refused` says why the page does not measure so much, `no_command` why no command line says the same (`command` is then null).
    """
    asked = read_as(LabGrid, text)
    grid = asked.grid()
    return _as_json(
        {
            "cells": asked.cells_of(grid),
            "tokens": asked.tokens_of(grid),
            "tasks": [
                {
                    "name": task.name,
                    "title": task.title,
                    "note": task.note,
                    "prompts": len(task.prompts),
                    "notices": list(task.notices),
                }
                for task in grid.tasks
            ],
            "command": asked.command(),
            "no_command": (no_command := asked.no_command()),
            "refused": (refused := asked.too_much(grid)),
            # How a page says either in another language.
            "told": {"no_command": told(no_command), "refused": told(refused)},
        }
    )


def summary_of(text: str) -> str:
    """{summary, tables, csv, markdown} of a file's text whose first line is a LabLooked and whose others are the file's."""
    first, *lines = text.split("\n")
    asked = read_as(LabLooked, first)
    heads, rows = checked_file(lines, asked.name)
    from specdemo.cli.lab_report import lab_answer
    from specdemo.lab.sweep_summary import summarise

    planned = None if asked.grid is None else planned_cells(asked.grid, heads[-1])
    try:
        summary = summarise(heads, rows, planned)
    except (ArithmeticError, AssertionError, LookupError) as error:
        raise RequestError(f"{asked.name}: its rows do not add up to anything ({type(error).__name__})") from error
    return _as_json(lab_answer(summary))


def lab_answers(turns: Turns) -> dict[str, Callable[[str], str]]:
    """The functions by name; `turns` are the models', so that nothing is put together while a call is timed."""

    def summary(text: str) -> str:
        with _between(turns):
            return summary_of(text)

    return {"lab-plan": plan, "lab-summary": summary}


@contextmanager
def _between(turns: Turns) -> Iterator[None]:
    got = turns.acquire(timeout=_PATIENCE)
    try:
        yield
    finally:
        if got:
            turns.release()


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
