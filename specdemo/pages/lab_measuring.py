"""Sweeps for the Lab page: a request measures for a while, then ends, and the page asks again with the keys of what it has.

So a long sweep waits in the queue like everybody, a lost server costs no finished cell, and nothing is kept here between two requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from specdemo.pages.lab_request import LabRequest, read_lab_request
from specdemo.pages.measuring import Measuring
from specdemo.pages.messages import Messages
from specdemo.pages.open_runs import NOBODY, Asker, OpenRun
from specdemo.pages.prompt_length import check_prompts
from specdemo.pages.run_time import SLICE_SECONDS
from specdemo.pages.turns import PairTurn, Turns

if TYPE_CHECKING:
    from specdemo.lab.sweep_cells import Cell
    from specdemo.pairs import Pair


@dataclass(frozen=True)
class _OneDraft:
    """What loading one of a sweep's pairs needs to know."""

    run: str
    pair: str
    draft: str | None


class _Known:
    """The cells that the asker has, in place of a file: rows are handed on, not kept."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = set(keys)

    def append(self, row: dict[str, Any]) -> None:
        """A finished cell's row."""
        self.keys.add(row["key"])


class _TurnEngine:
    """Measures in this process; the models' turn is taken for each call."""

    name = "local"

    def __init__(self, pairs: Sequence[Pair], turns: Turns) -> None:
        self._pairs = {pair.draft_name: (pair, PairTurn(turns, pair)) for pair in pairs}
        self._warmed: set[tuple[str, int, tuple[str, ...]]] = set()

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[dict[str, Any]]:
        """See `specdemo.lab.sweep_engine.Engine`."""
        from specdemo.lab.sweep_cell import Cancelled, measure

        for cell in cells:
            pair, turn = self._pairs[cell.identity.draft]
            shape = (cell.identity.draft, cell.gamma, cell.rules)
            try:
                row = measure(pair, cell, stopped, warm=shape in self._warmed, turn=turn)
            except Cancelled:
                return
            self._warmed.add(shape)
            yield {**row, "engine": self.name}


class LabMeasuring(Measuring):
    """An engine that also sweeps."""

    def lab(self, text: str, asker: Asker = NOBODY) -> Iterator[str]:
        """The messages that answer a request for a sweep; every error is one of them."""
        yield from self.answer(text, read_lab_request, self._lab, asker)

    def _lab(self, request: LabRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        entry = request.entry
        pairs = []
        for draft in request.drafts:
            pair = yield from self.loaded(_OneDraft(request.run, entry.name, draft), messages, cancelled)
            if pair is None:
                return
            pairs.append(pair)
        if request.own is not None:
            check_prompts(pairs[0], request.chosen_tasks()[-1].prompts)
        from specdemo.lab.sweep import sweep
        from specdemo.lab.sweep_cells import PairIdentity
        from specdemo.lab.sweep_file import as_line, head_of
        from specdemo.trace.run import pair_facts

        cells = list(request.grid().cells([PairIdentity.of(pair) for pair in pairs]))
        head = head_of([pair_facts(pair) for pair in pairs], self._threads(pairs[0]))
        known = _Known(request.done)
        done = sum(cell.key in known.keys for cell in cells)
        yield messages.measured(
            {"kind": "lab_start", "head": as_line(head), "keys": [cell.key for cell in cells], "done": done}
        )
        engine, seconds = _TurnEngine(pairs, self.models.turn), min(SLICE_SECONDS, request.seconds)
        for progress in sweep(known, cells, engine, stopped=cancelled.is_set, seconds=seconds):
            yield messages.measured({"kind": "lab_row", "key": progress.row["key"], "line": as_line(progress.row)})
        if not cancelled.is_set():
            yield messages.finished()

    def _threads(self, pair: Pair) -> int | None:
        from specdemo.decoding.threads import use_fitting_threads

        with PairTurn(self.models.turn, pair):
            return use_fitting_threads(pair)
