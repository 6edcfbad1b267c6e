"""What a browser may ask for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from specdemo.pages.request import LIMITS, RequestError, read_request, run_of


def text(**changes: Any) -> str:
    settings = {
        "verifier": "block", "gamma": 4, "temperature": 1, "top_k": 0, "top_p": 1, "seed": 0, "max_new_tokens": 8,
    }  # fmt: skip
    whole = {"run": "r", "pair": "p", "draft": None, "prompt": "a", "blocks": 1, "resume": None}
    for name, value in changes.items():
        (settings if name in settings else whole)[name] = value
    return json.dumps({**whole, "settings": settings})


def test_a_prompt_is_a_text_or_a_message() -> None:
    assert read_request(text()).settings.prompt_mode == "text"
    whole = json.loads(text())
    for mode in ("text", "chat"):
        whole["settings"]["prompt_mode"] = mode
        assert read_request(json.dumps(whole)).settings.prompt_mode == mode
    for wrong in ("Chat", "", None, 1, ["chat"]):
        whole["settings"]["prompt_mode"] = wrong
        with pytest.raises(RequestError, match="prompt_mode"):
            read_request(json.dumps(whole))


def resume(**changes: Any) -> dict[str, Any]:
    return {"ids": [1, 2, 3], "prompt_length": 1, "block": 1, "memory": None, "digest": "sha256:" + "0" * 64, **changes}


@pytest.mark.parametrize("name", ["gamma", "temperature", "top_k", "seed", "max_new_tokens"])
def test_both_bounds_are_allowed_and_nothing_beyond(name: str) -> None:
    low, high = LIMITS[name]
    for value in (low, high):
        assert getattr(read_request(text(**{name: value})).settings, name) == value
    for value in (low - 1, high + 1, str(low), None, True, float("nan"), float("inf")):
        with pytest.raises(RequestError, match=name):
            read_request(text(**{name: value}))


def test_top_p_is_above_zero_and_at_most_one() -> None:
    assert read_request(text(top_p=1e-9)).settings.top_p == 1e-9
    for value in (0, -0.1, 1.0001):
        with pytest.raises(RequestError, match="top_p"):
            read_request(text(top_p=value))


def test_the_longest_prompt_is_allowed_and_no_longer() -> None:
    longest = LIMITS["prompt_characters"]
    assert len(read_request(text(prompt="漢" * longest)).prompt) == longest
    with pytest.raises(RequestError, match="prompt"):
        read_request(text(prompt="x" * (longest + 1)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"run": ""},
        {"run": "a b"},
        {"run": "x" * 65},
        {"blocks": -1},
        {"extra": 1},
        {"verifier": "nobody"},
        {"resume": resume(ids=[])},
        {"resume": resume(ids=[-1])},
        {"resume": resume(ids=[1.5])},
        {"resume": resume(ids=["1"])},
        {"resume": resume(ids=[0] * 20_001)},
        {"resume": resume(prompt_length=0)},
        {"resume": resume(prompt_length=4)},
        {"resume": resume(block=3)},
        {"resume": resume(block=-1)},
        {"resume": resume(digest="sha256:short")},
        {"resume": resume(memory=[[1.0, float("inf")]])},
        {"resume": resume(memory=[[[[[[1]]]]]])},
        {"resume": resume(memory=[0] * 1000)},
    ],
)
def test_what_cannot_be_right_is_refused_in_one_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as refused:
        read_request(text(**wrong))
    words = str(refused.value)
    assert "\n" not in words and len(words) < 300
    assert not any(theirs in words for theirs in ("Input", "should", "Field required", "Extra", "valid "))


def test_a_link_that_asks_for_too_many_blocks_is_told_how_many_there_may_be() -> None:
    with pytest.raises(RequestError, match=r"^blocks \(how many are asked for\): it must be 1,024 or less\.$"):
        read_request(text(blocks=100_000))


def test_a_run_can_be_resumed() -> None:
    read = read_request(text(resume=resume(memory=[[0.5, 3]])))
    assert read.resume is not None and read.resume.memory == [[0.5, 3]]


@pytest.mark.parametrize("garbage", ["", "{", "[]", "null", "7", '"x"', "\x00", "[" * 5000])
def test_garbage_is_refused(garbage: str) -> None:
    assert run_of(garbage) == ""
    with pytest.raises(RequestError):
        read_request(garbage)


def test_the_run_is_known_even_where_the_rest_is_wrong() -> None:
    assert run_of(text(gamma=99)) == "r"


def test_numbers_beyond_all_bounds_and_half_characters_are_told_in_words() -> None:
    whole = json.loads(text())
    whole["resume"] = resume(memory=10**400)
    with pytest.raises(RequestError, match="finite numbers"):
        read_request(json.dumps(whole))
    with pytest.raises(RequestError, match="half a character"):
        read_request(text().replace('"prompt": "', '"prompt": "\\ud800'))
