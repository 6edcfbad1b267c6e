"""Records of races and law checks for the pictures' tests: real ones of tiny models, made-up ones of any size, and planted figures.

python tests/viewer/measure_records.py FOLDER      writes race.json, law.json and large.json, for dev_measure.html?race=…&law=…
"""

from __future__ import annotations

import copy
import functools
import json
import pathlib
import random
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

from specdemo.lab.statistics import student_quantile

Record = dict[str, Any]
PROMPTS = ["the cat sat", "a dog ran up the hill", "once upon a time"]
RULES = ["token", "block", "greedy_block", "exact_match"]
LAW_RULES = ["token", "block", "correction_from_target", "break_at_first_failure"]
HOSTILE = [
    "<script>window.hurt = 1</script>",
    '"quoted", it\'s',
    "=cmd|' /C calc'!A0",
    "\n\n",
    "${1+1}",
    "&amp;",
    "\u202e",
    "@x",
    "+1",
    "\t-",
]
COLUMNS = ["gained", "shown", "gamma", "expected", "draft_ms", "target_ms", "verify_ms", "rest_ms"]


@functools.cache
def _race() -> str:
    from specdemo.lab.race import race, whole_race
    from tests.viewer.tiny_runs import pair

    events = race(pair(), PROMPTS, RULES, gamma=3, max_new_tokens=24, seeds=2)
    return json.dumps(whole_race(events))


@functools.cache
def _law(samples: int) -> str:
    from specdemo.lab.law import law_check
    from tests.viewer.tiny_runs import pair

    *_, last = law_check(pair(), PROMPTS[0], LAW_RULES, gamma=3, samples=samples)
    return json.dumps(last)


@functools.cache
def _trace() -> str:
    from specdemo.decoding import Decoding
    from specdemo.trace import whole_run
    from tests.viewer.tiny_runs import pair

    run = Decoding(pair(), PROMPTS[0], gamma=3, rules=[*RULES, "typical"], max_new_tokens=24)
    return json.dumps(whole_run(run.head, run))


def race_record() -> Record:
    """A race of three prompts with two seeds each, measured with tiny models."""
    return json.loads(_race())


def law_record(samples: int = 300) -> Record:
    """A law check with exact and estimated rules, two of them wrong."""
    return json.loads(_law(samples))


def trace_record() -> Record:
    """A run with verdicts of lossless and lossy rules."""
    return json.loads(_trace())


def lossless_by_rule() -> list[Record]:
    """What a page knows of the rules (config.rules), as far as exports need it."""
    from tests.viewer.tiny_runs import config

    return config()["rules"]


def with_hostile_pieces(record: Record) -> Record:
    """The record with nasty texts in place of its tokens' own."""
    record = copy.deepcopy(record)
    for number, token in enumerate(sorted(record["pieces"], key=int)):
        record["pieces"][token] = HOSTILE[number % len(HOSTILE)]
    return record


def long_names(record: Record) -> Record:
    """The race with long names of lossy rules one below the other in place of its last three."""
    names = dict(zip(RULES[1:], ["correction_from_target_in_token", "break_at_first_failure", "typical"], strict=True))
    text = json.dumps({**record, "pieces": {}})
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    renamed = {**json.loads(text), "pieces": record["pieces"]}
    renamed["lossless"].update(dict.fromkeys(names.values(), "never"))
    return renamed


def with_figures(rule: str, name: str, mean: float, low: float | None, high: float | None, **summary: Any) -> Record:
    """The measured race with one planted estimate of its summary, and other facts of the summary."""
    record = race_record()
    record["summary"].update(summary)
    error = None
    if low is not None and high is not None:
        error = (high - low) / 2 / student_quantile(record["summary"]["group_count"], 0.95)
    record["summary"]["rules"][rule][name] = {"mean": mean, "standard_error": error, "low": low, "high": high}
    return record


