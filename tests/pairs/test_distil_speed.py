"""The card says of speed what the summary of a sweep says."""

from __future__ import annotations

import pytest

from specdemo.pairs.distilling.speed import speed_section


def _interval(mean: float, spread: float | None) -> dict[str, float | None]:
    ends = (None, None) if spread is None else (mean - spread, mean + spread)
    return {"mean": mean, "standard_error": spread, "low": ends[0], "high": ends[1]}


def _result(temperature: float, gamma: int, token: float, block: float) -> dict[str, object]:
    def rule(efficiency: float, spread: float | None) -> dict[str, object]:
        return {
            "texts": {"efficiency": _interval(efficiency, spread)},
            "speed": {"over_plain": _interval(efficiency / 2, spread)},
        }

    setting = {"task": "instruct", "gamma": gamma, "temperature": temperature, "max_new_tokens": 64}
    return {"setting": setting, "prompts": 6, "rules": {"token": rule(token, 0.25), "block": rule(block, None)}}


def test_every_setting_stands_in_its_own_row() -> None:
    summary = {
        "machine": {"architecture": "x86_64", "cores": 2, "threads": 2}, "pair": {"dtype": "float32", "device": "cpu"},
        "results": [_result(1.0, 8, 1.5, 1.75), _result(0.0, 2, 2.0, 2.0), _result(1.0, 2, 1.25, 1.5)],
    }  # fmt: skip
    section = speed_section(summary)
    cold, warm = section.split("Temperature 1:")
    assert "| 2 | 2.00 [1.75, 2.25] | 2.00 | 1.00 [0.75, 1.25] | 1.00 |" in cold
    rows = [line for line in warm.splitlines() if line[:3] in ("| 2", "| 8")]
    assert rows == [
        "| 2 | 1.25 [1.00, 1.50] | 1.50 | 0.62 [0.38, 0.88] | 0.75 |",
        "| 8 | 1.50 [1.25, 1.75] | 1.75 | 0.75 [0.50, 1.00] | 0.88 |",
    ]
    assert "6 prompts of instruct, texts of up to 64 tokens" in section


def test_an_unfinished_sweep_is_said() -> None:
    with pytest.raises(ValueError, match="no finished cell"):
        speed_section({"results": []})
