"""Prompt mode "chat" in every way to decode: the loop, its resumption, the race and the check of the law read the same ids."""

from __future__ import annotations

import copy
import dataclasses
import json
from typing import Any

import pytest
import torch

from specdemo.decoding import decode, decode_run, speculative_decode
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.law import law_check
from specdemo.lab.race import race, whole_race
from specdemo.pairs import Pair
from specdemo.trace import state_of
from specdemo.trace.schema import InvalidTrace, check_trace
from tests.tiny import tiny_pair

MESSAGE = "the hat"
SETTINGS: dict[str, Any] = {"gamma": 3, "seed": 4, "max_new_tokens": 14}


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None, chat=True)


@pytest.fixture(scope="module")
def run(pair: Pair) -> dict[str, Any]:
    return decode_run(pair, MESSAGE, prompt_mode="chat", **SETTINGS)


def own_ids(pair: Pair, message: str = MESSAGE) -> list[int]:
    """What transformers makes of the message."""
    rendered = pair.tokenizer.apply_chat_template(
        [{"role": "user", "content": message}], add_generation_prompt=True, return_dict=True
    )
    return list(rendered.input_ids)


def committed(run: dict[str, Any]) -> list[int]:
    return [i for block in run["blocks"] for i in block["committed"]]


def test_the_loop_reads_the_template_and_the_trace_says_so(pair: Pair, run: dict[str, Any]) -> None:
    ids = own_ids(pair)
    assert run["prompt"]["text"] == MESSAGE and run["prompt"]["ids"] == ids and run["settings"]["prompt_mode"] == "chat"
    first, end = run["prompt"]["message"]
    assert pair.tokenizer.decode(ids[first:end]) == MESSAGE and ids[first - 2 : first] != ids[end : end + 2]
    plain = speculative_decode(
        pair.draft_model, pair.target_model, torch.tensor([ids]), 3, verifier="block", max_new_tokens=14, uniforms=PhiloxUniforms(4, 0)
    )  # fmt: skip
    assert committed(run) == plain[0, len(ids) :].tolist()
    text = decode_run(pair, MESSAGE, **SETTINGS)
    assert "message" not in text["prompt"] and text["settings"]["prompt_mode"] == "text"
    assert committed(text) != committed(run) and text["head_digest"] != run["head_digest"]
    # The same ids under another mode are another run: a link that names the mode can tell.
    assert decode_run(pair, MESSAGE, prompt_mode="chat", **SETTINGS)["digest"] == run["digest"]


def test_a_chat_run_is_a_trace_of_the_schema(run: dict[str, Any]) -> None:
    check_trace(json.loads(json.dumps(run)))
    for wrong in ([3], [5, 2], [0, len(run["prompt"]["ids"]) + 1], [-1, 2], "1-2"):
        forged = copy.deepcopy(run)
        forged["prompt"]["message"] = wrong
        with pytest.raises(InvalidTrace, match="prompt"):
            check_trace(forged)
    forged = copy.deepcopy(run)
    forged["settings"]["prompt_mode"] = "instruct"
    with pytest.raises(InvalidTrace, match="prompt_mode"):
        check_trace(forged)


def test_going_on_from_any_block_is_the_same_run(pair: Pair, run: dict[str, Any]) -> None:
    for count in range(len(run["blocks"]) + 1):
        rest = list(decode(pair, MESSAGE, prompt_mode="chat", resume=state_of(run, count), **SETTINGS))
        assert [record.to_json()["digest"] for record in rest] == [b["digest"] for b in run["blocks"][count:]]


def test_going_on_takes_the_ids_of_the_trace_not_those_of_the_template(run: dict[str, Any]) -> None:
    """A trace made with an earlier template goes on as it began."""
    from specdemo.decoding import Decoding

    other = tiny_pair(eos=None, chat=True)
    other.tokenizer.chat_template = "{{ messages[0]['content'] }}<|eos|>"
    decoding = Decoding(other, MESSAGE, prompt_mode="chat", resume=state_of(run, 1), **SETTINGS)
    assert decoding.head["prompt"]["ids"] == run["prompt"]["ids"] and "message" not in decoding.head["prompt"]
    assert next(iter(decoding)).to_json()["committed"] == run["blocks"][1]["committed"]


@pytest.mark.parametrize("ends", [1, [5, 1]], ids=["int", "list"])
def test_the_answer_ends_at_the_models_own_end_token(ends: int | list[int]) -> None:
    made = tiny_pair(eos=None, chat=True)
    made.target_model.generation_config.eos_token_id = ends
    pair = Pair.from_models(made.draft_model, made.target_model, made.tokenizer)
    assert pair.eos_token_ids >= {1}
    settings = SETTINGS | {"max_new_tokens": 40, "temperature": 3.0, "prompt_mode": "chat", "rules": ()}
    for seed in range(20):
        run = decode_run(pair, MESSAGE, **(settings | {"seed": seed}))
        if run["finish"] == "eos" and committed(run)[-1] == 1:
            assert 1 not in committed(run)[:-1] and run["blocks"][-1]["pieces"]["1"] == {"special": "<|eos|>"}
            return
    raise AssertionError("no answer ended: choose other seeds")


def test_every_lane_of_a_race_answers_the_message(pair: Pair) -> None:
    record = whole_race(race(pair, [MESSAGE, "a dog"], ["token", "block"], prompt_mode="chat", **SETTINGS))
    assert record["settings"]["prompt_mode"] == "chat"
    assert [prompt["tokens"] for prompt in record["prompts"]] == [len(own_ids(pair)), len(own_ids(pair, "a dog"))]
    for rule in ("token", "block"):
        alone = decode_run(pair, MESSAGE, prompt_mode="chat", verifier=rule, rules=(), **SETTINGS)
        assert record["runs"][0]["lanes"][rule]["ids"] == committed(alone)


def test_the_law_is_that_of_the_answer(pair: Pair, run: dict[str, Any]) -> None:
    *_, law = law_check(pair, MESSAGE, ["token", "block"], gamma=2, samples=4, prompt_mode="chat")
    assert law["settings"]["prompt_mode"] == "chat" and law["prompt"]["tokens"] == len(own_ids(pair))
    shown = run["blocks"][0]["paths"][0]["rows"][0]["shown"]
    target = dict(zip(shown["ids"], shown["target"], strict=True))
    both = [(target[i], p) for i, p in zip(law["next"]["ids"], law["next"]["target"], strict=True) if i in target]
    assert len(both) > 3 and all(one == pytest.approx(other, rel=1e-6) for one, other in both)


def test_without_a_template_nothing_begins(pair: Pair) -> None:
    bare = dataclasses.replace(tiny_pair(), title="Bare")
    for begin in (
        lambda: decode(bare, MESSAGE, prompt_mode="chat"),
        lambda: race(bare, [MESSAGE], ["token"], prompt_mode="chat"),
        lambda: law_check(bare, MESSAGE, ["token"], prompt_mode="chat"),
    ):
        with pytest.raises(ValueError, match="'Bare' has no chat template"):
            begin()
