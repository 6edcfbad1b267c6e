"""Float32: right verifiers are lossless up to rounding, faults of the same size are not; and how such small numbers are spoken of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from specdemo.auditor import audit, run
from specdemo.auditor.feeding import Feed
from specdemo.auditor.forms import as_subject
from specdemo.auditor.questions import Block
from specdemo.auditor.rounding import Judged, allowed, apart, judged, rounding_note
from specdemo.auditor.texts import result_of
from specdemo.auditor.trees import World, worlds
from specdemo.verifiers import get
from tests.auditor import single_precision
from tests.auditor.single_precision import FAULTS, RIGHT, Verify, verifier

# Where rounding is largest and where faults of its size show; whole audits try many more.
SMALL = tuple(World(kind, 4, (2,)) for kind in ("tiny_residual", "tiny_denominator", "nearly_equal", "rare_first"))
FEW = (
    *(World(kind, 2, (1,)) for kind in ("two_symbols", "zeros", "near", "steep")),
    *(World(kind, 2, (2,)) for kind in ("plain", "close", "rare")),
    World("model_c", 3, (2,)),
    *SMALL,
)


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits of these worlds alone."""

    def chosen(budget: str, feed: Feed, seed: int, minimum_gamma: int, remembers: bool) -> list[World]:
        return [World(world.kind, world.vocab_size, world.gammas, seed, feed) for world in FEW]

    monkeypatch.setattr(run, "worlds", chosen)


def judged_in(few: tuple[World, ...], verify: Any, seed: int = 0) -> Judged | None:
    """What a subject fed with numbers that float32 holds is judged to be in a few worlds."""
    subject = as_subject(verify)
    subject.feed = replace(subject.feed, rounded_values=True)
    results = []
    for world in few:
        same = World(world.kind, world.vocab_size, world.gammas, seed, subject.feed)
        results.append(result_of(subject, same, np.random.default_rng(0), 2, subject.may_remember))
    return judged(results, subject.may_remember)


@pytest.mark.parametrize("name", RIGHT)
def test_right_verifiers_in_float32_are_right_up_to_rounding(name: str) -> None:
    found = judged_in(FEW, RIGHT[name])
    assert found is not None and not found.worlds, found
    assert found.rule == {"token": "token", "block": "block", "match": "sampled_match"}[name.split(",")[0]]


@pytest.mark.parametrize("precision", [np.float32, np.float64])
@pytest.mark.parametrize("name", FAULTS)
def test_faults_as_small_as_rounding_stay_faults(name: str, precision: Any) -> None:
    few = (World("two_symbols", 2, (1,)), World("plain", 2, (2,)), *SMALL)
    found = judged_in(few, verifier(**FAULTS[name], precision=precision))
    assert found is not None and found.worlds
    assert ("rounding takes no" in found.why) == (name != "ratios 4e-7 too high")


def test_what_rounding_may_do_is_little() -> None:
    """A range for each probability that holds the exact one, and is no wider than some roundings."""
    world = World("model_c", 3, (2,), feed=Feed(rounded_values=True))
    for name in ("token", "block", "sampled_match"):
        for tokens, _ in world.blocks((), 2):
            block = Block(tokens, world.draft_rows((), tokens, 2), world.target_rows((), tokens))
            plan = get(name).core_plan(np.array(tokens), block.draft, block.target)
            exact = np.array([plan.length_law[i] * plan.next_law(i) for i in range(3)])
            for in_order in (True, False):
                least, most = allowed(get(name), block, None, in_order)
                assert (least <= exact).all() and (exact <= most).all() and (most - least).max() < 5e-6


def test_the_report_of_a_right_verifier_in_float32(few_worlds: None) -> None:
    verify = RIGHT["block, searched"]
    report = audit(verify)
    assert (report.lossless, report.exit_status, report.up_to_rounding) == (True, 0, "block")
    assert (
        1e-9 == report.tolerance < report.max_deviation < 3e-7 and not report.problems and report.counterexample is None
    )
    first, second, third = report.text().splitlines()[:3]
    assert first.startswith("lossless up to rounding: verify  (exact; form plain, numpy float64")
    assert second.startswith("largest deviation of a prefix's probability 5.96e-08")
    assert third.startswith("every threshold is that of block verification up to the rounding of float32")
    assert report.to_json()["up_to_rounding"] == "block" and all(world.lossless for world in report.worlds)
    assert ElementTree.fromstring(report.to_junit().encode())[0].get("failures") == "0"
    strict = audit(verify, strict=True)
    assert (strict.lossless, strict.exit_status, strict.up_to_rounding, strict.nearest) == (False, 1, None, None)
    assert "without a tolerance of yours and --strict it is judged" in strict.notes[0]
    assert audit(verify, tolerance=1e-6).up_to_rounding is None


def test_the_report_of_a_fault_as_small_as_rounding(few_worlds: None) -> None:
    report = audit(verifier(**FAULTS["a denominator with an epsilon"]))
    assert (report.lossless, report.exit_status, report.up_to_rounding, report.nearest) == (False, 1, None, None)
    assert 9e-8 < report.max_deviation < 2e-6
    (note,) = report.notes
    assert note.startswith("it follows a right rule, block verification, but not up to rounding: in tiny_residual V=4")
    assert report.text().startswith("NOT LOSSLESS:") and report.counterexample is not None
    wrong = [world for world in report.worlds if not world.lossless]
    assert 0 < len(wrong) < len(report.worlds)
    junit = ElementTree.fromstring(report.to_junit().encode())[0]
    assert int(junit.get("failures") or 0) == len(wrong)


