"""Verifiers of somebody else, in every form: right ones pass, wrong ones fail and are recognised."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import specdemo
from specdemo import verifiers
from specdemo.auditor import AuditReport, CouldNotRun, assert_lossless, audit, run
from specdemo.auditor.forms import as_subject
from specdemo.auditor.hidden import NOT_SEEDED, SEED_ZERO, unsteady_seeds
from specdemo.auditor.texts import result_of
from specdemo.auditor.trees import World
from tests.auditor import foreign


def assert_exactly_lossless(report: AuditReport) -> None:
    assert report.lossless, report.text()
    assert report.verdict == "exact" and report.exit_status == 0
    if report.array.endswith("float32"):
        assert report.up_to_rounding and 1e-9 == report.tolerance < report.max_deviation < 2e-7
    else:
        assert report.max_deviation <= report.tolerance and report.error_bound < report.tolerance
    assert not report.problems and report.counterexample is None and report.nearest is None
    assert len(report.worlds) == report.worlds_planned > 20


@pytest.mark.parametrize(
    ("function", "form"),
    [
        (foreign.token_rule, "plain"),
        (foreign.block_rule, "plain"),
        (foreign.block_law, "law"),
        (foreign.batched_token_rule, "batched"),
        (foreign.ragged_token_rule, "ragged"),
    ],
)
def test_right_functions_pass_and_their_form_is_found(function: Callable[..., Any], form: str) -> None:
    report = specdemo.audit(function)
    assert_exactly_lossless(report)
    assert report.form == form


@pytest.mark.parametrize("array", ["numpy float32", "lists"])
def test_right_functions_pass_in_other_arrays(array: str) -> None:
    assert_exactly_lossless(audit(foreign.token_rule, array=array))


def test_a_right_float32_torch_function_passes() -> None:
    report = audit(foreign.torch_block_rule, array="torch float32")
    # It really computed in single precision: to the tolerance of float64 it would not be exact.
    assert_exactly_lossless(report)
    assert report.up_to_rounding == "block"


@pytest.mark.parametrize(
    ("function", "options", "matches"),
    [
        (foreign.token_rule_correcting_from_target, {}, "correction_from_target_in_token"),
        (foreign.block_rule_with_token_residual, {}, "residual_without_weight"),
        (foreign.token_rule_accepting_equals, {}, "accepts_on_equal_in_token"),
        (foreign.token_rule_correcting_from_target, {"array": "numpy float32"}, "correction_from_target_in_token"),
    ],
)
def test_wrong_functions_fail_and_are_recognised(
    function: Callable[..., Any], options: dict[str, Any], matches: str
) -> None:
    report = audit(function, **options)
    assert not report.lossless and report.exit_status == 1
    assert report.nearest is not None and (report.nearest.name, report.nearest.exact) == (matches, True)
    assert report.counterexample is not None
    with pytest.raises(AssertionError, match="NOT LOSSLESS"):
        assert_lossless(function, **options)


def test_accepting_equals_is_wrong_at_an_edge_only() -> None:
    report = audit(foreign.token_rule_accepting_equals)
    assert report.max_deviation < 1e-9
    (kind,) = report.problem_counts
    assert kind == "zero target mass"
    assert report.problems[0].question.uniforms[0] == 0.0


@pytest.fixture
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sampled worlds in a third of the time; these subjects are far off, or right."""
    monkeypatch.setitem(run._TEXTS, "quick", 4000)


def test_thresholds_that_are_no_grid_turn_statistical(few_texts: None) -> None:
    report = audit(foreign.token_rule_by_product)
    assert not report.lossless and report.verdict == "statistical"
    assert "several uniforms" in report.reason
    assert report.sample_size and report.sample_size >= 500 and report.level and report.level <= 1e-6
    assert report.nearest is not None and report.nearest.name == "product_of_uniforms_in_token"
    assert "looks like" in report.text()
    assert json.loads(json.dumps(report.to_json(), allow_nan=False))["lossless"] is False


def test_hidden_randomness_is_noticed(few_texts: None) -> None:
    report = audit(foreign.sampled_by_a_hidden_generator)
    assert report.lossless and report.verdict == "statistical"
    assert "not deterministic" in report.reason and "not deterministic" in report.notes[0]


def test_rows_that_depend_on_each_other_are_noticed(few_texts: None) -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
        kept, following = foreign.batched_token_rule(tokens, draft, target, uniforms)
        return np.full_like(kept, kept.min()), following

    report = audit(verify, form="batched")
    assert not report.lossless
    assert "other rows of the batch" in report.reason


