"""Every lossless rule is cleared, every lossy one and every mistake is caught, recognised and shown."""

from __future__ import annotations

import json

import pytest

from specdemo import verifiers
from specdemo.auditor import audit
from specdemo.verifiers import mistakes
from tests.auditor.shown import assert_shown

LOSSLESS = [name for name in verifiers.names() if verifiers.get(name).lossless == "always"]
LOSSY = [name for name in verifiers.names() if name not in LOSSLESS]
# One mistake for each way of being caught; the others are slow only because they are many.
SHORT = ["residual_without_weight", "one_uniform_for_all", "accepts_on_equal", "greedy_without_continuation"]
REST = [name for name in (*LOSSY, *mistakes.names()) if name not in SHORT]


@pytest.mark.parametrize("name", LOSSLESS)
def test_lossless_rules_are_cleared(name: str) -> None:
    report = audit(name)
    assert report.lossless and report.verdict == "exact", report.text()
    assert report.max_deviation < 1e-12
    assert len(report.worlds) == report.worlds_planned
    rule = verifiers.get(name)
    for world in report.worlds:
        assert world.expected_token <= world.expected_block + 1e-12 <= world.optimum + 2e-12
        if name == "greedy_block":
            assert abs(world.expected - world.optimum) < 1e-9
        if rule.remembers:
            assert world.length >= 2 * world.gamma


def assert_caught(name: str) -> None:
    report = audit(name)
    assert not report.lossless and report.exit_status == 1
    # An edge is as bad as it can be: what has target probability 0 is emitted.
    assert report.max_deviation >= 1e-3 or report.problem_counts
    assert_shown(report)
    assert report.nearest is not None
    assert report.nearest.name == name and report.nearest.exact, report.nearest
    assert json.loads(json.dumps(report.to_json(), allow_nan=False))["lossless"] is False
    assert "<testsuite" in report.to_junit()


@pytest.mark.parametrize("name", SHORT)
def test_mistakes_are_caught(name: str) -> None:
    assert_caught(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", REST)
def test_every_other_mistake_is_caught(name: str) -> None:
    assert_caught(name)


def test_exact_match_is_lossless_at_temperature_0_only() -> None:
    report = audit("exact_match")
    assert not report.lossless and report.lossless_at_temperature_0 is True
    assert "on one-hot targets (temperature 0): lossless" in report.text()


@pytest.mark.slow
@pytest.mark.parametrize("name", LOSSLESS)
def test_lossless_rules_are_cleared_thoroughly(name: str) -> None:
    report = audit(name, budget="thorough", seed=11)
    assert report.lossless and report.max_deviation < 1e-12, report.text()
