"""`specdemo bench server`: a server on this machine, and a crowd of visitors that asks it for blocks."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import sys
from typing import Any


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the crowd."""
    crowd = parser.add_argument_group("server")
    crowd.add_argument("--visitors", type=int, default=50, help="who step at the same time (default: 50)")
    crowd.add_argument("--minutes", type=float, help="for how long (default: 5); with --runs, at most (default: 40)")
    crowd.add_argument(
        "--every", type=float, default=5.0, help="seconds from block to block for each, on average (default: 5)"
    )
    crowd.add_argument("--runs", type=int, help="instead: so many whole runs, 64 tokens each, and how memory fares")
    crowd.add_argument("--sessions", type=int, default=200, help="with --runs: from so many sessions (default: 200)")


def measured(options: argparse.Namespace, texts: list[str]) -> tuple[dict[str, Any], int]:
    """The record of a crowd, and an exit status: 1 where something that must hold does not."""
    from specdemo.load.crowd import running, stepping
    from specdemo.load.process import ServerProcess
    from specdemo.load.report import record_of, report, what_fails

    for name in ("visitors", "minutes", "every", "sessions", "runs"):
        value = getattr(options, name)
        if value is not None and not value > 0:
            raise ValueError(f"--{name} must be more than 0, got {value}")
    minutes = options.minutes or (40.0 if options.runs else 5.0)
    progress = _tell
    with ServerProcess() as server:
        if options.runs:
            work = running(server, texts, options.pair, options.runs, options.sessions, minutes, options.seed, progress)
        else:
            work = stepping(
                server, texts, options.pair, options.visitors, minutes, options.every, options.seed, progress
            )
        found = asyncio.run(work)
    record = record_of(dataclasses.replace(found, status=server.status))
    print(report(record))
    failing = what_fails(record)
    if options.runs:  # eight whole runs at a time: a first block waits for theirs
        failing = [words for words in failing if "new blocks" not in words]
    print("all that must hold does" if not failing else f"does not hold: {'; '.join(failing)}")
    return record, 1 if failing else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
