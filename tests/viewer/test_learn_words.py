"""The tour's words: every key that is used exists and every one that exists is used; links, values and formulas in them lead somewhere."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.viewer.javascript import VIEWER, call

pytestmark = pytest.mark.browser

MODULE = "../../tests/viewer/learn_questions.js"
FOLDER = VIEWER / "learn"
KEY = re.compile(r'["`]((?:learn|scene|guide|invite|links|glossary|question)\.[a-z_.]+)["`]')


@pytest.fixture
def catalogue(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = call(request, MODULE, "return m.catalogue();", None)
    return found


def sources() -> dict[str, str]:
    files = FOLDER.rglob("*.js")
    return {file.relative_to(FOLDER).as_posix(): file.read_text() for file in files}


def test_the_catalogue_is_complete_and_has_nothing_else(catalogue: dict[str, Any]) -> None:
    used = {key for text in sources().values() for key in KEY.findall(text)} | set(catalogue["keys"])
    # One key is put together: the marks of a list, by the names of the two lists of progress.
    assert "say(`learn.${mark}`)" in sources()["contents.js"]
    used |= {"learn.answered", "learn.seen"}
    assert used - set(catalogue["english"]) == set()
    assert set(catalogue["english"]) - used == set()
    assert all(
        text.strip() == text or key in ("links.about", "glossary.papers") or text.endswith(" ")
        for key, text in catalogue["english"].items()
    )


def test_marks_in_the_words_lead_somewhere(catalogue: dict[str, Any]) -> None:
    terms, formulas = {term["id"] for term in catalogue["terms"]}, set(catalogue["formulas"])
    used = set(catalogue["chapterFormulas"]) | {term["formula"] for term in catalogue["terms"] if term["formula"]}
    for key, parts in catalogue["parts"].items():
        for part in parts:
            if isinstance(part, str):
                assert not re.search(r"[{}$`]|\]\(", re.sub(r"\{\w+\|[^{}]*\}", "", part)), (key, part)
            elif part["kind"] == "term":
                assert part["more"] in terms, (key, part)
            elif part["kind"] == "formula":
                used.add(part["text"])
    assert catalogue["parts"]["term.uniform.text"][0].startswith("A random number in [0, 1)")
    assert used == formulas == used | formulas
    assert catalogue["parsed"] == len(formulas)


def test_every_value_of_a_question_is_given(catalogue: dict[str, Any]) -> None:
    source = sources()
    for key, parts in catalogue["parts"].items():
        if not key.startswith("question."):
            continue
        (text,) = (text for name, text in source.items() if f'"{key}"' in text)
        values = {part["text"] for part in parts if not isinstance(part, str) and part["kind"] == "value"}
        for value in values:
            assert re.search(rf"\b{value}\b\s*[:,}}]", text), (key, value)


def test_terms_name_papers_chapters_and_places_that_exist(catalogue: dict[str, Any]) -> None:
    terms = {term["id"]: term for term in catalogue["terms"]}
    assert len(terms) == len(catalogue["terms"]) >= 30
    assert all(term["chapter"] is None or term["chapter"] in catalogue["chapters"] for term in terms.values())
    assert {paper for term in terms.values() for paper in term["papers"]} == set(catalogue["papers"])
    for named in (*catalogue["pictures"].values(), [*catalogue["symbols"].values()]):
        assert set(named) <= set(terms)
    frames = "".join(file.read_text() for file in VIEWER.rglob("*.js") if "learn" not in file.parts)
    assert all(f'name: "{picture}"' in frames for picture in catalogue["pictures"])
    shown = {
        part["more"]
        for key, parts in catalogue["parts"].items()
        if key.startswith("chapter.")
        for part in parts
        if not isinstance(part, str) and part["kind"] == "term"
    }
    assert len(shown) > 18


def test_progress_survives_what_storage_may_hold(request: pytest.FixtureRequest) -> None:
    empty, odd, fine = call(
        request, MODULE, "return m.progressOf(payload);", [None, '[{"seen": 3}', '{"seen": ["why", 3], "at": 5}']
    )
    assert empty == odd and fine["seen"] == ["why"] and fine["at"] is None
    for full in (False, True):
        told = call(request, MODULE, "return m.progressIn(payload);", full)
        assert told["before"]["answered"] == ["why"] and told["before"]["at"] == "law"
        assert told["again"]["answered"] == ([] if full else ["why"])
        assert told["after"]["seen"] == [] and told["after"]["dismissed"]
