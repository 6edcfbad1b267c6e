"""The benchmark's figures as text: aligned columns for a terminal, or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

RUN_TITLES = {
    "plain_stock": "transformers, plain",
    "assisted_stock": "transformers, assisted",
    "plain": "transformers, plain, on our layout",
    "assisted": "transformers, assisted, on our layout",
    "token": "ours, token",
    "block": "ours, block",
    "recorded": "ours, block, recorded",
}
Row = Sequence[str]


def table(header: Row, rows: Sequence[Row], *, markdown: bool) -> str:
    """A table; the first column is text, the others are aligned to the right."""
    if markdown:
        rule = ["---", *["---:"] * (len(header) - 1)]
        return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, ["─" * width for width in widths], *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def report(bench: dict[str, Any], *, markdown: bool = False) -> str:
    """The whole report of a bench record (see specdemo.cli.bench)."""
    settings, pair = bench["settings"], bench["pair"]
    head = (
        f"{pair['title']}, draft {pair['draft']} · γ={settings['gamma']} T={settings['temperature']:g} · "
        f"{settings['max_new_tokens']} tokens a prompt · {pair['dtype']} on {pair['device']}, "
        f"threads: {settings['threads']} · {settings['clock']} time"
    )
    parts = [
        head,
        "Medians over prompts [quartiles], means ± standard errors over prompts; ratios are taken within each prompt, competitors in turn.",
    ]
    for name, figures in bench["texts"].items():
        title = f"{name}: {figures['prompts']} prompts, {figures['blocks']} blocks"
        parts.append(f"## {title}" if markdown else f"{title}\n{'═' * len(title)}")
        parts += [_speed(figures, markdown), _rules(figures, markdown), _costs(figures), _split(figures)]
    return "\n\n".join(parts) + "\n"


def _speed(figures: dict[str, Any], markdown: bool) -> str:
    header = ["", "tokens/s", "× plain", "× assisted", "over bare forwards"]
    rows = []
    for run, title in ((run, RUN_TITLES[run]) for run in figures["speed"]):
        overhead = figures["overhead"].get(run)
        rows.append(
            [
                title,
                _spread(figures["speed"][run], "{:.0f}"),
                _spread(figures["over_plain"][run], "{:.2f}"),
                _spread(figures["over_assisted"][run], "{:.2f}"),
                _spread(overhead, "{:+.1%}") if overhead else "",
            ]
        )
    return table(header, rows, markdown=markdown)


def _rules(figures: dict[str, Any], markdown: bool) -> str:
    header = ["tokens per target call", "E[τ]+1", "predicted × bare steps", "measured × bare steps"]
    rows = [
        [
            rule,
            _mean(figures["expected_tokens"][rule]),
            f"{figures['predicted'][rule]:.2f}",
            _spread(figures["over_bare_steps"][rule], "{:.2f}"),
        ]
        for rule in figures["expected_tokens"]
    ]
    gain = figures["gain"]
    relative = gain["mean"] / figures["expected_tokens"]["token"]["mean"]
    rows.append(["block − token, same blocks", f"{_mean(gain, sign=True)} ({relative:+.1%})", "", ""])
    return table(header, rows, markdown=markdown)


def _costs(figures: dict[str, Any]) -> str:
    costs = figures["costs"]
    return (
        f"Bare steps: draft {costs['draft_step_ms']:.2f} ms, target {costs['target_step_ms']:.2f} ms, target on γ+1 tokens "
        f"{costs['target_call_ms']:.2f} ms; c = {costs['draft_cost']:.3f}, v = {costs['verify_cost']:.2f}. Predicted: (E[τ]+1) / (γc + v)."
    )


def _split(figures: dict[str, Any]) -> str:
    parts = dict(figures["parts"])
    total = sum(parts.values())
    shares = ", ".join(f"{name} {value:.2f} ms ({value / total:.0%})" for name, value in parts.items())
    return (
        f"A recorded block: {shares}. Recording costs {_spread(figures['recording'], '{:+.1%}')} of the run without it."
    )


def _spread(values: dict[str, float], form: str) -> str:
    median, low, high = (form.format(values[name]) for name in ("median", "low", "high"))
    return f"{median} [{low}, {high}]"


def _mean(values: dict[str, Any], *, sign: bool = False) -> str:
    error = values["standard_error"]
    mean = f"{values['mean']:+.3f}" if sign else f"{values['mean']:.3f}"
    return f"{mean} ± {error:.3f}" if error is not None else mean
