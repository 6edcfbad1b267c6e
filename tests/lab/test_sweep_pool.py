"""Rows put together, by hand and against the statistics that the race uses: groups are prompts, whatever the seeds."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from specdemo.lab import sweep_pool
from specdemo.lab.estimates import Estimate, ratio_of_sums
from specdemo.lab.statistics import grouped_mean, paired_difference, speedup_interval
from specdemo.lab.sweep_pool import Pool, TextPool, median_costs
from tests.lab.swept import the_rows


def row(prompt: int, seed: int = 0, **change: Any) -> dict[str, Any]:
    """A row of two rules at γ = 2, made up; `change` are calls, expected sums, milliseconds and tokens of the rules."""
    of: dict[str, Any] = {
        "calls": (4, 4),
        "expected": (8.0, 9.0),
        "ms": (40.0, 80.0, 60.0),
        "tokens": (8, 8, 8),
        **change,
    }
    runs = {
        rule: {"calls": calls, "expected": expected, "gained": 9, "shown": 8, "finish": "length"}
        for rule, calls, expected in zip(("token", "block"), of["calls"], of["expected"], strict=True)
    }
    lanes = {
        name: {
            "calls": 4,
            "tokens": tokens,
            "draft_ms": ms / 4,
            "target_ms": ms / 2,
            "verify_ms": ms / 4,
            "rest_ms": 0.0,
        }
        for name, ms, tokens in zip(("plain", "token", "block"), of["ms"], of["tokens"], strict=True)
    }
    positions = {
        "count": [4, 3], "tv": [1.0, 0.9],
        "reached": {"token": [4.0, 2.0], "block": [4.0, 3.0]}, "kept": {"token": [2.0, 1.0], "block": [3.0, 2.0]},
    }  # fmt: skip
    return {
        "cell": {"prompt": prompt, "seed": seed, "gamma": 2},
        "statistics": {
            "runs": runs,
            "blocks": {
                "count": 4,
                "expected": {"token": of["expected"][0], "block": of["expected"][1]},
                "positions": positions,
            },
            "text": of.get("text"),
        },
        "timings": {"lanes": lanes, "costs": of.get("costs"), "load": None},
    }


ROWS = [
    row(0, calls=(4, 3), expected=(8.0, 9.0)),
    row(1, calls=(5, 4), expected=(9.0, 9.0)),
    row(2, calls=(2, 2), expected=(7.0, 9.0)),
]


def assert_is(found: Estimate, mean: float, error: float | None) -> None:
    assert (found.value, found.standard_error) == pytest.approx((mean, error))


def test_efficiencies_and_their_difference_are_those_of_groups() -> None:
    """Sums are enough: calls of a prompt with their mean in the place of each."""
    pool = Pool.of(ROWS)
    token = [[8 / 4] * 4, [9 / 5] * 5, [7 / 2] * 2]
    block = [[9 / 3] * 3, [9 / 4] * 4, [9 / 2] * 2]
    known = grouped_mean(token)
    assert_is(pool.run_efficiency("token"), known.mean, known.standard_error)
    known = paired_difference(block, token)
    assert_is(pool.run_efficiency("block") - pool.run_efficiency("token"), known.mean, known.standard_error)
    known = grouped_mean([[1 / 4] * 4, [0.0] * 4, [2 / 4] * 4])
    assert_is(pool.block_efficiency("block") - pool.block_efficiency("token"), known.mean, known.standard_error)


def test_seeds_of_a_prompt_are_one_group() -> None:
    twice = Pool.of([*ROWS, *(row(r["cell"]["prompt"], 1) for r in ROWS)])
    assert twice.facts() == {"prompts": 3, "seeds": 2, "groups": "prompt", "group_count": 3}
    known = grouped_mean([[8 / 4] * 4 + [2.0] * 4, [9 / 5] * 5 + [2.0] * 4, [7 / 2] * 2 + [2.0] * 4])
    assert_is(twice.run_efficiency("token"), known.mean, known.standard_error)


def test_the_seeds_of_one_prompt_are_the_groups() -> None:
    pool = Pool.of([row(5, 0), row(5, 1, calls=(2, 2))])
    assert pool.facts() == {"prompts": 1, "seeds": 2, "groups": "seed", "group_count": 2}
    alone = Pool.of([row(5)])
    assert alone.run_efficiency("token").standard_error is None


def test_speeds_are_paired_by_prompt() -> None:
    rows = [row(i, ms=(40.0 * k, 25.0 * k, 20.0 * k)) for i, k in enumerate((1, 2, 3))]
    pool = Pool.of(rows)
    assert pool.over_plain("block").interval(multiplicative=True).to_json() == pytest.approx(
        {"mean": 2.0, "standard_error": 0.0, "low": 2.0, "high": 2.0}, abs=1e-12
    ), "a machine that is slow for all is no error"
    rows = [row(i, ms=(40.0, 25.0 + i, 20.0 - i), tokens=(8, 7 + i, 8)) for i in range(3)]
    known = speedup_interval([(0.04, 8)] * 3, [((25.0 + i) / 1e3, 7 + i) for i in range(3)])
    assert Pool.of(rows).over_plain("token").interval(multiplicative=True).to_json() == pytest.approx(known.to_json())
    assert Pool.of(rows).split("plain") == {"draft_ms": 2.5, "target_ms": 5.0, "verify_ms": 2.5, "rest_ms": 0.0}


def test_positions() -> None:
    pool = Pool.of(ROWS)
    assert [at.value if at else None for at in pool.acceptance("token")] == [0.5, 0.5]
    assert [at.value if at else None for at in pool.acceptance("block")] == pytest.approx([3 / 4, 2 / 3])
    assert [at.value if at else None for at in pool.distance()] == pytest.approx([0.25, 0.3])
    rows = copy.deepcopy(ROWS)
    for one in rows:
        one["statistics"]["blocks"]["positions"]["count"][1] = 0
        one["statistics"]["blocks"]["positions"]["reached"]["token"][1] = 0.0
    pool = Pool.of(rows)
    assert pool.distance()[1] is None and pool.acceptance("token")[1] is None


def test_costs_are_medians_of_ratios_within_rows() -> None:
    costs = [
        {"draft_step_ms": d, "target_step_ms": s, "target_call_ms": t, "c": d / s, "v": t / s}
        for d, s, t in ((1, 10, 12), (3, 20, 30), (9, 60, 66))
    ]
    found = median_costs([row(i, costs=cost) for i, cost in enumerate(costs)])
    assert found == {"draft_step_ms": 3, "target_step_ms": 20, "target_call_ms": 30, "c": 0.15, "v": 1.2}
    assert median_costs(ROWS) is None


def text(calls: list[float], gained: list[float], rules: tuple[str, ...] = ("token",)) -> dict[str, Any]:
    return {"longest": len(calls), "tokens": 9, "rules": {rule: {"calls": calls, "gained": gained} for rule in rules}}


def test_a_text_counts_once_however_often_it_was_written() -> None:
    """Prompt 0 was decoded at two γ and once more for another rule: one text, with the rules of all."""
    rows = [
        row(0, text=text([4.0, 3.0], [6.0, 6.0])),
        row(0, text=text([4.0, 3.0], [6.0, 6.0], ("token", "block"))),
        row(1, text=text([5.0, 5.0], [9.0, 9.0])),
        row(2),
    ]
    found = TextPool.of(rows)
    assert found is not None and found.pool.count("prompt") == 2 and found.rules == ["token", "block"]
    token, _ = found.efficiency("token", 2)
    known = ratio_of_sums([6.0, 9.0], [3.0, 5.0])
    assert_is(token, known.value, known.standard_error)
    block, paired = found.efficiency("block", 2)
    assert (block.value, paired.value) == (2.0, 2.0), "compared with token on the texts that both have"
    assert (block - paired).standard_error is None
    assert TextPool.of([row(0), row(1)]) is None


def test_measured_rows_pool_like_their_own_numbers() -> None:
    rows = [r for r in the_rows() if r["cell"]["task"] == "cats" and r["cell"]["gamma"] == 4]
    pool = Pool.of(rows)
    for rule in ("token", "block", "greedy_block", "threshold"):
        runs = [r["statistics"]["runs"][rule] for r in rows]
        assert pool.run_efficiency(rule).value == pytest.approx(
            np.sum([run["expected"] for run in runs]) / np.sum([run["calls"] for run in runs])
        )
        products = np.cumprod([at.value for at in pool.acceptance(rule) if at])
        assert ((products >= 0) & (products <= 1)).all() and len(products)


def every_row_a_group(rows: Any) -> Pool:
    """The mistake: seeds of a prompt, or its blocks, counted as independent."""
    ordered = tuple(rows)
    return Pool(ordered, tuple((one,) for one in ordered), "prompt")


def mean_of_means(sums: list[float], sizes: list[float]) -> Estimate:
    """The mistake: prompts with few calls count as much as prompts with many."""
    means = [s / n for s, n in zip(sums, sizes, strict=True)]
    return ratio_of_sums(means, [1.0] * len(means))


def test_mistakes_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Pool, "of", staticmethod(every_row_a_group))
        with pytest.raises(AssertionError):
            test_seeds_of_a_prompt_are_one_group()
    monkeypatch.setattr(sweep_pool, "ratio_of_sums", mean_of_means)
    with pytest.raises(AssertionError):
        test_efficiencies_and_their_difference_are_those_of_groups()
