"""What the server says, in a person's own language: by its code, never by its text; and the catalogue has what the server can say."""

from __future__ import annotations

import json
import re
import shutil
from typing import Any

import pytest

from specdemo.pages.failures import NO_MEMORY
from specdemo.pages.messages import Messages
from specdemo.pages.refusals import words_of
from specdemo.pairs import registry
from specdemo.sentences import ENGLISH, Sentence, sentence, sentence_of, told
from tests.viewer.javascript import VIEWER, call

NEEDS_NODE = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: it reads the catalogues")


def words(request: pytest.FixtureRequest, part: str, language: str = "en") -> dict[str, str]:
    found: dict[str, str] = call(request, f"words/{language}/{part}.js", "return m.words;", None)
    return found


def test_the_pages_know_every_sentence_of_the_server(request: pytest.FixtureRequest) -> None:
    assert words(request, "server") == {f"server.{code}": text for code, text in ENGLISH.items()}


def test_the_pages_call_pairs_and_drafts_what_the_registry_does(request: pytest.FixtureRequest) -> None:
    said = words(request, "pairs")
    for entry in registry.entries():
        key = f"registered.{entry.name.replace('-', '_')}"
        assert said.pop(f"{key}.title", entry.title) == entry.title
        assert said.pop(f"{key}.note") == entry.note
        for name, (title, _) in entry.drafts.items():
            assert (
                said.pop(f"{key}.draft.{name}", title if "/" in title else None) == title
            )  # an id of the hub is no words
    assert said == {}, "of no pair that is registered"


SPOKEN = """
const { take, speak } = await import(payload.root + "/words/words.js");
const folder = payload.root + "/words/" + payload.language;
const given = await import(folder + "/server.js"), common = await import(folder + "/viewer.js");
speak(payload.language);
take("server", given.words);
take("viewer", common.words);
return payload.said.map(([text, told]) => m.serverWords(text, told));
"""


def spoken(request: pytest.FixtureRequest, language: str, said: list[tuple[Any, Any]]) -> list[str]:
    payload = {"root": VIEWER.as_uri(), "language": language, "said": said}
    found: list[str] = call(request, "server_words.js", SPOKEN, payload)
    return found


@NEEDS_NODE
def test_a_sentence_is_said_by_its_code_with_its_values(request: pytest.FixtureRequest) -> None:
    long = sentence("prompt_long", count=5000, most=1024)
    assert "5,000 tokens" in long
    too_large = words_of({"type": "less_than_equal", "loc": ("settings", "temperature"), "ctx": {"le": 5}, "msg": ""})
    said = [(text, told(text)) for text in (long, NO_MEMORY, too_large)]
    danish, japanese = spoken(request, "da", said), spoken(request, "ja", said)
    assert danish[0].startswith("Prompten har 5\u202f000 tokens. Højst 1\u202f024 læses her")
    assert danish[1].startswith("Serveren har ikke hukommelse nok") and danish[2] == "temperatur: må højst være 5."
    assert (
        japanese[0].startswith("プロンプトは5\u202f000トークン") and japanese[2] == "温度：5以下でなければなりません。"
    )


@NEEDS_NODE
def test_what_has_no_code_or_lacks_a_value_stays_as_it_is(request: pytest.FixtureRequest) -> None:
    known = {"code": "no_memory", "values": {}}
    said: list[tuple[Any, Any]] = [
        ("plain", None),
        (str(NO_MEMORY), {}),
        ("of a newer server", {"code": "never_heard", "values": {}}),
        ("lacks one", {"code": "gpu_taken", "values": {"reason": None}}),
        ("no values", {"code": "gpu_taken", "values": None}),
        ("another text", known),
    ]
    found = spoken(request, "da", said)
    assert found[:5] == [text for text, _ in said[:5]], "a text alone is never translated"
    assert found[5].startswith("Serveren har ikke hukommelse")


def test_messages_carry_code_and_values_beside_their_english() -> None:
    messages = Messages("r")
    error = json.loads(messages.error(sentence("race_tokens", tokens=70_000, most=60_000)))
    assert error["code"] == "race_tokens" and error["values"] == {"tokens": 70_000, "most": 60_000}
    assert "70,000 tokens" in error["text"]
    assert "code" not in json.loads(messages.error("plain"))
    assert json.loads(messages.progress(sentence("waiting_gpu")))["code"] == "waiting_gpu"


def test_an_error_keeps_its_sentence() -> None:
    kept = sentence_of(ValueError(sentence("busy")))
    assert isinstance(kept, Sentence) and kept.code == "busy"
    assert sentence_of(ValueError("plain")) == "plain" and sentence_of(KeyError()) == ""


def test_every_sentence_can_be_said() -> None:
    for code, text in ENGLISH.items():
        names = set(re.findall(r"\{(\w+)\}", text))
        assert sentence(code, **dict.fromkeys(names, 1)).code == code
    with pytest.raises(KeyError):
        sentence("never_heard")
