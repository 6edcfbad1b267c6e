"""The form of a function is found also where its answers are wrong, and what was wrong with them is in the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from specdemo.auditor import CouldNotRun, audit
from specdemo.auditor.forms import as_subject
from tests.auditor import foreign


def one_beyond_the_vocabulary(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
    return len(tokens), target.shape[1]


def a_law_that_is_none(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    return 0, target[0] / 2


def raises_in_the_middle(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    if uniforms[0] == 0.5:
        raise KeyError("cache")
    return foreign.token_rule(tokens, draft, target, uniforms)


def batched_beyond(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    rows, _ = tokens.shape
    return np.zeros(rows, dtype=int), np.full(rows, target.shape[2])


def ragged_beyond(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    return [0 for _ in tokens], [rows.shape[1] for rows in target]


def raises_in_a_batch(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    if len(tokens) > 20:
        raise MemoryError("too many rows")
    return foreign.batched_token_rule(tokens, draft, target, uniforms)


@pytest.mark.parametrize(
    ("function", "form"),
    [
        (one_beyond_the_vocabulary, "plain"),
        (a_law_that_is_none, "law"),
        (raises_in_the_middle, "plain"),
        (batched_beyond, "batched"),
        (ragged_beyond, "ragged"),
    ],
)
def test_a_wrong_answer_has_a_form(function: Callable[..., Any], form: str) -> None:
    subject = as_subject(function)
    assert subject.form == form
    assert subject.problems.counts


def test_what_was_wrong_when_the_form_was_tried_counts() -> None:
    """It raises at a uniform that is asked nowhere else."""
    report = audit(raises_in_the_middle)
    assert not report.lossless and report.problem_counts == {"exception": 1}
    assert "raises KeyError: 'cache' (test_forms.py:" in report.text()
    assert "only empty blocks" not in report.text()


def test_what_is_never_answered_has_no_form() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        raise KeyError("cache")

    with pytest.raises(CouldNotRun, match=r"no known form: plain, ragged, batched: raises KeyError: 'cache' .*--form"):
        audit(verify)
    report = audit(verify, form="plain")
    assert not report.lossless and report.problem_counts.keys() == {"exception"}


def test_a_batch_that_raises_only_as_a_whole_is_noted() -> None:
    report = audit(raises_in_a_batch)
    assert any("it raises MemoryError (test_forms.py:" in note and "asked one by one" in note for note in report.notes)
    assert not audit(foreign.batched_token_rule).notes
