"""From measurements to the figures of the report: ratios within each prompt first, medians over prompts last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from specdemo.lab.bench import PARTS, RULES, STOCK, PromptResult
from specdemo.lab.statistics import Mean, Spread, grouped_mean, predicted_speedup, spread

RUNS = (f"plain{STOCK}", f"assisted{STOCK}", "plain", "assisted", *RULES, "recorded")


def summary(results: Sequence[PromptResult], gamma: int) -> dict[str, Any]:
    """The figures of one kind of text.

    `speed` tokens/s; `over_plain` and `over_assisted` (over transformers on its own layout of the weights, where that was measured) and
    `overhead` (time over the bare forward passes, minus 1) as spreads over prompts; `expected_tokens` and `gain` means over blocks with
    errors over prompts; `parts` mean milliseconds a block; `costs`.
    """
    first = results[0]
    base = STOCK if f"plain{STOCK}" in first.seconds else ""
    runs = [run for run in RUNS if run in first.seconds]
    expected = {rule: grouped_mean([[b[rule] for b in r.blocks] for r in results]) for rule in RULES}
    costs = {name: spread([s for r in results for s in r.costs[name]]).median for name in first.costs}
    draft_cost, verify_cost = (costs[name] / costs["target_step"] for name in ("draft_step", "target_call"))
    bare_step = costs["target_step"] * first.new_tokens
    return {
        "prompts": len(results),
        "blocks": sum(len(r.blocks) for r in results),
        "speed": {run: _spread([r.new_tokens / r.seconds[run] for r in results]) for run in runs},
        "over_plain": {run: _ratio(results, f"plain{base}", run) for run in runs},
        "over_assisted": {run: _ratio(results, f"assisted{base}", run) for run in runs},
        "overhead": {rule: _spread([r.seconds[rule] / r.floor[rule] - 1 for r in results]) for rule in RULES},
        "recording": _spread([r.seconds["recorded"] / r.seconds["block"] - 1 for r in results]),
        "expected_tokens": {rule: mean.to_json() for rule, mean in expected.items()},
        "gain": _gain(results).to_json(),
        "target_calls": {rule: sum(r.target_calls[rule] for r in results) for rule in RULES},
        "parts": {part: grouped_mean([[b[part] for b in r.parts] for r in results]).mean for part in PARTS},
        "costs": {
            **{f"{name}_ms": seconds * 1e3 for name, seconds in costs.items()},
            "draft_cost": draft_cost,
            "verify_cost": verify_cost,
        },
        "predicted": {rule: predicted_speedup(expected[rule].mean, gamma, draft_cost, verify_cost) for rule in RULES},
        "over_bare_steps": {rule: _spread([bare_step / r.seconds[rule] for r in results]) for rule in RULES},
    }


def _gain(results: Sequence[PromptResult]) -> Mean:
    """E[τ]+1 of block minus that of token, on the same drafted blocks."""
    return grouped_mean([[b["block"] - b["token"] for b in r.blocks] for r in results])


def _ratio(results: Sequence[PromptResult], slow: str, fast: str) -> dict[str, float]:
    return _spread([r.seconds[slow] / r.seconds[fast] for r in results])


def _spread(values: Sequence[float]) -> dict[str, float]:
    found: Spread = spread(values)
    return found.to_json()
