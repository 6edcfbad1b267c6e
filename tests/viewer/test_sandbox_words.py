"""The catalogue's English of rules and presets is that of the records, and the words that quote a button are the button's."""

from __future__ import annotations

import re
import shutil
from typing import Any

import pytest

from specdemo import verifiers
from specdemo.sandbox.picture import GOES_WRONG, unseen
from specdemo.sandbox.presets import presets
from specdemo.verifiers import mistakes
from specdemo.verifiers.mistakes import Mistake
from tests.viewer.javascript import call
from tests.viewer.test_words import MODULE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: it reads the catalogues' folder"),
]
# By the words that quote them, the labels quoted.
QUOTED = {
    "chapter.residual.do": ["sandbox.pouring.everywhere", "sandbox.pour.target"],
    "chapter.transport.do": ["picture.coupling.difference"],
    "chapter.long_run.do": ["longrun.title", "longrun.compute"],
    "chapter.mistakes.do": ["audit.start"],
    "reading.hands": ["sandbox.normalise"],
    "audit.other": ["audit.start"],
}
QUOTES = {"en": "“{}”", "da": "»{}«", "ja": "「{}」"}


@pytest.fixture(scope="module")
def words(request: pytest.FixtureRequest) -> dict[str, dict[str, str]]:
    """By language, all of its words by key."""
    found = call(request, MODULE, "return (await m.catalogues()).words;", None)
    return {name: {key: text for part in parts.values() for key, text in part.items()} for name, parts in found.items()}


def test_rules_are_called_as_in_the_records(request: pytest.FixtureRequest, words: dict[str, dict[str, str]]) -> None:
    rules: list[Any] = [verifiers.get(name) for name in [*verifiers.names(), *mistakes.names()]]
    records = [[rule.name, rule.title, rule.goes_wrong if isinstance(rule, Mistake) else None] for rule in rules]
    body = (
        """return payload.map(([name]) => [m.ruleWords(name), m.ruleTitle(name, "?"), m.mistakeWords(name, null)]);"""
    )
    assert call(request, "rule_gallery.js", body, records) == [
        [name.replace("_", " "), title, wrong] for name, title, wrong in records
    ]
    body = (
        "return payload.map((name) => [m.lossyWords(name, null), m.ruleWords('of_others'), m.mistakeWords('x', 'y')]);"
    )
    assert call(request, "rule_gallery.js", body, list(GOES_WRONG)) == [
        [wrong, "of others", "y"] for wrong in GOES_WRONG.values()
    ]
    entries = {re.sub("_in_token$", "", name) for name in mistakes.names()}
    assert {key.split(".")[1] for key in words["en"] if re.fullmatch(r"mistake\..*\.wrong", key)} == entries
    assert {unseen(rule) for rule in rules} - {None} == {words["en"]["sandbox.kind.unseen"]}
    assert words["en"]["picture.mistake.unseen"].endswith(words["en"]["sandbox.kind.unseen"])


def test_a_name_that_is_its_title_is_said_once(request: pytest.FixtureRequest) -> None:
    body = "return payload.map((name) => m.titled(name, { title: '' }));"
    assert call(request, "sandbox/sandbox_words.js", body, ["product_of_uniforms", "residual_without_weight"]) == [
        "Product of uniforms",
        "residual without weight · Residual without its weight",
    ]


def test_presets_are_called_as_in_the_records(request: pytest.FixtureRequest) -> None:
    records = [{key: preset[key] for key in ("name", "title", "about")} for preset in presets(seed=7)]
    body = "return payload.map((one) => [m.titleOf({ ...one, title: /[0-9]*$/.exec(one.title)[0] }), m.aboutOf({ ...one, about: '' })]);"
    assert call(request, "sandbox/presets.js", body, records) == [[one["title"], one["about"]] for one in records]
    own = {"name": "constructor", "title": "Own", "about": "Mine."}
    assert call(request, "sandbox/presets.js", "return [m.titleOf(payload), m.aboutOf(payload)];", own) == [
        "Own",
        "Mine.",
    ]


@pytest.mark.parametrize("language", list(QUOTES))
def test_what_is_quoted_is_what_the_button_says(words: dict[str, dict[str, str]], language: str) -> None:
    own = words[language]
    for key, labels in QUOTED.items():
        for label in labels:
            quoted = QUOTES[language].format(own[label]) if key != "audit.other" or language != "en" else own[label]
            assert quoted in own[key], (key, label)


def test_numbers_of_a_sentence_are_told_apart_where_they_differ(request: pytest.FixtureRequest) -> None:
    given = [
        [1.997001, 1.9973, 1.99731],
        [1.5, 1.25, 1.75],
        [2.0, 2.0, 2.0],
        [0.1234567891, 0.1234567894, 1],
        [0.333333, 0.333334, 0.5],
    ]
    found = call(request, "sandbox/headline.js", "return payload.map(m.apartTexts);", given)
    assert found[:3] == [["1.99700", "1.99730", "1.99731"], ["1.50", "1.25", "1.75"], ["2.00", "2.00", "2.00"]]
    assert found[3][0] == found[3][1], "differences below 10⁻⁹ are rounding"
    assert found[4] == ["0.333333", "0.333334", "0.500000"]
