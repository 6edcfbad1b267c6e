"""What an audit of recorded steps found: for people, for machines, and for a build server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from specdemo.auditor.steps.diagnosis import Diagnosis

SCHEMA = "specdemo.audit-log/1"


@dataclass(frozen=True)
class Finding:
    """Something that is wrong (`fatal`) or worth knowing; `line` is where it is first seen."""

    code: str
    text: str
    fatal: bool = True
    line: int | None = None


@dataclass(frozen=True)
class CheckResult:
    """One check: how many values it saw, its p-value (None: it decides exactly), and the distance it could have found."""

    code: str
    title: str
    passed: bool
    count: int
    p_value: float | None = None
    distance: float | None = None
    resolution: float | None = None
    set_aside: int = 0


@dataclass(frozen=True)
class StepsReport:
    """The verdict on a log.

    `lossless`: nothing found contradicts that the emitted text follows the target's law. `consistent`: and the engine follows the
    rule it claims. `error`: why there is no verdict. `first_bad`: the first record that the rule would have decided otherwise.
    """

    path: str
    records: int = 0
    with_uniforms: int = 0
    rule: str | None = None
    rule_from: str = "the log"
    lossless: bool = False
    consistent: bool = False
    error: str | None = None
    alpha: float = 1e-3
    tests: int = 0
    checks: tuple[CheckResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    first_bad: dict[str, Any] | None = None

    @property
    def exit_status(self) -> int:
        """0 lossless and as claimed, 1 not, 2 no verdict."""
        if self.error is not None:
            return 2
        return 0 if self.lossless and self.consistent else 1

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        if self.error is not None:
            return f"no verdict: {self.error}"
        if self.lossless and self.consistent:
            return f"lossless: nothing in this log contradicts the rule {self.rule!r} or the target"
        if self.lossless:
            return f"lossless, but not by the rule {self.rule!r}"
        return (
            "NOT lossless" if self.consistent is False else f"NOT lossless, although the rule {self.rule!r} is followed"
        )

    def text(self) -> str:
        """For a person at a terminal."""
        lines = [f"{self.path}: {self.verdict}"]
        if self.error is None or self.records:
            lines.append(
                f"{self.records} records, {self.with_uniforms} with uniforms; rule {self.rule} (from {self.rule_from})"
            )
        for finding in self.findings:
            lines.append(f"{'✗' if finding.fatal else '·'} {finding.text}")
        for diagnosis in self.diagnoses:
            how = "explains the log" if diagnosis.complete else "explains the log best, but not wholly"
            ties = f"; as well: {', '.join(diagnosis.ties)}" if diagnosis.ties else ""
            lines.append(f"→ {diagnosis.text} ({how}{ties})")
        if self.checks:
            lines.append("")
            lines += [_line_of(check) for check in self.checks]
            lines.append(
                f"α = {self.alpha:g} for the whole log, {self.tests} statistical tests, Bonferroni; p-values are upper bounds"
            )
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Plain data, schema specdemo.audit-log/1."""
        return {
            "schema": SCHEMA,
            "path": self.path,
            "verdict": self.verdict,
            "lossless": self.lossless,
            "consistent": self.consistent,
            "exit_status": self.exit_status,
            "error": self.error,
            "records": self.records,
            "with_uniforms": self.with_uniforms,
            "rule": self.rule,
            "rule_from": self.rule_from,
            "alpha": self.alpha,
            "tests": self.tests,
            "first_bad": self.first_bad,
            "findings": [dict(finding.__dict__) for finding in self.findings],
            "diagnoses": [diagnosis.to_json() for diagnosis in self.diagnoses],
            "checks": [dict(check.__dict__) for check in self.checks],
        }

    def to_junit(self) -> str:
        """A JUnit XML document: one test case a check, and one for everything else."""
        failed = [check for check in self.checks if not check.passed]
        others = [
            finding for finding in self.findings if finding.fatal and finding.code not in {c.code for c in failed}
        ]
        suite = ElementTree.Element(
            "testsuite",
            name=f"specdemo audit --log {self.path}",
            tests=str(len(self.checks) + 1),
            failures=str(len(failed) + bool(others)),
            errors=str(int(self.error is not None)),
        )
        for check in self.checks:
            case = ElementTree.SubElement(suite, "testcase", classname="specdemo.audit.log", name=check.title)
            if not check.passed:
                text = "\n".join(f.text for f in self.findings if f.code == check.code) or _line_of(check)
                ElementTree.SubElement(case, "failure", message=_legal(text)).text = _legal(self.text())
        case = ElementTree.SubElement(suite, "testcase", classname="specdemo.audit.log", name="the log as a whole")
        if self.error is not None:
            ElementTree.SubElement(case, "error", message=_legal(self.error))
        if others:
            ElementTree.SubElement(case, "failure", message=_legal(others[0].text)).text = _legal(self.text())
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _line_of(check: CheckResult) -> str:
    mark = "ok  " if check.passed else "FAIL"
    if check.p_value is None:
        detail = f"{check.count} replayed" + (
            f", {check.set_aside} set aside at a knife edge" if check.set_aside else ""
        )
    else:
        detail = f"n = {check.count}, p ≤ {check.p_value:.2g}"
        if check.resolution is not None and check.passed:
            detail += f", a deviation of {check.resolution:.2g} would have been seen"
        detail += f", {check.set_aside} set aside" if check.set_aside else ""
    return f"{mark} {check.title}: {detail}"


def _legal(text: str) -> str:
    # XML has no place for control characters, which a foreign log may hold in its ids.
    return "".join(c if c in "\n\t" or c >= " " else "�" for c in text)
