"""What a sweep adds up to (docs/lab.md, `specdemo.lab-summary/1`): settings, texts, averages, predictions, what to use, what is missing.

Plain data for the table, the pictures and the page: no number of theirs is computed anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from specdemo.lab.choices import choices
from specdemo.lab.estimates import CONFIDENCE
from specdemo.lab.lane_names import PLAIN
from specdemo.lab.prediction import predictions
from specdemo.lab.sweep_averages import average_record, compared, interval_of, texts_of
from specdemo.lab.sweep_cells import TOKEN, key_of
from specdemo.lab.sweep_context import context_records
from specdemo.lab.sweep_pool import Pool, Row, TextPool, median_load, seconds
from specdemo.lab.sweep_settings import SETTING, TEXT_SETTING, Json, Setting, by_task, counted, grouped_by, named
from specdemo.verifiers import get

SCHEMA = "specdemo.lab-summary/1"
MOST_WORST = 20


def summarise(
    heads: Sequence[Row],
    rows: Iterable[Row],
    planned: Sequence[Mapping[str, Any]] | None = None,
    costs: tuple[float, float] | None = None,
) -> Json:
    """The summary of a file's heads and rows. `planned` are the cells that were asked for, as the file holds cells: other rows are left out,
    and settings come in their order; None takes every row as asked for. `costs` as for `predictions`. ValueError without a head."""
    if not heads:
        raise ValueError("there is no head: nothing was measured")
    measured = list(rows)
    cells = [row["cell"] for row in measured] if planned is None else list(planned)
    if planned is not None:
        order = {key_of(cell): i for i, cell in enumerate(cells)}
        # In the order of the plan, so that nothing depends on the order in which cells were finished.
        measured = sorted((row for row in measured if row["key"] in order), key=lambda row: order[row["key"]])
    asked_for = counted(cells)
    grouped = grouped_by(measured, SETTING)
    pools = {setting: Pool.of(grouped[setting]) for setting in asked_for if setting in grouped}
    texts = _text_pools(measured)
    results = [_result(setting, pool, asked_for[setting], texts_of(texts, setting)) for setting, pool in pools.items()]
    averages = [average_record(settings, pools, texts) for settings in by_task(asked_for)]
    text_records = [_text_record(pool) for pool in texts.values()]
    predicted = predictions(results, averages, text_records, costs)
    head = heads[-1]
    return {
        "schema": SCHEMA,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        **{part: head[part] for part in ("versions", "machine", "pair", "drafts")},
        "confidence": CONFIDENCE,
        "cells": {"done": len(measured), "planned": len(cells)},
        "load": median_load(measured),
        "results": results,
        "texts": text_records,
        "averages": averages,
        "predictions": predicted,
        "choices": choices(predicted, results, averages),
        "context": context_records(measured),
        "missing": [
            {"setting": named(SETTING, setting), "cells": done, "planned": count}
            for setting, count in asked_for.items()
            if (done := len(pools[setting].rows) if setting in pools else 0) < count
        ],
    }


def _result(setting: Setting, pool: Pool, planned: int, texts: TextPool | None) -> Json:
    rules, timed = named(SETTING, setting)["rules"], pool.timed
    return {
        "setting": named(SETTING, setting),
        "cells": len(pool.rows),
        "planned": planned,
        **pool.facts(),
        "timed_prompts": 0 if timed is None else timed.count("prompt"),
        "rules": {name: _rule(name, rules, pool, timed, texts) for name in (PLAIN, *rules)},
        "decoded_by": pool.rows[0]["statistics"]["blocks"]["decoded_by"],
        "tv": [interval_of(at) for at in pool.distance()],
        "costs": pool.costs(),
    }


def _rule(name: str, rules: Sequence[str], pool: Pool, timed: Pool | None, texts: TextPool | None) -> Json:
    runs = [row["statistics"]["runs"][name] for row in pool.rows]
    calls, gained, shown = (sum(run[part] for run in runs) for part in ("calls", "gained", "shown"))
    efficiency, paired = pool.run_efficiency(name), name not in (PLAIN, TOKEN)
    own = {
        "calls": calls,
        "gained": gained,
        "shown": shown,
        "observed": gained / calls,
        "efficiency": interval_of(efficiency),
        "over_token": interval_of(efficiency - pool.run_efficiency(TOKEN)) if paired and TOKEN in rules else None,
    }
    blocks = None
    if name != PLAIN:
        efficiency = pool.block_efficiency(name)
        blocks = {
            "efficiency": interval_of(efficiency),
            "over_token": interval_of(efficiency - pool.block_efficiency(TOKEN)) if paired else None,
            "acceptance": [interval_of(at) for at in pool.acceptance(name)],
        }
    return {
        "lossless": "always" if name == PLAIN else get(name).lossless,
        "runs": own,
        "blocks": blocks,
        "texts": _text_figures(texts, name, pool.gamma),
        "speed": None if timed is None else _speed(name, timed, paired and TOKEN in rules),
    }


def _speed(name: str, timed: Pool, over_token: bool) -> Json:
    lane = [row["timings"]["lanes"][name] for row in timed.rows]
    return {
        "tokens_per_second": sum(part["tokens"] for part in lane) / sum(map(seconds, lane)),
        "over_plain": None if name == PLAIN else interval_of(timed.over_plain(name), multiplicative=True),
        "over_token": interval_of(timed.over_token(name), multiplicative=True) if over_token else None,
        "split": timed.split(name),
    }


def _text_figures(texts: TextPool | None, rule: str, gamma: int) -> Json | None:
    if texts is None or rule not in texts.rules or gamma > texts.longest:
        return None
    return compared(*texts.efficiency(rule, gamma), rule)


def _text_record(texts: TextPool) -> Json:
    rows, rules = texts.pool.rows, {}
    for rule in texts.rules:
        figures = [compared(*texts.efficiency(rule, gamma), rule) for gamma in range(1, texts.longest + 1)]
        rules[rule] = {part: [at[part] for at in figures] for part in ("efficiency", "over_token", "gain")}
    worst = [
        {"prompt": row["cell"]["prompt"], "seed": row["cell"]["seed"], **place}
        for row in rows
        for place in row["statistics"]["worst"]
    ]
    return {
        "setting": {name: rows[0]["cell"][name] for name in TEXT_SETTING},
        **texts.pool.facts(),
        "tokens": sum(row["statistics"]["text"]["tokens"] for row in rows),
        "longest": texts.longest,
        "rules": rules,
        "samples": [[row["cell"]["prompt"], *sample] for row in rows for sample in row["statistics"]["samples"]],
        "worst": sorted(worst, key=lambda place: place["acceptance"])[:MOST_WORST],
    }


def _text_pools(rows: Sequence[Row]) -> dict[Setting, TextPool]:
    """By setting without γ and rules, and the longest block looked at."""
    found = {}
    for at, group in grouped_by([row for row in rows if row["statistics"]["text"]], TEXT_SETTING).items():
        for longest in sorted({row["statistics"]["text"]["longest"] for row in group}):
            pool = TextPool.of([row for row in group if row["statistics"]["text"]["longest"] == longest])
            if pool is not None:
                found[(*at, longest)] = pool
    return found
