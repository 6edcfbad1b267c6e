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

BELOW_ONE = float(np.nextafter(1, 0))


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


def test_block_reads_every_inner_row_once_and_for_the_correction_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pass for the coins; the correction reads again one piece of its row, or the first row, which no coin has asked for."""
    read: list[int] = []
    residual = sums_module._residual

    def counted(scale: float, target: np.ndarray, draft: np.ndarray, out: np.ndarray) -> np.ndarray:
        read.append(len(target))
        return residual(scale, target, draft, out)

    monkeypatch.setattr(sums_module, "_residual", counted)
    size = 2 * sums_module.CHUNK
    tokens, draft, target = made_up_block(size, 4, seed=0)
    for rule in ("block", "greedy_block"):
        plan = get(rule).core_plan(tokens, draft, target)
        assert plan.residual_scale is not None
        coins = [place for place in range(1, 4) if 0 < plan.residual_scale[place] < 1]
        assert coins and read == 2 * len(coins) * [sums_module.CHUNK]
        possible = [i for i in range(4) if plan.length_law[i] > 0]
        assert set(possible) & set(coins)
        for accepted in possible:
            read.clear()
            uniforms = np.where(np.arange(1, 6) == accepted, 0.0, BELOW_ONE)
            uniforms[-1] = 0.4
            assert plan.decide_unchecked(uniforms).accepted == accepted
            assert sum(read) <= (1 if accepted in coins else 3) * sums_module.CHUNK, accepted
        read.clear()
