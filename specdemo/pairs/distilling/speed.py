"""The part of a draft's card that says what it is worth: block efficiency and speed over plain decoding, from a summary of the lab."""

from __future__ import annotations

from typing import Any


def speed_section(summary: dict[str, Any]) -> str:
    """Markdown tables, one a temperature, of a `specdemo.lab-summary/1` in which one draft was measured; ValueError if none was."""
    results = summary["results"]
    if not results:
        raise ValueError("the lab's summary has no finished cell: run the sweep to its end first")
    parts = ["## Block efficiency and speed\n", _conditions(summary)]
    for temperature in sorted({result["setting"]["temperature"] for result in results}):
        rows = [result for result in results if result["setting"]["temperature"] == temperature]
        parts.append(
            _table(temperature, sorted(rows, key=lambda row: (row["setting"]["task"], row["setting"]["gamma"])))
        )
    return "\n".join(parts)


def _conditions(summary: dict[str, Any]) -> str:
    machine, pair = summary["machine"], summary["pair"]
    tasks = sorted({result["setting"]["task"] for result in summary["results"]})
    prompts = max(result["prompts"] for result in summary["results"])
    tokens = max(result["setting"]["max_new_tokens"] for result in summary["results"])
    return (
        f"Measured by `python -m specdemo lab` on {prompts} prompts of {', '.join(tasks)}, texts of up to {tokens} tokens, {pair['dtype']} on "
        f"{pair['device']} ({machine['architecture']}, {machine['cores']} cores, threads: {machine['threads']}). "
        "Tokens a target call on the target's own texts; seconds a token of plain decoding, by this project's own fast forward pass, "
        "over the rule's in the same run; 95 % intervals in brackets.\n"
    )


def _table(temperature: float, rows: list[dict[str, Any]]) -> str:
    lines = [
        f"Temperature {temperature:g}:\n",
        "| γ | token, tokens a call | block | token, times plain | block |",
        "|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        rules = [row["rules"][name] for name in ("token", "block")]
        cells = [_interval(rule["texts"]["efficiency"]) if rule["texts"] else "" for rule in rules]
        cells += [_interval(rule["speed"]["over_plain"]) for rule in rules]
        lines.append(f"| {row['setting']['gamma']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _interval(interval: dict[str, float | None]) -> str:
    if interval["low"] is None:
        return f"{interval['mean']:.2f}"
    return f"{interval['mean']:.2f} [{interval['low']:.2f}, {interval['high']:.2f}]"
