"""Hostile traces at the page's own importer (assets/viewer/validate.js), by the thousand: refused in words, never by an accident."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzzing.doors import LONGEST_SENTENCE, trace
from tests.fuzzing.hostile import damaged
from tests.viewer.javascript import call

CHECK = """
return payload.map((text) => {
  const began = performance.now();
  try {
    const trace = m.validTrace(JSON.parse(text));
    return { accepted: true, blocks: trace.blocks.length };
  } catch (error) {
    return { accepted: false, kind: error.constructor.name, words: error.message, milliseconds: performance.now() - began };
  }
});
"""


def damaged_traces(count: int) -> list[str]:
    """Texts of damaged traces that are JSON."""
    found: list[str] = []

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(damaged([trace()]))
    def collect(record: Any) -> None:
        text = json.dumps(record)
        try:
            json.loads(text, parse_constant=_refuse)
        except ValueError:
            return
        found.append(text)

    collect()
    return found


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def check(request: pytest.FixtureRequest, texts: list[str]) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = call(request, "validate.js", CHECK, texts)
    assert len(answers) == len(texts)
    for text, answer in zip(texts, answers, strict=True):
        if not answer["accepted"]:
            # A TypeError would be an accident: something was read before it was looked at.
            assert answer["kind"] in ("Wrong", "NotAnExport"), (answer, text[:300])
            assert 0 < len(answer["words"]) <= LONGEST_SENTENCE and answer["milliseconds"] < 5000
    return answers


def test_damaged_traces_are_refused_in_words(request: pytest.FixtureRequest) -> None:
    answers = check(request, [json.dumps(trace()), *damaged_traces(60)])
    assert answers[0] == {"accepted": True, "blocks": len(trace()["blocks"])}
    assert sum(not answer["accepted"] for answer in answers) > len(answers) // 2


@pytest.mark.slow
def test_thousands_of_damaged_traces_are_refused_in_words(request: pytest.FixtureRequest) -> None:
    texts = damaged_traces(3000)
    random.Random(0).shuffle(texts)
    for first in range(0, len(texts), 500):
        check(request, texts[first : first + 500])


def test_huge_deep_and_foreign_traces_are_refused_quickly(request: pytest.FixtureRequest) -> None:
    run = trace()
    million = {**run, "prompt": {**run["prompt"], "ids": [0] * 10**6}}
    many = {**run, "blocks": run["blocks"] * 800}
    script = json.loads(json.dumps(run))
    script["schema"] = "<script>alert(1)</script>"
    deep: Any = 0
    for _ in range(400):
        deep = [deep]
    foreign: list[Any] = [
        {"schema": "specdemo.trace/2"},
        {},
        [],
        None,
        7,
        "x",
        {"schema": None},
        {"schema": run["schema"], "pair": deep},
    ]
    answers = check(request, [json.dumps(one) for one in (many, script, *foreign)])
    assert not any(answer["accepted"] for answer in answers)
    # A million ids are numbers like any others, if the blocks begin after them: these do not.
    assert not check(request, [json.dumps(million)])[0]["accepted"]
