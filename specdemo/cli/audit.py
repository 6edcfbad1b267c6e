"""`specdemo audit`: is this verifier lossless? A name, a function in a file, a program, or the recorded steps of an engine."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from specdemo.cli.places import Place, check_written
from specdemo.cli.terminal import print_painted, visible

# A function may compile something in its first call.
PROGRAM_SECONDS, FUNCTION_SECONDS = 10.0, 60.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    from specdemo.auditor.feeding import KINDS
    from specdemo.auditor.forms import FORMS

    parser.epilog = "Exit status: 0 lossless, 1 not, 2 could not run. See docs/audit.md."
    parser.add_argument("subject", nargs="?", help="a verifier's name, or path.py:function (the file is executed)")
    parser.add_argument(
        "--program", metavar="COMMAND", help="a program that answers JSON lines, started without a shell"
    )
    parser.add_argument("--log", metavar="FILE", help="recorded steps, one JSON object a line")
    parser.add_argument("--rule", metavar="NAME", help="with --log: the verifier that the engine is said to follow")
    parser.add_argument("--budget", choices=["quick", "thorough"], default="quick", help="quick (default) or thorough")
    parser.add_argument(
        "--tolerance", type=float, help="the deviation that counts as none (default: 1e-9, and the rounding of float32)"
    )
    parser.add_argument(
        "--strict", action="store_true", help="rounding to float32 counts as well: nothing above 1e-9 passes"
    )
    parser.add_argument(
        "--form", choices=FORMS, default="auto", help="what the function takes and returns (default: auto)"
    )
    parser.add_argument("--array", choices=KINDS, default=KINDS[0], help=f"what it is fed (default: {KINDS[0]})")
    parser.add_argument("--seed", type=int, default=0, help="of the random worlds (default: 0)")
    parser.add_argument(
        "--minimum-gamma", type=int, default=0, help="leave out blocks of fewer drafted tokens: 0 (default), 1 or 2"
    )
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help=f"how long a program may keep silent (default: {PROGRAM_SECONDS:g}) or one call of a function may last "
        f"(default: {FUNCTION_SECONDS:g}); whatever takes longer could not run",
    )
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON (- is standard output)")
    parser.add_argument("--junit", metavar="FILE", help="write the report as JUnit XML (- is standard output)")


def run(options: argparse.Namespace) -> int:
    """Audit, print the report, write it where asked, and answer by the exit status."""
    given = [name for name in ("subject", "program", "log") if getattr(options, name) is not None]
    if len(given) != 1:
        raise ValueError("give one of: a verifier's name, path.py:function, --program COMMAND, --log FILE")
    if options.rule is not None and options.log is None:
        raise ValueError("--rule says which verifier recorded steps follow: it goes with --log FILE")
    if options.timeout is not None and options.log is not None:
        raise ValueError("--timeout is for a program or a function: recorded steps are not asked anything")
    if options.strict and options.log is not None:
        raise ValueError("--strict is for what is asked: recorded steps are compared with --tolerance")
    if options.json == options.junit == "-":
        raise ValueError("--json and --junit cannot both be written to standard output")
    targets = [target for target in (options.json, options.junit) if target]
    to_files = [name for name in ("json", "junit") if getattr(options, name) not in (None, "", "-")]
    check_written(options, *to_files, read=_read_files(options))
    if "-" in targets:
        # Nothing but the report: what a function prints goes elsewhere.
        with contextlib.redirect_stdout(sys.stderr):
            report = _report_of(options)
    else:
        report = _report_of(options)
        # Without a verdict the report is only why: that belongs on standard error.
        print(report.text(), file=sys.stderr if report.exit_status == 2 else sys.stdout)
    if options.json:
        record = report.to_json()
        _write(options.json, record if isinstance(record, str) else json.dumps(record, ensure_ascii=False, indent=2))
    if options.junit:
        _write(options.junit, report.to_junit())
    return int(report.exit_status)


def _read_files(options: argparse.Namespace) -> list[Place]:
    if options.log is not None:
        log = Path(options.log)
        laws = [path for kind in ("*.npy", "*.safetensors") for path in log.parent.glob(kind)]
        return [("--log", path) for path in (log, *laws)]
    if options.program is not None:
        with contextlib.suppress(ValueError):  # said when it is started
            return [("--program", Path(word)) for word in shlex.split(options.program) if Path(word).is_file()]
        return []
    return [("the audit", Path(options.subject.rsplit(":", 1)[0]))] if ".py" in options.subject else []


def _report_of(options: argparse.Namespace) -> Any:
    if options.log is not None:
        from specdemo.auditor.steps import audit_steps

        return audit_steps(options.log, rule=options.rule, tolerance=options.tolerance)
    from specdemo.auditor import ProgramSubject, audit

    subject: Any = options.subject
    location = ""
    timeout: float | None = FUNCTION_SECONDS if options.timeout is None else options.timeout
    if options.program is not None:
        seconds = PROGRAM_SECONDS if options.timeout is None else options.timeout
        subject, timeout = ProgramSubject(options.program, timeout=seconds, array=options.array), None
    elif ".py:" in options.subject:
        subject, location = loaded_function(options.subject), options.subject
    elif options.subject.endswith(".py"):
        raise ValueError(f"which function of {options.subject}? Name it: {options.subject}:FUNCTION")
    with _shown_progress() as progress, _ended_where_it_hangs():
        return audit(
            subject,
            budget=options.budget,
            form=options.form,
            tolerance=options.tolerance,
            seed=options.seed,
            array=options.array,
            minimum_gamma=options.minimum_gamma,
            location=location,
            timeout=timeout,
            progress=progress,
            strict=options.strict,
        )


@contextlib.contextmanager
def _shown_progress() -> Iterator[Callable[[str], None] | None]:
    """One line on standard error that is written over and wiped at the end; None where nobody watches it."""
    if not sys.stderr.isatty():
        yield None
        return
    width = shutil.get_terminal_size().columns - 1

    def show(text: str) -> None:
        print_painted(f"\r\x1b[K{visible(text)[:width]}", sys.stderr, end="")

    try:
        yield show
    finally:
        show("")


@contextlib.contextmanager
def _ended_where_it_hangs() -> Iterator[None]:
    """Meanwhile a subject that catches every interrupt ends the process."""
    from specdemo.auditor import watching

    watching.give_up = _end
    try:
        yield
    finally:
        watching.give_up = None


def _end(sentence: str) -> None:
    print(f"specdemo audit: {sentence}", file=sys.stderr, flush=True)
    os._exit(2)


def loaded_function(location: str) -> Callable[..., Any]:
    """The function of "path.py:function"; executes the file. RuntimeError in one line where that fails."""
    file, name = location.rsplit(":", 1)
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"there is no file {file!r}")
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None:
        raise ValueError(f"{file!r} is not a Python file")
    module = importlib.util.module_from_spec(specification)
    # So that the file may import its neighbours, and what it defines can be pickled and inspected.
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules.setdefault(path.stem, module)
    from specdemo.auditor.leaving import no_way_out

    try:
        with no_way_out():
            specification.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise RuntimeError(f"{file} could not be loaded: {type(error).__name__}: {error}") from error
    found = getattr(module, name, None)
    if not callable(found):
        functions = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise ValueError(f"{file} has no function {name!r}; it has {', '.join(functions) or 'none'}")
    return found


def _write(target: str, text: str) -> None:
    if target == "-":
        print(text.rstrip("\n"))
        return
    with contextlib.suppress(BrokenPipeError):  # a pipe that nobody reads any more, which changes no verdict
        Path(target).write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
