"""Settings: what cells have in common that are put together, as plain tuples of a cell's parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from specdemo.lab.sweep_pool import Row

BATCH, MOST_BATCH = 16, 256  # texts decoded at once where no times are wanted
TEXT_SETTING = ("draft", "task", "temperature", "top_k", "top_p", "max_new_tokens")
SETTING = ("draft", "task", "rules", "gamma", "temperature", "top_k", "top_p", "max_new_tokens")

Json = dict[str, Any]
Setting = tuple[Any, ...]


def by_task(settings: Iterable[Setting]) -> list[list[Setting]]:
    """The settings that differ in the task only, together."""
    found: dict[Setting, list[Setting]] = {}
    for setting in settings:
        found.setdefault(without_task(setting), []).append(setting)
    return list(found.values())


def without_task(setting: Setting) -> Setting:
    """What is left of a setting when the task is taken away."""
    at = SETTING.index("task")
    return (*setting[:at], *setting[at + 1 :])


def grouped_by(rows: Iterable[Row], names: Sequence[str]) -> dict[Setting, list[Row]]:
    """The rows by the parts `names` of their cells, in the order in which they come."""
    found: dict[Setting, list[Row]] = {}
    for row in rows:
        found.setdefault(setting_of(row["cell"], names), []).append(row)
    return found


def counted(cells: Iterable[Mapping[str, Any]]) -> dict[Setting, int]:
    """How many cells of each setting: γ by γ, else in the order in which settings first come."""
    found: dict[Setting, int] = {}
    for cell in cells:
        setting = setting_of(cell, SETTING)
        found[setting] = found.get(setting, 0) + 1
    gamma = SETTING.index("gamma")
    return dict(sorted(found.items(), key=lambda item: int(item[0][gamma])))


def setting_of(cell: Mapping[str, Any], names: Sequence[str]) -> Setting:
    """The parts `names` of a cell as the file holds it."""
    return tuple(tuple(cell[name]) if name == "rules" else cell[name] for name in names)


def named(names: Sequence[str], setting: Setting) -> Json:
    """A setting by the names of its parts, plain data."""
    return {name: list(value) if name == "rules" else value for name, value in zip(names, setting, strict=True)}