@pytest.mark.parametrize("name", ["token, argmax", "0/0 := 0 below 1e-6"])
def test_arrays_of_float32_are_judged_alike(name: str, few_worlds: None) -> None:
    report = audit(RIGHT[name] if name in RIGHT else verifier(**FAULTS[name]), array="numpy float32")
    assert report.lossless == (name in RIGHT) and report.max_deviation < 1e-6


def unlike_any_rule(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
    """Keeps nothing and draws from the target: right, and no rule of the registry."""
    return 0, single_precision.by_search(np.asarray(target[0], np.float32), np.float32(uniforms[-1]))


def test_of_a_rule_that_is_not_known_no_rounding_is_known(few_worlds: None) -> None:
    report = audit(unlike_any_rule)
    assert not report.lossless and report.up_to_rounding is None and report.max_deviation < 1e-6
    assert "none of the rules" in report.notes[0] and "--tolerance 1e-05" in report.notes[0]
    fed_float32 = audit(unlike_any_rule, array="numpy float32")
    assert fed_float32.lossless and fed_float32.tolerance == 1e-5 and fed_float32.up_to_rounding is None


def test_half_precision_is_no_rounding_to_float32(few_worlds: None) -> None:
    report = audit(verifier("token", precision=np.float16))
    assert not report.lossless and report.max_deviation > 1e-5


def test_strictness_is_a_tolerance_of_its_own() -> None:
    for options in ({"tolerance": 1e-6}, {"array": "torch float32"}):
        with pytest.raises(ValueError, match="strict is a tolerance of 1e-9 without rounding"):
            audit("token", strict=True, **options)


def draws_in_single_precision(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """float32 rounds the uniform too: one just below 1 becomes 1, where the guard returns the last token, possible or not."""
    return RIGHT["token, searched to the end"](tokens, draft, target, uniforms)


def test_uniforms_that_float32_rounds_to_1_are_left_out_and_said(few_worlds: None) -> None:
    report = audit(draws_in_single_precision)
    assert report.lossless and report.up_to_rounding == "token" and not report.problem_counts
    (note,) = report.notes
    assert "they become 1 in float32" in note and "tokens that the target never emits" in note
    # A verifier in float64 has no such excuse.
    exact = audit(verifier("token", draw=single_precision.by_search_to_the_end, precision=np.float64))
    assert exact.up_to_rounding is None


def test_numbers_that_float32_holds_sum_to_1_exactly() -> None:
    for feed in (Feed("numpy float32"), Feed(rounded_values=True)):
        for world in worlds("quick", feed):
            for row in (world.draft(()), world.target(())):
                assert np.float32(row).astype(np.float64).tolist() == row.tolist()
                assert np.cumsum(row.astype(np.float32), dtype=np.float32)[-1] == 1.0
    assert (Feed(rounded_values=True).rounded(np.array([1e-12, 1.0, 0.0])) > 0).tolist() == [True, True, False]


def test_numbers_have_no_more_digits_than_tell_them_apart() -> None:
    assert apart(0.349671, 0.2) == ("0.349671", "0.2")
    assert apart(1 / 3, 1 / 3 + 4.2e-8) == ("0.333333333", "0.333333375")
    assert apart(1 / 3, 1 / 3) == ("0.333333", "0.333333")


def test_only_what_rounding_can_do_is_put_down_to_it() -> None:
    double, lists, single = Feed(), Feed("lists"), Feed("torch float32")
    assert "--tolerance 1e-05" in rounding_note(4e-8, 1e-9, {}, double, unknown=True)
    impossible = {"zero target mass"}
    assert '--array "torch float32"' in rounding_note(4e-8, 1e-9, impossible, Feed("torch float64"), unknown=True)
    assert '--array "numpy float32"' in rounding_note(4e-8, 1e-9, impossible, lists, unknown=True)
    assert rounding_note(4e-8, 1e-9, {}, double).endswith("it is judged whether that is all")
    assert rounding_note(4e-8, 1e-9, impossible, single) == ""
    assert rounding_note(4e-8, 1e-9, {"exception"}, double) == ""
    # A right law: what is wrong are the edges alone.
    assert rounding_note(1e-16, 1e-9, impossible, double) == ""
    assert rounding_note(1e-4, 1e-9, {}, double) == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*RIGHT, "batched in torch"])
def test_no_right_verifier_in_float32_is_accused(name: str, seed: int) -> None:
    verify: Verify = RIGHT.get(name, single_precision.batched_in_torch)
    assert audit(verify, seed=seed, form="auto" if name in RIGHT else "batched").up_to_rounding


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_no_fault_as_small_as_rounding_passes(name: str) -> None:
    for precision in (np.float32, np.float64):
        assert not audit(verifier(**FAULTS[name], precision=precision), seed=1).lossless


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_greedy_block_verification_in_float32(seed: int) -> None:
    assert audit(single_precision.greedy_block, seed=seed).up_to_rounding == "greedy_block"
