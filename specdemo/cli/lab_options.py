"""The options of `specdemo lab`, and the grid they mean: lists with commas, presets, tasks by name or from a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from specdemo.lab.sweep_cells import Grid
    from specdemo.lab.tasks import Task

Number = TypeVar("Number", int, float)
ALL = "all"
DEFAULTS: dict[str, Any] = {
    "tasks": ALL, "rules": "token,block", "gammas": "4,8", "temperatures": "1", "top_ks": "0", "top_ps": "1", "prompts": 30, "max_new_tokens": 64,
}  # fmt: skip
# What a preset sets is overruled by what is given beside it.
PRESETS: dict[str, dict[str, Any]] = {"paper": {"gammas": "4,6,8"}}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    varied = parser.add_argument_group("what is varied (lists with commas)")
    varied.add_argument(
        "--pair",
        default="stories",
        help="a pair of the registry, a target's hub id, or a target's folder (default: stories)",
    )
    varied.add_argument("--drafts", help="drafts of the pair, hub ids or folders; all: every one (default: the first)")
    varied.add_argument("--tasks", help="names, or files of your own prompts; all: every task of the project (default)")
    varied.add_argument("--rules", help="see `specdemo verifiers` (default: token,block)")
    varied.add_argument("--gammas", help="drafted tokens a block (default: 4,8)")
    varied.add_argument("--temperatures", help="0 is greedy (default: 1)")
    varied.add_argument("--top-ks", help="0 is off (default)")
    varied.add_argument("--top-ps", help="1 is off (default)")
    varied.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    varied.add_argument("--seeds", type=int, default=1, help="how many seeds (default: 1)")
    varied.add_argument("--prompts", type=int, help="the first so many of each task (default: 30)")
    varied.add_argument("--max-new-tokens", type=int, help="where a text ends at the latest (default: 64)")
    varied.add_argument(
        "--preset", choices=[*PRESETS], help="paper: token and block at γ = 4, 6, 8 over all tasks, the paper's table"
    )
    run = parser.add_argument_group("the run")
    run.add_argument(
        "--minutes", type=float, help="begin no cell that would end later; the table then says what is missing"
    )
    run.add_argument(
        "--out",
        type=Path,
        metavar="FILE.jsonl",
        help="where every cell is kept as it is finished; the same command goes on from there (default: lab-PAIR.jsonl)",
    )
    run.add_argument(
        "--engine",
        choices=["local", "ray"],
        default="local",
        help="where cells are measured: one after the other in this process (default), or by workers on Ray (docs/lab.md)",
    )
    run.add_argument(
        "--device",
        default="auto",
        help="auto, cpu, cuda, mps, or auto-map: the target over all GPUs, through accelerate",
    )
    run.add_argument("--dtype", default="auto", help="auto, float32, bfloat16, float16 or float64")
    ray = parser.add_argument_group("with --engine ray")
    ray.add_argument(
        "--address", help="a cluster's HOST:PORT, or auto on one of its nodes (default: this machine alone)"
    )
    ray.add_argument("--workers", type=int, help="how many at most (default: as many as there is room for)")
    ray.add_argument(
        "--gpus-per-worker", type=float, help="where the device is cuda (default: 1); 0.5 puts two workers on one GPU"
    )
    shown = parser.add_argument_group("what is written")
    shown.add_argument("--json", type=Path, metavar="FILE", help="also write the summary to FILE (docs/lab.md)")
    shown.add_argument("--csv", type=Path, metavar="FILE", help="also write the table with all intervals to FILE")
    shown.add_argument("--markdown", action="store_true", help="print Markdown tables")


def fill_in(options: argparse.Namespace) -> None:
    """Put presets and defaults where nothing was given, and check what can be checked without models; ValueError in words."""
    chosen = {**DEFAULTS, **PRESETS.get(options.preset or "", {})}
    for name, value in chosen.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.minutes is not None and not options.minutes >= 0:
        raise ValueError(f"--minutes must be at least 0, got {options.minutes}")
    if options.seeds < 1:
        raise ValueError(f"--seeds must be at least 1, got {options.seeds}")
    _check_ray(options)
    if options.out is None:
        options.out = Path(f"lab-{Path(options.pair).name}.jsonl")
    for name in ("out", "json", "csv"):
        path = getattr(options, name)
        if path is not None and path.is_dir():
            raise ValueError(f"--{name}: {path} is a folder, a file is needed")
        if path is not None and not path.absolute().parent.is_dir():
            raise ValueError(f"--{name}: the folder of {path} does not exist")


def _check_ray(options: argparse.Namespace) -> None:
    for name in ("address", "workers", "gpus_per_worker"):
        if options.engine != "ray" and getattr(options, name) is not None:
            raise ValueError(f"--{name.replace('_', '-')} is for --engine ray")
    if options.workers is not None and options.workers < 1:
        raise ValueError(f"--workers must be at least 1, got {options.workers}")
    share = options.gpus_per_worker
    if share is not None and not (0 < share <= 1 or (share > 1 and share == int(share))):
        raise ValueError(f"--gpus-per-worker is a fraction above 0, or a whole number, got {share:g}")


def asked_drafts(options: argparse.Namespace) -> list[str | None]:
    """The drafts of `--drafts` as they were given, None for the pair's first; ValueError where it is empty."""
    from specdemo.pairs import registry

    if options.drafts is None:
        return [None]
    if options.drafts == ALL and options.pair in registry.names():
        return [*registry.get(options.pair).drafts]
    if not words(options.drafts):
        raise ValueError("--drafts is empty: name at least one")
    return [*words(options.drafts)]


def grid(options: argparse.Namespace, tasks: Sequence[Task]) -> Grid:
    """The grid of the options over these tasks; ValueError naming the option or the setting that is wrong."""
    from specdemo.lab.sweep_cells import Grid

    return Grid(
        tasks=tuple(tasks),
        rules=tuple(words(options.rules)),
        gammas=tuple(_numbers("gammas", options.gammas, int)),
        temperatures=tuple(_numbers("temperatures", options.temperatures, float)),
        top_ks=tuple(_numbers("top-ks", options.top_ks, int)),
        top_ps=tuple(_numbers("top-ps", options.top_ps, float)),
        seeds=tuple(range(options.seed, options.seed + options.seeds)),
        prompts=options.prompts,
        max_new_tokens=options.max_new_tokens,
    )


def chosen_tasks(named: str) -> list[Task]:
    """The tasks of `--tasks`: all of the project, or some by name, or what a file holds; ValueError where there is neither."""
    from specdemo.lab import tasks

    found = []
    for name in tasks.names() if named == ALL else words(named):
        path = Path(name)
        if name not in tasks.names() and path.is_file():
            found.append(tasks.read_own(path.read_bytes(), path.name))
        elif name not in tasks.names() and path.suffix:
            raise ValueError(f"--tasks: there is no file {name!r}")
        else:
            found.append(tasks.get(name))
    return found


def words(listed: str) -> list[str]:
    """The parts of a list with commas.

    >>> words("token, block,")
    ['token', 'block']
    """
    return [part.strip() for part in listed.split(",") if part.strip()]


def _numbers(option: str, listed: str, kind: Callable[[str], Number]) -> list[Number]:
    found = []
    for part in words(listed):
        try:
            found.append(kind(part))
        except ValueError:
            what = "whole numbers" if kind is int else "numbers"
            raise ValueError(f"--{option} takes {what} with commas between them, got {part!r}") from None
    return found
