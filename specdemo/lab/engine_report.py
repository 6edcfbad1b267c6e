"""The figures of `specdemo bench engine` as text: aligned columns for a terminal, or Markdown."""

from __future__ import annotations

from typing import Any

from specdemo.lab.report import table

TITLES = {
    "plain": "transformers, plain",
    "assisted": "transformers, assisted",
    "ours": "ours, block",
    "recorded": "ours, block, recorded",
}


def engine_report(bench: dict[str, Any], *, markdown: bool = False) -> str:
    """The whole report of an engine record (see specdemo.cli.bench)."""
    settings, pair, machine = bench["settings"], bench["pair"], bench["machine"]
    head = (
        f"{pair['title']}, draft {pair['draft']} · γ={settings['gamma']} T={settings['temperature']:g} · {pair['dtype']} on {pair['device']}, "
        f"threads: {settings['threads']} · {settings['clock']} time"
    )
    limits = (
        f"This machine, then: copies {_spread(machine['limits']['copy_gb_s'], '{:.1f}')} GB/s, "
        f"multiplies at {_spread(machine['limits']['gflop_s'], '{:.0f}')} GFLOP/s (float32). Medians [quartiles]; ratios within a round or a prompt."
    )
    parts = [
        head,
        limits,
        _passes(bench["passes"], markdown),
        *_block(bench["block"]),
        _many_blocks(bench["many_blocks"]),
    ]
    parts += [_ratios(bench, markdown), f"Each of {settings['prompts']} prompts, {settings['max_new_tokens']} tokens."]
    return "\n\n".join(parts) + "\n"


def _passes(passes: dict[str, Any], markdown: bool) -> str:
    header = [
        "a forward pass",
        "reads",
        "computes",
        "floor",
        "lean",
        "transformers",
        "lean / floor",
        "transformers / lean",
    ]
    rows = [
        [
            name,
            f"{one['bytes'] / 1e6:.1f} MB",
            f"{one['operations'] / 1e6:.0f} MFLOP",
            _spread(one["floor_ms"], "{:.2f}") + " ms",
            _spread(one["lean_ms"], "{:.2f}") + " ms",
            _spread(one["eager_ms"], "{:.2f}") + " ms",
            _spread(one["lean_over_floor"], "{:.2f}"),
            _spread(one["eager_over_lean"], "{:.2f}"),
        ]
        for name, one in passes.items()
    ]
    return table(header, rows, markdown=markdown)


def _block(block: dict[str, Any]) -> list[str]:
    ms = {name: _spread(block[f"{name}_ms"], "{:.2f}") + " ms" for name in ("floor", "bare", "loop", "recorded")}
    loop, recorded = (_spread(block[name], "{:+.1%}") for name in ("loop_over_bare", "recorded_over_loop"))
    laws, reading = (_spread(block[name], "{:.3f}") + " ms" for name in ("laws_ms", "read_laws_ms"))
    parts = block["parts"]
    total = sum(parts.values())
    split = ", ".join(f"{name} {value:.2f} ms ({value / total:.0%})" for name, value in parts.items())
    return [
        f"A block ({block['blocks']} of them): floor {ms['floor']}, bare forwards {ms['bare']}, loop {ms['loop']} ({loop}), "
        f"with its record {ms['recorded']} ({recorded}).",
        f"Of that, sampling and verification cannot take less than {laws} for float64 laws from a block's logits, and {reading} to read these once.",
        f"A recorded block, medians of wall time: {split}.",
    ]


def _many_blocks(found: dict[str, Any]) -> str:
    outside, forward = (
        f"{found[name]['early_ms']['median']:.2f} → {found[name]['late_ms']['median']:.2f} ms (× {_spread(found[name]['late_over_early'], '{:.2f}')})"
        for name in ("outside", "forward")
    )
    early, late = found["tokens"]
    return (
        f"One long text, {found['blocks']} blocks, medians of {found['window']} early ones (about token {early}) and {found['window']} late ones "
        f"(token {late}): outside the forward passes {outside}, in them {forward}."
    )


def _ratios(bench: dict[str, Any], markdown: bool) -> str:
    header = ["", "tokens/s", *(f"× {TITLES[run]}" for run in bench["speed"])]
    rows = [
        [
            TITLES[run],
            _spread(bench["speed"][run], "{:.1f}"),
            *("" if base == run else _spread(ratio, "{:.2f}") for base, ratio in bench["ratios"][run].items()),
        ]
        for run in bench["speed"]
    ]
    return table(header, rows, markdown=markdown)


def _spread(values: dict[str, float], form: str) -> str:
    median, low, high = (form.format(values[name]) for name in ("median", "low", "high"))
    return f"{median} [{low}, {high}]"
