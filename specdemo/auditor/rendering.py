"""A report as text and as JUnit XML."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree

from specdemo.auditor.questions import spelled
from specdemo.auditor.report import AuditReport, WorldLine
from specdemo.auditor.rounding import apart
from specdemo.verifiers import get


def as_text(report: AuditReport) -> str:
    """The report for a terminal, the answer first."""
    # Answers that none may give beside a right law are another finding than a wrong law.
    right_law = all(world.lossless for world in report.worlds)
    heading = (
        ("lossless up to rounding" if report.up_to_rounding else "lossless")
        if report.lossless
        else ("NOT LOSSLESS, though its law is right" if right_law else "NOT LOSSLESS")
    )
    lines = [f"{heading}: {report.subject}  ({_how(report)})"]
    if report.reason:
        lines.append(f"statistical because {report.reason}")
    if report.verdict == "exact":
        lines.append(
            f"largest deviation of a prefix's probability {report.max_deviation:.3g}, tolerance {report.tolerance:.3g}"
        )
        if report.up_to_rounding:
            title = get(report.up_to_rounding).title
            lines.append(
                f"every threshold is that of {title[0].lower()}{title[1:]} up to the rounding of float32 (--strict lets none of that pass)"
            )
    else:
        lines.append(
            f"largest deviation of a prefix's frequency {report.max_deviation:.3g}; {report.sample_size} texts in each world, "
            f"level {report.level:g}; a probability off by more than {report.error_bound:.3g} would show"
        )
    worst = report.worst
    if not report.lossless and right_law:
        lines.append("the text's law is right, but some answers are such as no verifier may give (below)")
    elif not report.lossless and worst is not None:
        right, got = apart(worst.right, worst.got)
        lines.append(
            f"worst: in {worst.world} only {got} of the probability has a valid answer"
            if not worst.prefix
            else f"worst: in {worst.world} the text starts with {list(worst.prefix)} with probability {right}, "
            f"under this subject {got}"
        )
    if report.lossless_at_temperature_0 is not None:
        answer = "lossless" if report.lossless_at_temperature_0 else "not lossless either"
        lines.append(f"on one-hot targets (temperature 0): {answer}")
    if report.nearest is not None:
        match = report.nearest
        alike = "matches" if report.verdict == "exact" else "looks like"
        word = alike if match.exact else f"nearest (laws differ by up to {match.distance:.2g})"
        issue = f" ({match.issue})" if match.issue else ""
        lines.append(f"{word}: {match.title[0].lower()}{match.title[1:]} [{match.name}]{issue}. {match.goes_wrong}")
    if report.problem_counts:
        lines += ["", "answers no verifier may give:"]
        lines += [f"  {kind}: {count}" for kind, count in report.problem_counts.items()]
        lines += [_problem_line(report, i) for i in range(min(3, len(report.problems)))]
    wrong = [world for world in report.worlds if not _is_right(world)]
    if wrong and all(world.gamma == 0 for world in wrong):
        lines.append("note: only empty blocks (γ = 0) go wrong; --minimum-gamma 1 leaves them out")
    lines += [f"note: {note}" for note in report.notes]
    lines += ["", *_expected(report.worlds)]
    planned = "" if len(report.worlds) == report.worlds_planned else f" of {report.worlds_planned}"
    lines.append(f"{len(report.worlds)}{planned} worlds, {report.calls} calls, {report.seconds:.1f} s")
    if report.counterexample:
        lines += ["", "the smallest counterexample, as a program:", "", report.counterexample]
    return "\n".join(lines)


def _is_right(world: WorldLine) -> bool:
    return world.lossless and not world.problems


def _how(report: AuditReport) -> str:
    array = "" if report.form in ("verifier", "program") else f", {report.array}"
    return f"{report.verdict}; form {report.form}{array}; budget {report.budget}, seed {report.seed}"


def _problem_line(report: AuditReport, i: int) -> str:
    problem = report.problems[i]
    return f"  {problem.message}\n    {spelled(problem.question)}"


def _expected(worlds: tuple[WorldLine, ...]) -> list[str]:
    """E[τ], averaged over the worlds of each γ: the subject's, the token rule's and both optima."""
    groups: dict[int, list[WorldLine]] = defaultdict(list)
    for world in worlds:
        if world.gamma and world.vocab_size > 1:
            groups[world.gamma].append(world)
    if not groups:
        return []
    lines = ["expected accepted tokens E[τ], mean over the worlds of each γ:"]
    lines.append(f"  {'γ':>2} {'worlds':>7} {'this':>8} {'token':>8} {'block':>8} {'optimum':>8}")
    for gamma, group in sorted(groups.items()):
        means = [
            sum(getattr(world, name) for world in group) / len(group)
            for name in ("expected", "expected_token", "expected_block", "optimum")
        ]
        lines.append(f"  {gamma:>2} {len(group):>7} " + " ".join(f"{mean:8.4f}" for mean in means))
    return lines


def as_junit(report: AuditReport) -> str:
    """One test case for each world and for each kind of problem."""
    bad_worlds = sum(not world.lossless for world in report.worlds)
    suite = ElementTree.Element(
        "testsuite",
        name=f"specdemo audit {report.subject}",
        tests=str(len(report.worlds) + max(1, len(report.problem_counts))),
        failures=str(bad_worlds + len(report.problem_counts)),
        errors="0",
        time=f"{report.seconds:.3f}",
    )
    for world in report.worlds:
        case = ElementTree.SubElement(suite, "testcase", classname=report.subject, name=world.name)
        if not world.lossless:
            message = f"a prefix's probability is off by {world.deviation:.3g} (tolerance {report.tolerance:.3g})"
            ElementTree.SubElement(case, "failure", message=message).text = report.counterexample or message
    if not report.problem_counts:
        ElementTree.SubElement(
            suite, "testcase", classname=report.subject, name="every answer is one a verifier may give"
        )
    for kind, count in report.problem_counts.items():
        case = ElementTree.SubElement(suite, "testcase", classname=report.subject, name=kind)
        first = next((problem.message for problem in report.problems if problem.kind == kind), kind)
        ElementTree.SubElement(case, "failure", message=f"{count} times; first: {first}")
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    for element in suite.iter():
        # Names, messages and counterexamples quote what the subject said.
        element.text = None if element.text is None else _printable(element.text)
        element.attrib.update({key: _printable(value) for key, value in element.attrib.items()})
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """Control characters of a foreign message have no place in XML."""
    return "".join(c if c == "\n" or c.isprintable() else " " for c in text)
