"""What the writer writes, the reader reads; our own loop's runs are lossless logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.auditor.steps import StepsWriter, audit_steps, write_steps, writing
from specdemo.auditor.steps.reading import read_steps
from specdemo.auditor.steps.record import json_schema
from specdemo.decoding.uniforms import PhiloxUniforms
from tests.auditor_steps.simulate import logged, simulated
from tests.toy_models import three_symbols


@pytest.mark.parametrize("laws", ["inline", "npy", "safetensors"])
def test_records_come_back_as_they_were(tmp_path: Path, laws: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_CHUNK_BYTES", 5000)
    blocks = simulated(9, seed=1, gamma=3) + simulated(4, seed=2, gamma=2, size=7) + simulated(2, seed=3, gamma=0)
    log = logged(tmp_path, blocks, laws=laws)
    records = list(read_steps(log))
    assert len(records) == len(blocks)
    for record, block in zip(records, blocks, strict=True):
        np.testing.assert_allclose(record.target, block.target, atol=1e-15)
        np.testing.assert_allclose(record.draft[: record.gamma], block.draft[: len(block.tokens)], atol=1e-15)
        assert record.tokens.tolist() == block.tokens.tolist() and record.uniforms is not None
        assert record.uniforms.tolist() == block.uniforms.tolist()
        assert (record.accepted, record.next_token) == (block.accepted, block.next_token)


def test_an_unknown_storage_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'pickle'"):
        StepsWriter(tmp_path / "log", laws="pickle")  # type: ignore[arg-type]


def test_the_schema_describes_what_is_written(tmp_path: Path) -> None:
    validate = pytest.importorskip("jsonschema").validate
    log = logged(tmp_path, simulated(2), laws="npy")
    for line in log.read_text().splitlines()[1:]:
        validate(json.loads(line), json_schema())


@pytest.mark.parametrize("verifier", ["block", "greedy_block"])
def test_runs_of_our_own_loop_are_lossless(tmp_path: Path, verifier: Any) -> None:
    steps = [step for seed in range(6) for step in tiny_run(verifier, seed)]
    log = tmp_path / "steps.jsonl"
    write_steps(log, steps, laws="npy")
    report = audit_steps(log)
    assert report.exit_status == 0 and report.rule == verifier, report.text()
    assert report.with_uniforms == report.records == len(steps)


def tiny_run(verifier: str, seed: int) -> list[Any]:
    """The steps of a short run on a pair of small random models."""
    world = three_symbols()
    loop = world.loop(verifier, 3, uniforms=PhiloxUniforms(seed))
    ids, memory, steps = list(world.prompt), None, []
    for index in range(5):
        step = loop.block(ids, index, memory, 100)
        ids, memory = [*ids, *step.committed], step.verdict.memory
        steps.append(step)
    return steps
