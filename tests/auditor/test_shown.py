"""Every counterexample is run as it is printed, and shows the error that the report tells."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.auditor import ProgramSubject, audit, run, snippet
from specdemo.auditor.forms import as_subject
from specdemo.auditor.sources import source_of
from specdemo.auditor.texts import result_of
from specdemo.auditor.trees import World
from tests.auditor import foreign, wrong_subjects
from tests.auditor.shown import assert_shown, printed_by
from tests.auditor.test_program import PYTHON


@pytest.mark.parametrize("verify", wrong_subjects.PLAIN)
def test_answers_that_are_none_are_shown(verify: Callable[..., Any]) -> None:
    assert_shown(audit(verify))


@pytest.fixture
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sampled worlds in a fraction of the time; these subjects are far off."""
    monkeypatch.setitem(run._TEXTS, "quick", 2000)


@pytest.mark.parametrize("verify", wrong_subjects.IN_COMPANY)
def test_what_goes_wrong_in_company_is_shown_in_company(verify: Callable[..., Any], few_texts: None) -> None:
    report = audit(verify)
    assert report.verdict == "statistical" and "512 rows a call" in report.reason
    assert_shown(report)


def cut_to_the_shortest(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    rows = [[np.asarray(values) for values in row] for row in zip(tokens, draft, target, uniforms, strict=True)]
    decided = [foreign.token_rule(*row) for row in rows]
    return [min(kept for kept, _ in decided)] * len(rows), [token for _, token in decided]


@pytest.mark.parametrize("array", ["numpy float32", "torch float32", "lists"])
def test_other_arrays(array: str, few_texts: None) -> None:
    assert_shown(audit(cut_to_the_shortest, array=array, form="batched"))


@pytest.mark.parametrize(
    "verify",
    [
        foreign.token_rule_by_product,
        foreign.seeded(foreign.token_rule_correcting_from_target),
        foreign.token_rule_accepting_equals,
        foreign.block_rule_with_token_residual,
    ],
)
def test_other_verdicts(verify: Callable[..., Any], few_texts: None) -> None:
    assert_shown(audit(verify), verify=verify)


def test_of_sampled_laws(few_texts: None) -> None:

    def verify(tokens: Any, draft: Any, target: Any, seed: int) -> tuple[int, Any]:
        kept, _ = foreign.seeded(foreign.token_law)(tokens, draft, target, seed)
        return kept, target[kept]

    assert_shown(audit(verify), verify=verify)


@pytest.mark.parametrize("mode", ["from_target", "error"])
def test_of_programs(mode: str) -> None:
    assert_shown(audit(ProgramSubject([*PYTHON, mode])))


def test_where_there_are_many_cells_one_call_stands_for_those_that_are_answered_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        return 0, int(20 * uniforms[0]) % 2

    subject = as_subject(verify)
    result = result_of(subject, World("two_symbols", 2, (1,)), np.random.default_rng(0), random_points=400)
    source = source_of(subject, None)
    long = snippet.law_snippet(subject, source, result)
    monkeypatch.setattr(snippet, "MAX_RUNS", 19)
    short = snippet.law_snippet(subject, source, result)
    assert "answered alike" in short and "answered alike" not in long
    assert long.count("\n") == short.count("\n") + 18
    assert printed_by(short, verify=verify) == printed_by(long, verify=verify)


def test_a_way_out_is_told_before_it_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "leaves.py"
    file.write_text("import os\n\n\ndef verify(tokens, draft, target, uniforms):\n    os._exit(0)\n", encoding="utf-8")
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-m", "specdemo", "audit", f"{file}:verify", "--form", "plain"]
    environment = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and "raises SystemExit: os._exit(0) (leaves.py:5)" in done.stdout, done
    program = tmp_path / "counterexample.py"
    program.write_text(done.stdout.split("as a program:\n\n")[1], encoding="utf-8")
    shown = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=environment)
    assert shown.stdout.startswith("wrong: raises SystemExit: os._exit(0)"), shown
