"""What to use, as the page says it: the terminal's sentences in English, from the same record, and the figures by their places in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from specdemo.cli.lab_choice import choice_words, context_words
from tests.cli.test_lab_choice import MEASURED, line, prediction, summary_of_drafts
from tests.lab import test_sweep_context
from tests.viewer.javascript import call

GAIN = {"mean": 0.024, "low": 0.007, "high": 0.041}
PARTS = """const said = (parts) => parts.map((part) => (typeof part === "string" ? part : part.format(part.value))).join("");
  return payload.map(([choice, predictions]) => said(m.choiceParts({ choice, n: 0 }, predictions)));"""


def plain(words: str) -> str:
    """Without the percent signs that only one of the two writes inside brackets, and with one way of writing a number's sign."""
    return words.replace("\u202f%", "").replace("%", "").replace("−", "-").replace("’", "'").replace("_", " ")


def cases() -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    near, far = prediction("near", "token", [1.32, 1.3]), prediction("far", "block", [1.31, 1.2])
    flat, lossy = prediction("near", "block", [1.5, 1.64, 1.77]), prediction("near", "threshold", [1.9])
    found: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
        ({"best": 0, "lines": [line(0, "token", "greedy_block"), line(1, "block", nearly=True)]}, [near, far]),
        ({"best": 0, "lines": [line(0, "block", gain=GAIN, gamma=4)]}, [flat]),
        ({"best": 0, "lines": [line(0, "block", speedup=None, verdict=None, gamma=None)]}, [flat]),
        ({"best": 0, "lines": [line(0, "token", speedup={**MEASURED, "high": 40.0}, verdict="wide")]}, [near]),
        (
            {"best": 0, "lines": [line(0, "token", speedup={**MEASURED, "low": None, "high": None}, verdict="alone")]},
            [near],
        ),
        ({"best": None, "lines": [line(0, "threshold", lossless=False)]}, [lossy]),
    ]
    found += [({"best": 0, "lines": [line(0, "token", verdict=verdict)]}, [near]) for verdict in ("faster", "slower")]
    return found + [
        ({"best": 0, "lines": [line(0, "token")]}, [prediction("near", "token", [b * 1.1])])
        for b in (0.98, 0.998, 1.002)
    ]


def test_the_page_says_what_the_terminal_says(request: pytest.FixtureRequest) -> None:
    said = call(request, "lab/choice_words.js", PARTS, cases())
    for (choice, predictions), words in zip(cases(), said, strict=True):
        assert plain(words) == plain(choice_words(choice, predictions))


def test_the_figures_are_those_of_the_summary(request: pytest.FixtureRequest) -> None:
    summary = json.loads(json.dumps(summary_of_drafts()))
    body = """return [null, "cats"].map((task) => m.choicesOf(payload, task).map((one) =>
      m.choiceParts(one, payload.predictions).filter((part) => part.path).map((part) => [part.path, part.value])));"""
    for found in call(request, "lab/choice_words.js", body, summary):
        (parts,) = found
        assert len(parts) >= 4
        for path, value in parts:
            at: Any = {"summary": summary}
            for step in path.removeprefix("lab:/").split("/"):
                at = at[int(step)] if isinstance(at, list) else at[step]
            assert at == value, path


def test_a_record_of_before_has_no_choices(request: pytest.FixtureRequest) -> None:
    assert call(request, "lab/choice_words.js", "return m.choicesOf(payload, null);", {"predictions": []}) == []
    assert call(request, "lab/lab_words.js", "return m.contextWords(payload, 'x');", {"pair": {}}) == []


def test_what_the_context_cut_short_is_told_in_the_terminals_words(request: pytest.FixtureRequest) -> None:
    summary = test_sweep_context.summary()
    condition = summary["context"][0]["setting"]
    key = "|".join(
        str(condition[name]) for name in ("draft", "temperature", "top_k", "top_p", "max_new_tokens")
    ).replace("1.0", "1")
    said = call(
        request,
        "lab/lab_words.js",
        "return [m.contextWords(payload[0], payload[1]), m.contextWords(payload[0], 'x')];",
        [summary, key],
    )
    # The sentence on the one prompt is the models' own, in English: the page leaves it out.
    expected = [words.split(" (The prompt")[0] for words in context_words(summary, {})]
    assert [words.replace("’", "'") for words in said[0]] == expected and len(expected) == 3 and said[1] == []
