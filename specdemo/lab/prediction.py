"""How fast a rule should be for every γ: speed-up(γ) = E_γ / (γ c + v(γ)), the best γ, and what that means in a sentence.

E_γ is measured, for every rule: on the target's texts for γ = 1, 2, … (`sweep_texts`), else in the rule's own runs at the γ of the sweep. The
formula for independent acceptances, (1 − α^(γ+1)) / (1 − α), is used nowhere: it knows no text, and no block verification. Source:
Leviathan et al. 2023 (arXiv 2211.17192), Theorem 3.8, with the cost v of a target call on γ+1 tokens, which on a CPU is not 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from specdemo.lab.same_rules import is_certain, same_rules
from specdemo.lab.statistics import predicted_speedup

NEARLY = 0.01  # how far below the best a γ may lie to be called as good
EVEN = 0.005  # how far from 1 a speed-up is still written 1.00
_SETTING = ("draft", "task", "temperature", "top_k", "top_p", "max_new_tokens")
_COST_SETTING = ("draft", "temperature", "top_k", "top_p", "max_new_tokens")


@dataclass(frozen=True)
class Prediction:
    """Predicted speed-ups over plain decoding, and the best of them; `nearly_best` are the first and last γ around it that are within 1 %.

    `even`: the best is 1.00 as it is written, so that nothing is gained or lost; `loses`: it is below that.
    """

    gammas: list[int]
    expected: list[float]
    draft_cost: float
    verify_cost: list[float]
    speedup: list[float]
    best_gamma: int
    best_speedup: float
    nearly_best: list[int]
    even: bool
    loses: bool
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def predict(
    gammas: Sequence[int], expected: Sequence[float], draft_cost: float, verify_cost: Sequence[float]
) -> Prediction:
    """The prediction from E_γ and v(γ) of each of `gammas` (ascending) and c, costs in plain target steps.

    ValueError unless there is one of each for every γ and every cost is above 0 (c may be 0).

    >>> found = predict([1, 2, 3], [1.8, 2.4, 2.7], 0.2, [1.0, 1.0, 1.0])
    >>> found.best_gamma, round(found.best_speedup, 3), found.sentence
    (2, 1.714, 'Above γ = 2 each extra draft token costs more than it returns; γ = 2 should be 1.71 × as fast as plain decoding.')
    """
    if not gammas or not len(gammas) == len(expected) == len(verify_cost):
        raise ValueError("a prediction needs E and v of every γ, and at least one γ")
    if draft_cost < 0 or min(verify_cost) <= 0:
        raise ValueError(
            f"costs are times: c must be ≥ 0 and v above 0, got c = {draft_cost} and v = {list(verify_cost)}"
        )
    speedup = [predicted_speedup(e, g, draft_cost, v) for g, e, v in zip(gammas, expected, verify_cost, strict=True)]
    at = int(np.argmax(speedup))
    best, even = speedup[at], abs(speedup[at] - 1) < EVEN
    first = last = at
    while first > 0 and speedup[first - 1] >= speedup[at] * (1 - NEARLY):
        first -= 1
    while last + 1 < len(speedup) and speedup[last + 1] >= speedup[at] * (1 - NEARLY):
        last += 1
    return Prediction(
        list(gammas), list(expected), draft_cost, list(verify_cost), speedup, gammas[at], best,
        [gammas[first], gammas[last]], even, best < 1 and not even, _sentence(gammas, at, best, (gammas[first], gammas[last])),
    )  # fmt: skip


def verify_costs(measured: Mapping[int, float], gammas: Sequence[int]) -> list[float]:
    """v(γ) for every γ from the measured ones: v(0) = 1 by definition, linear in between, and beyond the last with the slope before it.

    That slope is not taken below 0: a longer call does not get cheaper. ValueError where nothing is measured.

    >>> verify_costs({4: 1.5}, [1, 2, 4, 8])
    [1.125, 1.25, 1.5, 2.0]
    """
    if not measured:
        raise ValueError("there is no measured cost of a target call")
    known = sorted({0: 1.0, **measured}.items())
    (before, low), (last, high) = known[-2:]
    slope = max(0.0, (high - low) / (last - before))
    inner = np.interp(list(gammas), [gamma for gamma, _ in known], [cost for _, cost in known])
    return [
        float(cost) if gamma <= last else high + slope * (gamma - last)
        for gamma, cost in zip(gammas, inner, strict=True)
    ]


def predictions(
    results: Sequence[Mapping[str, Any]],
    averages: Sequence[Mapping[str, Any]],
    texts: Sequence[Mapping[str, Any]],
    costs: tuple[float, float] | None = None,
) -> list[dict[str, Any]]:
    """The predictions of a summary (docs/lab.md): for every task and for the tasks' average (task None), rule by rule.

    `costs` are c and v, the latter at the longest γ of the results, to be taken in place of what was measured; without either nothing is predicted.
    """
    found = []

    def costs_of(setting: Mapping[str, Any]) -> tuple[float, dict[int, float]] | None:
        return _costs(results, setting) if costs is None else _given(results, setting, costs)

    for setting in _distinct([result["setting"] for result in results], _SETTING):
        of_task = [result for result in results if _matches(result["setting"], setting)]
        curves = [record["rules"] for record in texts if _matches(record["setting"], setting)]
        found += _for_rules(setting, of_task, curves, costs_of(setting))
    for setting in _distinct([record["setting"] for record in averages], _COST_SETTING):
        of_average = [record for record in averages if _matches(record["setting"], setting)]
        tasks = {task for record in of_average for task in record["tasks"]}
        curves = _average_curves(
            [record for record in texts if _matches(record["setting"], setting) and record["setting"]["task"] in tasks]
        )
        found += _for_rules({**setting, "task": None}, of_average, curves, costs_of(setting))
    return found


def _for_rules(
    setting: Mapping[str, Any],
    measured: Sequence[Mapping[str, Any]],
    curves: Sequence[Mapping[str, Any]],
    costs: tuple[float, dict[int, float]] | None,
) -> list[dict[str, Any]]:
    if costs is None:
        return []
    draft_cost, verify_measured = costs
    found = []
    known: dict[str, Any] = {}
    for rule, figures in (item for curve in curves for item in curve.items()):
        known[rule] = max(known.get(rule, []), figures["efficiency"], key=len)
    for rule in dict.fromkeys(name for record in measured for name in record["setting"]["rules"]):
        of_rule = [record for record in measured if rule in record["rules"] and record["rules"][rule]["runs"]]
        points = [
            {"gamma": record["setting"]["gamma"], "speedup": record["rules"][rule]["speed"]["over_plain"]}
            for record in of_rule
            if record["rules"][rule]["speed"]
        ]
        curve = known.get(rule)
        if curve is None and is_certain(setting):  # then a rule that is the same at one γ is so at every γ
            curve = _of_the_same(known, rule, 1, setting)
        if curve is not None:
            source, by_gamma = "texts", {g: at["mean"] for g, at in enumerate(curve, 1)}
        else:
            source = "runs"
            by_gamma = {r["setting"]["gamma"]: r["rules"][rule]["runs"]["efficiency"]["mean"] for r in of_rule}
            for gamma in by_gamma:  # one rule under two names has one figure
                if len(same := _of_the_same(known, rule, gamma, setting) or []) >= gamma:
                    by_gamma[gamma] = same[gamma - 1]["mean"]
        if not by_gamma:
            continue
        gammas = sorted(by_gamma)
        prediction = predict(gammas, [by_gamma[g] for g in gammas], draft_cost, verify_costs(verify_measured, gammas))
        found.append(
            {
                "setting": dict(setting),
                "rule": rule,
                "source": source,
                **prediction.to_json(),
                "verify_measured": sorted(verify_measured),
                "measured": points,
            }
        )
    return found


def _of_the_same(known: Mapping[str, Any], rule: str, gamma: int, setting: Mapping[str, Any]) -> Any:
    """The curve of a rule that is this one at γ, None where no rule with a curve is."""
    groups = same_rules([*known, rule], gamma, setting)
    alike = next(group for group in groups if rule in group)
    return known.get(alike[0])


def _costs(results: Sequence[Mapping[str, Any]], setting: Mapping[str, Any]) -> tuple[float, dict[int, float]] | None:
    """c and v(γ) of all tasks together: what a call costs depends on the machine and its length, hardly on the text."""
    where = {name: setting[name] for name in _COST_SETTING}
    costs = [(r["setting"]["gamma"], r["costs"]) for r in results if r["costs"] and _matches(r["setting"], where)]
    if not costs:
        return None
    by_gamma: dict[int, list[float]] = {}
    for gamma, cost in costs:
        by_gamma.setdefault(gamma, []).append(cost["v"])
    verify = {gamma: float(np.median(values)) for gamma, values in by_gamma.items()}
    return float(np.median([cost["c"] for _, cost in costs])), verify


def _given(
    results: Sequence[Mapping[str, Any]], setting: Mapping[str, Any], costs: tuple[float, float]
) -> tuple[float, dict[int, float]] | None:
    where = {name: setting[name] for name in _COST_SETTING}
    gammas = [result["setting"]["gamma"] for result in results if _matches(result["setting"], where)]
    return (costs[0], {max(gammas): costs[1]}) if gammas else None


def _average_curves(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """E_γ of each rule that all tasks have, averaged over the tasks."""
    if not records:
        return []
    found = {}
    for rule in records[0]["rules"]:
        if all(rule in record["rules"] for record in records):
            curves = [record["rules"][rule]["efficiency"] for record in records]
            found[rule] = {
                "efficiency": [
                    {"mean": float(np.mean([at["mean"] for at in col]))} for col in zip(*curves, strict=False)
                ]
            }
    return [found]


def _distinct(settings: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    return [dict(items) for items in dict.fromkeys(tuple((name, s[name]) for name in names) for s in settings)]


def _matches(setting: Mapping[str, Any], part: Mapping[str, Any]) -> bool:
    return all(setting[name] == value for name, value in part.items())


def _sentence(gammas: Sequence[int], at: int, best: float, nearly: tuple[int, int]) -> str:
    gamma = gammas[at]
    if abs(best - 1) < EVEN:
        return f"Speculation gains nothing here: at its best, γ = {gamma}, it should be as fast as plain decoding, no faster."
    if best < 1:
        return f"Speculation loses here: at its best, γ = {gamma}, it should be {best:.2f} × as fast as plain decoding."
    fast = f"γ = {gamma} should be {best:.2f} × as fast as plain decoding"
    if list(gammas) != list(range(gammas[0], gammas[-1] + 1)) or len(gammas) == 1:
        return f"Of the γ measured ({', '.join(map(str, gammas))}), {fast}{'' if len(gammas) == 1 else ', the best of them'}."
    flat = f" (γ = {nearly[0]} to {nearly[1]} are within 1 % of it)" if nearly[0] < nearly[1] else ""
    if at + 1 < len(gammas):
        return f"Above γ = {gamma} each extra draft token costs more than it returns; {fast}{flat}."
    return f"Up to γ = {gamma}, the longest block looked at, each extra draft token returns more than it costs; {fast}{flat}."
