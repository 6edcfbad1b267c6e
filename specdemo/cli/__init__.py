"""The command line: one file a command, one line here. Exit statuses: 0 done, 1 the answer is no, 2 could not run."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TextIO, cast

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


# Their exit status is an answer, which is worked out to its end also where nobody reads the report any more (`| head`).
ANSWERING = ("audit", "vectors", "bench")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status. Errors a person can act on are one line on standard error, status 2.

    No exception leaves this function but argparse's own exit: Python's status for one is 1, which would read as an answer.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    command = given[0] if given and given[0] in COMMANDS else ""
    name = f"specdemo {command}".strip()
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without these characters shows a mark instead
    with _outlets(command), visible_streams():
        try:
            try:
                return _run(given, command)
            finally:
                sys.stdout.flush()  # what cannot be written is said here, not by Python when it ends
        except (ValueError, RuntimeError, OSError, ImportError) as error:
            if isinstance(error, BrokenPipeError) and command not in ANSWERING:
                _lead_nowhere(sys.stdout)  # the reader has seen enough
                return 0
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
            return 130
        except SystemExit:
            raise
        except BaseException as error:
            traceback.print_exc()
            print(f"{name}: could not run, for what nobody expected: {type(error).__name__}: {error}", file=sys.stderr)
            return 2


class _Parser(argparse.ArgumentParser):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.color = False  # from Python 3.14 on argparse writes escape codes of its own, which would be shown


def _run(given: Sequence[str], command: str) -> int:
    parser = _Parser(prog="specdemo", description="Speculative decoding, taken apart block by block.")
    parser.add_argument("--version", action="store_true", help="print the version")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (module, summary) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        # Only the command that is asked for is imported: `specdemo verifiers` needs no torch.
        if name == command:
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
    except SystemExit as error:
        if isinstance(error.code, str):  # a sentence for whoever set a variable wrongly, and no verdict
            print(f"specdemo {options.command}: {error.code}", file=sys.stderr)
            return 2
        raise RuntimeError(f"something that it called tried to end the process with status {error.code!r}") from error


class _Outlet:
    """A stream whose reader may leave: what is written after that goes nowhere, and nobody who writes notices."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        self._tried(self._stream.write, text)
        return len(text)

    def writelines(self, lines: Iterable[Any]) -> None:
        self._tried(self._stream.writelines, lines)

    def flush(self) -> None:
        self._tried(self._stream.flush)

    def _tried(self, work: Callable[..., Any], *arguments: Any) -> None:
        try:
            work(*arguments)
        except BrokenPipeError:
            _lead_nowhere(self._stream)


@contextlib.contextmanager
def _outlets(command: str) -> Iterator[None]:
    before = sys.stdout, sys.stderr
    sys.stdout = cast(TextIO, _Outlet(sys.stdout)) if command in ANSWERING else sys.stdout
    sys.stderr = cast(TextIO, _Outlet(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _lead_nowhere(stream: TextIO) -> None:
    """What Python still holds for a stream whose reader has left has nowhere to go when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _open_closed_streams() -> None:
    """What is said to a closed stream (`>&-`) goes nowhere: Python has None there, and the next opened file would take its place."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for as long as the process)
