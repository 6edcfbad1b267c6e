"""Stages of a measurement on a card that somebody may have for ten minutes: each is a process that can be ended, and what it learns is
written down at once. So a fault, or a kernel that hangs, costs its own stage and nothing else.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

Line = dict[str, Any]


def write(lines: Path, line: Line) -> None:
    """Add a line to the file, as JSON, and have it on the disk when this returns; show it as well."""
    text = json.dumps(line, ensure_ascii=False, allow_nan=False)
    print(text, flush=True)
    with lines.open("a", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def written(lines: Path) -> list[Line]:
    """The lines of the file; one that a process was ended in is left out."""
    found = []
    for text in lines.read_text(encoding="utf-8").splitlines() if lines.exists() else []:
        with suppress(ValueError):
            found.append(json.loads(text))
    return found


@contextmanager
def noted(lines: Path, **what: Any) -> Iterator[None]:
    """An exception inside becomes a line with `what` it was about and its `error`."""
    try:
        yield
    except Exception as error:
        first = (str(error).strip().splitlines() or [""])[0][:300]
        write(lines, {**what, "error": f"{type(error).__name__}: {first}"})


def run_stages(command: Callable[[str], Sequence[str]], seconds: Mapping[str, float], lines: Path) -> bool:
    """Run `command(stage)` for each stage, at most so many seconds each; whether all ended with status 0.

    After each a line {"stage", "status", "seconds"} is written; the status is "time over" of one that had to be ended, its children with it.
    """
    well = True
    for stage, most in seconds.items():
        began = time.monotonic()
        process = subprocess.Popen(list(command(stage)), start_new_session=True)
        status: int | str
        try:
            status = process.wait(most)
        except subprocess.TimeoutExpired:
            status = "time over"
        finally:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        write(lines, {"stage": stage, "status": status, "seconds": round(time.monotonic() - began, 1)})
        well = well and status == 0
    return well
