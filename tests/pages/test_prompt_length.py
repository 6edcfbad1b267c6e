"""A prompt that would make others wait is refused in words, and one that is cut leaves no warning of somebody else's in the log."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import Any

import pytest

from specdemo.pages import prompt_length
from specdemo.pages.models import Models
from specdemo.pages.request import LIMITS, RequestError
from specdemo.pages.service import Service
from specdemo.pairs import Pair
from tests.pages.test_service import PAIR, nothing, request, told
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=256, eos=None, chat=True)


@pytest.fixture
def service(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setitem(LIMITS, "prompt_tokens", 40)
    monkeypatch.setattr(prompt_length, "_TEMPLATE", 10)
    return Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))


def prompt_of(pair: Pair, tokens: int) -> str:
    """A text of exactly so many tokens."""
    text = "the"
    while len(pair.encode(text).ids) < tokens:
        text += " cat"
    assert len(pair.encode(text).ids) == tokens
    return text


def test_the_longest_is_read_and_one_token_more_is_told_what_would_be_right(service: Service, pair: Pair) -> None:
    assert told(service.decode(request(prompt=prompt_of(pair, 40), blocks=1)))[-1]["kind"] == "end"
    (message,) = told(service.decode(request(prompt=prompt_of(pair, 41), blocks=1)))
    assert message["kind"] == "error" and message["text"].startswith(
        "The prompt has 41 tokens. At most 40 are read here"
    )
    assert "characters of this text: shorten it" in message["text"] and message["text"].endswith(".")


def test_the_characters_that_would_fit_are_those_of_this_text(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "prompt_tokens", 100)
    text = prompt_of(pair, 120)
    assert len(text) * 100 // 120 // 100 == 3, "four characters a token"
    with pytest.raises(RequestError, match="which is about 300 characters of this text"):
        prompt_length.check_prompts(pair, [text])


def test_measurements_and_resumed_runs_have_the_same_bound(service: Service, pair: Pair) -> None:
    measured: dict[str, Any] = {
        "run": "m",
        "pair": PAIR,
        "draft": None,
        "prompt": prompt_of(pair, 60),
        "rules": ["token", "block"],
    }
    asked = [
        service.race(json.dumps({**measured, "settings": {"max_new_tokens": 4}, "seeds": 1})),
        service.law(json.dumps({**measured, "settings": {}, "samples": 100})),
        service.decode(
            request(resume={"ids": [3] * 53, "prompt_length": 51, "block": 1, "memory": None, "digest": None})
        ),
    ]
    for messages in asked:
        assert "tokens. At most 40 are read here" in told(messages)[-1]["text"]


def test_a_gpu_reads_any(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setitem(LIMITS, "prompt_tokens", 4)
    with pytest.raises(RequestError):
        prompt_length.check_prompts(pair, ["the cat and the dog and the cat"])
    monkeypatch.setattr(Pair, "device", property(lambda self: torch.device("cuda")))
    prompt_length.check_prompts(replace(pair), ["the cat and the dog and the cat"])


@pytest.mark.parametrize("mode", ["text", "chat"])
def test_a_prompt_that_is_cut_is_the_pages_own_notice_and_no_warning(
    pair: Pair, mode: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair.tokenizer, "model_max_length", 64)
    monkeypatch.setattr(pair.tokenizer, "deprecation_warnings", {})  # it warns once
    logger = logging.getLogger("transformers")
    monkeypatch.setattr(logger, "propagate", True)
    with caplog.at_level(logging.WARNING):
        encoded = pair.encode("the cat " * 400, room=8, mode=mode)
    assert encoded.notice is not None and "longer than" not in caplog.text
