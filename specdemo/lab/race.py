"""The race (docs/compare.md, `specdemo.race/1`): every rule decodes on its own from the same prompts and seeds, in turns, call by call.

What slows the machine then slows all of them. A run is a prompt with a seed; runs take the prompts one after the other, then the next seed.
This module runs the lanes and says what happens, event by event; `race_summary` says what it adds up to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import Any

import numpy as np

from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.competitors import Prompt
from specdemo.lab.device_passes import can_replay
from specdemo.lab.lane_names import PLAIN
from specdemo.lab.race_lanes import COLUMNS, Costs, Lane, RaceSettings, checked_settings
from specdemo.lab.race_summary import Grouping, race_summary
from specdemo.pairs.chat import PromptMode
from specdemo.pairs.pair import Pair
from specdemo.trace.run import pair_facts, versions
from specdemo.verifiers import get

SCHEMA = "specdemo.race/1"
MOST_RUNS = 80
MOST_RULES = 4
_WARM_UP_CALLS = 2  # the first reads the prompt, the second has the shapes of all others

Event = dict[str, Any]


def race(
    pair: Pair,
    prompts: Sequence[str],
    rules: Sequence[str],
    *,
    gamma: int = 4,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    max_new_tokens: int = 64,
    seeds: int = 1,
    prompt_set: str | None = None,
    prompt_mode: PromptMode = "text",
    lock: AbstractContextManager[Any] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    resume: dict[str, Any] | None = None,
) -> Iterator[Event]:
    """The events of a race of one to four rules and plain decoding: race_start, race_calls of run 0, race_run (docs/compare.md, "Messages").

    Run by run, `prompts` with the seeds `seed`, `seed` + 1, … (`seeds` of them); a prompt's number is the stream of its uniforms. `lock` is
    held for each single call, `cancelled` asked before it: a cancelled race ends with a race_paused event, whose `state` (plain data) a race
    with the same arguments takes as `resume` to give the events that are left. Raises ValueError at once for an
    unknown rule, a wrong setting, or more than 80 runs. `prompt_mode` is that of `decode`, for all prompts. A prompt
    that leaves no room for new tokens keeps its end, and its `notice` says so.
    """
    names = list(rules)
    lanes = [PLAIN, *names]
    settings = checked_settings(gamma, temperature, top_k, top_p, seed, max_new_tokens)
    _check_rules(names)
    _check_runs(len(prompts), seeds)
    PhiloxUniforms(settings.seed + seeds - 1)
    room = min(settings.max_new_tokens + settings.gamma + 1, pair.context_limit // 2)
    given = [pair.encode(text, room=room, mode=prompt_mode) for text in prompts]
    encoded = [Prompt(number, prompt.text, prompt.ids) for number, prompt in enumerate(given)]
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "versions": versions(),
        "pair": pair_facts(pair),
        "settings": {**asdict(settings), "seeds": int(seeds), "prompt_set": prompt_set, "prompt_mode": prompt_mode},
        "rules": lanes,
        "lossless": {name: get(name).lossless for name in names},
        "prompts": [{"text": one.text, "tokens": len(one.ids), "notice": one.notice} for one in given],
        "columns": list(COLUMNS),
        "runs": [],
        "pieces": {},
        "planned": len(encoded) * int(seeds),
        "costs": None,
        "summary": None,
    }
    turns = _Turns(pair, lanes, settings, nullcontext() if lock is None else lock, cancelled)
    return _events(head, turns, [(prompt, seed + i) for i in range(seeds) for prompt in encoded], resume)


def whole_race(events: Iterable[Event], seen: Callable[[Event], None] = lambda event: None) -> dict[str, Any]:
    """The record of a race from its events, with the runs that were finished; each event is shown to `seen` first."""
    record: dict[str, Any] = {}
    for event in events:
        seen(event)
        if event["kind"] == "race_start":
            record = {**event["race"], "runs": [], "pieces": {}}
        elif event["kind"] == "race_calls":
            record["pieces"].update(event["pieces"])
        elif event["kind"] == "race_run":
            record["runs"].append(event["record"])
            record.update(costs=event["costs"], summary=event["summary"])
    return record


class _Cancelled(Exception):
    """Nobody waits for the rest of the race."""


@dataclass(frozen=True)
class _Turns:
    """Who takes turns, under which lock, and who may stop it."""

    pair: Pair
    rules: list[str]
    settings: RaceSettings
    lock: AbstractContextManager[Any]
    cancelled: Callable[[], bool]

    def lanes(self, prompt: Prompt, seed: int, paused: dict[str, Any] | None = None) -> dict[str, Lane]:
        """Every rule at the start of a run, or where it has paused in it."""
        replay = can_replay(self.pair, prompt.ids, self.settings.gamma, self.lock)
        with self.lock:
            lanes = {rule: Lane(self.pair, prompt, rule, self.settings, seed, replay) for rule in self.rules}
        for rule, state in (paused or {}).items():
            with self.lock:
                lanes[rule].resume(state)
        return lanes

    def call(self, lane: Lane) -> list[int]:
        """One call of a lane; the ids it showed."""
        if self.cancelled():
            raise _Cancelled
        with self.lock:
            return lane.call()


def _events(
    head: dict[str, Any], turns: _Turns, planned: list[tuple[Prompt, int]], resume: dict[str, Any] | None
) -> Iterator[Event]:
    if resume is None:
        yield {"kind": "race_start", "race": head}
    grouping: Grouping = "prompt" if len(head["prompts"]) > 1 else "seed"
    before = resume or {"runs": [], "costs": {}, "lanes": {}}
    runs: list[dict[str, Any]] = list(before["runs"])
    costs = Costs(**before["costs"])
    unfinished: dict[str, Any] = before["lanes"]
    lanes: dict[str, Lane] = {}
    try:
        _warm_up(turns, *planned[0])
        for at, (prompt, seed) in enumerate(planned[len(runs) :], start=len(runs)):
            lanes = turns.lanes(prompt, seed, unfinished)
            unfinished = {}
            for shown in _rounds(turns, lanes, at):
                if at == 0:
                    yield _calls_event(turns.pair, at, lanes, shown)
            runs.append(
                {
                    "prompt": prompt.number,
                    "seed": seed,
                    "lanes": {rule: lane.record(with_ids=at == 0) for rule, lane in lanes.items()},
                }
            )
            for lane in lanes.values():
                costs.add(lane.costs)
            lanes = {}
            summary = race_summary(runs, turns.rules, grouping)
            yield {"kind": "race_run", "at": at, "record": runs[-1], "costs": costs.medians(), "summary": summary}
    except _Cancelled:
        going = {rule: lane.paused() for rule, lane in lanes.items()} or unfinished
        yield {"kind": "race_paused", "state": {"runs": runs, "costs": asdict(costs), "lanes": going}}


def _warm_up(turns: _Turns, prompt: Prompt, seed: int) -> None:
    """Uncounted calls of every lane: what is set up at a first call of a shape would be counted against the first lane."""
    for lane in turns.lanes(prompt, seed).values():
        for _ in range(_WARM_UP_CALLS):
            if not lane.finish:
                turns.call(lane)


def _rounds(turns: _Turns, lanes: dict[str, Lane], at: int) -> Iterator[dict[str, list[int]]]:
    """Round after round until every lane has finished; yields the ids that each lane of the round showed.

    Where it was paused within a round, that round's other lanes come first.
    """
    shift = at % len(lanes)
    order = [*lanes][shift:] + [*lanes][:shift]
    while going := [rule for rule in order if not lanes[rule].finish]:
        fewest = min(len(lanes[rule].calls) for rule in going)
        shown: dict[str, list[int]] = {}
        try:
            for rule in [rule for rule in going if len(lanes[rule].calls) == fewest]:
                shown[rule] = turns.call(lanes[rule])
        except _Cancelled:
            if shown:
                yield shown
            raise
        if fewest == 0:
            _check_first_blocks(lanes)
        yield shown


def _calls_event(pair: Pair, at: int, lanes: dict[str, Lane], shown: dict[str, list[int]]) -> Event:
    return {
        "kind": "race_calls",
        "at": at,
        "lanes": {
            rule: {"first": len(lanes[rule].calls) - 1, "calls": lanes[rule].calls[-1:], "ids": ids}
            for rule, ids in shown.items()
        },
        "pieces": pair.pieces.table(i for ids in shown.values() for i in ids),
    }


def _check_first_blocks(lanes: dict[str, Lane]) -> None:
    """The first block is compared as the same block under every rule, so it has to be."""
    first, *others = [lane.first_block for rule, lane in lanes.items() if rule != PLAIN]
    if not all(np.array_equal(first, other) for other in others):
        raise RuntimeError(
            "from the same prompt and uniforms two lanes drafted different first blocks: forward passes are not reproducible on this device"
        )


def _check_rules(rules: list[str]) -> None:
    for name in rules:
        get(name)
    if not 1 <= len(rules) <= MOST_RULES or len(set(rules)) < len(rules):
        raise ValueError(
            f"a race takes one to {MOST_RULES} different rules beside plain decoding, got {', '.join(rules) or 'none'}"
        )


def _check_runs(prompts: int, seeds: int) -> None:
    if isinstance(seeds, bool) or not isinstance(seeds, (int, np.integer)) or seeds < 1:
        raise ValueError(f"seeds must be an integer ≥ 1, got {seeds!r}")
    if not 1 <= prompts * seeds <= MOST_RUNS:
        raise ValueError(
            f"{prompts} prompts with {seeds} seeds are {prompts * seeds} runs: a race has 1 to {MOST_RUNS}"
        )
