"""A run cut into calls is the run in one go; a state can come from any block of a trace; a forged one is refused with words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from specdemo.decoding import Decoding, decode, decode_run
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.pairs import Pair
from specdemo.trace import RunState, state_of
from tests.tiny import tiny_pair

PROMPT = "once upon a time"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None)


def without_times(block: dict[str, Any]) -> dict[str, Any]:
    """A block without what differs between two equal runs."""
    return {key: value for key, value in block.items() if key != "timings"}


def close(one: Any, other: Any) -> bool:
    """Equality, with floats equal to 1e-9: a cache of another length sums in another order."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-9 * max(1.0, abs(one))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    return bool(one == other)


@pytest.mark.parametrize("verifier", ["token", "block"])
@pytest.mark.parametrize("settings", [{}, {"temperature": 0.6, "top_k": 8}, {"gamma": 1}], ids=str)
def test_block_by_block_is_in_one_go(pair: Pair, verifier: str, settings: dict[str, Any]) -> None:
    settings = settings | {"verifier": verifier, "seed": 3, "max_new_tokens": 14}
    whole = decode_run(pair, PROMPT, **settings)
    state: RunState | None = None
    for block in whole["blocks"]:
        record = next(decode(pair, PROMPT, resume=state, **settings))
        state = record.state
        assert record.to_json()["digest"] == block["digest"]
        assert close(without_times(record.to_json()), without_times(block))
    assert state is not None and list(decode(pair, PROMPT, resume=state, **settings)) == []


def test_a_state_comes_from_any_block_of_a_trace(pair: Pair) -> None:
    whole = decode_run(pair, PROMPT, seed=3, max_new_tokens=14)
    for n in range(len(whole["blocks"]) + 1):
        rest = [r.to_json() for r in decode(pair, PROMPT, seed=3, max_new_tokens=14, resume=state_of(whole, n))]
        assert [b["digest"] for b in rest] == [b["digest"] for b in whole["blocks"][n:]]
    assert state_of(whole) == state_of(whole, len(whole["blocks"]))


def test_the_states_of_records_are_those_of_the_trace(pair: Pair) -> None:
    run = Decoding(pair, PROMPT, seed=3, max_new_tokens=14)
    states = [record.state for record in run]
    whole = decode_run(pair, PROMPT, seed=3, max_new_tokens=14)
    assert states == [state_of(whole, n + 1) for n in range(len(states))]


def test_more_tokens_continue_the_same_text(pair: Pair) -> None:
    """The length limit is no part of what a uniform is keyed by: a longer run begins like a shorter one."""
    short, long = (decode_run(pair, PROMPT, seed=3, max_new_tokens=n) for n in (9, 20))
    texts = [[i for b in run["blocks"] for i in b["committed"]] for run in (short, long)]
    assert texts[1][:9] == texts[0]


def test_a_text_that_has_ended_does_not_go_on() -> None:
    pair = tiny_pair()
    free = decode_run(pair, PROMPT, seed=3, max_new_tokens=30, eos_token_id=[])
    end = free["blocks"][2]["committed"][0]
    whole = decode_run(pair, PROMPT, seed=3, max_new_tokens=30, eos_token_id=end)
    assert whole["finish"] == "eos"
    assert list(decode(pair, PROMPT, seed=3, max_new_tokens=30, eos_token_id=end, resume=state_of(whole))) == []


def test_a_text_that_fills_the_context_does_not_go_on() -> None:
    pair = tiny_pair(context=16, eos=None)
    whole = decode_run(pair, PROMPT, seed=3, max_new_tokens=30)
    assert whole["finish"] == "context"
    assert list(decode(pair, PROMPT, seed=3, max_new_tokens=30, resume=state_of(whole))) == []


def test_an_injected_source_decides(pair: Pair) -> None:
    """`uniforms` overrules the seed, on a resumed run too."""
    nine = decode_run(pair, PROMPT, seed=9, max_new_tokens=14)
    blocks = [r.to_json() for r in decode(pair, PROMPT, seed=3, max_new_tokens=14, uniforms=PhiloxUniforms(9))]
    assert [b["committed"] for b in blocks] == [b["committed"] for b in nine["blocks"]]
    rest = decode(pair, PROMPT, max_new_tokens=14, uniforms=PhiloxUniforms(9), resume=state_of(nine, 2))
    assert [r.committed for r in rest] == [b["committed"] for b in nine["blocks"][2:]]


def test_a_prompt_that_ends_like_a_text_goes_on(pair: Pair) -> None:
    """The end-of-text token in the prompt, even as its last token, ends nothing."""
    last = pair.tokenizer(PROMPT).input_ids[-1]
    assert decode_run(pair, PROMPT, seed=3, max_new_tokens=5, eos_token_id=last)["blocks"]


def forged(pair: Pair, **changes: Any) -> RunState:
    """A state after two blocks, with some fields changed."""
    return replace(state_of(decode_run(pair, PROMPT, seed=3, max_new_tokens=14), 2), **changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ids": ()}, r"resume.prompt_length is \d+: it must be in 1 … 0, the number of ids"),
        ({"prompt_length": 0}, r"resume.prompt_length is 0: it must be in 1 …"),
        ({"prompt_length": 99}, r"resume.prompt_length is 99: it must be in 1 …"),
        ({"prompt_length": 1.5}, r"resume.prompt_length is 1.5: it must be in 1 …"),
        ({"prompt_length": "1"}, r"resume.prompt_length is '1'"),
        ({"ids": (1, 2, 3, 999, 5, 6, 7, 8, 9)}, r"resume.ids\[3\] is 999: it must be an integer in 0 … 299"),
        ({"ids": (1, 2, -1, 4, 5, 6, 7, 8, 9)}, r"resume.ids\[2\] is -1"),
        ({"ids": (1, 2, True, 4, 5, 6, 7, 8, 9)}, r"resume.ids\[2\] is True"),
        ({"ids": (1, 2, 3.0, 4, 5, 6, 7, 8, 9)}, r"resume.ids\[2\] is 3.0"),
        ({"ids": tuple([5] * 98)}, r"resume.ids holds 98 tokens, this pair reads at most 96"),
        ({"block": -1}, r"resume.block is -1: every block adds at least one token"),
        ({"block": 50}, r"resume.block is 50: every block adds at least one token, so it must be in 0 … "),
        ({"block": 1.5}, r"resume.block is 1.5"),
        ({"memory": [[0.0, 2]]}, r"memory is \[\[0.0, 2\]\]: the rule 'block' remembers nothing, it must be None"),
        ({"digest": None}, r"resume.digest is None: it must be a string"),
    ],
)  # fmt: skip
def test_a_forged_state_is_refused(pair: Pair, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode(pair, PROMPT, seed=3, max_new_tokens=14, resume=forged(pair, **changes))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"gamma": 99}, r"gamma \(the block length\) must be"),
        ({"verifier": "blokk"}, r"there is no verifier 'blokk'"),
        ({"rules": ("token", "blokk")}, r"there is no verifier 'blokk'"),
        ({"prompt_mode": "chats"}, r"prompt_mode must be \"text\" or \"chat\", got 'chats'"),
        ({"prompt_mode": "chat"}, r"has no chat template"),
        ({"seed": -5}, r"seed must be an integer in 0 …"),
        ({"stream": -5}, r"stream must be an integer in 0 …"),
        ({"top_p": 0}, r"top_p must be in"),
        ({"max_new_tokens": 0}, r"max_new_tokens must be"),
    ],
)
def test_wrong_settings_are_refused_before_the_first_block(pair: Pair, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode(pair, PROMPT, **settings)
