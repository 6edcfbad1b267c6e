"""The snippets of docs/lecture.md run one after another, and print what stands there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

DOCUMENT = (Path(__file__).parents[1] / "docs" / "lecture.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```python( models)?\n(.*?)^```", DOCUMENT, flags=re.DOTALL | re.MULTILINE)


def run(snippets: list[str], names: dict[str, Any]) -> int:
    """How many examples ran; a wrong output fails the test with doctest's words."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    said: list[str] = []
    for number, snippet in enumerate(snippets, 1):
        # A test gets a copy of the names otherwise, and later snippets need what earlier ones have defined.
        test = parser.get_doctest(snippet, {}, f"snippet {number}", "docs/lecture.md", 0)
        test.globs = names
        runner.run(test, out=said.append, clear_globs=False)
    assert runner.failures == 0, "".join(said)
    return runner.tries


def test_the_snippets_run() -> None:
    snippets = [text for kind, text in SNIPPETS if not kind]
    assert len(snippets) >= 12
    assert run(snippets, {}) == sum(text.count(">>> ") for text in snippets)


@pytest.mark.slow
def test_the_snippet_with_models_runs() -> None:
    import specdemo

    (snippet,) = (text for kind, text in SNIPPETS if kind)
    assert run([snippet], {"specdemo": specdemo}) == 3
