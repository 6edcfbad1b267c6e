"""The counterexample really runs, as a file of its own, and shows what the report says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from specdemo.auditor import ProgramSubject, audit, run
from specdemo.auditor.report import AuditReport
from specdemo.verifiers import register
from specdemo.verifiers.greedy_block import GreedyBlockVerifier
from tests.auditor import foreign
from tests.auditor.shown import assert_shown
from tests.auditor.test_program import PYTHON


def output_of(report: AuditReport, **names: Any) -> str:
    """What the counterexample prints, with `names` already defined."""
    assert report.counterexample is not None
    printed: list[str] = []
    exec(report.counterexample, {"print": lambda *words, **how: printed.append(" ".join(map(str, words))), **names})
    return "\n".join(printed)


def assert_shows_difference(printed: str) -> None:
    right, got = (float(number) for number in re.findall(r"(?:right|got) ([0-9.]+)", printed))
    assert got > right + 1e-3, printed


@pytest.mark.parametrize(
    "name", ["residual_without_weight", "correction_from_target_in_token", "break_at_first_failure"]
)
def test_of_registered_rules(name: str) -> None:
    assert_shows_difference(output_of(audit(name)))


@pytest.mark.parametrize("array", ["torch float32", "lists"])
def test_of_functions(array: str) -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        kept, _ = foreign.token_law(tokens, draft, target, uniforms)
        return kept, foreign.pick(target[kept], uniforms[-1])

    assert_shows_difference(output_of(audit(verify, array=array), verify=verify))


def test_of_a_law() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        kept, _ = foreign.token_law(tokens, draft, target, uniforms)
        return kept, target[kept]

    assert_shows_difference(output_of(audit(verify), verify=verify))


def test_of_a_batch() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
        kept, _ = foreign.batched_token_rule(tokens, draft, target, uniforms)
        laws = target[range(len(kept)), kept]
        return kept, [foreign.pick(law, u) for law, u in zip(laws, uniforms[:, -1], strict=True)]

    assert_shows_difference(output_of(audit(verify), verify=verify))


def test_of_a_seeded_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(run._TEXTS, "quick", 4000)
    verify = foreign.seeded(foreign.token_rule_correcting_from_target)
    assert_shown(audit(verify), verify=verify)


def test_of_a_program() -> None:
    assert_shows_difference(output_of(audit(ProgramSubject([*PYTHON, "from_target"]))))


def test_of_an_edge() -> None:
    printed = output_of(audit(foreign.token_rule_accepting_equals))
    assert "which the target never emits" in printed and "(1, " in printed


def test_of_a_rule_that_remembers_wrongly() -> None:
    class Forgetful(GreedyBlockVerifier):
        """Right in its first block, whose memory it halves."""

        name = "forgetful_greedy_block"
        lossless = "never"  # type: ignore[assignment]

        def core_plan(self, tokens: Any, draft: Any, target: Any, memory: Any = None) -> Any:
            halved = None if memory is None else [[ratio / 2, left] for ratio, left in memory]
            return super().core_plan(tokens, draft, target, halved)

    from specdemo.verifiers.registry import _registry

    register(Forgetful())
    try:
        report = audit("forgetful_greedy_block")
        assert not report.lossless
        assert_shows_difference(output_of(report))
    finally:
        del _registry["forgetful_greedy_block"]


def test_as_a_file_of_its_own(tmp_path: Path) -> None:
    report = audit(foreign.block_rule_with_token_residual)
    assert report.counterexample is not None and "from tests.auditor.foreign import" in report.counterexample
    file = tmp_path / "counterexample.py"
    file.write_text(report.counterexample, encoding="utf-8")
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, str(file)], cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert_shows_difference(done.stdout)
