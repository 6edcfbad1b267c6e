"""The paper's table for a pair of ours: tasks × (token, block, gain) of block efficiency and wall-clock for each γ, the average last.

Block efficiencies are those of the target's own texts (`texts` in the summary), both rules on the same ones; speeds are over plain decoding
measured in the same turns. The averages that Sun et al. report stand beside an average that compares with them, and only there. Everything is
read from a summary (`sweep_summary`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from specdemo.lab.compare_tables import csv_text
from specdemo.lab.report import table
from specdemo.lab.sweep_texts import longest_gamma

Figure = Mapping[str, Any]  # an interval: mean, standard_error, low, high
FIGURES = ("token", "block", "gain", "token_speed", "block_speed", "speed_gain")
HEADER = ["", "prompts", "token", "block", "gain", "token × plain", "block × plain", "gain"]
AVERAGE = "average"
TOO_WIDE = 2.0  # an interval wider than 2 (200 %), and than twice its figure, is not worth its digits
# Sun et al. (arXiv 2403.10444), means over eight tasks on a production-size pair at temperature 1: block efficiency, then speed over plain
# decoding at γ = 8.
# What they report of other γ's speed is not known here for certain, so it is left out.
PAPER: dict[int, dict[str, float]] = {
    4: {"token": 2.89, "block": 2.99},
    6: {"token": 3.23, "block": 3.43},
    8: {"token": 3.41, "block": 3.70, "token_speed": 2.30, "block_speed": 2.45},
}


@dataclass(frozen=True)
class Line:
    """One line: its name, how many prompts' texts and how many prompts' times are in it, and its figures (intervals) by name."""

    name: str
    text_prompts: int | None
    timed_prompts: int | None
    figures: Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """The lines of one setting and γ; `missing` are tasks of which nothing is known, `untimed` those without a time at this γ.

    `paper` are the averages of Sun et al. by name where ours compares with them; where it does not, `no_paper` says why.
    """

    setting: Mapping[str, Any]
    lines: list[Line]
    missing: list[str]
    untimed: list[str]
    paper: Mapping[str, float] | None
    no_paper: str | None

    @property
    def gamma(self) -> int:
        """The γ of the table."""
        return int(self.setting["gamma"])


def tables(summary: Mapping[str, Any]) -> list[Table]:
    """The tables of a summary, one for each setting and γ at which token and block were both asked for."""
    return [
        _table(summary, record)
        for record in summary["averages"]
        if {"token", "block"} <= set(record["setting"]["rules"])
    ]


def _table(summary: Mapping[str, Any], record: Mapping[str, Any]) -> Table:
    setting, lines = record["setting"], []
    for task in record["asked"]:
        text = _text_of(summary, setting, task)
        result = _result_of(summary, setting, task)
        if text is None and result is None:
            continue
        lines.append(
            Line(
                task,
                None if text is None else text["prompts"],
                None if result is None else result["timed_prompts"] or None,
                {
                    **_text_figures(None if text is None else _at_gamma(text["rules"], setting["gamma"])),
                    **_speeds(None if result is None else result["rules"]),
                },
            )
        )
    missing = [task for task in record["asked"] if task not in [line.name for line in lines]]
    if lines:
        texts = {rule: record["rules"][rule]["texts"] for rule in ("token", "block")}
        figures = {**_text_figures(texts if all(texts.values()) else None), **_speeds(record["rules"])}
        lines.append(Line(AVERAGE, None, None, figures))
    untimed = [line.name for line in lines if line.timed_prompts is None and line.name != AVERAGE]
    no_paper = _no_paper(setting, len(lines) - 1) if lines else None
    paper = PAPER[setting["gamma"]] if lines and no_paper is None else None
    return Table(setting, lines, missing, untimed, paper, no_paper)


def _no_paper(setting: Mapping[str, Any], tasks: int) -> str | None:
    """Why an average of so many tasks compares with nothing that Sun et al. report; None where it does."""
    if setting["gamma"] not in PAPER:
        return f"Sun et al. report no average at γ = {setting['gamma']}."
    if (setting["temperature"], setting["top_k"], setting["top_p"]) != (1, 0, 1):
        return "The averages of Sun et al. are left out: they are of temperature 1 without cuts, and compare with nothing here."
    if tasks < 2:
        return "The averages of Sun et al. are left out: they are of eight tasks, and compare with no single one."
    return None


def _text_of(summary: Mapping[str, Any], setting: Mapping[str, Any], task: str) -> Mapping[str, Any] | None:
    longest = longest_gamma(setting["gamma"], setting["max_new_tokens"])
    for record in summary["texts"]:
        where = record["setting"]
        if (
            where["task"] == task
            and record["longest"] == longest
            and all(setting[n] == v for n, v in where.items() if n != "task")
        ):
            return record if {"token", "block"} <= set(record["rules"]) else None
    return None


def _result_of(summary: Mapping[str, Any], setting: Mapping[str, Any], task: str) -> Mapping[str, Any] | None:
    return next((result for result in summary["results"] if result["setting"] == {**setting, "task": task}), None)


def _at_gamma(rules: Mapping[str, Any], gamma: int) -> dict[str, Any]:
    return {rule: {part: values[gamma - 1] for part, values in rules[rule].items()} for rule in ("token", "block")}


def _text_figures(rules: Mapping[str, Any] | None) -> dict[str, Figure | None]:
    if rules is None:
        return dict.fromkeys(FIGURES[:3])
    return {
        "token": rules["token"]["efficiency"],
        "block": rules["block"]["efficiency"],
        "gain": rules["block"]["gain"],
    }


def _speeds(rules: Mapping[str, Any] | None) -> dict[str, Figure | None]:
    if rules is None or rules["block"]["speed"] is None:
        return dict.fromkeys(FIGURES[3:])
    faster = rules["block"]["speed"]["over_token"]
    gain = {name: None if (value := faster[name]) is None else value - 1 for name in ("mean", "low", "high")}
    return {
        "token_speed": rules["token"]["speed"]["over_plain"],
        "block_speed": rules["block"]["speed"]["over_plain"],
        "speed_gain": {**gain, "standard_error": faster["standard_error"]},
    }


def table_text(found: Table, *, markdown: bool = False) -> str:
    """One table as text, the paper's averages under ours, and what is missing."""
    rows = [_row(line, average=line.name == AVERAGE) for line in found.lines]
    if found.paper is not None:
        rows.append(_paper_row(found.paper))
    # Without a single time the columns of speeds are left out.
    shown = None if any(line.figures[name] for line in found.lines for name in FIGURES[3:]) else 5
    parts = [table(HEADER[:shown], [row[:shown] for row in rows], markdown=markdown)] if rows else []
    if found.missing:
        parts.append(f"Not measured yet: {', '.join(found.missing)}.")
    if found.untimed:
        parts.append(f"No times yet at γ = {found.gamma}: {', '.join(found.untimed)}.")
    if found.no_paper:
        parts.append(found.no_paper)
    return "\n\n".join(parts)


