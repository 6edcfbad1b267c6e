"""From what a pass has seen to a report: which checks failed, what that means, and what explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specdemo.auditor.steps.checks import TITLES
from specdemo.auditor.steps.diagnosis import Diagnosis, rule_diagnosis, token_diagnosis
from specdemo.auditor.steps.hypotheses import other_rules, rule_of
from specdemo.auditor.steps.race import mistaken
from specdemo.auditor.steps.reading import StepRecord
from specdemo.auditor.steps.report import CheckResult, Finding, StepsReport
from specdemo.auditor.steps.running import RunningTest
from specdemo.auditor.steps.statistics import resolution
from specdemo.verifiers import Verifier, get

if TYPE_CHECKING:
    from specdemo.auditor.steps.audit import Pass

ALPHA = 1e-3
_MOST_RECORDS = 2000
# With fewer observations than show a deviation of this size, silence means nothing.
COARSEST = 0.3
# With more than this share of records at knife edges, beside those that rounding lets one expect, the replay has not been one.
_MOST_EDGES = 0.05
_FAR_BAD_LINE = 2000
# Rules that never look at D: they are lossless whatever the tokens were drawn from.
_WITHOUT_DRAFT = ("sampled_match", "exact_match")
_RULE_CHECKS = ("replay", "accepted_counts", "next_tokens", "independence", "likelihood")

Again = Callable[[int], Iterator[StepRecord]]


def concluded(path: Path, seen: Pass, again: Again, given: Verifier | None, source: str) -> StepsReport:
    """The report on a log that could be read to its end."""
    name = max(seen.rules, key=lambda rule: seen.rules[rule]) if seen.rules else None
    rule = None if name is None else given if given is not None and given.name == name else get(name)
    likelihood = seen.checks.tests["likelihood"]
    if rule is not None and len(seen.rules) == 1:
        likelihood.seen = seen.usable - seen.with_uniforms
    checks, tests = _checks(seen)
    if rule is not None and likelihood.seen and not any(c.code in _RULE_CHECKS and not c.passed for c in checks):
        likelihood.bound, likelihood.seen = mistaken(rule_of(rule), other_rules(rule), again(0), _MOST_RECORDS)
        checks, tests = _checks(seen)
    else:
        # What is known to be wrong needs no further test; the level of the others still allows for it.
        checks = [check for check in checks if check.code != "likelihood"]
    findings = [*_defects(seen), *_failures(seen, checks), *_of_rule(seen, rule)]
    bad = {finding.code for finding in findings if finding.fatal}
    diagnoses = _diagnoses(seen, bad, again, rule) if bad and seen.usable else []
    consistent = not bad.intersection(_RULE_CHECKS)
    explained = any(d.about == "rule" and d.lossless and d.seen == seen.usable for d in diagnoses)
    lossless = not bad or (explained and bad <= set(_RULE_CHECKS))
    error = None
    if lossless and consistent and seen.replayed < seen.records and rule is not None:
        reach = resolution(seen.records, ALPHA / max(tests, 1))
        if reach > COARSEST:
            error = (
                f"{seen.records} records are too few to say without uniforms: only deviations above {reach:.2g} would have been "
                f"seen. Log the uniforms, or more records"
            )
    return StepsReport(
        path=str(path),
        records=seen.records,
        with_uniforms=seen.with_uniforms,
        rule=name,
        rule_from=source,
        lossless=lossless and error is None,
        consistent=consistent and error is None,
        error=error,
        alpha=ALPHA,
        tests=tests,
        checks=tuple(checks),
        findings=tuple(findings),
        diagnoses=tuple(diagnoses),
        first_bad=seen.first_bad,
    )


def _checks(seen: Pass) -> tuple[list[CheckResult], int]:
    running = [test for test in seen.checks.tests.values() if test.seen]
    level = ALPHA / max(len(running), 1)
    results = []
    if seen.replayed:
        results.append(
            CheckResult(
                "replay", "replay with the logged uniforms", not seen.mismatches, seen.replayed, set_aside=seen.knife_edges
            )
        )  # fmt: skip
    results += [_result(test, level) for test in running]
    return results, len(running)


def _result(test: RunningTest, level: float) -> CheckResult:
    p_value = test.p_value()
    return CheckResult(
        test.code,
        TITLES[test.code],
        p_value >= level,
        test.seen,
        p_value,
        test.distance() if test.pools() else None,
        resolution(test.seen, level / (len(test.pools()) + 1)) if test.pools() else None,
        test.set_aside,
    )


def _defects(seen: Pass) -> list[Finding]:
    texts = {
        "rows_below_one": "rows sum to less than 1 — a truncated vocabulary, or laws before renormalisation",
        "token_outside": "a token lies outside the laws — a truncated vocabulary",
        "unequal_vocabularies": "draft and target laws differ in width",
    }
    return [
        Finding(code, f"{texts[code]}: {text} ({count} such records)", code != "unequal_vocabularies", line)
        for code, (count, line, text) in seen.defects.items()
    ]


def _failures(seen: Pass, checks: list[CheckResult]) -> list[Finding]:
    found = []
    for check in checks:
        if check.passed:
            continue
        if check.code == "replay":
            found.append(Finding("replay", _first_bad(seen), True, seen.first_bad["line"] if seen.first_bad else None))
            continue
        test = seen.checks.tests[check.code]
        rare = test.rare
        text = f"it is not so that {check.title}: p ≤ {check.p_value:.2g} over {check.count} values"
        if check.code == "independence":
            text += f"; not independent are {min(test.sums, key=lambda name: test.sums[name].p_value())}"
        if rare.count:
            text += f"; impossible were {rare.count}, the first on {rare.first}"
        fatal = check.code != "drafted_tokens" or not seen.rules or not set(seen.rules) <= set(_WITHOUT_DRAFT)
        found.append(Finding(check.code, text, fatal, rare.first_line))
    for support, law, word in ((seen.extent.drafted, "draft", "drafted"), (seen.extent.emitted, "target", "emitted")):
        if support.cut is not None:
            text = f"truncated vocabulary: no {law} law has mass from id {support.cut} on, yet id {support.least_impossible} was {word}"
            found.append(Finding("truncated_vocabulary", text, True))
    if seen.checks.repeated_uniforms > max(2, 0.01 * seen.with_uniforms):
        text = f"{seen.checks.repeated_uniforms} records use a uniform again, first on line {seen.checks.first_repeated}: each must be used once"
        found.append(Finding("uniforms_repeated", text, True, seen.checks.first_repeated))
    if seen.knife_edges > 3 + _MOST_EDGES * seen.replayed + seen.expected_edges:
        text = f"{seen.knife_edges} of {seen.replayed} decisions differ but lie at knife edges: too many for rounding alone"
        found.append(Finding("replay", text, True))
    return found


def _first_bad(seen: Pass) -> str:
    bad: dict[str, Any] = seen.first_bad or {}
    logged, right = bad["logged"], bad["right"]
    name = f" (id {bad['id']!r})" if bad["id"] is not None else ""
    correct = f"τ = {right['accepted']}" + ("" if right["next_token"] is None else f", Y = {right['next_token']}")
    return (
        f"{seen.mismatches} of {seen.replayed} replayed records are decided otherwise by {bad['rule']!r}; the first is line "
        f"{bad['line']}{name}: logged τ = {logged['accepted']}, Y = {logged['next_token']}, right is {correct}"
    )


def _of_rule(seen: Pass, rule: Verifier | None) -> list[Finding]:
    if rule is None or rule.lossless == "always" or (rule.lossless == "temperature_0" and seen.extent.greedy):
        return []
    when = (
        "is lossless at temperature 0 only, and these laws are not one-hot"
        if rule.lossless != "never"
        else "is not lossless"
    )
    return [Finding("lossy_rule", f"the rule {rule.name!r} ({rule.title}) {when}", True)]


def _diagnoses(seen: Pass, bad: set[str], again: Again, rule: Verifier | None) -> list[Diagnosis]:
    start = seen.first_bad["line"] if seen.first_bad and seen.first_bad["line"] > _FAR_BAD_LINE else 0

    def records() -> Iterator[StepRecord]:
        return again(start)

    found: list[Diagnosis | None] = []
    if "drafted_tokens" in bad:
        found.append(token_diagnosis("drafted", records, seen.extent))
    if rule is not None and bad.intersection((*_RULE_CHECKS, "first_emitted", "later_emitted")):
        found.append(rule_diagnosis(records, rule, seen.extent))
    if bad.intersection(("first_emitted", "later_emitted")) and not any(
        d and d.about == "rule" and d.complete for d in found
    ):
        found.append(token_diagnosis("emitted", records, seen.extent))
    return [diagnosis for diagnosis in found if diagnosis is not None]