@pytest.mark.parametrize("rule", [foreign.token_rule, foreign.token_rule_correcting_from_target])
def test_seeds_get_a_statistical_verdict(rule: Callable[..., Any], few_texts: None) -> None:
    report = audit(foreign.seeded(rule))
    assert report.form == "seed" and report.verdict == "statistical"
    assert report.lossless == (rule is foreign.token_rule)
    assert report.sample_size and 0 < report.error_bound < 0.2
    assert not report.notes
    if not report.lossless:
        assert report.nearest is not None and report.nearest.name == "correction_from_target_in_token"


def test_seed_zero_must_be_a_seed() -> None:
    def verify(tokens: Any, draft: Any, target: Any, seed: int) -> tuple[int, int]:
        return foreign.seeded(foreign.token_rule)(tokens, draft, target, seed or int(foreign._hidden.integers(2**31)))

    assert unsteady_seeds(as_subject(verify), 0) == SEED_ZERO
    assert unsteady_seeds(as_subject(foreign.seeded(foreign.token_rule)), 0) == ""


def test_a_seed_that_is_not_used_is_noticed() -> None:
    def verify(tokens: Any, draft: Any, target: Any, seed: int) -> tuple[int, int]:
        return foreign.token_rule(tokens, draft, target, foreign._hidden.random(len(tokens) + 1))

    assert unsteady_seeds(as_subject(verify), 0) == NOT_SEEDED


def test_exceptions_and_wrong_answers_are_reported_with_their_input() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
        if len(tokens) == 0:
            raise IndexError("empty block")
        if len(tokens) == 3:
            return len(tokens) + 1, 0
        if target.shape[1] == 4:
            return 0, 4
        return foreign.token_rule(tokens, draft, target, uniforms)

    report = audit(verify)
    assert not report.lossless
    assert set(report.problem_counts) == {"exception", "accepted out of range", "next token out of range"}
    assert report.problems[0].message.startswith("raises IndexError: empty block (test_foreign.py:")
    assert report.problems[0].question.block.gamma == 0


def test_blocks_shorter_than_a_function_is_made_for_can_be_left_out() -> None:
    def not_empty(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        assert len(tokens), "at least one drafted token"
        return foreign.token_rule(tokens, draft, target, uniforms)

    assert_exactly_lossless(audit(not_empty, minimum_gamma=1))


def test_a_function_may_remember() -> None:
    greedy = verifiers.get("greedy_block")

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> tuple[int, int, Any]:
        verdict = greedy.core_plan(tokens, draft, target, memory).decide(uniforms)
        return verdict.accepted, verdict.next_token, verdict.memory

    world = World("model_c", 3, (2,))
    subject = as_subject(verify)
    assert subject.form == "memory" and subject.may_remember
    assert result_of(subject, world, np.random.default_rng(0), remembers=True).deviation < 1e-12
    assert result_of(subject, world, np.random.default_rng(0), remembers=False).deviation > 1e-3


def test_laws_that_are_not_finite_are_reported() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        kept, _ = foreign.token_law(tokens, draft, target, uniforms)
        if kept == len(tokens):
            return kept, target[kept]
        residual = np.maximum(target[kept] - draft[kept], 0)
        with np.errstate(invalid="ignore"):
            return kept, residual / residual.sum()

    # D = T up to rounding is what makes the residual empty.
    report = audit(verify)
    assert not report.lossless and report.problem_counts.keys() == {"non-finite"}
    assert report.max_deviation < 1e-9


def test_a_function_may_write_into_its_arrays() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        answer = foreign.token_rule(tokens, draft, target, uniforms)
        for array in (tokens, draft, target, uniforms):
            array[...] = 0
        return answer

    assert_exactly_lossless(audit(verify))


@pytest.mark.parametrize(
    ("subject", "options", "error", "words"),
    [
        ("tokem", {}, ValueError, "there is no verifier 'tokem'"),
        (3, {}, ValueError, "not int"),
        ("token", {"budget": "slow"}, ValueError, "quick, thorough"),
        ("token", {"tolerance": 0.0}, ValueError, "tolerance"),
        (foreign.token_rule, {"form": "matrix"}, ValueError, "form"),
        (foreign.token_rule, {"array": "float8"}, ValueError, "numpy float32"),
        (foreign.token_rule, {"minimum_gamma": 9}, ValueError, "minimum_gamma"),
        (lambda tokens: 3, {}, CouldNotRun, "no known form"),
    ],
)
def test_what_cannot_be_audited_says_why(
    subject: Any, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        audit(subject, **options)
