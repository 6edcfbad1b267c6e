"""What to use, as the terminal says it: first, with its confidence, the drafts in one table; and what is said where nothing is gained."""

from __future__ import annotations

from typing import Any

import pytest

from specdemo.cli.lab_choice import choice_text, choice_words
from specdemo.cli.lab_report import lab_report
from specdemo.lab.prediction import predict
from specdemo.lab.sweep_summary import summarise
from tests.lab.swept import the_head, the_rows

MEASURED = {"mean": 1.31, "standard_error": 0.3, "low": 0.77, "high": 2.25}


def line(number: int, *rules: str, **change: Any) -> dict[str, Any]:
    return {
        "prediction": number, "rules": list(rules), "lossless": True, "best_of_draft": True, "nearly": False,
        "gamma": 1, "speedup": MEASURED, "verdict": "open", "gain": None, **change,
    }  # fmt: skip


def prediction(draft: str, rule: str, expected: list[float], c: float = 0.1) -> dict[str, Any]:
    gammas = list(range(1, len(expected) + 1))
    found = predict(gammas, expected, c, [1.0] * len(expected)).to_json()
    return {"setting": {"draft": draft, "task": None}, "rule": rule, "source": "texts", **found}


def test_a_choice_in_sentences() -> None:
    near, far = prediction("near", "token", [1.32, 1.3]), prediction("far", "block", [1.31, 1.2])
    one = {"best": 0, "lines": [line(0, "token", "block"), line(1, "block", nearly=True)]}
    assert choice_words(one, [near, far]) == (
        "Draft near, γ = 1, token = block (one rule at γ = 1): it should be 1.20 × as fast as plain decoding. "
        "Measured at γ = 1: 1.31 × [0.77, 2.25], not told apart from plain decoding: its interval holds 1. "
        "Within 1 % of it: draft far, γ = 1, the block rule."
    )
    gain = {"mean": 0.024, "low": 0.007, "high": 0.041}
    wide = {"mean": 1.3, "low": 0.1, "high": 4.0}
    flat = prediction("near", "block", [1.5, 1.64, 1.77])
    alone = {"best": 0, "lines": [line(0, "block", gain=gain, speedup=wide, verdict="wide", gamma=4)]}
    assert choice_words(alone, [flat]) == (
        "Draft near, γ = 2, the block rule: it should be 1.37 × as fast as plain decoding. γ = 1 to 3 are as good, within 1 %. "
        "Measured at γ = 4: 1.30 × [interval too wide], nothing can be told yet: more prompts narrow the interval. "
        "There the block rule gains +2.4% [+0.7, +4.1] over token on the same texts."
    )


@pytest.mark.parametrize(
    ("best", "begins"),
    [
        (0.98, "Speculation loses here: at its best, draft near, γ = 1, the token rule, it should be 0.98 × as fast"),
        (
            0.998,
            "Speculation gains nothing here: at its best, draft near, γ = 1, the token rule, it should be no faster than",
        ),
        (
            1.002,
            "Speculation gains nothing here: at its best, draft near, γ = 1, the token rule, it should be no faster than",
        ),
    ],
)
def test_where_nothing_is_gained_it_says_so_and_never_one_point_zero_zero_loses(best: float, begins: str) -> None:
    found = prediction("near", "token", [best * 1.1])
    said = choice_words({"best": 0, "lines": [line(0, "token")]}, [found])
    assert said.startswith(begins) and "1.00" not in said


def test_a_lossy_rule_is_not_recommended() -> None:
    found = prediction("near", "threshold", [1.9])
    assert "none is recommended" in choice_words(
        {"best": None, "lines": [line(0, "threshold", lossless=False)]}, [found]
    )


def summary_of_drafts() -> dict[str, Any]:
    """The rows of one sweep under the names of two drafts, the second a slower one."""
    rows = []
    for draft, slower in (("quick", 1.0), ("slow", 40.0)):
        for row in the_rows():
            timings = row["timings"]
            costs = {**timings["costs"], "c": timings["costs"]["c"] * slower}
            rows.append(
                {
                    **row,
                    "key": f"{row['key']}{draft}",
                    "cell": {**row["cell"], "draft": draft},
                    "timings": {**timings, "costs": costs},
                }
            )
    return summarise([the_head()], rows)


def test_the_report_begins_with_what_to_use_and_compares_the_drafts() -> None:
    summary = summary_of_drafts()
    text = lab_report(summary)
    (choice,) = [one for one in summary["choices"] if one["setting"]["task"] is None]
    assert text.index("What to use on the average of 2 tasks, T = 0.8, 12 tokens a text at most\n") < text.index(
        "γ = 2\n"
    )
    assert choice_words(choice, summary["predictions"]) in text
    heading, rule, *rows = text.split("\n\n")[3].splitlines()
    assert heading.split()[:2] == ["draft", "rule"] and set(rule) == {"─", " "}
    assert [row.split()[0] for row in rows] == ["quick", "slow"], "a line for each draft, the fastest first"
    for row, draft in zip(rows, ("quick", "slow"), strict=True):
        best = max(
            (
                one
                for one in summary["predictions"]
                if (one["setting"]["draft"], one["setting"]["task"]) == (draft, None) and one["rule"] != "threshold"
            ),
            key=lambda one: one["best_speedup"],
        )
        assert f"{best['best_speedup']:.2f}{' loses' if best['loses'] else ''}" in row
    assert "loses" in rows[1]
    assert "## What to use on the average of 2 tasks" in lab_report(summary, markdown=True)


def test_without_costs_it_says_what_is_needed() -> None:
    summary = summarise([the_head()], [{**row, "timings": None} for row in the_rows()])
    assert choice_text(summary) == [
        "What to use cannot be told without times: measure without --no-times, or give the costs by --costs C,V."
    ]
    given = summarise([the_head()], [{**row, "timings": None} for row in the_rows()], costs=(0.05, 1.2))
    assert "it should be" in "".join(choice_text(given)) and "Measured" not in "".join(choice_text(given))
