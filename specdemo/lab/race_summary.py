"""What a race adds up to: block efficiencies, their differences to the token rule's, and speed-ups, with intervals over groups of runs.

Everything is read from the records of the runs. Blocks of a run share a text and are never counted as independent: a group is a prompt with
all its seeds, or, where a race has one prompt, a seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from specdemo.lab.lane_names import PLAIN
from specdemo.lab.race_lanes import COLUMNS
from specdemo.lab.statistics import Interval, Mean, grouped_mean, interval, paired_difference, speedup_interval

CONFIDENCE = 0.95
TOKEN = "token"
Grouping = Literal["prompt", "seed"]
Run = Mapping[str, Any]

_GAINED, _SHOWN, _EXPECTED, _FIRST_TIME = (COLUMNS.index(name) for name in ("gained", "shown", "expected", "draft_ms"))


def race_summary(runs: Sequence[Run], lanes: Sequence[str], grouping: Grouping) -> dict[str, Any] | None:
    """The summary (docs/compare.md) of finished runs, groups being runs with the same `grouping`; None without a run."""
    if not runs:
        return None
    groups: dict[int, list[Run]] = {}
    for run in runs:
        groups.setdefault(run[grouping], []).append(run)
    return {
        "groups": grouping,
        "group_count": len(groups),
        "runs": len(runs),
        "confidence": CONFIDENCE,
        "rules": {rule: _figures(list(groups.values()), rule, lanes) for rule in lanes},
    }


def _figures(groups: list[list[Run]], rule: str, lanes: Sequence[str]) -> dict[str, Any]:
    calls = [call for group in groups for run in group for call in run["lanes"][rule]["calls"]]
    gained = sum(call[_GAINED] for call in calls)
    times = _times(groups, rule)
    expected = _expected(groups, rule)
    over_token = first_block = speedup = None
    if rule not in (PLAIN, TOKEN) and TOKEN in lanes:
        over_token = _interval(paired_difference(expected, _expected(groups, TOKEN)), len(groups))
        first_block = _interval(grouped_mean(_first_blocks(groups, rule)), len(groups))
    if rule != PLAIN:
        speedup = speedup_interval(_times(groups, PLAIN), times, CONFIDENCE).to_json()
    return {
        "calls": len(calls),
        "gained": gained,
        "observed": gained / len(calls),
        "efficiency": _interval(grouped_mean(expected), len(groups)),
        "over_token": over_token,
        "first_block": first_block,
        "tokens_per_second": sum(shown for _, shown in times) / sum(seconds for seconds, _ in times),
        "speedup": speedup,
    }


def _expected(groups: list[list[Run]], rule: str) -> list[list[float]]:
    """E[τ│block] + 1 of all calls, group by group."""
    return [[call[_EXPECTED] for run in group for call in run["lanes"][rule]["calls"]] for group in groups]


def _first_blocks(groups: list[list[Run]], rule: str) -> list[list[float]]:
    """E[τ│block 0] of the rule minus the token rule's, of all runs, group by group: the drafted block is the same."""
    return [
        [run["lanes"][rule]["calls"][0][_EXPECTED] - run["lanes"][TOKEN]["calls"][0][_EXPECTED] for run in group]
        for group in groups
    ]


def _times(groups: list[list[Run]], rule: str) -> list[tuple[float, float]]:
    """Seconds and tokens shown of each group."""
    found = []
    for group in groups:
        calls = [call for run in group for call in run["lanes"][rule]["calls"]]
        found.append((sum(sum(call[_FIRST_TIME:]) for call in calls) / 1e3, float(sum(call[_SHOWN] for call in calls))))
    return found


def _interval(found: Mean, groups: int) -> dict[str, float | None]:
    limits: Interval = interval(found, groups, CONFIDENCE)
    return limits.to_json()
