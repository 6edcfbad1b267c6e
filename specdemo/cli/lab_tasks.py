"""The tasks that `specdemo lab --tasks` names, and the files that a sweep reads."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from specdemo.cli.lab_options import ALL, asked_drafts, words
from specdemo.cli.places import Place, model_files

if TYPE_CHECKING:
    from specdemo.lab.tasks import Task


def chosen_tasks(named: str) -> list[Task]:
    """The tasks of `--tasks`: all of the project, or some by name, or what a file holds; ValueError where there is neither."""
    from specdemo.lab import tasks
    from specdemo.lab.prompt_files import read_bounded

    found = []
    for name in _names(named):
        path = Path(name)
        if _is_own(name):
            found.append(tasks.read_own(read_bounded(path), path.name))
        elif name not in tasks.names() and path.suffix:
            raise ValueError(f"--tasks: there is no file {name!r}")
        else:
            found.append(tasks.get(name))
    return found


def read_files(options: argparse.Namespace) -> list[Place]:
    """The files of own prompts, and those of models in folders."""
    own = [("--tasks", Path(name)) for name in _names(options.tasks) if _is_own(name)]
    return [*own, *model_files(options, asked_drafts(options), "--drafts")]


def _names(named: str) -> Sequence[str]:
    from specdemo.lab import tasks

    return tasks.names() if named == ALL else words(named)


def _is_own(name: str) -> bool:
    """Whether a task's name is that of a person's own file: whatever can be read, also a pipe or a device."""
    from specdemo.lab import tasks

    return name not in tasks.names() and Path(name).exists() and not Path(name).is_dir()
