"""Predicted speed-ups: the formula, the best γ, the sentence, and what is said when speculation does not pay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from specdemo.lab.prediction import predict, predictions, verify_costs

GAMMAS = list(range(1, 17))


def geometric(acceptance: float) -> list[float]:
    """Leviathan et al., Theorem 3.8: E[τ] + 1 for independent acceptances, as an example of a curve."""
    return [(1 - acceptance ** (g + 1)) / (1 - acceptance) for g in GAMMAS]


def test_the_best_gamma_is_leviathans_for_independent_acceptances() -> None:
    """speed-up = (1 − α^(γ+1)) / ((1 − α)(γ c + 1)), their Theorem 3.8, at v = 1."""
    for acceptance, cost in ((0.8, 0.05), (0.6, 0.2), (0.9, 0.01)):
        found = predict(GAMMAS, geometric(acceptance), cost, [1.0] * 16)
        speeds = [(1 - acceptance ** (g + 1)) / ((1 - acceptance) * (g * cost + 1)) for g in GAMMAS]
        assert found.speedup == pytest.approx(speeds)
        assert found.best_gamma == GAMMAS[int(np.argmax(speeds))] and found.best_speedup == pytest.approx(max(speeds))
        first, last = found.nearly_best
        assert all(speeds[g - 1] >= 0.99 * max(speeds) for g in range(first, last + 1))
        assert speeds[first - 2] < 0.99 * max(speeds) if first > 1 else True
        assert not found.loses


def test_the_sentences() -> None:
    above = predict(GAMMAS, geometric(0.8), 0.05, [1.0] * 16)
    assert above.sentence.startswith(
        f"Above γ = {above.best_gamma} each extra draft token costs more than it returns; "
    )
    assert f"(γ = {above.nearly_best[0]} to {above.nearly_best[1]} are within 1 % of it)" in above.sentence
    free = predict(GAMMAS, geometric(0.9), 0.0, [1.0] * 16)
    assert free.sentence.startswith("Up to γ = 16, the longest block looked at, each extra draft token returns more")
    lost = predict(GAMMAS, geometric(0.2), 0.6, [1.2] * 16)
    assert lost.loses and lost.best_speedup < 1
    assert lost.sentence == "Speculation loses here: at its best, γ = 1, it should be 0.67 × as fast as plain decoding."
    even = predict([1], [1.198], 0.2, [1.0])
    assert (even.even, even.loses) == (True, False) and even.best_speedup < 1
    assert even.sentence == (
        "Speculation gains nothing here: at its best, γ = 1, it should be as fast as plain decoding, no faster."
    )
    few = predict([2, 8], [2.1, 2.2], 0.05, [1.0, 1.0])
    assert (
        few.sentence == "Of the γ measured (2, 8), γ = 2 should be 1.91 × as fast as plain decoding, the best of them."
    )
    assert predict([4], [3.0], 0.1, [1.0]).sentence.startswith("Of the γ measured (4), γ = 4 should be 2.14 ×")


def test_verify_costs_between_and_beyond() -> None:
    assert verify_costs({4: 1.4, 8: 1.6}, [0, 2, 4, 6, 8, 12]) == pytest.approx([1.0, 1.2, 1.4, 1.5, 1.6, 1.8])
    assert verify_costs({4: 1.4, 8: 1.3}, [8, 16]) == pytest.approx([1.3, 1.3]), (
        "noise does not make longer calls cheaper"
    )
    with pytest.raises(ValueError, match="no measured cost"):
        verify_costs({}, [1])


@pytest.mark.parametrize(
    "wrong", [{"gammas": []}, {"expected": [1.0]}, {"draft_cost": -0.1}, {"verify_cost": [1.0, 0.0]}]
)
def test_what_cannot_be_predicted_is_refused(wrong: dict[str, Any]) -> None:
    right: dict[str, Any] = {"gammas": [1, 2], "expected": [1.5, 1.8], "draft_cost": 0.1, "verify_cost": [1.0, 1.0]}
    with pytest.raises(ValueError, match=r"a prediction needs|costs are times"):
        predict(**{**right, **wrong})


SETTING = {"draft": "d", "task": "cats", "temperature": 1.0, "top_k": 0, "top_p": 1.0, "max_new_tokens": 64}


def result(task: str, gamma: int, c: float, v: float, own: float) -> dict[str, Any]:
    """A setting of a summary, as far as predictions read it."""
    rule = {"runs": {"efficiency": {"mean": own}}, "speed": {"over_plain": {"mean": own / 2}}}
    return {
        "setting": {**SETTING, "task": task, "gamma": gamma, "rules": ["token", "greedy_block"]},
        "rules": {"token": rule, "greedy_block": rule},
        "costs": {"c": c, "v": v},
    }


def text(task: str, curve: list[float]) -> dict[str, Any]:
    return {"setting": {**SETTING, "task": task}, "rules": {"token": {"efficiency": [{"mean": at} for at in curve]}}}


def test_predictions_of_a_summary() -> None:
    results = [result("cats", 4, 0.1, 1.2, 3.0), result("cats", 8, 0.1, 1.4, 3.6), result("dogs", 4, 0.3, 1.6, 2.0)]
    speed = {"over_plain": {"mean": 1.7}}
    averages = [
        {"setting": {k: v for k, v in {**SETTING, "gamma": 4, "rules": ["token"]}.items() if k != "task"}, "tasks": ["cats", "dogs"],
         "rules": {"token": {"runs": {"efficiency": {"mean": 2.5}}, "speed": speed}}}
    ]  # fmt: skip
    cats, dogs = [1.5, 2.0, 2.2], [1.4, 1.6, 1.7]
    found = predictions(results, averages, [text("cats", cats), text("dogs", dogs)])
    by = {(p["setting"]["task"], p["rule"]): p for p in found}
    assert set(by) == {(task, rule) for task in ("cats", "dogs") for rule in ("token", "greedy_block")} | {
        (None, "token")
    }
    token = by["cats", "token"]
    assert token["source"] == "texts" and token["gammas"] == [1, 2, 3] and token["expected"] == cats
    assert token["draft_cost"] == 0.1, "the median over all that was measured: costs are the machine's, not the text's"
    assert token["verify_measured"] == [4, 8] and token["verify_cost"] == pytest.approx([1.1, 1.2, 1.3])
    assert token["speedup"] == pytest.approx(
        [e / (g * 0.1 + v) for g, e, v in zip([1, 2, 3], cats, [1.1, 1.2, 1.3], strict=True)]
    )
    assert [point["gamma"] for point in token["measured"]] == [4, 8]
    greedy = by["cats", "greedy_block"]
    assert (greedy["source"], greedy["gammas"], greedy["expected"]) == ("runs", [4, 8], [3.0, 3.6])
    mean = by[None, "token"]
    assert mean["expected"] == pytest.approx([1.45, 1.8, 1.95]) and mean["measured"] == [
        {"gamma": 4, "speedup": {"mean": 1.7}}
    ]
    assert predictions([{**results[0], "costs": None}], [], []) == [], "without a time there is no prediction"
