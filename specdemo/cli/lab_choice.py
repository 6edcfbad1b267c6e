"""What to use, in words: the draft, γ and rule that should be fastest, how sure that is, and the drafts beside each other; and what was cut short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from specdemo.lab.report import table
from specdemo.lab.table import too_wide

Json = Mapping[str, Any]
_HEADER = ["draft", "rule", "best γ", "predicted × plain", "measured × plain", "at γ", "against plain"]
_VERDICTS = {
    "faster": "faster than plain decoding by more than its interval",
    "slower": "slower than plain decoding, and outside its interval",
    "open": "not told apart from plain decoding: its interval holds 1",
    "wide": "nothing can be told yet: more prompts narrow the interval",
    "alone": "one prompt leaves no interval",
}
_SHORT = {
    "faster": "faster", "slower": "slower", "open": "not told apart", "wide": "not told apart", "alone": "no interval", None: "not measured",
}  # fmt: skip


def choice_text(summary: Json, *, markdown: bool = False) -> list[str]:
    """What to use on the average of the tasks, for each way of drawing: a sentence, and where there are several drafts a line for each."""
    predictions, parts = summary["predictions"], []
    for choice in summary["choices"]:
        if choice["setting"]["task"] is not None:
            continue
        tasks = _tasks(summary, choice["setting"])
        title = f"What to use on {tasks}, {_drawing(choice['setting'])}"
        parts.append(f"## {title}" if markdown else f"{title}\n{'═' * len(title)}")
        parts.append(choice_words(choice, predictions))
        lines = [line for line in choice["lines"] if line["best_of_draft"]]
        if len(lines) > 1:
            parts.append(table(_HEADER, [_row(line, predictions) for line in lines], markdown=markdown))
    if not parts:
        return [
            "What to use cannot be told without times: measure without --no-times, or give the costs by --costs C,V."
        ]
    return parts


def choice_words(choice: Json, predictions: Sequence[Json]) -> str:
    """A choice in sentences: what is best, what was measured of it, and what is as good."""
    if choice["best"] is None:
        return "None of these rules is lossless: each changes the text, so none is recommended."
    line = choice["lines"][choice["best"]]
    prediction = predictions[line["prediction"]]
    draft, gamma, best = prediction["setting"]["draft"], prediction["best_gamma"], prediction["best_speedup"]
    rules = _rules(line["rules"], gamma)
    if prediction["even"] or prediction["loses"]:
        fast = "no faster than plain decoding" if prediction["even"] else f"{best:.2f} × as fast as plain decoding"
        what = "gains nothing" if prediction["even"] else "loses"
        said = [f"Speculation {what} here: at its best, draft {draft}, γ = {gamma}, {rules}, it should be {fast}."]
    else:
        said = [f"Draft {draft}, γ = {gamma}, {rules}: it should be {best:.2f} × as fast as plain decoding."]
        first, last = prediction["nearly_best"]
        if first < last and prediction["source"] == "texts":
            said.append(f"γ = {first} to {last} are as good, within 1 %.")
    if line["speedup"]:
        figure, verdict = _times(line["speedup"]), _VERDICTS[line["verdict"]]
        said.append(f"Measured at γ = {line['gamma']}: {figure}, {verdict}.")
    if line["gain"] and len(line["rules"]) == 1:
        said.append(f"There the {line['rules'][0]} rule gains {_gain(line['gain'])} over token on the same texts.")
    if others := [_named(one, predictions) for one in choice["lines"] if one["nearly"]]:
        said.append(f"Within 1 % of it: {'; '.join(others)}.")
    return " ".join(said)


def context_words(summary: Json, fits: Mapping[str, Any]) -> list[str]:
    """What the models' context cut short under a condition, a sentence for each task and kind."""
    limit, said = summary["pair"]["context_limit"], []
    for record in summary["context"]:
        if any(record["setting"][name] != value for name, value in fits.items()):
            continue
        task, most = record["setting"]["task"], record["setting"]["max_new_tokens"]
        if record["cut"]:
            low, high = record["read"]
            read = f"{low}" if low == high else f"{low} to {high}"
            said.append(
                f"{task}: {record['cut']} of {record['prompts']} prompts did not fit into the models' context of {limit} tokens: "
                f"only the last {read} tokens were read. ({record['notice']})"
            )
        if record["ended"] or record["runs_ended"]:
            said.append(
                f"{task}: the models' context of {limit} tokens was full before {most} tokens were written, in {record['ended']} of "
                f"{record['texts']} texts of plain decoding and in {record['runs_ended']} of {record['runs']} runs of the rules: "
                "these texts are shorter."
            )
    return said


def _tasks(summary: Json, setting: Json) -> str:
    tasks = dict.fromkeys(
        task
        for record in summary["averages"]
        if all(record["setting"][name] == value for name, value in setting.items() if name != "task")
        for task in record["tasks"]
    )
    return next(iter(tasks)) if len(tasks) == 1 else f"the average of {len(tasks)} tasks"


def _drawing(setting: Json) -> str:
    cut = (f" top-k {setting['top_k']}" if setting["top_k"] else "") + (
        f" top-p {setting['top_p']:g}" if setting["top_p"] < 1 else ""
    )
    return f"T = {setting['temperature']:g}{cut}, {setting['max_new_tokens']} tokens a text at most"


def _rules(rules: Sequence[str], gamma: int) -> str:
    return f"the {rules[0]} rule" if len(rules) == 1 else f"{' = '.join(rules)} (one rule at γ = {gamma})"


def _row(line: Json, predictions: Sequence[Json]) -> list[str]:
    prediction = predictions[line["prediction"]]
    ending = " loses" if prediction["loses"] else " no gain" if prediction["even"] else ""
    return [
        prediction["setting"]["draft"],
        " = ".join(line["rules"]),
        str(prediction["best_gamma"]),
        f"{prediction['best_speedup']:.2f}{ending}",
        "–" if line["speedup"] is None else f"{line['speedup']['mean']:.2f}{_inside(line['speedup'], '{:.2f}', 1)}",
        "–" if line["gamma"] is None else str(line["gamma"]),
        _SHORT[line["verdict"]],
    ]


def _named(line: Json, predictions: Sequence[Json]) -> str:
    prediction = predictions[line["prediction"]]
    gamma = prediction["best_gamma"]
    return f"draft {prediction['setting']['draft']}, γ = {gamma}, {_rules(line['rules'], gamma)}"


def _times(figure: Json) -> str:
    return f"{figure['mean']:.2f} ×{_inside(figure, '{:.2f}', 1)}"


def _gain(figure: Json) -> str:
    return f"{figure['mean']:+.1%}{_inside(figure, '{:+.1f}', 100)}"


def _inside(figure: Json, form: str, scale: int) -> str:
    if figure["low"] is None:
        return ""
    if too_wide(figure):
        return " [interval too wide]"
    return f" [{form.format(scale * figure['low'])}, {form.format(scale * figure['high'])}]"
