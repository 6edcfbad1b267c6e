"""`specdemo lab`: rules × γ × temperature × drafts over tasks, measured cell by cell into a file, with the paper's table and predictions.

The same command goes on where it was stopped. Exit statuses: 0 done or time over, 130 stopped by Ctrl-C (what is finished is kept), 2 could not run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from specdemo.cli.lab_options import ALL, arguments, asked_drafts, asked_grid, fill_in, grid
from specdemo.cli.lab_tasks import chosen_tasks, read_files
from specdemo.cli.places import check_written

if TYPE_CHECKING:
    from specdemo.lab.sweep import Progress
    from specdemo.lab.tasks import Task
    from specdemo.pairs import Pair

__all__ = ["arguments", "run"]
_EVERY = 2.0  # seconds between two lines of progress


def run(options: argparse.Namespace) -> int:
    """Measure what the file lacks, then print what it adds up to; progress on standard error."""
    began = time.monotonic()
    chosen_for_them = fill_in(options)
    check_written(options, "out", "json", "csv", "html", read=read_files(options))
    tasks = chosen_tasks(options.tasks)
    grid(options, tasks)  # a wrong setting should not wait for the models
    from specdemo.cli.export import write_html
    from specdemo.cli.lab_engine import check_engine, engine_of, threads_of
    from specdemo.cli.lab_report import lab_answer, lab_report
    from specdemo.cli.stopping import stoppable
    from specdemo.lab.sweep import sweep
    from specdemo.lab.sweep_cells import PairIdentity
    from specdemo.lab.sweep_file import LabFile
    from specdemo.lab.sweep_summary import summarise
    from specdemo.lab.table import table_csv, tables
    from specdemo.standalone import lab_record
    from specdemo.trace.run import pair_facts

    check_engine(options)
    with LabFile(options.out, times=not options.no_times) as file:  # nor should a file that cannot be gone on with
        pairs, load = _load(options)
        planned = grid(options, _fitting(tasks, pairs[0], options.tasks == ALL))
        cells = list(planned.cells([PairIdentity.of(pair) for pair in pairs]))
        file.begin([pair_facts(pair) for pair in pairs], threads_of(pairs[0]))
        for notice in (*chosen_for_them, *file.notices, *_own(tasks)):
            _tell(notice)
        known = sum(cell.key in file.keys for cell in cells)
        if known:
            _tell(f"{known} of {len(cells)} cells are in {options.out.name} already")
        seconds = None if options.minutes is None else 60 * options.minutes - (time.monotonic() - began)
        telling = _Telling()
        with stoppable() as stopped, engine_of(options, pairs, load, _tell) as engine:
            for progress in sweep(file, cells, engine, stopped=stopped, seconds=seconds):
                telling.show(progress)
            ended = stopped()
        summary = summarise(file.heads, file.rows, [cell.to_json() for cell in cells], options.costs)
    print(lab_report(summary, markdown=options.markdown))
    if options.json:
        options.json.write_text(json.dumps(summary, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    if options.csv:
        options.csv.write_text(table_csv(tables(summary)), encoding="utf-8", newline="")
    if options.html:
        if summary["cells"]["done"]:
            drafts = dict.fromkeys(cell.identity.draft for cell in cells)
            write_html(lab_record(lab_answer(summary), asked_grid(options.pair, [*drafts], planned)), options.html)
        else:
            _tell(f"nothing is measured yet: {options.html} is not written")
    if not summary["cells"]["done"] and options.minutes is not None and not ended:
        smaller = ", or a smaller --batch" if options.no_times and options.batch > 1 else ""
        _tell(f"no cell was finished in --minutes {options.minutes:g}: a larger one{smaller} would help")
    if ended:
        _tell(f"stopped; what is finished is kept in {options.out}, the same command goes on from there")
    return 130 if ended else 0


def _load(options: argparse.Namespace) -> tuple[list[Pair], Callable[[str], Pair]]:
    """One pair for each draft, and how to load one again by its draft's name."""
    from specdemo.decoding.threads import use_fitting_threads

    asked, loaded = asked_drafts(options), {}
    for draft in asked:
        pair = _load_one(options, draft)
        loaded[pair.draft_name] = (pair, draft)
    if len(loaded) < len(asked):
        raise ValueError(f"--drafts names a draft twice: {options.drafts}")
    pairs = [pair for pair, _ in loaded.values()]
    use_fitting_threads(pairs[0])
    given = {name: draft for name, (_, draft) in loaded.items()}
    return pairs, lambda name: _load_one(options, given[name])


def _load_one(options: argparse.Namespace, draft: str | None) -> Pair:
    from specdemo.cli.loading import asked_pair

    return asked_pair(options, draft, "--drafts")


def _fitting(tasks: Sequence[Task], pair: Pair, all_of_them: bool) -> list[Task]:
    """The tasks that the pair can do: instructions need a chat template. One that was asked for by name and cannot be done is an error."""
    from specdemo.pairs.chat import has_chat_template

    if has_chat_template(pair.tokenizer):
        return list(tasks)
    left_out = [task.name for task in tasks if task.mode == "chat"]
    if left_out and not all_of_them:
        raise ValueError(
            f"the task {left_out[0]!r} gives instructions, and the tokenizer of {pair.title} has no chat template: leave it out"
        )
    if left_out:
        _tell(f"left out, as {pair.title} takes no instructions: {', '.join(left_out)}")
    return [task for task in tasks if task.mode != "chat"]


def _own(tasks: Sequence[Task]) -> list[str]:
    """What a person should know of their own prompts, and the name by which the table calls them."""
    own = [task for task in tasks if task.name.startswith("own-")]
    return [notice for task in own for notice in (f"{task.title} is the task {task.name}", *task.notices)]


class _Telling:
    """Lines of progress, not more than one in two seconds, but the last one always."""

    def __init__(self) -> None:
        self._told = float("-inf")

    def show(self, progress: Progress) -> None:
        """Say how far it is, unless something was said just now."""
        now = time.monotonic()
        if now - self._told < _EVERY and progress.done < progress.planned:
            return
        self._told = now
        _tell(progress_words(progress))


def progress_words(progress: Progress) -> str:
    """A cell, what its rules kept, and the time left, on one line."""
    cell, runs = progress.row["cell"], progress.row["statistics"]["runs"]
    kept = ", ".join(f"{rule} {runs[rule]['expected'] / runs[rule]['calls']:.2f}" for rule in cell["rules"])
    return (
        f"lab {progress.done}/{progress.planned} · {cell['task']} γ={cell['gamma']} T={cell['temperature']:g} draft {cell['draft']} "
        f"prompt {cell['prompt'] + 1} seed {cell['seed']} · tokens a call: {kept} · {time_left(progress.seconds_left)}"
    )


def time_left(seconds: float) -> str:
    """Rounded, as estimates are.

    >>> time_left(4.2), time_left(75), time_left(1000)
    ('a few seconds left', 'about 80 s left', 'about 17 min left')
    """
    if seconds < 10:
        return "a few seconds left"
    return f"about {round(seconds / 10) * 10} s left" if seconds < 120 else f"about {round(seconds / 60)} min left"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
