"""The runs that are being answered, by their names: each belongs to who began it, and nobody else's request of the same name touches it."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from specdemo.sentences import sentence

# How long a new run waits for its name: the one before may be at its last block.
NAME_SECONDS = 2.0
NAME_IN_USE = sentence("name_in_use")


@dataclass(frozen=True)
class Asker:
    """Who asks: `session`, this request's own, which no stranger can choose; `visitor`, whose share of what is kept it counts to.

    A `stream` ends with its connection and by nothing else.
    """

    session: str = ""
    visitor: str = ""
    stream: bool = False


NOBODY = Asker()


class OpenRun(threading.Event):
    """One that is being answered; set when it is to stop at its next block."""

    def __init__(self, name: str, asker: Asker) -> None:
        super().__init__()
        self.name, self.asker = name, asker


class OpenRuns:
    """All that are being answered in this process. Safe to use from several threads."""

    def __init__(self, name_seconds: float = NAME_SECONDS) -> None:
        self._name_seconds = name_seconds
        self._changed = threading.Condition()
        self._runs: dict[str, OpenRun] = {}

    def __len__(self) -> int:
        return len(self._runs)

    def begin(self, name: str, asker: Asker = NOBODY) -> OpenRun | None:
        """A run of this name; None where there is one, and its end does not come in a moment."""
        with self._changed:
            if not self._changed.wait_for(lambda: name not in self._runs, self._name_seconds):
                return None
            run = self._runs[name] = OpenRun(name, asker)
            return run

    def end(self, run: OpenRun) -> None:
        """It has been answered, or nobody listens any more: what still works for it stops, and its name is free."""
        run.set()
        with self._changed:
            if self._runs.get(run.name) is run:
                del self._runs[run.name]
                self._changed.notify_all()

    def cancel(self, name: str) -> None:
        """Stop the run of this name at its next block; nothing happens if there is none, or if it is a stream."""
        with self._changed:
            run = self._runs.get(name)
        if run is not None and not run.asker.stream:
            run.set()

    def leave(self, session: str) -> None:
        """Stop what this session has asked for at its next block."""
        with self._changed:
            left = [run for run in self._runs.values() if run.asker.session == session]
        for run in left:
            run.set()

    def stop(self) -> None:
        """Stop all of them at their next blocks."""
        with self._changed:
            for run in self._runs.values():
                run.set()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is being answered, at most so long; whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._runs, seconds)
