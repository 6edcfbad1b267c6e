"""What to use: the fastest first, one line for what is one rule, the figure of the nearest γ and not the luckiest, and nothing computed anew."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from specdemo.lab.choices import choices
from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_summary import summarise
from tests.lab.swept import CATS, the_cells, the_head, the_pair, the_rows

WHERE = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "max_new_tokens": 64}


def interval(mean: float, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    return {"mean": mean, "standard_error": None, "low": low, "high": high}


def prediction(
    draft: str, rule: str, gamma: int, speed: float, measured: dict[int, Any], **where: Any
) -> dict[str, Any]:
    return {
        "setting": {"draft": draft, "task": "cats", **WHERE, **where},
        "rule": rule,
        "best_gamma": gamma,
        "best_speedup": speed,
        "measured": [{"gamma": at, "speedup": figure} for at, figure in measured.items()],
    }


def results_of(predictions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results from which such predictions come; a gain names its rule's γ."""
    return [
        {
            "setting": {**one["setting"], "gamma": point["gamma"], "rules": [one["rule"]]},
            "rules": {
                one["rule"]: {
                    "speed": {"over_plain": point["speedup"]},
                    "texts": {"gain": interval(point["gamma"] / 100)},
                }
            },
        }
        for one in predictions
        for point in one["measured"]
    ]


def chosen(*predictions: dict[str, Any]) -> list[dict[str, Any]]:
    return choices(predictions, results_of(list(predictions)), [])


def test_the_fastest_lossless_rule_is_best_and_every_draft_has_its_line() -> None:
    (found,) = chosen(
        prediction("far", "token", 2, 0.9, {}),
        prediction("near", "threshold", 4, 1.9, {}),
        prediction("near", "token", 3, 1.3, {}),
        prediction("near", "block", 4, 1.31, {}),
    )
    lines = found["lines"]
    assert [line["prediction"] for line in lines] == [1, 3, 2, 0]
    assert [line["lossless"] for line in lines] == [False, True, True, True]
    assert found["best"] == 1, "a rule that changes the text is shown, and not recommended"
    assert [line["best_of_draft"] for line in lines] == [False, True, False, True]
    assert [line["nearly"] for line in lines] == [False, False, True, False]
    assert chosen(prediction("near", "threshold", 4, 1.9, {}))[0]["best"] is None


def test_rules_that_are_one_share_a_line() -> None:
    (found,) = chosen(
        prediction("near", "token", 1, 1.19, {}),
        prediction("near", "block", 1, 1.19, {}),
        prediction("near", "greedy_block", 1, 1.19, {}),
        prediction("near", "sampled_match", 1, 1.1, {}),
        prediction("far", "token", 1, 1.0, {}),
        prediction("far", "block", 2, 1.0, {}),
    )
    assert [line["rules"] for line in found["lines"]] == [
        ["token", "block", "greedy_block"], ["sampled_match"], ["token"], ["block"],
    ]  # fmt: skip
    cold = chosen(*(prediction("near", rule, 4, 1.5, {}, temperature=0.0) for rule in ("token", "exact_match")))
    assert [line["rules"] for line in cold[0]["lines"]] == [["token", "exact_match"]]


def test_the_measured_figure_is_that_of_the_nearest_gamma_and_not_the_luckiest() -> None:
    measured = {2: interval(0.9, 0.8, 0.99), 4: interval(1.2, 1.1, 1.3), 8: interval(1.7, 0.9, 2.4)}
    (found,) = chosen(prediction("near", "block", 3, 1.3, measured))
    assert (found["lines"][0]["gamma"], found["lines"][0]["speedup"]["mean"]) == (2, 0.9)
    assert found["lines"][0]["gain"]["mean"] == 0.02, "of the same γ"
    (found,) = chosen(prediction("near", "block", 16, 1.3, measured))
    assert found["lines"][0]["gamma"] == 8
    (found,) = chosen(prediction("near", "block", 4, 1.3, {}))
    assert [found["lines"][0][part] for part in ("gamma", "speedup", "verdict", "gain")] == [None] * 4


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        ((1.2, 1.01, 1.4), "faster"), ((0.8, 0.7, 0.99), "slower"), ((1.2, 0.99, 1.4), "open"), ((1.2, 1.0, 1.4), "open"),
        ((1.2, 0.2, 2.8), "wide"), ((1.2, None, None), "alone"),
    ],
)  # fmt: skip
def test_what_an_interval_says_against_plain_decoding(figure: tuple[Any, ...], verdict: str) -> None:
    (found,) = chosen(prediction("near", "token", 4, 1.3, {4: interval(*figure)}))
    assert found["lines"][0]["verdict"] == verdict


