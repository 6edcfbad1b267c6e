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
from specdemo.auditor.trees import World
from specdemo.verifiers import register
from specdemo.verifiers.greedy_block import GreedyBlockVerifier
from tests.auditor import foreign
from tests.auditor.shown import assert_shown
from tests.auditor.test_program import PYTHON


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits of three worlds alone, with few texts."""

    def chosen(budget: str, feed: Any, seed: int, *_: Any) -> list[World]:
        sizes = (("two_symbols", 2, 1), ("plain", 2, 2), ("model_c", 3, 2))
        return [World(kind, size, (gamma,), seed, feed) for kind, size, gamma in sizes]

    monkeypatch.setattr(run, "worlds", chosen)
    monkeypatch.setitem(run._TEXTS, "quick", 500)


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


@pytest.mark.parametrize("form", ["ragged", "batched"])
def test_of_a_row_that_goes_wrong_in_company_only(form: str, few_worlds: None) -> None:
    """A uniform of 0 after a longer block (ragged) or after a row with another first token gives a token past the vocabulary."""

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
        kept, following = foreign.ragged_token_rule(tokens, draft, target, uniforms)
        for i in range(1, len(kept)):
            before, own = list(tokens[i - 1]), list(tokens[i])
            if uniforms[i][0] == 0 and (len(before) > len(own) if form == "ragged" else before[0] != own[0]):
                following[i] = target[i].shape[1]
        return kept, following

    report = audit(verify, form=form)
    assert not report.lossless and set(report.problem_counts) == {"next token out of range"}
    printed = output_of(report, verify=verify)
    found = re.findall(r"row 1 of 2: \(\d+, (\d+)\)", printed)
    assert found == [str(len(report.problems[0].question.block.target[0]))], printed
    assert "change from call to call" not in (report.counterexample or "")


def test_of_what_is_answered_well_when_it_is_asked_again(few_worlds: None) -> None:
    calls = 0

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        nonlocal calls
        calls += 1
        return (0, 99) if calls % 397 == 0 else foreign.token_rule(tokens, draft, target, uniforms)

    report = audit(verify)
    assert not report.lossless and report.verdict == "statistical" and "not deterministic" in report.reason
    assert report.nearest is None and "change from call to call" in report.notes[-1]
    assert "change from call to call" in (report.counterexample or "")


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
