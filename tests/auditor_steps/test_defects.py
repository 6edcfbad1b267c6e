"""Logs of engines with a planted defect: it is found, and named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.auditor.steps import StepsReport, audit_steps, conclusions
from specdemo.auditor.steps.changes import at_temperature, earlier, first_ids, later, min_p, top_k
from tests.auditor_steps.simulate import changed, logged, sharing, simulated


def named(report: StepsReport, about: str) -> list[str]:
    """The codes that explain the log, ties included."""
    return [code for d in report.diagnoses if d.about == about for code in (d.code, *d.ties)]


def failed(report: StepsReport) -> set[str]:
    return {finding.code for finding in report.findings if finding.fatal}


@pytest.mark.parametrize("uniforms", [True, False])
def test_draft_laws_logged_before_temperature(tmp_path: Path, uniforms: bool) -> None:
    blocks = simulated(120, seed=1, drafting=at_temperature(0.5))
    report = audit_steps(logged(tmp_path, blocks, uniforms=uniforms, temperature=0.5))
    assert report.exit_status == 1 and not report.lossless
    assert "drafted_tokens" in failed(report)
    assert named(report, "drafted")[0] == "temperature_0.5"
    assert "drafted as if at temperature 0.5" in report.text() and "log's own temperature 0.5" in report.text()


def test_draft_laws_logged_before_truncation(tmp_path: Path) -> None:
    report = audit_steps(logged(tmp_path, simulated(80, seed=2, drafting=top_k(5))))
    assert "top_k_5" in named(report, "drafted"), report.text()


def test_a_drafter_that_takes_its_argmax(tmp_path: Path) -> None:
    report = audit_steps(logged(tmp_path, simulated(60, seed=3, drafting=top_k(1))))
    assert named(report, "drafted")[0] == "top_k_1" and "by argmax" in report.text()


@pytest.mark.parametrize(
    ("altered", "code"),
    [
        ({"verifying_draft": at_temperature(2.0)}, "draft_temperature_2"),
        ({"verifying_target": at_temperature(0.7)}, "target_temperature_0.7"),
        ({"verifying_target": later}, "target_rows_later"),
        ({"verifying_draft": earlier}, "draft_rows_earlier"),
        ({"verifying_target": first_ids(14)}, "target_first_14_ids"),
        ({"verifying_target": min_p(0.1)}, "target_min_p_0.1"),
        (dict.fromkeys(("drafting", "verifying_draft", "verifying_target"), min_p(0.1)), "both_min_p_0.1"),
        (dict.fromkeys(("drafting", "verifying_draft", "verifying_target"), top_k(5)), "both_top_k_5"),
    ],
)
def test_a_verifier_that_sees_other_laws_is_replayed(tmp_path: Path, altered: dict[str, Any], code: str) -> None:
    report = audit_steps(logged(tmp_path, simulated(50, seed=4, **altered)))
    assert report.exit_status == 1 and "replay" in failed(report)
    assert code in named(report, "rule"), report.text()
    assert report.diagnoses[0].complete and report.diagnoses[0].matched == report.diagnoses[0].of


@pytest.mark.parametrize(
    ("altered", "code"),
    [
        ({"verifying_target": at_temperature(0.7)}, "target_temperature_0.7"),
        ({"verifying_target": later}, "target_rows_later"),
    ],
)
def test_a_verifier_that_sees_other_laws_is_tested(tmp_path: Path, altered: dict[str, Any], code: str) -> None:
    report = audit_steps(logged(tmp_path, simulated(120, seed=5, **altered), uniforms=False))
    assert report.exit_status == 1 and code in named(report, "rule"), report.text()


@pytest.mark.parametrize("least", [0.1, 0.07])
def test_what_was_cut_off_is_not_told_as_the_other_model(tmp_path: Path, least: float) -> None:
    """A draft near the target, logged after min-p, and the target before it: also where the very number is not tried."""
    cut = min_p(least)
    altered: dict[str, Any] = dict.fromkeys(("drafting", "verifying_draft", "verifying_target"), cut)
    blocks = simulated(200, "token", seed=4, size=60, closeness=0.97, **altered)
    report = audit_steps(logged(tmp_path, blocks, rule="token", draft=cut))
    assert report.exit_status == 1 and "draft's rows" not in report.text(), report.text()
    assert least != 0.1 or "target_min_p_0.1" in named(report, "rule")


@pytest.mark.parametrize(("which", "shift"), [("draft", later), ("draft", earlier), ("target", later)])
def test_rows_logged_off_by_one(tmp_path: Path, which: str, shift: Callable[[Any], Any]) -> None:
    """The log's row i holds row i ± 1: no token but the middle ones can be put right, and shifting back explains it best."""
    alterations: dict[str, Any] = {which: shift}
    report = audit_steps(logged(tmp_path, simulated(80, seed=6, size=12), **alterations))
    back = "rows_earlier" if shift is later else "rows_later"
    codes = named(report, "drafted") if which == "draft" else named(report, "rule") + named(report, "emitted")
    assert any(code.endswith(back) for code in codes), report.text()
    assert "off by one" in report.text() or "shifted rows" in report.text()


