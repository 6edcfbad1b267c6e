"""The server's sentences: their English, their codes, and that both outlive a way between processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from specdemo.sentences import ENGLISH, Sentence, sentence, sentence_of, told


def test_a_sentence_is_its_english_with_its_values() -> None:
    said = sentence("question_large", most=64_000)
    assert said == "A question may have 64,000 bytes at most." and told(said) == {
        "code": "question_large",
        "values": {"most": 64_000},
    }
    assert told("any text") == told(None) == {}
    for wrong in (lambda: sentence("no such"), lambda: sentence("question_large")):
        with pytest.raises(KeyError):
            wrong()


@pytest.mark.parametrize("way", [lambda error: pickle.loads(pickle.dumps(error)), copy.deepcopy])
def test_an_error_that_crosses_processes_keeps_its_sentence(way: object) -> None:
    error = way(ValueError(sentence("no_pair", name="x", names="y or z")))  # type: ignore[operator]
    found = sentence_of(error)
    assert isinstance(found, Sentence) and found.code == "no_pair" and found.values == {"name": "x", "names": "y or z"}
    assert str(error) == ENGLISH["no_pair"].format(name="x", names="y or z")
    assert sentence_of(ValueError("plain")) == "plain" and sentence_of(KeyError(1, 2)) == str(KeyError(1, 2))
