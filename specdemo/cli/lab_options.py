"""The options of `specdemo lab`, and the grid they mean: lists with commas, presets, tasks by name or from a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from specdemo.arrays import setting_of

if TYPE_CHECKING:
    from specdemo.lab.sweep_cells import Grid
    from specdemo.lab.tasks import Task

Number = TypeVar("Number", int, float)
ALL = "all"
MOST_SEED = 2**53 - 1
DEFAULTS: dict[str, Any] = {
    "tasks": ALL, "rules": "token,block", "gammas": "4,8", "top_ks": "0", "top_ps": "1", "prompts": 30, "max_new_tokens": 64,
}  # fmt: skip
# What a preset sets is overruled by what is given beside it; tasks and temperatures: `_of_the_pair`.
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
    varied.add_argument("--temperatures", help="0 is greedy (default: as the pair has it, 1, or 0.5 for smollm2)")
    varied.add_argument("--top-ks", help="0 is off (default)")
    varied.add_argument("--top-ps", help="1 is off (default)")
    varied.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    varied.add_argument("--seeds", type=int, default=1, help="how many seeds (default: 1)")
    varied.add_argument("--prompts", type=int, help="the first so many of each task (default: 30)")
    varied.add_argument("--max-new-tokens", type=int, help="where a text ends at the latest (default: 64)")
    varied.add_argument(
        "--preset",
        choices=[*PRESETS],
        help="paper: the paper's table: token and block at γ = 4, 6, 8 and T = 1 over all tasks that are texts to continue "
        "(instructions, for a pair that answers them)",
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
        "--no-times",
        action="store_true",
        help="measure what rules keep and not how fast they are: many texts are decoded at once, several times as fast; times are measured "
        "when the same command is given without it",
    )
    run.add_argument(
        "--batch", type=int, help="with --no-times (which it implies): so many texts at once (default: 16)"
    )
    run.add_argument(
        "--device",
        default="auto",
        help="auto, cpu, cuda, mps, or auto-map: the target over all GPUs, through accelerate",
    )
    run.add_argument("--dtype", default="auto", help="auto, float32, bfloat16, float16 or float64")
    ray = parser.add_argument_group("workers, with --engine ray")
    ray.add_argument(
        "--address", help="a cluster's HOST:PORT, or auto on one of its nodes (default: this machine alone)"
    )
    ray.add_argument(
        "--workers",
        type=int,
        help="how many at most (default: as many as there is room for); with --no-times: so many processes of one thread (default: one a core)",
    )
    ray.add_argument(
        "--gpus-per-worker", type=float, help="where the device is cuda (default: 1); 0.5 puts two workers on one GPU"
    )
    shown = parser.add_argument_group("what is written")
    shown.add_argument(
        "--costs",
        metavar="C,V",
        help="predict with these costs of a draft step and of a target call at the longest γ, in plain target steps, instead of those measured",
    )
    shown.add_argument("--json", type=Path, metavar="FILE", help="also write the summary to FILE (docs/lab.md)")
    shown.add_argument("--csv", type=Path, metavar="FILE", help="also write the table with all intervals to FILE")
    shown.add_argument(
        "--html", type=Path, metavar="FILE", help="also write it all as one page that opens from disk, offline"
    )
    shown.add_argument("--markdown", action="store_true", help="print Markdown tables")


def fill_in(options: argparse.Namespace) -> list[str]:
    """Put presets and defaults where nothing was given, and check what can be checked without models; ValueError in words.

    Returns what a person should know of what was chosen for them.
    """
    of_the_pair, notices = _of_the_pair(options)
    chosen = {**DEFAULTS, **PRESETS.get(options.preset or "", {}), **of_the_pair}
    for name, value in chosen.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.minutes is not None and not options.minutes >= 0:
        raise ValueError(f"--minutes must be at least 0, got {options.minutes}")
    if options.seeds < 1:
        raise ValueError(f"--seeds must be at least 1, got {options.seeds}")
    _fill_in_batch(options)
    _check_ray(options)
    if options.html and options.seed + options.seeds > MOST_SEED:
        raise ValueError(f"--html: a browser cannot hold a seed above {MOST_SEED:,} exactly")
    if options.out is None:
        options.out = Path(f"lab-{Path(options.pair).name}.jsonl")
    return notices


def _of_the_pair(options: argparse.Namespace) -> tuple[dict[str, str], list[str]]:
    """The temperature and, for the paper's table, the tasks that suit the pair, and what is said of them where they are not given."""
    from specdemo.lab import tasks
    from specdemo.pairs import registry

    entry = registry.get(options.pair) if options.pair in registry.names() else None
    own = 1.0 if entry is None else entry.temperature
    if options.preset != "paper":
        said = own != 1 and options.temperatures is None
        notice = f"T = {own:g}, as {options.pair} has it (--temperatures takes others)"
        return {"temperatures": f"{own:g}"}, [notice] if said else []
    mode = "text" if entry is None else entry.prompt_mode
    notices = []
    if mode == "chat" and options.tasks is None:
        notices.append(
            f"{options.pair} answers instructions: measured on {', '.join(tasks.names(mode))}; the tasks that are texts to continue are left out "
            "(--tasks takes them)"
        )
    if own != 1 and options.temperatures is None:
        notices.append(
            f"T = 1, as in the paper, though {options.pair} begins at {own:g} elsewhere (--temperatures takes others)"
        )
    return {"tasks": ",".join(tasks.names(mode)), "temperatures": "1"}, notices


