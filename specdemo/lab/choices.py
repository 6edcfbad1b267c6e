"""What to use (docs/lab.md, `choices`): drafts and rules at their best γ, the fastest first, beside what was measured there.

Read from the predictions, results and averages of a summary; no number is computed here. The command and the page show the same record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from specdemo.lab.prediction import NEARLY
from specdemo.lab.same_rules import same_rules
from specdemo.lab.sweep_blocks import lossless_at
from specdemo.lab.table import too_wide

Verdict = Literal["faster", "slower", "open", "wide", "alone"]
# Results and averages (task None) by draft, γ and where they stand.
Records = Mapping[tuple[Any, ...], Sequence[Mapping[str, Any]]]
# Another temperature is another text: nothing is compared across these.
_WHERE = ("task", "temperature", "top_k", "top_p", "max_new_tokens")


def choices(
    predictions: Sequence[Mapping[str, Any]],
    results: Sequence[Mapping[str, Any]],
    averages: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """One record for each task (and the average, task None) and way of drawing, its lines the fastest first as predicted.

    Rules that are one at the γ that is best for both share a line; its figures are those of the first of them. `best` is the first line of a
    lossless rule: what changes the text is shown, and not recommended.
    """
    records: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for record in (*results, *averages):
        records.setdefault(_place({"task": None, **record["setting"]}, record["setting"]["gamma"]), []).append(record)
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for n, prediction in enumerate(predictions):
        lines = found.setdefault(tuple(prediction["setting"][name] for name in _WHERE), [])
        line = next((one for one in lines if _is_one(predictions[one["prediction"]], prediction)), None)
        if line is None:
            lines.append({"prediction": n, "rules": [prediction["rule"]]})
        else:
            line["rules"].append(prediction["rule"])
    return [
        {
            "setting": dict(zip(_WHERE, where, strict=True)),
            **_in_order(lines, predictions, records),
        }
        for where, lines in found.items()
    ]


def _is_one(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    setting, gamma, rules = one["setting"], one["best_gamma"], [one["rule"], other["rule"]]
    if setting != other["setting"] or gamma != other["best_gamma"]:
        return False
    return len(same_rules(rules, gamma, setting)) == 1


def _in_order(
    lines: Sequence[dict[str, Any]], predictions: Sequence[Mapping[str, Any]], records: Records
) -> dict[str, Any]:
    def speed(line: Mapping[str, Any]) -> float:
        return float(predictions[line["prediction"]]["best_speedup"])

    ordered = sorted(lines, key=speed, reverse=True)
    for line in ordered:
        prediction = predictions[line["prediction"]]
        lossless = lossless_at(prediction["rule"], prediction["setting"]["temperature"])
        line |= {"lossless": lossless, **_measured(prediction, records)}
    lossless_lines = [n for n, line in enumerate(ordered) if line["lossless"]]
    best = lossless_lines[0] if lossless_lines else None
    drafts = set[str]()
    for n in lossless_lines:
        line = ordered[n]
        draft = predictions[line["prediction"]]["setting"]["draft"]
        line["best_of_draft"] = draft not in drafts
        line["nearly"] = n != best and speed(line) >= speed(ordered[lossless_lines[0]]) * (1 - NEARLY)
        drafts.add(draft)
    return {"best": best, "lines": [{"best_of_draft": False, "nearly": False, **line} for line in ordered]}


def _measured(prediction: Mapping[str, Any], records: Records) -> dict[str, Any]:
    """What was measured at the γ of the sweep that is nearest to the best one: not the best that was measured, which chance may have made."""
    points = sorted(
        prediction["measured"], key=lambda point: (abs(point["gamma"] - prediction["best_gamma"]), point["gamma"])
    )
    if not points:
        return {"gamma": None, "speedup": None, "verdict": None, "gain": None}
    gamma, speedup = points[0]["gamma"], points[0]["speedup"]
    figures = next(
        found
        for record in records[_place(prediction["setting"], gamma)]
        if (found := record["rules"].get(prediction["rule"]))
        and found["speed"]
        and found["speed"]["over_plain"] == speedup
    )
    texts = figures["texts"]
    return {"gamma": gamma, "speedup": speedup, "verdict": _verdict(speedup), "gain": texts and texts["gain"]}


def _place(setting: Mapping[str, Any], gamma: int) -> tuple[Any, ...]:
    return (setting["draft"], gamma, *(setting[name] for name in _WHERE))


def _verdict(speedup: Mapping[str, Any]) -> Verdict:
    """What a measured speed-up says against plain decoding, which is 1."""
    if speedup["low"] is None:
        return "alone"
    if too_wide(speedup):
        return "wide"
    return "faster" if speedup["low"] > 1 else "slower" if speedup["high"] < 1 else "open"
