"""Competitors on equal terms: everyone makes the asked number of tokens, and γ is what it says."""

from __future__ import annotations

from typing import Any

import pytest

from specdemo.decoding import Decoding
from specdemo.lab.blocks import survey
from specdemo.lab.competitors import Prompt, Setting, generate, on_equal_terms, ours, ours_recorded
from specdemo.lab.floor import floor_seconds, recorded_calls, step_costs
from specdemo.pairs import Pair
from tests.tiny import tiny_pair

SETTING = Setting(gamma=3, temperature=1.0, max_new_tokens=17, seed=5)
TEXT = "the cat sat"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


@pytest.fixture
def prompt(pair: Pair) -> Prompt:
    return Prompt(2, TEXT, pair.encode(TEXT).ids)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_everyone_makes_the_asked_number_of_tokens(pair: Pair, prompt: Prompt, temperature: float) -> None:
    setting = Setting(gamma=3, temperature=temperature, max_new_tokens=17, seed=5)
    with on_equal_terms(pair, setting):
        for assisted in (False, True):
            assert len(generate(pair, prompt, setting, assisted=assisted)) == 17
        for rule in ("token", "block"):
            assert len(ours(pair, prompt, setting, rule)) == 17
        assert ours_recorded(pair, prompt, setting, "block")[0] == ours(pair, prompt, setting, "block")


def test_at_temperature_0_all_make_the_same_tokens(pair: Pair, prompt: Prompt) -> None:
    setting = Setting(gamma=3, temperature=0.0, max_new_tokens=17)
    with on_equal_terms(pair, setting):
        plain = generate(pair, prompt, setting, assisted=False)
        assert generate(pair, prompt, setting, assisted=True) == plain
        assert ours(pair, prompt, setting, "block") == ours(pair, prompt, setting, "token") == plain


def test_assisted_generation_drafts_exactly_gamma_tokens(pair: Pair, prompt: Prompt) -> None:
    with on_equal_terms(pair, SETTING), recorded_calls(pair) as calls:
        generate(pair, prompt, SETTING, assisted=True)
    runs: list[int] = []
    for before, call in zip([None, *calls], calls, strict=False):
        if call.role == "draft":
            if before is None or before.role == "target":
                runs.append(0)
            runs[-1] += 1
    # transformers shortens the blocks at the end of the text, and only those.
    assert runs[:3] == [SETTING.gamma] * 3 and runs == sorted(runs, reverse=True)


def test_the_models_settings_come_back(pair: Pair) -> None:
    before = [model.generation_config for model in (pair.draft_model, pair.target_model)]
    stored = [config.to_dict() for config in before]
    with pytest.raises(KeyboardInterrupt), on_equal_terms(pair, SETTING):
        raise KeyboardInterrupt
    assert [m.generation_config.to_dict() for m in (pair.draft_model, pair.target_model)] == stored


def test_the_floor_makes_the_calls_the_loop_made(pair: Pair, prompt: Prompt) -> None:
    with recorded_calls(pair) as loop:
        ours(pair, prompt, SETTING, "block")
    found = survey(pair, prompt, SETTING, "block", ("token", "block"))
    with recorded_calls(pair) as floor:
        floor_seconds(pair, found.calls, lambda: 0.0)
    shapes = [[(c.role, c.fed, c.cached, c.kept) for c in calls] for calls in (loop, found.calls, floor)]
    assert shapes[0] == shapes[1] == shapes[2]
    assert [c.ids.tolist() for c in floor] == [c.ids.tolist() for c in loop]


def test_the_calls_are_those_of_the_algorithm(pair: Pair, prompt: Prompt) -> None:
    found = survey(pair, prompt, SETTING, "block", ("token", "block"))
    targets = [c for c in found.calls if c.role == "target"]
    drafts = [c for c in found.calls if c.role == "draft"]
    assert len(targets) == len(found.expected_tokens)
    assert len(drafts) == SETTING.gamma * len(targets)
    assert {c.kept for c in targets} == {SETTING.gamma + 1} and {c.kept for c in drafts} == {1}
    assert [c.fed for c in targets[1:]] == [SETTING.gamma + 1] * (len(targets) - 1)
    assert {c.fed for c in drafts[1:]} <= {1, 2}


def test_expected_tokens_are_the_records(pair: Pair, prompt: Prompt) -> None:
    found = survey(pair, prompt, SETTING, "block", ("token", "block"))
    decoding = Decoding(pair, TEXT, gamma=3, verifier="block", max_new_tokens=17, eos_token_id=(), seed=5, stream=2)
    records = [record.data["verdicts"] for record in decoding]
    assert found.expected_tokens == [
        {rule: pytest.approx(verdicts[rule]["expected_accepted"] + 1) for rule in ("token", "block")}
        for verdicts in records
    ]


def test_step_costs_count_one_token_and_a_whole_block(pair: Pair) -> None:
    ticks = iter(range(1000))
    clock: Any = lambda: float(next(ticks))  # noqa: E731
    with recorded_calls(pair) as calls:
        costs = step_costs(pair, list(range(2, 20)), gamma=3, clock=clock, repeats=2)
    assert {name: len(seconds) for name, seconds in costs.items()} == {
        "draft_step": 2, "target_step": 2, "target_call": 2,
    }  # fmt: skip
    assert [(c.role, c.fed, c.cached) for c in calls[2:5]] == [
        ("draft", 1, 14), ("target", 1, 14), ("target", 4, 14),
    ]  # fmt: skip
