"""The catalogues of all languages against each other and against the code that uses them, and the choice of a language."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.viewer.javascript import VIEWER, call

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: it reads the catalogues' folder"),
]

MODULE = "../../tests/viewer/words_catalogues.js"
MOUNTING = Path(__file__).parents[2] / "specdemo" / "pages" / "mounting.py"
TEACHER_SAME = {
    **dict.fromkeys(("bet.number", "bet.token", "bet.rule", "handout.setting"), "only slots"),
    **dict.fromkeys(("control.gamma", "control.top_k", "control.top_p"), "only a sign"),
}
# Words that are the same in another language, because it has taken them over or writes them alike.
SAME = {
    "da": {
        "viewer.between": "only a sign",
        "frame.lab": "said so in Danish",
        "frame.audit": "said so in Danish",
        "learn.position": "the same word",
        "drawn.coupling.fate.end": "only a sign",
        "drawn.others_short": "only a sign",
        "drawn.position.head.times": "said so in Danish",
        "drawn.position.rest": "the same word",
        "example.same_law.title": "the models' names",
        "formula.decided": "only slots",
        "column.kind.bonus": "the same word",
        "column.wrong": "only slots",
        "compare.gained.value": "the same word",
        "compare.key.apart": "the keys' names",
        "compare.next.kind": "only slots",
        "compare.picture.caption": "only slots",
        "lab.count.seed": "said so in Danish",
        "lab.count.seeds": "said so in Danish",
        "lab.saved.page": "the page's name",
        "lab.semicolon": "only a sign",
        "lab.start": "the same word",
        "lawcheck.next.label_rule": "the same words",
        "lawcheck.target": "said so in Danish",
        "lawcheck.tip.target": "said so in Danish",
        "link.field.position": "the same word",
        "link.field.token": "the same word",
        "link.named": "only slots",
        "link.sentences": "only slots",
        "measure.named": "only slots",
        "measure.prompts": "said so in Danish",
        "measure.seed": "said so in Danish",
        "measure.sentences": "only slots",
        "racing.column.rate": "the same word",
        "racing.dot": "only slots",
        "racing.kind.bonus": "the same word",
        "racing.prompts": "said so in Danish",
        "racing.seeds": "said so in Danish",
        "racing.set": "said so in Danish",
        "racing.texts.tokens": "the same word",
        "rule.token.name": "the same word",
        "audit.column.optimum": "the same word",
        "audit.deviation.exact": "the same word",
        "audit.tolerance": "the same word",
        "picture.cell.optimum": "the same word",
        "picture.coupling.role": "the same word",
        "picture.mistake.tv": "the same words",
        "picture.node.next": "only slots",
        "preset.identical.title": "the models' names",
        "sandbox.bar": "only slots",
        "sandbox.card.optimum": "the same word",
        "sandbox.elsewhere.entry": "only slots",
        "sandbox.elsewhere.row": "only slots",
        "sandbox.entry.problem": "only slots",
        "sandbox.line.all": "only slots",
        "sandbox.sentences": "only slots",
        "sandbox.side.draft": "said so in Danish",
        "sandbox.side.target": "said so in Danish",
        "sandbox.size_no": "only slots",
        "sandbox.spoken.fraction": "the same word",
        "sandbox.spoken.rule": "only slots",
        "sandbox.which.position": "the same word",
        "sandbox.which.start": "the same word",
        "saved.fact.prompt": "said so in Danish",
        "saved.setting.seed": "said so in Danish",
        "step.bonus": "the same word",
        "step.pause": "the same word",
        "sweep.places.place": "the same words",
        "sweep.point": "only slots",
        "sweep.point_at": "only slots",
        "sweep.split.draft": "said so in Danish",
        "sweep.split.row_narrow": "the same words",
        "sweep.split.target": "said so in Danish",
        "sweep.status.minutes": "a unit",
        "sweep.status.seconds": "a unit",
        "sweep.table.prompts": "said so in Danish",
        "viewer.chip.title": "the same word",
        "viewer.chip.title_note": "the same word",
        "viewer.comma": "only a sign",
        "viewer.definition": "the same word",
        "viewer.field.draft": "said so in Danish",
        "viewer.field.prompt": "said so in Danish",
        "viewer.key.position": "the same word",
        "viewer.one_token": "only slots",
        "viewer.origin.prompt": "said so in Danish",
        "viewer.setting.draft": "said so in Danish",
        "viewer.setting.prompt": "said so in Danish",
        "viewer.setting.seed": "said so in Danish",
        "viewer.token": "the same word",
        **TEACHER_SAME,
        "bar.sentences": "only slots",
        "bet.threshold": "only slots",
        "control.draft": "said so in Danish",
        "control.prompt": "said so in Danish",
        "control.seed": "said so in Danish",
        "handout.law_of": "only slots",
        "handout.prompt": "said so in Danish",
        "term.auditor.name": "said so in Danish",
        "term.residual.name": "the same word",
        "term.total_variation.name": "the same words",
        "term.transport.name": "the same words",
    },
    "ja": {"formula.decided": "only slots", **TEACHER_SAME},
}
PLURAL = re.compile(r"\{(\w+)\|([^{}]*)\}")
MARKS = {
    "slots": re.compile(r"\{(\w+)\}"),
    "links": re.compile(r"\]\(([a-z_]+)\)"),
    "formulas": re.compile(r"\$(\w+)\$"),
    "code": re.compile(r"`([^`]+)`"),
}
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)

Catalogues = dict[str, dict[str, dict[str, str]]]


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest) -> dict[str, Any]:
    read: dict[str, Any] = call(request, MODULE, "return m.catalogues();", None)
    return read


def marks(text: str) -> dict[str, set[str]]:
    """What every language must have of a text."""
    return {kind: set(mark.findall(PLURAL.sub("", text))) for kind, mark in MARKS.items()}


def differences(words: Catalogues, plurals: dict[str, list[str]]) -> list[str]:
    """What is wrong with catalogues, a line each."""
    wrong = []
    for language, parts in words.items():
        for part in {*words["en"], *parts}:
            english, own = words["en"].get(part, {}), parts.get(part, {})
            wrong += [f"{language}/{part} lacks {key}" for key in english.keys() - own.keys()]
            wrong += [f"{language}/{part} has {key}, which English has not" for key in own.keys() - english.keys()]
            for key in english.keys() & own.keys():
                wrong += [
                    f"{language}/{part} {key}: {what}" for what in problems(key, language, english[key], own[key])
                ]
                for _, forms in PLURAL.findall(own[key]):
                    names = [form.partition(":")[0] for form in forms.split("|")]
                    if sorted(names) != sorted(plurals[language]):
                        wrong.append(f"{language}/{part} {key}: the plural forms are {plurals[language]}")
    return wrong


def problems(key: str, language: str, english: str, own: str) -> list[str]:
    """What is wrong with one text."""
    wrong = [f"other {kind}" for kind, there in marks(english).items() if there != marks(own)[kind]]
    if not own.strip():
        wrong.append("empty")
    if language != "en" and (own == english) != (key in SAME[language]):
        wrong.append(
            "still English" if own == english else "no longer English: take it off the list of what is the same"
        )
    settled = PLURAL.sub("", own)
    if re.search(r"[{}|]", MARKS["slots"].sub("", settled)):
        wrong.append("a brace or a bar that is no slot")
    for _, forms in PLURAL.findall(own):
        if not all(":" in form for form in forms.split("|")):
            wrong.append("a plural form without a name")
    if {name for name, _ in PLURAL.findall(own)} - {
        *MARKS["slots"].findall(english),
        *(name for name, _ in PLURAL.findall(english)),
    }:
        wrong.append("a plural of what English does not count")
    return wrong


def code() -> dict[str, str]:
    """The texts that may use a key, without their comments; the catalogues are not among them."""
    files = [file for file in VIEWER.rglob("*.js") if VIEWER / "words" not in file.parents]
    return {str(file.relative_to(VIEWER)): COMMENT.sub("", file.read_text()) for file in files} | {
        "mounting": MOUNTING.read_text()
    }


def uses(words: dict[str, str], sources: dict[str, str]) -> tuple[set[str], set[str]]:
    """Keys of English that the code uses, and what it uses that is no key; a template stands for all keys that fit it."""
    begins = "|".join(sorted({key.partition(".")[0] for key in words}))
    whole = re.compile(rf"""["'`]((?:{begins})\.[a-z0-9_.]*[a-z0-9_])["'`]""")
    template = re.compile(rf"`((?:{begins})\.[a-z0-9_.]*\$\{{[^`]*)`")
    used: set[str] = set()
    lacking: set[str] = set()
    for source in sources.values():
        for key in whole.findall(source):
            (used if key in words else lacking).add(key)
        for text in template.findall(source):
            pattern = re.compile("[a-z0-9_.]+".join(map(re.escape, re.split(r"\$\{[^}]*\}", text))))
            fitting = {key for key in words if pattern.fullmatch(key)}
            used |= fitting
            lacking |= set() if fitting else {text}
    return used, lacking


def test_every_language_has_the_same_words(found: dict[str, Any]) -> None:
    assert list(found["words"]) == ["en", "da", "ja"]
    assert differences(found["words"], found["plurals"]) == []
    assert sorted(found["parts"]) == sorted(found["words"]["en"])


def test_every_part_is_in_all_languages_or_said_to_be_english_only(found: dict[str, Any]) -> None:
    asked = re.compile(r"\bpart\(\"(\w+)\", ")
    files = [file for file in VIEWER.rglob("*.js") if file.name != "words.js"]
    parts = {name for file in files for name in asked.findall(COMMENT.sub("", file.read_text()))}
    assert {"learn", "guide"} < parts == {*found["words"]["en"], *found["englishOnly"]}
    assert not {*found["words"]["en"]} & {*found["englishOnly"]}


def test_pages_show_intervals_in_brackets_and_no_plus_minus(found: dict[str, Any]) -> None:
    """In the docs and on the command line ± is a standard error (docs/rules.md); half an interval is never written so."""
    every = {
        (key, text) for language in found["words"].values() for part in language.values() for key, text in part.items()
    }
    assert len(every) > 3000 and [key for key, text in every if "±" in text] == []
    assert [file for file, source in code().items() if "±" in source] == []


def test_the_comparison_finds_what_is_wrong(found: dict[str, Any]) -> None:
    words: Catalogues = {
        language: {part: dict(texts) for part, texts in parts.items()} for language, parts in found["words"].items()
    }
    del words["ja"]["guide"]["guide.close"]
    words["da"]["guide"]["guide.more"] = "Mere"
    words["da"]["guide"]["guide.fold"] = words["en"]["guide"]["guide.fold"]
    words["ja"]["guide"]["guide.title"] = "{number}"
    words["da"]["learn"]["chapter.why.p2"] = words["da"]["learn"]["chapter.why.p2"].replace("(block)", "(bonus)")
    words["ja"]["learn"]["learn.start"] = " "
    words["ja"]["learn"]["learn.score"] += "{count|one:問|other:問}"
    del words["da"]["frame"]
    wrong = differences(words, found["plurals"])
    assert sorted(line for line in wrong if "frame" not in line) == [
        "da/guide guide.fold: still English",
        "da/guide has guide.more, which English has not",
        "da/learn chapter.why.p2: other links",
        "ja/guide guide.title: other slots",
        "ja/guide lacks guide.close",
        "ja/learn learn.score: the plural forms are ['other']",
        "ja/learn learn.start: empty",
    ]
    assert len([line for line in wrong if "da/frame lacks" in line]) == len(words["en"]["frame"])


def test_the_code_uses_every_word_and_no_other(found: dict[str, Any]) -> None:
    words = {key: text for part in found["words"]["en"].values() for key, text in part.items()}
    assert len(words) == sum(map(len, found["words"]["en"].values()))
    used, lacking = uses(words, code())
    assert lacking == set()
    assert set(words) - used == set()


def test_the_search_finds_what_is_lacking_and_what_is_idle() -> None:
    words = {"learn.a": "", "learn.b": "", "term.x.name": ""}
    assert uses(words, {"": 'say("learn.a"); say("learn.z"); say(`term.${id}.name`)'}) == (
        {"learn.a", "term.x.name"},
        {"learn.z"},
    )
    assert uses(words, {"": "say(`term.${id}.text`)"}) == (set(), {"term.${id}.text"})


def said_at_once(source: str) -> list[str]:
    """Lines of a module's own constants that say something when the module is loaded, outside any function."""
    found = []
    for statement in re.split(r"\n(?=\S)", source):
        if re.match(r"(?:export )?(?:const|let) ", statement):
            for line in statement.split("\n"):
                before = line.partition("say(")[0]
                if "=>" in before or re.search(r"\) \{$|\bfunction\b", line):
                    break
                if re.search(r"(?<![\w.])say\($", before + "say(") and "say(" in line:
                    found.append(line)
    return found


def test_no_word_is_said_before_the_language_is_there() -> None:
    assert said_at_once('const TEXT = {\n  a: say("learn.a"),\n};') == ['  a: say("learn.a"),']
    assert said_at_once('const text = () => say("learn.a");\nfunction f() {\n  return say("b");\n}') == []
    for name, source in code().items():
        assert said_at_once(source) == [], name


def test_words_are_said_in_the_language_chosen_and_else_in_english(request: pytest.FixtureRequest) -> None:
    said = call(request, MODULE, "return m.spoken();", None)
    assert said["english"] == ["1 token of 0.5", "2 tokens of x", "en"]
    assert said["untranslated"] == "en"
    # A half is one in Danish and many in English.
    assert said["danish"] == [
        "ét af 0.5", "flere af {of}", "ét af {of}", "one", "ét af 1", "many: all", "bare", "bare", "da", "da",
    ]  # fmt: skip
    assert said["kept"] == {"language": "da", "words": {"test": {"test.here": "{count|one:ét|other:flere} af {of}"}}}
    assert said["lost"] == ["test.nothing", "ét af {of}"]
    assert [text.split('"')[1] for text in said["complaints"]] == ["test.nothing", "test.here"]
    assert "test.bare" in said["twice"]


def test_the_link_goes_before_the_own_choice_and_that_before_the_browser(request: pytest.FixtureRequest) -> None:
    browser = ["xx", "da-DK", "ja"]
    signs: list[dict[str, Any]] = [
        {"hash": "#page=learn&lang=ja", "search": "?lang=da", "tab": "da", "own": "en", "browser": browser},
        {"search": "?lang=da", "tab": "ja", "own": "en", "browser": browser},
        {"hash": "#lang=xx", "tab": "ja", "own": "en", "browser": browser},
        {"own": "en", "browser": browser},
        {"own": "constructor", "browser": browser},
        {"browser": ["fr", "JA_jp"]},
        {"browser": []},
    ]
    assert call(request, MODULE, "return m.decided(payload);", signs) == ["ja", "da", "ja", "en", "da", "ja", "en"]
    assert call(request, MODULE, "return m.links(payload);", ["#lang=DA-dk", "#a=1", "?lang=", ""]) == [
        "da",
        None,
        None,
        None,
    ]