@pytest.mark.parametrize(
    ("mistake", "rule"),
    [
        ("residual_without_weight", "block"),
        ("inner_formula_at_gamma", "block"),
        ("current_row_for_next", "block"),
        ("correction_from_target_in_token", "token"),
        ("greedy_without_continuation", "greedy_block"),
    ],
)
def test_mistakes_are_named_from_a_replay(tmp_path: Path, mistake: str, rule: str) -> None:
    report = audit_steps(logged(tmp_path, simulated(60, mistake, seed=7), rule=rule))
    assert report.exit_status == 1 and mistake in named(report, "rule"), report.text()
    assert report.first_bad is not None and report.first_bad["rule"] == rule


@pytest.mark.parametrize(
    ("mistake", "rule", "count"),
    [
        ("residual_without_weight", "block", 150),
        ("break_at_first_failure", "block", 150),
        ("softmaxed_residual_in_token", "token", 150),
        ("uncapped_ratio_at_gamma", "block", 250),  # changes so little that only its likelihood tells
    ],
)
def test_mistakes_are_named_without_uniforms(tmp_path: Path, mistake: str, rule: str, count: int) -> None:
    report = audit_steps(logged(tmp_path, simulated(count, mistake, seed=8), rule=rule, uniforms=False))
    assert report.exit_status == 1 and mistake in named(report, "rule"), report.text()


@pytest.mark.parametrize("uniforms", [True, False])
def test_another_lossless_rule_than_claimed(tmp_path: Path, uniforms: bool) -> None:
    report = audit_steps(logged(tmp_path, simulated(120, "token", seed=9), rule="block", uniforms=uniforms))
    assert (report.exit_status, report.lossless, report.consistent) == (1, True, False), report.text()
    assert named(report, "rule")[0] == "token" and "lossless, but not by the rule 'block'" in report.verdict


def test_the_first_bad_record_is_named_with_what_was_right(tmp_path: Path) -> None:
    blocks = simulated(50, seed=10)
    right = blocks[30]
    wrong = (right.next_token + 1) % 20
    blocks[30], blocks[40] = changed(right, next_token=wrong), changed(blocks[40], next_token=0, accepted=0)
    report = audit_steps(logged(tmp_path, blocks))
    assert report.first_bad is not None and report.first_bad["line"] == 32  # the header is line 1
    assert report.first_bad["logged"]["next_token"] == wrong
    assert report.first_bad["right"] == {"accepted": right.accepted, "next_token": right.next_token}
    assert f"line 32: logged τ = {right.accepted}, Y = {wrong}" in report.text() and not report.lossless


def test_a_target_without_mass_where_tokens_were_emitted(tmp_path: Path) -> None:
    report = audit_steps(logged(tmp_path, simulated(80, seed=11), target=first_ids(12), uniforms=False))
    assert {"first_emitted", "truncated_vocabulary"} <= failed(report), report.text()
    assert "no target law has mass from id 12 on" in report.text()


def test_laws_cut_to_a_smaller_vocabulary(tmp_path: Path) -> None:
    report = audit_steps(
        logged(tmp_path, simulated(40, seed=12), draft=lambda d: d[:, :16], target=lambda t: t[:, :16])
    )
    assert {"rows_below_one", "token_outside"} <= failed(report)
    assert "truncated vocabulary" in report.text() and "only 16 columns" in report.text()


def test_a_narrower_draft_is_only_a_remark(tmp_path: Path) -> None:
    blocks = simulated(60, seed=13, drafting=first_ids(16), verifying_draft=first_ids(16))
    report = audit_steps(logged(tmp_path, blocks, draft=lambda d: first_ids(16)(d)[:, :16]))
    assert report.exit_status == 0 and [f.code for f in report.findings] == ["unequal_vocabularies"], report.text()


