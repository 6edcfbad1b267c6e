"""Logs that cannot be read: the message names line and field, and the status is 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.auditor.steps import audit_steps, reading
from tests.auditor_steps.simulate import logged, simulated

GOOD = {
    "tokens": [1],
    "draft": [[0.5, 0.5]],
    "target": [[0.25, 0.75], [1, 0]],
    "uniforms": [0.1, 0.2],
    "accepted": 1,
    "next_token": 0,
    "rule": "token",
}


def error_of(folder: Path, *lines: Any) -> str:
    """The audit's error on these lines after a good one."""
    log = folder / "steps.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in (GOOD, *lines)]
    log.write_text("\n".join(texts) + "\n")
    report = audit_steps(log)
    assert report.exit_status == 2 and not report.lossless
    assert report.error is not None and report.error in report.text() and "<error" in report.to_junit()
    return report.error


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"accepted": 2}, ["line 2, accepted", "2 of 1"]),
        ({"accepted": -1}, ["line 2, accepted", "greater than or equal to 0", "-1"]),
        ({"accepted": "1"}, ["line 2, accepted", "integer"]),
        ({"uniforms": [0.1, 1.0]}, ["line 2, uniforms[1]", "less than 1"]),
        ({"uniforms": [0.1, 0.2, 0.3]}, ["line 2, uniforms", "3 numbers for 1 drafted"]),
        ({"tokens": [1, 0]}, ["line 2", "draft", "2 drafted tokens"]),
        ({"draft": [[0.5, 0.5], [0.5]]}, ["line 2, draft", "different lengths"]),
        ({"draft": [[1.5, -0.5]]}, ["line 2, draft[0][0]", "1.5", "logits"]),
        ({"draft": [[0.9, 0.9]]}, ["line 2, draft[0]", "sums to 1.8"]),
        ({"target": [[0.5, 0.5]]}, ["line 2, target", "(1, 2)", "(2, V)"]),
        ({"target": [[0.5, "x"], [1, 0]]}, ["line 2, target[0][1]"]),
        ({"target": {"csv": "x"}}, ["line 2, target", "npy, npz or safetensors"]),
        ({"draft": None}, ["line 2, draft", "a list of rows, or a reference"]),
        ({"target": 3}, ["line 2, target", "a list of rows, or a reference"]),
        ({"draft": "laws.npy"}, ["line 2, draft", "a list of rows, or a reference"]),
        ({"rule": "tokens"}, ["line 2, rule", "'tokens'", "block"]),
        ({"uniform": [0.1]}, ["line 2, uniform", "no such field", "uniforms"]),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, changes: dict[str, Any], parts: list[str]) -> None:
    error = error_of(tmp_path, GOOD | changes)
    assert all(part in error for part in parts), error


@pytest.mark.parametrize("line", ["{", "[]", "3", "null", "\x00", "[" * 5000, '{"tokens": [1]}', "\udcff"])
def test_what_is_no_record_is_refused(tmp_path: Path, line: str) -> None:
    log = tmp_path / "steps.jsonl"
    log.write_bytes(json.dumps(GOOD).encode() + b"\n" + line.encode("utf-8", "surrogateescape") + b"\n")
    report = audit_steps(log)
    assert report.exit_status == 2 and "line 2" in str(report.error)


def test_a_header_after_a_blank_line_and_a_second_one_are_read(tmp_path: Path) -> None:
    """As in `cat a b`: what the second says holds from there on."""
    step = {name: value for name, value in GOOD.items() if name != "rule"}
    head = {"schema": "specdemo.steps/1", "rule": "token", "temperature": 0.5, "precision": "float64"}
    log = tmp_path / "steps.jsonl"
    log.write_text(
        "\n".join(["", *map(json.dumps, (head, step, head | {"rule": "block", "temperature": 1.5}, step, step))])
    )
    records = list(reading.read_steps(log))
    assert [(r.rule.name if r.rule else "", r.temperature) for r in records] == [("token", 0.5)] + [("block", 1.5)] * 2
    assert records[0].stream != records[1].stream == records[2].stream  # a log's sequences are its own
    assert audit_steps(log).exit_status == 0
    log.write_text(json.dumps(GOOD) + '\n\n{"schema": "specdemo.steps/2"}\n')
    assert "line 3, schema: Input should be 'specdemo.steps/1'" in str(audit_steps(log).error)


