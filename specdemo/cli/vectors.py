"""`specdemo vectors`: the conformance vectors, written, checked against a verifier, and set out against the gallery of mistakes."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specdemo.cli.places import check_written

if TYPE_CHECKING:
    from specdemo.auditor.vectors.check import Report
    from specdemo.auditor.vectors.record import Vector

SHOWN_FAILURES = 12


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    from specdemo.auditor.vectors.check import TOLERANCES
    from specdemo.auditor.vectors.exact_rules import rules

    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", type=Path, metavar="FOLDER", help="make all vectors anew and write them there")
    what.add_argument("--check", metavar="SUBJECT", help="a verifier's name, a mistake's name, or path.py:function")
    what.add_argument("--table", type=Path, metavar="FILE", help="write the table mistakes × vectors (Markdown)")
    parser.add_argument(
        "--rule", choices=list(rules()), help="the rule the subject should follow (default: its name's)"
    )
    parser.add_argument("--dtype", choices=list(TOLERANCES), default="float64", help="of the arrays (default: float64)")
    parser.add_argument("--tolerance", type=float, help="skip vectors whose margin × condition is below this (0: none)")
    parser.add_argument("--from", dest="folder", type=Path, help="read the vectors from this folder")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Write, check or set out; without one of them list what there is. Status 1 where the subject fails a vector."""
    if options.write:
        return _write(options.write)
    from specdemo.auditor.vectors.load import load_or_generate, read_files

    check_written(options, "table", read=[("--from", path) for path in read_files(options.folder)])
    vectors = load_or_generate(options.folder)
    if options.table:
        from specdemo.auditor.vectors.table import table

        options.table.write_text(table(vectors), encoding="utf-8")
        return 0
    if not options.check:
        _list(vectors, options.json)
        return 0
    from specdemo.auditor.leaving import no_way_out

    # Whatever a subject prints must not get between the report and who reads it.
    with contextlib.redirect_stdout(sys.stderr), no_way_out():
        report = _checked(options, vectors)
    if report.answered == 0:
        raise RuntimeError(
            f"{report.subject} answers no vector ({report.failures[0].why}). It is given one block at a time: numpy arrays "
            "tokens (γ,), draft (γ, V), target (γ+1, V) and uniforms (γ+1,)"
        )
    print(json.dumps(report.to_json(), ensure_ascii=False, indent=2) if options.json else report_text(report))
    if not report.passed and options.dtype == "float64" and not options.json:
        with contextlib.redirect_stdout(sys.stderr), no_way_out():
            rounded = _checked(argparse.Namespace(**{**vars(options), "dtype": "float32"}), vectors)
        if rounded.passed:
            print(
                f"with --dtype float32 it passes (to {rounded.tolerance:g}): an audit tells whether what is missing is rounding"
            )
    return 0 if report.passed else 1


def _write(folder: Path) -> int:
    from specdemo.auditor.vectors.files import write
    from specdemo.auditor.vectors.generate import generate

    for name, size in write(folder, generate()).items():
        print(f"{size:>9,}  {folder / name}")
    return 0


def _list(vectors: Sequence[Vector], as_json: bool) -> None:
    rules = Counter(vector.case.rule for vector in vectors)
    tags = Counter(tag for vector in vectors for tag in vector.tags)
    if as_json:
        print(json.dumps({"vectors": len(vectors), "rules": rules, "tags": tags}, indent=2))
        return
    print(f"{len(vectors)} vectors")
    for title, counts in (("rule", rules), ("tag", tags)):
        print(f"\n{title}")
        for name, count in counts.most_common():
            print(f"  {name:<18} {count:>4}")


def _checked(options: argparse.Namespace, vectors: Sequence[Vector]) -> Report:
    from specdemo.auditor.vectors.check import check
    from specdemo.auditor.vectors.exact_rules import rules
    from specdemo.auditor.vectors.subject import subject_of
    from specdemo.verifiers import get, mistakes

    name: str = options.check
    thing: Any
    if ".py:" in name:
        from specdemo.cli.audit import loaded_function

        thing, own = loaded_function(name), name.rsplit(":", 1)[1]
    elif name.endswith(".py"):
        raise ValueError(f"which function of {name}? Name it: {name}:FUNCTION")
    else:
        thing = mistakes.get(name) if name in mistakes.names() else get(name)
        own = getattr(thing, "rule", name)
    rule = options.rule or own
    if rule not in rules():
        raise ValueError(f"which rule should {name} follow? Say so with --rule: one of {', '.join(rules())}")
    return check(subject_of(name, thing), rule, vectors, options.dtype, options.tolerance)


def report_text(report: Report) -> str:
    """The report in lines for a person."""
    verdict = "passes" if report.passed else f"FAILS {len(report.failures)} of"
    lines = [f"{report.subject} {verdict} {report.ran} vectors of the rule {report.rule} in {report.dtype}"]
    lines += [f"skipped {count}: {reason}" for reason, count in report.skipped.items()]
    if report.skipped:
        lines.append(f"(tolerance: margin × condition ≥ {report.tolerance:g})")
    for failure in report.failures[:SHOWN_FAILURES]:
        lines.append(f"  {failure.vector.case.name}: {failure.why}  [{', '.join(failure.vector.tags)}]")
    if len(report.failures) > SHOWN_FAILURES:
        lines.append(f"  … and {len(report.failures) - SHOWN_FAILURES} more")
    if report.failures:
        tags = Counter(tag for failure in report.failures for tag in failure.vector.tags)
        lines.append("most frequent tags: " + ", ".join(f"{tag} {count}" for tag, count in tags.most_common(6)))
        lines.append("likely mistake: " + _likely_text(report))
    return "\n".join(lines)


def _likely_text(report: Report) -> str:
    if report.likely is None:
        return "none of the gallery decides like this on half of the failures"
    likely = report.likely
    where = "on every vector" if likely.everywhere else f"on {likely.alike} of {len(report.failures)} failures"
    return f"{likely.name} (decides the same {where}). {likely.goes_wrong}" + (
        f" See {likely.issue}." if likely.issue else ""
    )
