"""What a race adds up to, by hand; and that a run is never taken for more than its prompt can say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from specdemo.lab.race_lanes import Costs
from specdemo.lab.race_summary import race_summary

LANES = ["plain", "token", "block"]
T_1, T_2 = 12.7062047, 4.3026527  # Student's 97.5 % quantiles with one and two degrees of freedom


def run(prompt: int, seed: int, **lanes: list[tuple[int, float, float]]) -> dict[str, Any]:
    """A run from (gained, expected, milliseconds) of each call; everything gained is shown."""
    return {
        "prompt": prompt,
        "seed": seed,
        "lanes": {
            rule: {"calls": [[gained, gained, 4, expected, 0.0, ms, 0.0, 0.0] for gained, expected, ms in calls]}
            for rule, calls in lanes.items()
        },
    }


def two_prompts() -> list[dict[str, Any]]:
    plain = [(1, 1.0, 10.0)] * 4
    return [
        run(0, 0, plain=plain, token=[(1, 2.0, 8.0), (3, 4.0, 8.0)], block=[(4, 7.0, 8.0)]),
        run(1, 0, plain=plain, token=[(4, 6.0, 12.0)], block=[(2, 4.0, 6.0), (2, 4.0, 6.0)]),
    ]


def test_the_summary_by_hand() -> None:
    summary = race_summary(two_prompts(), LANES, "prompt")
    assert summary is not None
    assert {name: summary[name] for name in ("groups", "group_count", "runs", "confidence")} == {
        "groups": "prompt", "group_count": 2, "runs": 2, "confidence": 0.95,
    }  # fmt: skip
    token, block = (summary["rules"][rule] for rule in ("token", "block"))
    assert (block["calls"], block["gained"], block["observed"]) == (3, 8, 8 / 3)
    # (7 + 8) / 3 = 5, parts (7 − 5)/3 and (8 − 10)/3: error √(2 · 8/9) = 4/3.
    assert block["efficiency"]["mean"] == pytest.approx(5.0)
    assert block["efficiency"]["standard_error"] == pytest.approx(4 / 3)
    assert block["efficiency"]["high"] == pytest.approx(5 + T_1 * 4 / 3, rel=1e-6)
    # token: (6 + 6) / 3 = 4, parts −2/3 and 2/3; the parts of the difference are 4/3 and −4/3: error 8/3.
    assert block["over_token"]["mean"] == pytest.approx(1.0)
    assert block["over_token"]["standard_error"] == pytest.approx(8 / 3)
    assert block["over_token"]["low"] == pytest.approx(1 - T_1 * 8 / 3, rel=1e-6)
    # First calls: 7 − 2 = 5 and 4 − 6 = −2.
    assert block["first_block"]["mean"] == pytest.approx(1.5)
    assert block["first_block"]["standard_error"] == pytest.approx(3.5)
    # 8 tokens in 20 ms; plain 8 tokens in 80 ms. Parts of the logarithm: 0 − (8/20 − 4/8) = 0.1 and 0 − (12/20 − 4/8) = −0.1.
    assert block["tokens_per_second"] == pytest.approx(400)
    assert block["speedup"]["mean"] == pytest.approx(4.0)
    assert block["speedup"]["standard_error"] == pytest.approx(4 * 0.2)
    assert block["speedup"]["low"] == pytest.approx(4 * math.exp(-T_1 * 0.2), rel=1e-6)
    assert token["over_token"] is None and token["first_block"] is None
    assert token["speedup"]["mean"] == pytest.approx(80 / 28)
    assert race_summary([], LANES, "prompt") is None


def test_tokens_that_the_end_cut_are_gained_but_not_shown() -> None:
    cut = run(0, 0, plain=[(1, 1.0, 10.0)], token=[(5, 4.0, 20.0), (5, 4.0, 20.0)], block=[(5, 4.0, 20.0)])
    cut["lanes"]["token"]["calls"][1][1] = 1
    summary = race_summary([cut], LANES, "seed")
    assert summary is not None
    token = summary["rules"]["token"]
    assert (token["gained"], token["observed"]) == (10, 5.0)
    assert token["tokens_per_second"] == pytest.approx(6 / 0.040)
    assert token["speedup"]["mean"] == pytest.approx(10 / (40 / 6))


def test_the_seeds_of_a_prompt_are_one_group() -> None:
    """The same runs again with other seeds: nothing new about prompts is known, and the interval stays as wide."""
    once = two_prompts()
    often = once + [{**of, "seed": seed} for seed in (1, 2) for of in once]
    first, again = (race_summary(runs, LANES, "prompt") for runs in (once, often))
    assert first is not None and again is not None and again["runs"] == 6 and again["group_count"] == 2
    for name in ("efficiency", "over_token", "first_block", "speedup"):
        assert again["rules"]["block"][name] == pytest.approx(first["rules"]["block"][name]), name


def test_with_one_prompt_the_seeds_are_groups() -> None:
    runs = [{**of, "prompt": 0, "seed": seed} for seed, of in enumerate([*two_prompts(), two_prompts()[0]])]
    summary = race_summary(runs, LANES, "seed")
    assert summary is not None and summary["group_count"] == 3
    # Differences 5, −2, 5 on the first blocks: mean 8/3, error √(49/3)/√3 = 7/3.
    first = summary["rules"]["block"]["first_block"]
    assert first["mean"] == pytest.approx(8 / 3) and first["standard_error"] == pytest.approx(7 / 3)
    assert first["high"] == pytest.approx(8 / 3 + T_2 * 7 / 3, rel=1e-6)


def made_up_race(rng: np.random.Generator, prompts: int = 16, seeds: int = 3) -> list[dict[str, Any]]:
    """Prompts differ in what is kept; block keeps 0.4 more on average, on some prompts much more."""
    runs = []
    for prompt in range(prompts):
        kept, gain = rng.normal(3, 0.5), rng.normal(0.4, 0.5)
        for seed in range(seeds):
            lanes = {
                rule: [(3, level + rng.normal(0, 0.7), 10.0) for _ in range(rng.integers(6, 12))]
                for rule, level in (("plain", 1.0), ("token", kept), ("block", kept + gain))
            }
            runs.append(run(prompt, seed, **lanes))
    return runs


def coverage(alone: bool, repetitions: int = 250) -> dict[str, float]:
    """In how many repetitions the intervals of block hold the truth; `alone`: every run wrongly a group of its own."""
    rng = np.random.default_rng(8)
    covered = dict.fromkeys(("efficiency", "over_token", "first_block"), 0)
    truth = {"efficiency": 3.4, "over_token": 0.4, "first_block": 0.4}
    for _ in range(repetitions):
        runs = made_up_race(rng)
        if alone:
            runs = [{**of, "prompt": number} for number, of in enumerate(runs)]
        summary = race_summary(runs, LANES, "prompt")
        assert summary is not None
        for name, value in truth.items():
            found = summary["rules"]["block"][name]
            covered[name] += found["low"] <= value <= found["high"]
    return {name: count / repetitions for name, count in covered.items()}


def test_intervals_of_a_race_cover_what_they_promise() -> None:
    """95 % of 250 repetitions, three binomial errors to either side."""
    found = coverage(alone=False)
    assert all(0.905 <= share <= 0.995 for share in found.values()), found


def test_runs_of_a_prompt_counted_as_independent_would_be_noticed() -> None:
    found = coverage(alone=True)
    assert found["efficiency"] < 0.85 and found["over_token"] < 0.85, found


def test_costs() -> None:
    costs = Costs([1.0], [10.0, 14.0], [])
    assert costs.medians() is None
    costs.add(Costs([3.0, 2.0], [12.0], [18.0, 30.0]))
    assert costs.medians() == {
        "draft_step_ms": 2.0, "target_step_ms": 12.0, "target_call_ms": 24.0, "c": 2 / 12, "v": 2.0,
    }  # fmt: skip
