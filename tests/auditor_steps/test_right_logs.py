"""Logs of engines that do what they claim: every way to store them is read, and nothing is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from specdemo.auditor.steps import audit_steps
from specdemo.auditor.steps.checks import Checks
from specdemo.auditor.steps.plans import Replay
from specdemo.auditor.steps.reading import read_steps
from specdemo.verifiers import get
from specdemo.verifiers.sampling import draw
from tests.auditor_steps.simulate import changed, logged, sharing, simulated


@pytest.mark.parametrize(
    ("rule", "count", "uniforms", "laws", "dtype"),
    [
        ("block", 120, True, "inline", np.float64),
        ("token", 120, True, "npy", np.float32),
        ("greedy_block", 60, True, "safetensors", np.float64),
        ("block", 120, False, "npy", np.float32),
        ("token", 120, False, "inline", np.float64),
        ("greedy_block", 120, False, "safetensors", np.float32),
    ],
)
def test_an_engine_that_follows_its_rule_is_cleared(
    tmp_path: Path, rule: str, count: int, uniforms: bool, laws: str, dtype: Any
) -> None:
    log = logged(tmp_path, simulated(count, rule, seed=5), rule=rule, uniforms=uniforms, laws=laws, dtype=dtype)
    report = audit_steps(log)
    assert (report.exit_status, report.lossless, report.consistent) == (0, True, True), report.text()
    assert (report.rule, report.records, report.with_uniforms) == (rule, count, count if uniforms else 0)
    assert not report.findings and not report.diagnoses
    assert {check.code for check in report.checks} >= {"drafted_tokens", "first_emitted"}


def test_the_rule_is_inferred_where_the_log_claims_none(tmp_path: Path) -> None:
    log = logged(tmp_path, simulated(120, "token", seed=6, size=8), rule=None, uniforms=False)
    report = audit_steps(log)
    assert (report.rule, report.rule_from, report.exit_status) == ("token", "inference", 0), report.text()


def test_a_report_can_be_read_by_machines(tmp_path: Path) -> None:
    report = audit_steps(logged(tmp_path, simulated(40, seed=1)))
    plain = json.loads(json.dumps(report.to_json()))
    assert (plain["schema"], plain["lossless"], plain["exit_status"]) == ("specdemo.audit-log/1", True, 0)
    suite = ElementTree.fromstring(report.to_junit())
    assert suite.attrib["failures"] == suite.attrib["errors"] == "0"
    assert len(suite) == len(report.checks) + 1 == int(suite.attrib["tests"])


def test_the_same_log_gives_the_same_report(tmp_path: Path) -> None:
    log = logged(tmp_path, simulated(40, seed=2), uniforms=False)
    assert audit_steps(log).to_json() == audit_steps(log).to_json()


def test_npz_and_bfloat16_are_read(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    blocks = simulated(30, seed=3)
    np.savez(tmp_path / "laws.npz", draft=np.stack([block.draft for block in blocks]))
    target = np.stack([block.target for block in blocks])
    save_file({"target": torch.tensor(target).bfloat16()}, tmp_path / "laws.safetensors")
    lines = [
        {
            "tokens": block.tokens.tolist(),
            "draft": {"npz": "laws.npz", "key": "draft", "index": i},
            "target": {"safetensors": "laws.safetensors", "key": "target", "index": i},
            "uniforms": block.uniforms.tolist(),
            "accepted": block.accepted,
            "next_token": block.next_token,
            "rule": "block",
        }
        for i, block in enumerate(blocks)
    ]
    log = tmp_path / "steps.jsonl"
    log.write_text("\n".join(json.dumps(line) for line in lines))
    report = audit_steps(log)
    assert report.error is None and report.first_bad is None, report.text()


def test_a_decision_at_a_knife_edge_is_set_aside(tmp_path: Path) -> None:
    blocks = simulated(20, "token", seed=4)
    # One record's first token was rejected, by a uniform that lies a hair below what the rounded laws accept with.
    place = next(i for i, b in enumerate(blocks) if b.accepted == 0)
    block = blocks[place]
    draft, target = (laws[0].astype(np.float32).astype(np.float64) for laws in (block.draft, block.target))
    coin = (target / target.sum())[block.tokens[0]] / (draft / draft.sum())[block.tokens[0]]
    blocks[place] = changed(block, uniforms=np.append(coin - 1e-9, block.uniforms[1:]))
    log = logged(tmp_path, blocks, rule="token", laws="npy", dtype=np.float32)
    report = audit_steps(log, tolerance=1e-5)
    assert report.exit_status == 0 and report.checks[0].set_aside == 1, report.text()
    strict = audit_steps(log, tolerance=0.0)
    assert strict.first_bad is not None and strict.first_bad["line"] == place + 2


def test_uniforms_without_the_last_replay_the_counts(tmp_path: Path) -> None:
    blocks = [changed(block, uniforms=block.uniforms[:-1]) for block in simulated(120, seed=7)]
    report = audit_steps(logged(tmp_path, blocks))
    assert report.exit_status == 0, report.text()
    assert {check.code for check in report.checks} >= {"replay", "next_tokens"}


def test_one_hot_drafts_and_empty_blocks_are_fine(tmp_path: Path) -> None:
    def hot(laws: Any) -> Any:
        return np.eye(laws.shape[1])[laws.argmax(axis=1)]

    blocks = simulated(60, seed=8, drafting=hot, verifying_draft=hot)
    blocks += simulated(20, seed=9, gamma=0)
    report = audit_steps(logged(tmp_path, blocks, draft=lambda laws: hot(laws) if len(laws) else laws))
    assert report.exit_status == 0, report.text()


def test_draws_with_uniforms_of_their_own_are_not_accused(tmp_path: Path) -> None:
    """The p-values are bounds: of 40 right logs fewer than 5 % fall below 0.05."""
    below = 0
    for seed in range(40):
        log = logged(tmp_path, sharing("", 60, seed=seed), rule="token", uniforms=seed % 2 == 0)
        checks = Checks()
        for record in read_steps(log):
            replay = Replay(get("token"))
            checks.add(record, replay, replay.plan(record))
        assert checks.tests["independence"].seen >= 59 and not checks.repeated_uniforms
        below += checks.tests["independence"].p_value() < 0.05
    assert below <= 2


def test_uniforms_of_few_digits_may_be_equal(tmp_path: Path) -> None:
    blocks = [changed(b, uniforms=np.round(b.uniforms * 255) / 256) for b in simulated(60, "token", seed=3, gamma=8)]
    report = audit_steps(logged(tmp_path, blocks, rule="token"), rule="token")
    assert "uniforms_repeated" not in {finding.code for finding in report.findings}


def test_a_cumulative_sum_that_is_off_in_the_sixth_digit_is_set_aside(tmp_path: Path) -> None:
    """Over thousands of tokens a float32 sum often ends at a neighbour's step."""
    right = simulated(60, "token", seed=9, size=20_000, gamma=1)
    rounded = []
    for block in right:
        law = get("token").plan(block.tokens, block.draft, block.target).next_law(block.accepted)
        rounded.append(changed(block, next_token=draw(law, min(block.uniforms[-1] + 3e-6, 1 - 1e-9))))
    moved = sum(a.next_token != b.next_token for a, b in zip(right, rounded, strict=True))
    report = audit_steps(logged(tmp_path, rounded, rule="token", laws="npy", dtype=np.float32))
    assert report.exit_status == 0 and 0 < moved <= report.checks[0].set_aside + 2, report.text()