def test_temperatures_and_tasks_are_not_compared() -> None:
    found = chosen(
        prediction("near", "token", 4, 1.3, {}),
        prediction("near", "token", 4, 1.9, {}, temperature=0.5),
        prediction("near", "token", 4, 1.7, {}, task="dogs"),
    )
    assert [(one["setting"]["task"], one["setting"]["temperature"]) for one in found] == [
        ("cats", 1.0),
        ("cats", 0.5),
        ("dogs", 1.0),
    ]
    assert all("draft" not in one["setting"] for one in found)


def test_a_sweeps_choices_are_its_own_figures() -> None:
    summary = summarise([the_head()], the_rows())
    assert [one["setting"]["task"] for one in summary["choices"]] == ["cats", "dogs", None]
    for choice in summary["choices"]:
        task, best = choice["setting"]["task"], choice["lines"][choice["best"]]
        named = [rule for line in choice["lines"] for rule in line["rules"]]
        assert sorted(named) == sorted(("token", "block", "greedy_block", "threshold"))
        assert "threshold" not in best["rules"]
        for line in choice["lines"]:
            found = summary["predictions"][line["prediction"]]
            rule = found["rule"]
            assert found["setting"]["task"] == task and rule == line["rules"][0]
            records = summary["averages"] if task is None else summary["results"]
            (record,) = [
                one["rules"][rule]
                for one in records
                if one["setting"]["gamma"] == line["gamma"] and one["setting"].get("task") == task
            ]
            assert record["speed"]["over_plain"] == line["speedup"]
            assert line["gain"] == (record["texts"] and record["texts"]["gain"])
        speeds = [summary["predictions"][line["prediction"]]["best_speedup"] for line in choice["lines"]]
        assert speeds == sorted(speeds, reverse=True)


@functools.cache
def short() -> dict[str, Any]:
    cells = the_cells(tasks=(CATS,), rules=("token", "block", "greedy_block"), gammas=(1, 2), prompts=2)
    return summarise([the_head()], [{**measure(the_pair(), cell), "engine": "local"} for cell in cells])


def test_at_gamma_1_one_rule_has_one_figure() -> None:
    """The rule that remembers is known by its own runs; at γ = 1, where it is the token rule, by the same texts as that."""
    by_rule = {one["rule"]: one for one in short()["predictions"] if one["setting"]["task"] == "cats"}
    token, greedy = by_rule["token"], by_rule["greedy_block"]
    assert (greedy["source"], greedy["gammas"]) == ("runs", [1, 2])
    assert greedy["expected"][0] == token["expected"][0] and greedy["speedup"][0] == token["speedup"][0]
    own = [one["rules"]["greedy_block"]["runs"]["efficiency"]["mean"] for one in short()["results"]]
    assert greedy["expected"][0] != own[0] and greedy["expected"][1] == own[1]


def test_the_average_of_one_task_is_that_task() -> None:
    summary = short()
    for result, average in zip(summary["results"], summary["averages"], strict=True):
        for rule in ("token", "block", "greedy_block"):
            mine, its = average["rules"][rule], result["rules"][rule]
            assert its["speed"]["over_plain"]["low"] > 0
            for part in ("over_plain", "over_token"):
                assert mine["speed"][part] == its["speed"][part]
            assert mine["texts"] == its["texts"]
            assert mine["runs"]["efficiency"] == its["runs"]["efficiency"]