def large_race(runs: int = 40, tokens: int = 64, gamma: int = 8, rules: tuple[str, ...] = tuple(RULES)) -> Record:
    """A made-up race of any size: calls as the format has them, the summary's figures invented."""
    dice = random.Random(7)
    lanes = ["plain", *rules]
    made = [
        {"prompt": number, "seed": 0, "lanes": {rule: _lane(dice, rule, gamma, tokens, number == 0) for rule in lanes}}
        for number in range(runs)
    ]
    record = race_record()
    figure = {"mean": 3.1, "standard_error": 0.1, "low": 2.9, "high": 3.3}
    record.update(
        rules=lanes,
        lossless={rule: "temperature_0" if rule == "exact_match" else "always" for rule in rules},
        prompts=[{"text": f"prompt {number}", "tokens": 12} for number in range(runs)],
        columns=COLUMNS,
        runs=made,
        planned=runs,
        pieces={str(i): f" t{i}" for i in range(200)},
    )
    record["settings"].update(gamma=gamma, max_new_tokens=tokens, seeds=1)
    record["summary"] = {
        "groups": "prompt", "group_count": runs, "runs": runs, "confidence": 0.95,
        "rules": {
            rule: {
                "calls": 1000, "gained": 3100, "observed": 3.1, "efficiency": figure,
                "over_token": None if rule in ("plain", "token") else {"mean": 0.3, "standard_error": 0.04, "low": 0.22, "high": 0.38},
                "first_block": None if rule in ("plain", "token") else {"mean": 0.2, "standard_error": 0.1, "low": -0.01, "high": 0.41},
                "tokens_per_second": 140.0,
                "speedup": None if rule == "plain" else {"mean": 1.4, "standard_error": 0.05, "low": 1.3, "high": 1.5},
            }
            for rule in lanes
        },
    }  # fmt: skip
    return record


def _lane(dice: random.Random, rule: str, gamma: int, tokens: int, with_ids: bool) -> Record:
    calls: list[list[float]] = []
    left = tokens
    own = 0 if rule == "plain" else gamma
    while left:
        gained = 1 + (dice.randint(0, own) if own else 0)
        shown = min(gained, left)
        times = [round(dice.uniform(0.9, 1.1) * own, 4), round(dice.uniform(8, 11), 4), 0.2, 0.1]
        calls.append([gained, shown, own, 1 + own * dice.uniform(0.2, 0.8), *times])
        left -= shown
    ids = [dice.randrange(200) for _ in range(tokens)] if with_ids else None
    return {"calls": calls, "ids": ids, "finish": "length"}


def calls(record: Record, rule: str) -> list[Record]:
    """The first run's target calls of a lane, by the names of their columns."""
    return [dict(zip(record["columns"], row, strict=True)) for row in record["runs"][0]["lanes"][rule]["calls"]]


def messages(race: Record) -> list[Record]:
    """The messages in which a race arrives: its head, run 0 call by call, then whole runs."""
    head = {**race, "runs": [], "pieces": {}, "costs": None, "summary": None}
    out: list[Record] = [{"kind": "race_start", "race": head}]
    lanes = race["runs"][0]["lanes"]
    shown = dict.fromkeys(lanes, 0)
    for number in range(max(len(lane["calls"]) for lane in lanes.values())):
        parts = {}
        for rule, lane in lanes.items():
            if number < len(lane["calls"]):
                count = lane["calls"][number][race["columns"].index("shown")]
                parts[rule] = {
                    "first": number,
                    "calls": [lane["calls"][number]],
                    "ids": lane["ids"][shown[rule] : shown[rule] + count],
                }
                shown[rule] += count
        pieces = {str(i): race["pieces"][str(i)] for part in parts.values() for i in part["ids"]}
        out.append({"kind": "race_calls", "at": 0, "lanes": parts, "pieces": pieces})
    for at, run in enumerate(race["runs"]):
        out.append({"kind": "race_run", "at": at, "record": run, "costs": race["costs"], "summary": race["summary"]})
    return out


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, record in {"race": race_record(), "law": law_record(), "large": large_race()}.items():
        (folder / f"{name}.json").write_text(json.dumps(record))
