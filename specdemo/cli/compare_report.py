"""The race and the check of the law as tables for a terminal: what every figure is, and what its interval speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from specdemo.cli.compare_words import number, token_text
from specdemo.lab.report import table
from specdemo.lab.statistics import few_words, predicted_speedup

_TOKENS_SHOWN = 12
_BUSY_COSTS = (
    "A call on more tokens cannot cost less than one on a single token (v < 1): the machine was busy while this was measured, "
    "and the predictions are not to be relied on."
)


def with_tag(rule: str, lossless: Mapping[str, str], temperature: float) -> str:
    """The rule's name for a table, marked where its text follows another law than the target's at this temperature.

    >>> with_tag("typical", {"typical": "never"}, 1.0), with_tag("plain", {}, 1.0)
    ('typical (not lossless)', 'plain')
    """
    kept = lossless.get(rule, "always")
    return rule if kept == "always" or (kept == "temperature_0" and temperature == 0) else f"{rule} (not lossless)"


def race_report(race: dict[str, Any]) -> str:
    """The race's table, the groups that its intervals count, and the measured costs."""
    summary = race["summary"]
    if summary is None:
        return "No run of the race was finished."
    rules = summary["rules"]
    named = {rule: with_tag(rule, race["lossless"], race["settings"]["temperature"]) for rule in rules}
    rows = [
        [
            named[rule],
            str(figures["calls"]),
            f"{figures['observed']:.3f}",
            _interval(figures["efficiency"]),
            _interval(figures["over_token"], sign=True),
            _interval(figures["first_block"], sign=True),
            f"{figures['tokens_per_second']:.0f}",
            _interval(figures["speedup"], digits=2),
        ]
        for rule, figures in rules.items()
    ]
    header = ["", "calls", "τ+1", "E[τ]+1", "− token", "− token, first block", "tokens/s", "× plain"]
    done = (
        f"{summary['runs']} of {race['planned']} runs"
        if summary["runs"] < race["planned"]
        else f"{summary['runs']} runs"
    )
    lines = [
        f"Race: {done}, {race['settings']['max_new_tokens']} tokens each at most",
        table(header, rows, markdown=False),
        "",
    ]
    lines.append(_groups(summary))
    lines.append(
        "E[τ]+1 (block efficiency): tokens a target call, exact given each drafted block of the rule's own run; τ+1: what its coins gave. "
        "Only the first block is the same for all rules."
    )
    if race["costs"]:
        lines.append(_costs(race))
    lines += sorted({prompt["notice"] for prompt in race["prompts"] if prompt["notice"]})
    return "\n".join(lines)


def law_report(law: dict[str, Any]) -> str:
    """The next token's law under every rule beside the target's, and what the counted pairs say."""
    following, rules = law["next"], law["rules"]
    named = {rule: with_tag(rule, law["lossless"], law["settings"]["temperature"]) for rule in rules}
    rows = []
    for i, token in list(enumerate(following["ids"]))[:_TOKENS_SHOWN]:
        laws = [following["target"][i], following["draft"][i]]
        cells = [_estimated(following["rules"][rule], i) for rule in rules]
        rows.append([token_text(law, token), *map(number, laws), *cells])
    left = len(following["ids"]) - len(rows)
    rest = [following["rest"]["target"] + sum(following["target"][_TOKENS_SHOWN:])]
    rest.append(following["rest"]["draft"] + sum(following["draft"][_TOKENS_SHOWN:]))
    rest += [following["rules"][rule]["rest"] + sum(following["rules"][rule]["law"][_TOKENS_SHOWN:]) for rule in rules]
    rows.append([f"{following['rest']['count'] + left} others", *map(number, rest)])
    distances = [(following["rules"][rule]["tv"], following["rules"][rule]["tv_error"]) for rule in rules]
    cells = [
        number(_no_rounding(tv)) + (f", error ≤ {number(error)}" if error is not None else "")
        for tv, error in distances
    ]
    rows.append(["total variation from T", "", "", *cells])
    lines = ["Law of the next token", table(["token", "T", "D", *named.values()], rows, markdown=False)]
    if not all(found["exact"] for found in following["rules"].values()):
        lines.append(
            "With ± or ≤: estimated from drafted blocks. ± is the standard error, ≤ bounds the mean error of a total variation; "
            "all others are exact."
        )
    if law["prompt"]["notice"]:
        lines.append(law["prompt"]["notice"])
    return "\n".join([*lines, "", *_pairs(law, named)])