def test_nan_is_no_probability(tmp_path: Path) -> None:
    assert "line 2, target[1][0]" in error_of(tmp_path, json.dumps(GOOD).replace("[1, 0]", "[NaN, 0]"))


def test_an_empty_or_absent_file_is_no_verdict(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n")
    assert audit_steps(empty).error == "the log holds no records"
    assert audit_steps(tmp_path / "absent.jsonl").exit_status == 2
    assert audit_steps(tmp_path).exit_status == 2


def test_too_few_records_are_no_verdict(tmp_path: Path) -> None:
    report = audit_steps(logged(tmp_path, simulated(10), uniforms=False))
    assert report.exit_status == 2 and "too few" in str(report.error)


def test_a_huge_line_is_not_taken_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 1000)
    error = error_of(tmp_path, GOOD | {"meta": "x" * 2000})
    assert "line 2 is longer than 1000 bytes" in error


def test_references_stay_in_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "logs"
    inside.mkdir()
    np.save(tmp_path / "secret.npy", np.full((1, 2), 0.5))
    (inside / "link.npy").symlink_to(tmp_path / "secret.npy")
    for name in ("../secret.npy", str(tmp_path / "secret.npy"), "link.npy", "a/../../secret.npy"):
        error = error_of(inside, GOOD | {"draft": {"npy": name}})
        assert "line 2, draft" in error and "outside the log's folder" in error


def test_a_broken_reference_is_named(tmp_path: Path) -> None:
    np.save(tmp_path / "laws.npy", np.full((3, 1, 2), 0.5))
    np.save(tmp_path / "objects.npy", np.array([{}, {}], dtype=object), allow_pickle=True)
    np.save(tmp_path / "integers.npy", np.ones((1, 2), dtype=np.int64))
    np.savez(tmp_path / "laws.npz", draft=np.full((1, 2), 0.5))
    for junk in ("junk.npy", "junk.npz", "junk.safetensors"):
        (tmp_path / junk).write_bytes(b"junk")
    expected: list[tuple[dict[str, Any], str]] = [
        ({"npy": "absent.npy"}, "no file 'absent.npy'"),
        ({"npy": "laws.npy", "index": 3}, "index is 3"),
        ({"npy": "laws.npy", "rows": [2, 9]}, "rows is [2, 9]"),
        ({"npy": "laws.npy"}, "shape (3, 1, 2)"),
        ({"npy": "objects.npy"}, "not a readable .npy file"),
        ({"npy": "integers.npy"}, "not floating-point"),
        ({"npy": "junk.npy"}, "not a readable .npy file"),
        ({"npz": "junk.npz", "key": "a"}, "not a readable .npz file"),
        ({"npz": "laws.npz", "key": "a"}, "no array 'a'"),
        ({"safetensors": "junk.safetensors", "key": "a"}, "not a readable safetensors file"),
        ({"npz": "laws.npz"}, "draft.key"),
    ]
    for reference, part in expected:
        error = error_of(tmp_path, GOOD | {"draft": reference})
        assert "line 2, draft" in error and part in error, error


def test_a_wrong_argument_is_the_callers(tmp_path: Path) -> None:
    log = logged(tmp_path, simulated(3))
    with pytest.raises(ValueError, match="'blocks'"):
        audit_steps(log, rule="blocks")
    with pytest.raises(ValueError, match="tolerance"):
        audit_steps(log, tolerance=2.0)


def test_a_window_that_needs_the_row_after_the_block_says_so(tmp_path: Path) -> None:
    """greedy_block's window may reach past a shorter block: its bonus then needs the draft's law there."""
    blocks = next(
        [block, *simulated(1, "token", seed=seed, gamma=1)]
        for seed in range(50)
        for block in simulated(1, "greedy_block", seed=seed, gamma=5)
        if block.accepted == 0
    )
    report = audit_steps(logged(tmp_path, blocks, rule="greedy_block"))
    assert report.exit_status == 2 and "line 3, draft" in str(report.error) and "2 rows in all" in str(report.error)
