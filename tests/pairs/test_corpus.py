"""The generated corpus: fixed by its seed, well formed by kind, varied; and the readers of the natural sources."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest

from specdemo.pairs.corpus import natural
from specdemo.pairs.corpus.author import Author, parse
from specdemo.pairs.corpus.build import HELD_OUT_SEED, SOURCES, all_chapters, chapters, generated, held_out_documents
from specdemo.pairs.corpus.cast import company, invent
from specdemo.pairs.corpus.kinds import KINDS, kind_of, write_document
from specdemo.pairs.corpus.stories import PLOTS
from specdemo.pairs.corpus.words import WORDS

needs_packages = pytest.mark.skipif(
    not (natural.AUSTEN_INDEX.exists() and natural.BIBLE_FOLDER.exists()),
    reason="Debian packages of the natural sources are not installed",
)


def test_template_language() -> None:
    author = Author(1)
    assert author.write("A {x} and a {y}", {"x": "owl", "y": "hat"}) == "An owl and a hat"
    assert author.write("a honest uncle with a unicorn", {}) == "an honest uncle with a unicorn"
    assert {Author(seed).write("[a|b[c|d]|]") for seed in range(60)} == {"a", "bc", "bd", ""}
    assert author.prose('{x} ran. "where?" {x} asked. {x} sat.', {"x": "he"}) == 'He ran. "Where?" he asked. He sat.'
    with pytest.raises(ValueError):
        parse("[a|b")
    with pytest.raises(KeyError):
        author.write("{no_such_list}")


def test_same_seed_same_text_in_another_process() -> None:
    here = [write_document(kind, 11) for kind in KINDS]
    code = "from specdemo.pairs.corpus.kinds import KINDS, write_document\nprint(repr([write_document(k, 11) for k in KINDS]))"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert there.strip() == repr(here)
    assert [write_document(kind, 12) for kind in KINDS] != here


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_well_formed(kind: str) -> None:
    for seed in range(60):
        text = write_document(kind, seed)
        assert 10 < len(text) < 4000
        assert text == text.strip()
        if kind != "python":
            assert not re.search(r"[{}\[\]]|\|", text), text
            assert not re.search(
                r"\b[Aa] [aeio]|  | [,.;?!](?:\s|$)|\.\.(?!\.)", text.replace("a one", "").replace("...", "")
            ), text
        assert "<|" not in text


def test_programs_run_and_print_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(80):
        text = write_document("python", seed)
        exec(compile(text, f"snippet {seed}", "exec"), {})
        printed = capsys.readouterr().out
        for said in re.findall(r"\)  # (.+)$", text, re.MULTILINE):
            assert said in printed, text


def test_sums_are_right() -> None:
    for seed in range(60):
        for left, sign, right, result in re.findall(
            r"(\d+) ([+x-]) (\d+)(?: =| is|\?\nA:) (\d+)", write_document("arithmetic", seed)
        ):
            a, b = int(left), int(right)
            assert int(result) == {"+": a + b, "-": a - b, "x": a * b}[sign]


def test_a_story_keeps_its_hero() -> None:
    # The hero that the opening introduces must come back in the rest of the story.
    kept = 0
    for seed in range(200):
        text = write_document("story", seed)
        opening, rest = re.split(r"(?<=[.?]) (?=[A-Z])", text.replace('"Well then," said', ""), maxsplit=1)
        names = set(re.findall(r"[A-Z][a-z]+", opening)) & {*WORDS["girl"], *WORDS["boy"]}
        nouns = [
            noun
            for noun in (*WORDS["animal"], *WORDS["trade"], *WORDS["creature"], "girl", "boy")
            if re.search(rf"\b{noun}\b", opening)
        ]
        kept += any(re.search(rf"\b{word}\b", rest) for word in (*names, *nouns))
    assert kept >= 190


def test_characters_are_introduced_before_they_are_named() -> None:
    for seed in range(50):
        author = Author(seed)
        slots = company(author)
        first, second = author.write("{friend}", slots), author.write("{friend}", slots)
        assert first.startswith(("a ", "an ")) and not second.startswith(("a ", "an "))
    assert len({invent(Author(seed)).introduction for seed in range(300)}) > 290


def test_vocabulary_and_variety() -> None:
    stories = [write_document("story", seed) for seed in range(400)]
    words = Counter(word for text in stories for word in re.findall(r"[a-z']+", text.lower()))
    assert len(words) > 1500
    sentences = Counter(sentence for text in stories for sentence in re.split(r"(?<=[.!?]) ", text))
    assert len(sentences) > 0.75 * sum(sentences.values())
    assert len({text[:120] for text in stories}) > 395
    assert len(PLOTS) >= 10 and sum(len(beat) for plot in PLOTS.values() for beat in plot) > 140
    assert sum(map(len, WORDS.values())) > 1800


def test_every_kind_occurs_and_held_out_is_apart() -> None:
    assert {kind_of(number) for number in range(1500)} == set(KINDS)
    assert list(generated(3)) == list(generated(3)) != list(held_out_documents("generated", 3))
    assert list(held_out_documents("story", 1)) == [[write_document("story", HELD_OUT_SEED)]]
    assert SOURCES[0] == "generated"


@needs_packages
def test_natural_sources() -> None:
    novels = all_chapters("austen")
    assert len(novels) == 269
    assert novels[0][0].startswith("Emma Woodhouse, handsome, clever, and rich")
    bible = all_chapters("bible")
    assert bible[0][0].startswith("In the beginning, God created the heavens and the earth.")
    text = "\n".join("\n".join(chapter) for chapter in bible)
    assert "World English Bible" not in text and "<" not in text and " ," not in text
    for source in ("austen", "bible"):
        held, read = chapters(source, True), chapters(source, False)
        assert held and not {"".join(d) for d in held} & {"".join(d) for d in read}