def _pairs(law: dict[str, Any], named: Mapping[str, str]) -> list[str]:
    pairs = law["pairs"]
    if not pairs or not pairs["done"]:
        return ["No pair of next tokens was decoded."]
    rows = []
    for rule in law["rules"]:
        found = pairs["rules"][rule]
        chance = found["tv_by_chance"]
        cells = [found["tv"], chance["mean"], chance["high"], found["statistic"]]
        rows.append([named[rule], *map(number, cells), number(found["p_value"]), str(found["impossible"])])
    header = ["", "total variation", "by chance", "95 % below", "χ²", "p", "impossible"]
    return [
        f"The next two tokens, decoded {pairs['done']} times by each rule, {len(pairs['cells'])} pairs and the rest",
        table(header, rows, markdown=False),
        "p: the share of samples of a lossless rule with a χ² at least as large; impossible: pairs of target probability 0. "
        "One p below 0.05 in twenty is chance.",
    ]


def _groups(summary: dict[str, Any]) -> str:
    count, share = summary["group_count"], f"{summary['confidence']:.0%}"
    if summary["groups"] == "seed":
        what = f"{count} seeds of one prompt" if count > 1 else "one run of one prompt"
        caution = (
            "they say nothing of other prompts" if count > 1 else "nothing to estimate an error from: no intervals"
        )
    else:
        what = f"{count} prompts" if count > 1 else "one prompt so far"
        caution = "they speak of prompts like these" if count > 1 else "no intervals"
    if count == 1:
        return f"Groups: {what}; {caution}."
    return (
        f"In brackets: {share} Student intervals over {what} ({count - 1} degrees of freedom: blocks of one text are never counted as "
        f"independent); {caution}. {few_words(summary['groups'], [count])}".rstrip()
    )


def _costs(race: dict[str, Any]) -> str:
    costs, gamma = race["costs"], race["settings"]["gamma"]
    predicted = ", ".join(
        f"{rule} {predicted_speedup(figures['efficiency']['mean'], gamma, costs['c'], costs['v']):.2f}"
        for rule, figures in race["summary"]["rules"].items()
        if rule != "plain"
    )
    return (
        f"Medians: draft step {costs['draft_step_ms']:.2f} ms, plain target step {costs['target_step_ms']:.2f} ms, target call on γ+1 tokens "
        f"{costs['target_call_ms']:.2f} ms; c = {costs['c']:.3f}, v = {costs['v']:.2f}. Predicted × plain, (E[τ]+1) / (γc + v): {predicted}."
        # No call on more tokens is cheaper than one on a single token.
        + (f" {_BUSY_COSTS}" if costs["v"] < 1 else "")
    )


def _interval(figures: dict[str, Any] | None, *, sign: bool = False, digits: int = 3) -> str:
    if figures is None:
        return "–"
    form = f"{'+' if sign else ''}.{digits}f"
    if figures["low"] is None:
        return format(figures["mean"], form)
    return f"{figures['mean']:{form}} [{figures['low']:{form}}, {figures['high']:{form}}]"


def _estimated(found: dict[str, Any], i: int) -> str:
    error = f" ± {number(found['error'][i])}" if found["error"] else ""
    return number(max(0.0, found["law"][i])) + error


def _no_rounding(distance: float) -> float:
    """Of a law that was summed in another order the last bits differ; that is no distance."""
    return 0.0 if distance < 1e-12 else distance
