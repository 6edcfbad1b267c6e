"""A sweep's summary (docs/lab.md) as text: what to use, the paper's table, every rule's figures, predictions, and where the draft fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from specdemo.cli.compare_words import number, token_text
from specdemo.cli.lab_choice import choice_text, context_words
from specdemo.lab.report import table
from specdemo.lab.statistics import few_words
from specdemo.lab.table import table_csv, table_text, tables

Json = Mapping[str, Any]
_WORST_SHOWN = 5
_CONDITION = ("draft", "temperature", "top_k", "top_p", "max_new_tokens")
_NOTES = (
    "What to use: the γ with the highest predicted speed-up, and what was measured at the nearest γ of the sweep. "
    "Block efficiency is tokens a target call: rules on the same texts of the target, drafts and coins integrated out (own runs: its own text). "
    "Speeds are over plain decoding by the same forward pass, in turns. In brackets: 95 % intervals over prompts like these; gains in per cent. "
    "The average is the plain mean of the tasks, its gain that of the averages."
)


def lab_answer(summary: Json) -> dict[str, Any]:
    """Everything that a page shows of a summary: {summary, tables, csv, markdown}, plain data."""
    found = tables(summary)
    return {
        "summary": summary,
        "tables": [asdict(one) for one in found],
        "csv": table_csv(found),
        "markdown": lab_report(summary, markdown=True),
    }


def lab_report(summary: Json, *, markdown: bool = False) -> str:
    """Everything a person reads of a sweep, setting by setting."""
    cells, pair = summary["cells"], summary["pair"]
    head = (
        f"{pair['title']} · {pair['dtype']} on {pair['device']}, threads: {summary['machine']['threads']} · "
        f"{cells['done']} of {cells['planned']} cells"
    )
    if not cells["done"]:
        return f"{head}\n\nNothing is measured yet."
    parts = [head, *choice_text(summary, markdown=markdown), *_few(summary), *_busy(summary)]
    found = {(_of(one.setting), one.gamma): table_text(one, markdown=markdown) for one in tables(summary)}
    for condition in dict.fromkeys(_of(record["setting"]) for record in summary["averages"]):
        averages = [record for record in summary["averages"] if _of(record["setting"]) == condition]
        parts.append(_title(condition, markdown))
        parts += context_words(summary, dict(zip(_CONDITION, condition, strict=True)))
        for record in averages:
            gamma = record["setting"]["gamma"]
            texts = [found[condition, gamma]] if found.get((condition, gamma)) else []
            others = set(record["setting"]["rules"]) != {"token", "block"}
            if others and any(figures["runs"] for figures in record["rules"].values()):
                texts.append(_rules(record, markdown))
            if texts:
                parts += [f"### γ = {gamma}" if markdown else f"γ = {gamma}", *texts]
        parts += _predictions(summary, condition, markdown)
        parts += _worst(summary, condition, markdown)
    parts += [_NOTES, *_missing(summary)]
    return "\n\n".join(parts)


def _of(setting: Json) -> tuple[Any, ...]:
    return tuple(setting[name] for name in _CONDITION)


def _title(condition: Sequence[Any], markdown: bool) -> str:
    draft, temperature, top_k, top_p, most = condition
    cut = (f" top-k {top_k}" if top_k else "") + (f" top-p {top_p:g}" if top_p < 1 else "")
    title = f"draft {draft} · T = {temperature:g}{cut} · {most} tokens a text at most"
    return f"## {title}" if markdown else f"{title}\n{'═' * len(title)}"


def _rules(record: Json, markdown: bool) -> str:
    """Every rule of one γ, averaged over the tasks measured."""
    rows = []
    for rule, figures in record["rules"].items():
        if figures["runs"] is None:
            continue
        texts = figures["texts"] or {"efficiency": None, "gain": None}
        rows.append(
            [
                rule,
                _interval(figures["runs"]["efficiency"]),
                _interval(figures["runs"]["over_token"], sign=True),
                _interval(texts["efficiency"]),
                _percent(texts["gain"]),
                _interval((figures["speed"] or {"over_plain": None})["over_plain"], digits=2),
            ]
        )
    header = ["", "own runs", "− token", "same texts", "gain over token", "× plain"]
    tasks = f"Average over {', '.join(record['tasks'])}:"
    return f"{tasks}\n\n{table(header, rows, markdown=markdown)}"


def _predictions(summary: Json, condition: Sequence[Any], markdown: bool) -> list[str]:
    """The prediction for the average over tasks, rule by rule, beside what was measured."""
    chosen = [p for p in summary["predictions"] if p["setting"]["task"] is None and _of(p["setting"]) == condition]
    if not chosen:
        return []
    first = chosen[0]
    cost = dict(zip(first["gammas"], first["verify_cost"], strict=True))
    costs = ", ".join(f"v({g}) = {cost[g]:.2f}" for g in first["verify_measured"] if g in cost)
    lines = [
        f"Predicted speed-up, average of the tasks: E/(γc + v) with c = {first['draft_cost']:.3f}, {costs} (in plain target steps)."
    ]
    for prediction in chosen:
        speeds = dict(zip(prediction["gammas"], prediction["speedup"], strict=True))
        points = "; ".join(
            f"γ = {point['gamma']}: {speeds[point['gamma']]:.2f} predicted, {point['speedup']['mean']:.2f} measured"
            for point in prediction["measured"]
            if point["gamma"] in speeds
        )
        lines.append(f"{'- ' if markdown else ''}{prediction['rule']}: {prediction['sentence']} {points}.")
    return ["\n".join(lines)]


def _worst(summary: Json, condition: Sequence[Any], markdown: bool) -> list[str]:
    places = [
        (record["setting"]["task"], place)
        for record in summary["texts"]
        if _of(record["setting"]) == condition
        for place in record["worst"]
    ]
    places.sort(key=lambda found: found[1]["acceptance"])
    if not places:
        return []
    rows = [
        [
            f"{task}: …{_shown(place['before'])}",
            *(_choice(place[of]) for of in ("written", "wanted", "offered")),
            number(place["acceptance"]),
            number(place["entropy"]),
        ]
        for task, place in places[:_WORST_SHOWN]
    ]
    header = ["where the draft fails", "written", "target's likeliest", "draft's likeliest", "1 − TV", "entropy of T"]
    return [table(header, rows, markdown=markdown)]


def _shown(before: str) -> str:
    return before[-40:].replace("\n", "⏎").replace("|", "¦")


def _choice(token: Json) -> str:
    """A token with its probability under T and D."""
    word = token_text({"pieces": {str(token["token"]): token["piece"]}}, token["token"]).replace("|", "¦")
    return f"{word} (T {number(token['target'])}, D {number(token['draft'])})"


def _few(summary: Json) -> list[str]:
    """A word on the intervals of tasks of which few prompts (or seeds of their one prompt) were measured."""
    few: dict[str, dict[str, None]] = {"prompt": {}, "seed": {}}
    for record in summary["results"]:
        groups = record["groups"]
        counts = [record["group_count"], *([record["timed_prompts"]] if groups == "prompt" else [])]
        if few_words(groups, counts):
            few[groups][record["setting"]["task"]] = None
    tasks = {record["setting"]["task"] for record in summary["results"]}
    return [
        few_words(groups, [2], "" if set(found) == tasks else f" of {', '.join(found)}")
        for groups, found in few.items()
        if found
    ]


def _busy(summary: Json) -> list[str]:
    """A warning where others wanted the cores too: short calls then pass between others' turns, long ones wait, and c comes out too small."""
    load, cores = summary["load"], summary["machine"]["cores"]
    if load is None or not cores or load <= cores:
        return []
    return [
        f"The machine was busy while this was measured (load {load:.1f} on {cores} cores): speeds, c and v are of that hour and not to be relied on; "
        "block efficiencies do not depend on it."
    ]


def _missing(summary: Json) -> list[str]:
    missing = summary["missing"]
    if not missing:
        return []
    cells = sum(entry["planned"] - entry["cells"] for entry in missing)
    return [f"{cells} cells in {len(missing)} settings are not measured yet; the same command goes on from here."]


def _interval(figure: Json | None, *, sign: bool = False, digits: int = 3) -> str:
    if figure is None:
        return "–"
    form = f"{'+' if sign else ''}.{digits}f"
    if figure["low"] is None:
        return format(figure["mean"], form)
    return f"{figure['mean']:{form}} [{figure['low']:{form}}, {figure['high']:{form}}]"


def _percent(figure: Json | None) -> str:
    if figure is None:
        return "–"
    inside = "" if figure["low"] is None else f" [{100 * figure['low']:+.1f}, {100 * figure['high']:+.1f}]"
    return f"{figure['mean']:+.1%}{inside}"
