"""What the report says to somebody whose verifier has a mistake that is not in the gallery, or cannot be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from specdemo.auditor import CouldNotRun, ProgramSubject, audit
from specdemo.cli import main
from tests.auditor.foreign import pick, token_rule


def bonus_from_the_last_row(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """The bonus comes from the row of the last drafted token, as where the target's rows are shifted."""
    kept, following = token_rule(tokens, draft, target, uniforms)
    return kept, pick(target[kept - 1], uniforms[-1]) if kept and kept == len(tokens) else following


def no_empty_blocks(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    if len(tokens) == 0:
        raise IndexError("no tokens")
    return token_rule(tokens, draft, target, uniforms)


def residual_over_zero(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """Right but where rounding refuses a token of equal laws: its residual is empty."""
    for i, token in enumerate(tokens):
        if not uniforms[i] < target[i, token] / draft[i, token]:
            residual = np.maximum(target[i] - draft[i], 0)
            with np.errstate(invalid="ignore"):
                return i, residual / residual.sum()
    return len(tokens), target[len(tokens)]


def leaves(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    raise SystemExit(0)


def always_the_last_token(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    return 0, target.shape[1] - 1


def test_a_mistake_unlike_any_known_one_is_given_no_name() -> None:
    report = audit(always_the_last_token)
    assert not report.lossless and report.nearest is None and report.counterexample


def test_a_known_mistake_is_named() -> None:
    report = audit(bonus_from_the_last_row)
    assert not report.lossless and report.nearest is not None and report.nearest.name == "bonus_from_wrong_row_in_token"


def test_only_empty_blocks_go_wrong() -> None:
    report = audit(no_empty_blocks)
    assert not report.lossless and report.nearest is None
    assert "IndexError: no tokens (test_messages.py:" in report.problems[0].message
    assert "--minimum-gamma 1" in report.text()
    assert audit(no_empty_blocks, minimum_gamma=1).lossless
    assert "--minimum-gamma" not in audit(bonus_from_the_last_row).text()


def test_a_right_law_with_an_impossible_answer_is_said_to_be_that() -> None:
    report = audit(residual_over_zero)
    assert not report.lossless and set(report.problem_counts) == {"non-finite"}
    assert "the text's law is right, but" in report.text() and "worst:" not in report.text()


def test_the_smallest_offending_block_is_shown() -> None:
    def one_too_many(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        kept, following = token_rule(tokens, draft, target, uniforms)
        return kept + 1, following

    assert len(audit(one_too_many).problems[0].question.block.tokens) == 0


def test_a_verifier_that_ends_the_process_could_not_run() -> None:
    with pytest.raises(CouldNotRun, match=r"plain, ragged, batched: raises SystemExit: 0 \(test_messages.py:"):
        audit(leaves)


@pytest.mark.parametrize("subject", ["block", ProgramSubject(["true"])])
def test_a_form_is_for_functions(subject: Any) -> None:
    with pytest.raises(ValueError, match="'plain' is for functions"):
        audit(subject, form="plain")


NEIGHBOURS = {
    "rules_of_mine.py": "def wrong(tokens, draft, target, uniforms):\n    return 0, int(uniforms[-1] * target.shape[1])\n",
    "engine_of_mine.py": "import rules_of_mine\n\nprint('loaded')\n\n\ndef verify(*block):\n"
    "    print('asked')\n    return rules_of_mine.wrong(*block)\n",
}


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    for name, text in NEIGHBOURS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "engine_of_mine.py"


def test_the_counterexample_finds_the_neighbours_of_the_file(engine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", f"{engine}:verify", "--json", "-"]) == 1
    printed = capsys.readouterr()
    assert "asked" in printed.err
    counterexample = json.loads(printed.out)["counterexample"]
    assert f"sys.path.insert(0, {str(engine.parent)!r})" in counterexample
    run: Callable[..., Any] = exec
    run(compile(counterexample, "counterexample", "exec"), {})
    assert capsys.readouterr().out.splitlines()[-1].startswith("the text starts with")


@pytest.mark.parametrize("command", [["audit"], ["vectors", "--check"]])
def test_a_file_without_its_function(command: list[str], engine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, str(engine)]) == 2
    assert f"Name it: {engine}:FUNCTION" in capsys.readouterr().err
