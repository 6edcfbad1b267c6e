"""Verifiers that answer invalidly for some uniforms only: a report, never an exception of the auditor's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from specdemo.auditor import audit
from specdemo.auditor.feeding import Feed
from specdemo.auditor.subjects import FunctionSubject
from specdemo.auditor.texts import result_of
from specdemo.auditor.trees import World
from tests.auditor.foreign import block_law, token_rule


def short_running_sum(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """A running sum that ends at 0.9: for higher uniforms the next token is V."""
    kept, law = block_law(tokens, draft, target, uniforms)
    return kept, np.searchsorted(np.cumsum(law) * 0.9, uniforms[-1], side="right")


def half_precision_sum(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """A running sum in float16 that is not guarded against ending below the uniform."""
    kept, law = block_law(tokens, draft, target, uniforms)
    steps = np.cumsum(law.astype(np.float16), dtype=np.float16)
    return kept, np.searchsorted(steps, np.float16(uniforms[-1]), side="right")


def raises_for_high_uniforms(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    if uniforms[-1] > 0.9:
        raise ValueError("bad uniform")
    return token_rule(tokens, draft, target, uniforms)


def raises_for_low_uniforms(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    if uniforms[-1] < 0.1:
        raise ValueError("bad uniform")
    return token_rule(tokens, draft, target, uniforms)


def never_valid(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """−1 kept for high uniforms, an exception for low ones: no τ is known on either side."""
    if uniforms[-1] < 0.5:
        raise ValueError("bad uniform")
    return -1, 0


@pytest.mark.parametrize(
    ("verify", "kind", "missing"),
    [
        (short_running_sum, "next token out of range", 0.1),
        (half_precision_sum, "next token out of range", None),
        (raises_for_high_uniforms, "exception", 0.1),
        (raises_for_low_uniforms, "exception", 0.1),
        (never_valid, "exception", 1.0),
    ],
)
@pytest.mark.parametrize("gamma", [0, 1, 2])
def test_the_law_is_what_the_valid_answers_leave(
    verify: Callable[..., Any], kind: str, missing: float | None, gamma: int
) -> None:
    subject = FunctionSubject(verify, "verify", Feed(), "plain")
    result = result_of(subject, World("plain", 3, (gamma,)), np.random.default_rng(0), 4)
    assert subject.problems.counts[kind] > 0
    if missing is not None:
        assert 1 - result.got.sum() == pytest.approx(missing, abs=1e-9)


def test_the_audit_ends_in_a_report() -> None:
    report = audit(short_running_sum, form="plain")
    assert not report.lossless and report.exit_status == 1 and report.verdict == "exact"
    assert report.problem_counts.keys() == {"next token out of range"}
    assert len(report.worlds) == report.worlds_planned and report.worlds[0].gamma == 0
    assert report.worlds[0].deviation == pytest.approx(0.1, abs=1e-9)
