"""The command line: one file a command, one line here. Exit statuses: 0 done, 1 the answer is no, 2 could not run."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

from specdemo.cli.terminal import visible_streams

# name → (module, one-line help). A command's module has `arguments(parser)` and `run(options) -> int`.
COMMANDS = {
    "decode": ("specdemo.cli.decode", "decode a prompt and show every block"),
    "compare": (
        "specdemo.cli.compare",
        "what several rules do with the same drafted blocks, their race, and their law",
    ),
    "export": (
        "specdemo.cli.export",
        "write a run, a state of the Sandbox or a sweep of the Lab as one HTML file that opens from disk, offline",
    ),
    "lab": (
        "specdemo.cli.lab",
        "measure rules, block lengths, temperatures and drafts over tasks, with the paper's table and predictions",
    ),
    "pairs": ("specdemo.cli.pairs", "list the pairs, their drafts, and where they come from"),
    "verifiers": ("specdemo.cli.verifiers", "list the verifiers and their sources"),
    "audit": ("specdemo.cli.audit", "say whether a verifier is lossless, with a counterexample where it is not"),
    "vectors": ("specdemo.cli.vectors", "write the conformance vectors, or check a verifier against them"),
    "schema": ("specdemo.cli.schema", "print the JSON Schema of the trace"),
    "bench": ("specdemo.cli.bench", "measure our loop against plain and assisted generation, side by side"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status. Errors a person can act on are one line on standard error, status 2."""
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without these characters shows a mark instead
    with visible_streams():
        return _main(list(sys.argv[1:] if arguments is None else arguments))


class _Parser(argparse.ArgumentParser):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.color = False  # from Python 3.14 on argparse writes escape codes of its own, which would be shown


def _main(given: list[str]) -> int:
    parser = _Parser(prog="specdemo", description="Speculative decoding, taken apart block by block.")
    parser.add_argument("--version", action="store_true", help="print the version")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (module, summary) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        # Only the command that is asked for is imported: `specdemo verifiers` needs no torch.
        if name in given[:1]:
            importlib.import_module(module).arguments(subparser)
    options = parser.parse_args(given)
    if options.version:
        from specdemo import __version__

        print(__version__)
        return 0
    if not options.command:
        parser.print_help()
        return 2
    try:
        return int(importlib.import_module(COMMANDS[options.command][0]).run(options))
    except BrokenPipeError:
        # The reader has seen enough (`| head`); what Python would still flush at exit has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, RuntimeError, OSError, ImportError) as error:
        print(f"specdemo {options.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _open_closed_streams() -> None:
    """What is said to a closed stream (`>&-`) goes nowhere: Python has None there, and the next opened file would take its place."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for as long as the process)
