"""One cell of a sweep, measured: plain decoding and every rule take turns on one prompt, and what they did is summed up (docs/lab.md).

`statistics` follow from the cell alone; `timings` are this machine's. Looking at a block beyond deciding it happens between the rounds, outside
all times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from specdemo.decoding.loop import Step
from specdemo.lab.competitors import Prompt
from specdemo.lab.device_passes import can_replay
from specdemo.lab.lane_names import PARTS, PLAIN
from specdemo.lab.race_lanes import COLUMNS, Costs, Lane, RaceSettings, checked_settings
from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_file import Row
from specdemo.lab.sweep_sums import PlainRun, RuleSums, check_identity, prompt_of
from specdemo.pairs.pair import EncodedPrompt, Pair

_WARM_UP_CALLS = 2  # the first reads the prompt, the second has the shapes of all others


class Cancelled(Exception):
    """The cell was given up between two calls; nothing of it is kept."""


def measure(
    pair: Pair,
    cell: Cell,
    stopped: Callable[[], bool] = lambda: False,
    *,
    warm: bool = True,
    turn: AbstractContextManager[Any] | None = None,
) -> Row:
    """The row of a cell, without the engine's name. `stopped` is asked before each call: Cancelled where it says yes.

    `warm` False makes a few uncounted calls first, as the first cell of a γ in a process needs. `turn` is entered
    for each call, where others want the models too; waiting for it is in no time. Raises RuntimeError where the models are
    not those of the cell, ValueError for a prompt that they cannot read.
    """
    check_identity(pair, cell)
    started, now = time.perf_counter(), datetime.now(timezone.utc).isoformat(timespec="seconds")
    turns = _Turns.of(pair, cell, stopped, nullcontext() if turn is None else turn)
    if not warm:
        turns.warm_up()
    plain, rules = PlainRun(pair, cell, turns.encoded), RuleSums(pair, cell)
    lanes = turns.lanes()
    for moved in turns.rounds(lanes):
        for name, step in moved.items():
            if name == PLAIN:
                plain.add(step)
            else:
                rules.add(name, step)
    with turns.turn:
        statistics = rules.statistics(turns.encoded, plain.sums())
    timings = {
        "started": now,
        "seconds": time.perf_counter() - started,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "lanes": {name: _lane_times(lane) for name, lane in lanes.items()},
        "costs": _costs(lanes),
    }
    return {"kind": "row", "key": cell.key, "cell": cell.to_json(), "statistics": statistics, "timings": timings}


@dataclass(frozen=True)
class _Turns:
    """Who takes turns on which prompt."""

    pair: Pair
    cell: Cell
    encoded: EncodedPrompt
    settings: RaceSettings
    stopped: Callable[[], bool]
    turn: AbstractContextManager[Any]

    @classmethod
    def of(cls, pair: Pair, cell: Cell, stopped: Callable[[], bool], turn: AbstractContextManager[Any]) -> _Turns:
        settings = checked_settings(
            cell.gamma, cell.temperature, cell.top_k, cell.top_p, cell.seed, cell.max_new_tokens
        )
        return cls(pair, cell, prompt_of(pair, cell), settings, stopped, turn)

    def lanes(self) -> dict[str, Lane]:
        """Plain decoding and every rule, at the prompt's end."""
        prompt = Prompt(self.cell.stream, self.encoded.text, self.encoded.ids)
        names = (PLAIN, *self.cell.rules)
        replay = can_replay(self.pair, prompt.ids, self.settings.gamma, self.turn)
        return {name: Lane(self.pair, prompt, name, self.settings, self.settings.seed, replay) for name in names}

    def rounds(self, lanes: dict[str, Lane]) -> Iterator[dict[str, Step]]:
        """Round after round until every lane has finished: the step that each lane of the round made."""
        shift = self.cell.prompt % len(lanes)
        order = [*lanes][shift:] + [*lanes][:shift]
        while going := [name for name in order if not lanes[name].finish]:
            yield {name: self._call(lanes[name]) for name in going}

    def warm_up(self) -> None:
        """Calls that are not counted: what is set up at a first call of a shape would be counted against the first lane."""
        for lane in self.lanes().values():
            for _ in range(_WARM_UP_CALLS):
                if not lane.finish:
                    self._call(lane)

    def _call(self, lane: Lane) -> Step:
        if self.stopped():
            raise Cancelled
        with self.turn:
            lane.call()
        assert lane.last is not None
        return lane.last


def _lane_times(lane: Lane) -> dict[str, float]:
    shown = COLUMNS.index("shown")
    found: dict[str, float] = {"calls": len(lane.calls), "tokens": int(sum(call[shown] for call in lane.calls))}
    for part in PARTS:
        at = COLUMNS.index(f"{part}_ms")
        found[f"{part}_ms"] = float(sum(call[at] for call in lane.calls))
    return found


def _costs(lanes: dict[str, Lane]) -> dict[str, float] | None:
    costs = Costs()
    for lane in lanes.values():
        costs.add(lane.costs)
    return costs.medians()