def test_a_lossy_rule_is_not_cleared_by_being_followed(tmp_path: Path) -> None:
    report = audit_steps(logged(tmp_path, simulated(60, "threshold", seed=14), rule="threshold"))
    assert report.exit_status == 1 and "lossy_rule" in failed(report) and report.consistent


def test_a_uniform_used_twice(tmp_path: Path) -> None:
    blocks = simulated(20, seed=15)
    again = [changed(block, uniforms=blocks[0].uniforms) for block in blocks]
    assert "uniforms_repeated" in failed(audit_steps(logged(tmp_path, again)))


def _none_sought(*seen: Any) -> list[Any]:
    """In place of the search for what explains a log, which takes seconds."""
    return []


def test_a_correction_drawn_by_the_failed_coin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that are equal in T and in T/D only the order of ids tells apart, in which a uniform above the coin is not uniform."""
    monkeypatch.setattr(conclusions, "_diagnoses", _none_sought)
    laws = np.array([1.0, 0.0, 0.0]), np.array([0.2, 0.4, 0.4])
    report = audit_steps(logged(tmp_path, sharing("failed coin", 4000, laws), rule="token", uniforms=False))
    by_code = {check.code: check for check in report.checks}
    assert report.exit_status == 1 and {"first_emitted", "next_tokens"} <= failed(report), report.text()
    assert max(by_code[code].p_value or 0.0 for code in ("first_emitted", "next_tokens")) < 1e-10


@pytest.mark.parametrize(
    ("what", "uniforms", "code", "words"),
    [
        ("failed coin", False, "independence", "the accepted count and the next token"),
        ("first coin", False, "independence", "the accepted count and the next token"),
        ("drafted", False, "independence", "the first drafted token and the accepted count"),
        ("refused", False, "independence", "the refused token and the correction"),
        ("next coin", False, "independence", "a next token and the accepted count after it"),
        ("next draft", False, "independence", "a next token and the first drafted one after it"),
        ("drafted", True, "independence", "a drafted token and its coin"),
        ("refused", True, "independence", "the refused token and the correction"),
        ("next draft", True, "independence", "a next token and the first drafted one after it"),
        ("failed coin", True, "uniforms_repeated", "use a uniform again"),
        ("first coin", True, "uniforms_repeated", "use a uniform again"),
        ("next coin", True, "uniforms_repeated", "use a uniform again"),
    ],
)
def test_draws_that_share_a_uniform(
    tmp_path: Path, what: str, uniforms: bool, code: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each draw by itself follows its law, or nearly so: what two of them have in common is what shows."""
    monkeypatch.setattr(conclusions, "_diagnoses", _none_sought)
    blocks = sharing(what, 200 if code == "uniforms_repeated" else 800, seed=1)
    report = audit_steps(logged(tmp_path, blocks, rule="token", uniforms=uniforms))
    assert report.exit_status == 1 and not report.lossless and code in failed(report), report.text()
    assert any(words in finding.text for finding in report.findings if finding.code == code), report.text()


def test_a_rule_that_never_looks_at_the_draft_law_does_not_need_it(tmp_path: Path) -> None:
    blocks = simulated(150, "sampled_match", seed=16, drafting=at_temperature(0.5))
    report = audit_steps(logged(tmp_path, blocks, rule="sampled_match"))
    assert report.exit_status == 0 and [f.code for f in report.findings] == ["drafted_tokens"], report.text()


@pytest.mark.slow
def test_false_alarms_are_as_rare_as_stated(tmp_path: Path) -> None:
    small = every = 0
    for seed, closeness in enumerate(np.linspace(0.2, 0.98, 20).tolist()):
        for rule in ("token", "block", "greedy_block"):
            blocks = simulated(150, rule, seed=100 + seed, closeness=closeness)
            log = logged(tmp_path, blocks, rule=rule, uniforms=False, laws="npy", dtype=np.float32)
            report = audit_steps(log)
            assert report.exit_status == 0, f"seed {seed}\n{report.text()}"
            small += sum(check.p_value is not None and check.p_value < 0.05 for check in report.checks)
            every += len(report.checks)
    assert small / every < 0.05  # bounds, so fewer than one in twenty