def _fill_in_batch(options: argparse.Namespace) -> None:
    """What `--no-times` and `--batch` mean together, and `--costs` as two numbers or None."""
    from specdemo.lab.sweep_settings import BATCH, MOST_BATCH

    options.no_times = options.no_times or options.batch is not None
    options.batch = BATCH if options.batch is None else options.batch
    if not 1 <= options.batch <= MOST_BATCH:
        raise ValueError(f"--batch must be 1 to {MOST_BATCH}, got {options.batch}")
    if options.no_times and options.engine != "local":
        raise ValueError("--no-times measures in this process: leave out --engine ray, or measure with times there")
    if options.costs is not None:
        found = _numbers("costs", options.costs, setting_of)
        if len(found) != 2 or not (0 <= found[0] < float("inf") and 0 < found[1] < float("inf")):
            raise ValueError(f"--costs takes c ≥ 0 and v > 0 with a comma between them, got {options.costs}")
        options.costs = found[0], found[1]


def _check_ray(options: argparse.Namespace) -> None:
    for name in ("address", "workers", "gpus_per_worker"):
        batched = name == "workers" and options.no_times
        if options.engine != "ray" and not batched and getattr(options, name) is not None:
            also = " or --no-times" if name == "workers" else ""
            raise ValueError(f"--{name.replace('_', '-')} is for --engine ray{also}")
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
        temperatures=tuple(_numbers("temperatures", options.temperatures, setting_of)),
        top_ks=tuple(_numbers("top-ks", options.top_ks, int)),
        top_ps=tuple(_numbers("top-ps", options.top_ps, setting_of)),
        seeds=tuple(range(options.seed, options.seed + options.seeds)),
        prompts=options.prompts,
        max_new_tokens=options.max_new_tokens,
    )


def asked_grid(pair: str, drafts: Sequence[str], grid: Grid) -> dict[str, Any] | None:
    """A grid in the names of the page's links, which hold nobody's own prompts; None for a pair that no page knows."""
    from specdemo.lab import tasks
    from specdemo.pairs import registry

    if pair not in registry.names():
        return None
    known = [task.name for task in grid.tasks if task.name in tasks.names()]
    return {
        "pair": pair, "drafts": [*drafts], "tasks": known, "own": len(known) < len(grid.tasks), "rules": [*grid.rules], "gammas": [*grid.gammas],
        "temperatures": [*grid.temperatures], "top_ks": [*grid.top_ks], "top_ps": [*grid.top_ps], "seed": grid.seeds[0], "seeds": len(grid.seeds),
        "prompts": grid.prompts, "max_new_tokens": grid.max_new_tokens,
    }  # fmt: skip


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
