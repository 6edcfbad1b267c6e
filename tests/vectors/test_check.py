"""The checker: right functions pass, wrong ones fail with the mistake's name, and what cannot run says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.auditor.vectors.check import check
from specdemo.auditor.vectors.load import load
from specdemo.auditor.vectors.record import Vector
from specdemo.auditor.vectors.subject import subject_of
from specdemo.cli import main
from specdemo.verifiers import get, mistakes


@pytest.fixture(scope="module")
def vectors() -> Sequence[Vector]:
    return load()


def by_law(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    verdict = get("block").verify(tokens, draft, target, uniforms)
    return verdict.accepted, verdict.next_law


def with_memory(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> tuple[int, int]:
    verdict = get("greedy_block").verify(tokens, draft, target, uniforms, memory)
    return verdict.accepted, verdict.next_token


def without_memory(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
    verdict = get("greedy_block").verify(tokens, draft, target, uniforms)
    return verdict.accepted, verdict.next_token


def test_laws_and_memories_are_checked(vectors: Sequence[Vector]) -> None:
    assert check(subject_of("by_law", by_law), "block", vectors).passed
    assert check(subject_of("with_memory", with_memory), "greedy_block", vectors).passed
    forgetful = check(subject_of("without_memory", without_memory), "greedy_block", vectors)
    assert not forgetful.passed
    assert forgetful.likely is not None and forgetful.likely.name == "greedy_without_continuation"


@pytest.mark.parametrize("name", mistakes.names())
def test_every_mistake_fails_and_is_named(vectors: Sequence[Vector], name: str) -> None:
    mistake = mistakes.get(name)

    def foreign(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        verdict = mistake.verify(tokens, draft, target, uniforms)
        return verdict.accepted, verdict.next_token

    report = check(subject_of(name, foreign), mistake.rule, vectors, "float32")
    assert not report.passed
    assert report.likely is not None and report.likely.name == name and report.likely.everywhere


def test_a_function_that_raises_fails(vectors: Sequence[Vector]) -> None:
    def raises(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
        raise RuntimeError("not today")

    report = check(subject_of("raises", raises), "token", vectors)
    assert len(report.failures) == report.ran and report.likely is None
    assert "not today" in report.failures[0].why


def test_an_option_in_the_fifth_place_is_no_memory(vectors: Sequence[Vector]) -> None:
    def with_option(tokens: Any, draft: Any, target: Any, uniforms: Any, weighted: bool = True) -> tuple[int, int]:
        verdict = get("block" if weighted else "residual_without_weight").verify(tokens, draft, target, uniforms)
        return verdict.accepted, verdict.next_token

    assert check(subject_of("with_option", with_option), "block", vectors).passed


def test_a_function_that_answers_nothing_could_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "batched_verifier.py"
    file.write_text("def verify(tokens, *rest):\n    rows, columns = tokens.shape\n", encoding="utf-8")
    assert main(["vectors", "--check", f"{file}:verify", "--rule", "token"]) == 2
    error = capsys.readouterr().err
    assert "answers no vector" in error and "(batched_verifier.py:2)" in error and error.count("\n") == 1


def test_tolerance_zero_runs_the_knife_edges(vectors: Sequence[Vector]) -> None:
    usual, all_of_them = (check(subject_of("token", get("token")), "token", vectors, tolerance=t) for t in (None, 0.0))
    assert all_of_them.passed and not all_of_them.skipped
    assert all_of_them.ran == usual.ran + sum(usual.skipped.values()) > usual.ran


FOREIGN = '''
import numpy as np

def block(tokens, draft, target, uniforms):
    """The token rule under a wrong name."""
    i = 0
    while i < len(tokens) and uniforms[i] < target[i, tokens[i]] / draft[i, tokens[i]]:
        i += 1
    law = target[i] if i == len(tokens) else np.maximum(target[i] - draft[i], 0)
    law = law / law.sum() if law.sum() > 0 else target[i]
    return i, int(min(np.searchsorted(np.cumsum(law), uniforms[-1], side="right"), np.flatnonzero(law)[-1]))

verify = block
'''


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "foreign_verifier.py"
    file.write_text(FOREIGN, encoding="utf-8")
    assert main(["vectors", "--check", f"{file}:verify", "--rule", "token", "--dtype", "float32"]) == 0
    assert "passes 95 vectors" in capsys.readouterr().out
    assert main(["vectors", "--check", f"{file}:block", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["rule"] == "block" and report["failures"][0]["tags"] and not report["passed"]
    assert main(["vectors", "--check", "residual_without_weight"]) == 1
    assert "likely mistake: residual_without_weight" in capsys.readouterr().out
    for arguments, says in [
        ((f"{file}:verify",), "--rule"),
        ((f"{file}:nothing",), "no function"),
        (("blok",), "choose one of"),
        (("block", "--from", str(tmp_path)), "holds no"),
    ]:
        assert main(["vectors", "--check", *arguments]) == 2
        assert says in capsys.readouterr().err
    assert main(["vectors"]) == 0
    assert "eta_zero" in capsys.readouterr().out


def test_float16_says_what_it_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "--check", "block", "--dtype", "float16"]) == 0
    out = capsys.readouterr().out
    assert "skipped" in out and "margin × condition" in out
    assert np.float16(1 - 2.0**-20) == 1  # why some uniforms cannot be run


def test_laws_in_float32_are_told_which_arrays_they_pass_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rounds.py"
    file.write_text("from tests.auditor.single_precision import by_product as verify\n", encoding="utf-8")
    assert main(["vectors", "--check", f"{file}:verify", "--rule", "token"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("with --dtype float32 it passes (to 1e-05)")
