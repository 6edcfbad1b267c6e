"""The cost of a verification: the measurement itself, its command, and that a plan reads each row once."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from specdemo.cli import main
from specdemo.lab import verify
from specdemo.lab.verify import made_up_block, verify_cost, verify_report
from specdemo.verifiers import get
from specdemo.verifiers import sums as sums_module


def test_a_cost_is_measured_in_turns() -> None:
    cost = verify_cost("block", 500, 3, repeats=3)
    assert (cost.rule, cost.vocab_size, cost.gamma) == ("block", 500, 3)
    assert min(cost.reading_ms, cost.core_ms, cost.public_ms, cost.ratio, cost.public_ratio) > 0
    assert "block" in verify_report([cost]) and "500" in verify_report([cost])
    with pytest.raises(ValueError, match="must be at least 1"):
        verify_cost("block", 500, 0)


def test_made_up_blocks_are_valid() -> None:
    tokens, draft, target = made_up_block(1000, 4, seed=1)
    verdict = get("block").verify(tokens, draft, target, np.full(5, 0.5))
    assert 0 <= verdict.accepted <= 4


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        verify, "verify_cost", lambda rule, size, gamma, repeats: verify_cost(rule, size // 500, gamma, 2)
    )
    assert main(["bench", "verify", "--quick", "--json", str(tmp_path / "cost.json")]) == 0
    assert "plan+decide" in capsys.readouterr().out
    record = json.loads((tmp_path / "cost.json").read_text(encoding="utf-8"))
    assert record["schema"] == "specdemo.bench-verify/1" and len(record["costs"]) == 4
    assert record["costs"][0]["gamma"] == 8


def test_block_sums_every_inner_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arrays are read at most three times: one pass for the coins, and the correction's row again to draw from it."""
    calls: list[int] = []
    summed = sums_module.residual_mass

    def counted(scale: float, target: np.ndarray, draft: np.ndarray) -> float:
        calls.append(len(target))
        return summed(scale, target, draft)

    monkeypatch.setattr("specdemo.verifiers.block.residual_mass", counted)
    tokens, draft, target = made_up_block(300, 8, seed=0)
    get("block").core_plan(tokens, draft, target).decide_unchecked(np.full(9, 0.5))
    assert len(calls) <= 7 and set(calls) <= {300}
