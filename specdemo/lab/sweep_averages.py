"""Averages over tasks: the plain mean of the tasks of one setting, each with its own prompts as a stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from specdemo.lab.estimates import Estimate, average
from specdemo.lab.sweep_cells import TOKEN
from specdemo.lab.sweep_pool import Pool, TextPool
from specdemo.lab.sweep_settings import SETTING, TEXT_SETTING, Json, Setting, named
from specdemo.lab.sweep_texts import longest_gamma


def average_record(
    settings: Sequence[Setting], pools: Mapping[Setting, Pool], texts: Mapping[Setting, TextPool]
) -> Json:
    """The plain mean over the tasks of settings that differ in nothing else (docs/lab.md, `averages`)."""
    setting = named(SETTING, settings[0])
    tasks = {at: named(SETTING, at)["task"] for at in settings}
    measured = {task: pools[at] for at, task in tasks.items() if at in pools}
    written = {task: pool for at, task in tasks.items() if (pool := texts_of(texts, at)) is not None}
    return {
        "setting": {name: value for name, value in setting.items() if name != "task"},
        "asked": list(tasks.values()),
        "tasks": list(measured),
        "text_tasks": list(written),
        "rules": {
            name: {
                "texts": _average_texts(list(written.values()), name, setting["gamma"]),
                **_average_runs(list(measured.values()), name, name != TOKEN and TOKEN in setting["rules"]),
            }
            for name in setting["rules"]
        },
    }


def _average_runs(pools: Sequence[Pool], rule: str, paired: bool) -> Json:
    if not pools:
        return {"runs": None, "speed": None}

    def efficiency(name: str) -> Estimate:
        return average([pool.run_efficiency(name) for pool in pools])

    found: Json = {"runs": {"efficiency": interval_of(efficiency(rule)), "over_token": None}, "speed": None}
    if paired:
        found["runs"]["over_token"] = interval_of(efficiency(rule) - efficiency(TOKEN))
    timed = [one for pool in pools if (one := pool.timed) is not None]
    if len(timed) == len(pools):  # an average over fewer tasks would be one of other texts

        def speed(name: str) -> Estimate:
            return average([pool.over_plain(name) for pool in timed])

        # The average of one task is that task's figure, with its interval.
        alone = timed[0] if len(timed) == 1 else None
        over_plain = interval_of(speed(rule), multiplicative=alone is not None)
        over_token = None
        if paired:
            ratio = alone.over_token(rule) if alone is not None else speed(rule).over(speed(TOKEN))
            over_token = interval_of(ratio, multiplicative=True)
        found["speed"] = {"over_plain": over_plain, "over_token": over_token}
    return found


def _average_texts(texts: Sequence[TextPool], rule: str, gamma: int) -> Json | None:
    if not texts or not all(rule in pool.rules and gamma <= pool.longest for pool in texts):
        return None
    pairs = [pool.efficiency(rule, gamma) for pool in texts]
    mine, token = (average([pair[i] for pair in pairs]) for i in (0, 1))
    return compared(mine, token, rule)


def compared(efficiency: Estimate, token: Estimate, rule: str) -> Json:
    """An efficiency with its difference to the token rule's and the gain over it."""
    paired = rule != TOKEN
    return {
        "efficiency": interval_of(efficiency),
        "over_token": interval_of(efficiency - token) if paired else None,
        "gain": interval_of(efficiency.over(token).plus(-1.0)) if paired else None,
    }


def texts_of(texts: Mapping[Setting, TextPool], setting: Setting) -> TextPool | None:
    """The texts of a setting: those of all γ and rules under which as long blocks were looked at."""
    parts = named(SETTING, setting)
    at = tuple(parts[name] for name in TEXT_SETTING)
    return texts.get((*at, longest_gamma(parts["gamma"], parts["max_new_tokens"])))


def interval_of(estimate: Estimate | None, *, multiplicative: bool = False) -> Json | None:
    """An estimate as the summary holds it."""
    return None if estimate is None else estimate.interval(multiplicative=multiplicative).to_json()