def table_csv(found: Sequence[Table]) -> str:
    """All tables as one CSV: a row for each line, every figure with standard error and interval."""
    settings = ["draft", "temperature", "top_k", "top_p", "max_new_tokens", "gamma"]
    parts = {"mean": "", "standard_error": "_standard_error", "low": "_low", "high": "_high"}
    columns = [name + ending for name in FIGURES for ending in parts.values()]
    rows: list[list[Any]] = [[*settings, "task", "text_prompts", "timed_prompts", *columns]]
    for one in found:
        for line in one.lines:
            cells = [
                None if (figure := line.figures[name]) is None else figure[part] for name in FIGURES for part in parts
            ]
            head = [one.setting[name] for name in settings]
            rows.append([*head, line.name, line.text_prompts, line.timed_prompts, *cells])
    return csv_text(rows)


def _row(line: Line, *, average: bool) -> list[str]:
    counts = {line.text_prompts, line.timed_prompts} - {None}
    prompts = "" if average else "/".join(map(str, sorted(map(int, filter(None, counts)), reverse=True)))
    figures = line.figures
    return [
        line.name, prompts, *(_plain(figures[name]) for name in ("token", "block")), _gain(figures["gain"]),
        *(_plain(figures[name]) for name in ("token_speed", "block_speed")), _gain(figures["speed_gain"]),
    ]  # fmt: skip


def _paper_row(known: Mapping[str, float]) -> list[str]:
    cells = ["Sun et al., average of eight tasks", ""]
    for token, block in (("token", "block"), ("token_speed", "block_speed")):
        if token in known:
            cells += [f"{known[token]:.2f}", f"{known[block]:.2f}", f"{known[block] / known[token] - 1:+.1%}"]
        else:
            cells += ["", "", ""]
    return cells


def _plain(figure: Figure | None) -> str:
    return "–" if figure is None else f"{figure['mean']:.2f}"


def _gain(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    low, high = figure["low"], figure["high"]
    if low is None or high is None:
        return f"{figure['mean']:+.1%}"
    inside = "interval too wide" if too_wide(figure) else f"{100 * low:+.1f}, {100 * high:+.1f}"
    return f"{figure['mean']:+.1%} [{inside}]"


def too_wide(figure: Figure) -> bool:
    """Whether an interval says so little that it is not shown."""
    return bool(figure["high"] - figure["low"] >= TOO_WIDE * max(1.0, abs(figure["mean"])))
