"""Damaged law files, odd lines and laws that allow no plan: a report, never an exception."""

from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.auditor.steps import StepsReport, audit_steps
from tests.auditor_steps.test_bad_input import GOOD, error_of


def test_damaged_files_are_errors(tmp_path: Path) -> None:
    """Bits of an archive and of an array flipped: numpy, zipfile and zlib then raise many things."""
    np.save(tmp_path / "laws.npy", np.array([[0.5, 0.5]]))
    np.savez_compressed(tmp_path / "laws.npz", a=np.full((200, 2), 0.5))
    chance = random.Random(0)
    for kind in ("npy", "npz"):
        whole = (tmp_path / f"laws.{kind}").read_bytes()
        for _ in range(150):
            damaged = bytearray(whole)
            for _ in range(3):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            (tmp_path / f"damaged.{kind}").write_bytes(damaged[: chance.choice([None, len(damaged) // 2])])
            reference = {kind: f"damaged.{kind}", "rows": [0, 1]} | ({"key": "a"} if kind == "npz" else {})
            audited(tmp_path, {"draft": reference})


def test_what_is_not_an_array_is_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "laws.npz", a=np.array([[0.5, 0.5]]))
    (tmp_path / "archive.npy").write_bytes((tmp_path / "laws.npz").read_bytes())
    (tmp_path / "loop.npy").symlink_to("loop.npy")
    with zipfile.ZipFile(tmp_path / "text.npz", "w") as archive:
        archive.writestr("a.npy", b"hello")
    for reference, part in (
        ({"npy": "archive.npy"}, "refer to it with npz and key"),
        ({"npy": "loop.npy"}, "loop.npy"),
        ({"npz": "text.npz", "key": "a"}, "not an array"),
    ):
        error = error_of(tmp_path, GOOD | {"draft": reference})
        assert "line 2, draft" in error and part in error, error


def test_a_token_too_large_for_64_bits_is_named(tmp_path: Path) -> None:
    assert "line 2, tokens[0]" in error_of(tmp_path, GOOD | {"tokens": [2**63]})


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    log = tmp_path / "steps.jsonl"
    log.write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert audit_steps(log).error is None


@pytest.mark.parametrize("rule", ["token", "block", "greedy_block", None])
def test_a_drafted_token_that_neither_law_knows(tmp_path: Path, rule: str | None) -> None:
    """0/0: no plan can be made, but there is a verdict, in numbers that JSON can hold."""
    laws = {"tokens": [1, 1], "draft": [[1, 0], [1, 0]], "target": [[1, 0], [0, 1], [1, 0]]}
    for uniforms in ([0.1, 0.2, 0.3], None):
        report = audited(tmp_path, laws | {"uniforms": uniforms, "rule": rule, "accepted": 0, "next_token": 1}, times=6)
        assert report.exit_status == 1 and "drafted_tokens" in {finding.code for finding in report.findings}


def audited(folder: Path, changes: dict[str, Any], times: int = 1) -> StepsReport:
    """The report on a good record with changes, all of whose forms can be made; None takes a field away."""
    record = {key: value for key, value in (GOOD | changes).items() if value is not None}
    (folder / "steps.jsonl").write_text((json.dumps(record) + "\n") * times)
    report = audit_steps(folder / "steps.jsonl")
    json.dumps(report.to_json(), allow_nan=False)
    assert report.text() and report.to_junit()
    return report
