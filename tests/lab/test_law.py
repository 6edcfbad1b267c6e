"""The whole check: its record, and that lossless rules pass it while wrong ones fail."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from specdemo.lab import law as law_module
from specdemo.lab.law import law_check
from specdemo.pairs import Pair
from specdemo.transport import output_law
from tests.lab.law_worlds import PROMPT, letters_pair, trees_of
from tests.lab.raced import stopped_after
from tests.lab.test_law_blocks import SameInEveryBlock
from tests.tiny import tiny_pair
from tests.toy_models import RememberingModel

LOSSLESS = ["token", "block", "greedy_block", "sampled_match"]


@pytest.fixture(scope="module")
def letters() -> Pair:
    return letters_pair()


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three symbols have few contexts: the models answer each question once."""
    monkeypatch.setattr("specdemo.decoding.plain.CachedModel", RememberingModel)


def checked(pair: Pair, rules: list[Any], prompt: str = PROMPT, **settings: Any) -> dict[str, Any]:
    """The last record, as it comes out of JSON."""
    *_, last = law_check(pair, prompt, rules, **settings)
    found: dict[str, Any] = json.loads(json.dumps(last, allow_nan=False))
    return found


def test_the_record_is_whole_from_the_beginning() -> None:
    pair, rules = tiny_pair(), ["token", "typical", "block"]
    records = list(law_check(pair, "the cat", rules, gamma=2, seed=3, samples=12, every=0.0))
    assert [record["pairs"]["done"] for record in records] == list(range(13))
    first, last = records[0], records[-1]
    assert set(first) == {
        "schema",
        "created",
        "versions",
        "pair",
        "settings",
        "rules",
        "lossless",
        "prompt",
        "pieces",
        "next",
        "pairs",
    }
    assert first["schema"] == "specdemo.law/1" and first["rules"] == rules
    assert first["lossless"] == {"token": "always", "typical": "never", "block": "always"}
    assert first["settings"] == {
        "gamma": 2,
        "temperature": 1.0,
        "top_k": 0,
        "top_p": 1.0,
        "seed": 3,
        "samples": 12,
        "prompt_mode": "text",
    }
    assert first["prompt"] == {"text": "the cat", "tokens": len(pair.encode("the cat").ids), "notice": None}
    assert first["pair"]["name"] == "tiny" and "specdemo" in first["versions"]
    assert all(record["next"] == first["next"] for record in records)
    for record in records:
        assert {key: record[key] for key in first if key not in ("next", "pairs")} == {
            key: first[key] for key in first if key not in ("next", "pairs")
        }
    following, pairs = last["next"], last["pairs"]
    shown = len(following["ids"])
    assert following["rest"]["count"] + shown == pair.vocab_size
    for row in (following, *following["rules"].values()):
        for name in ("target", "draft", "law"):
            if name in row:
                rest = row["rest"] if isinstance(row["rest"], float) else row["rest"][name]
                assert len(row[name]) == shown and sum(row[name]) + rest == pytest.approx(1, abs=1e-12)
    assert following["rules"]["typical"]["tv"] > 0.01 > 1e-12 > following["rules"]["block"]["tv"]
    mentioned = {str(i) for i in [*following["ids"], *np.ravel(pairs["cells"]).tolist()]}
    assert mentioned == set(last["pieces"])
    for found in pairs["rules"].values():
        assert sum(found["counts"]) + found["rest"] == 12 and found["impossible"] == 0
    untested = {"tv": None, "tv_by_chance": None, "statistic": None, "p_value": None}
    assert first["pairs"]["rules"]["token"] == {"counts": [0] * len(pairs["cells"]), "rest": 0, "impossible": 0, **untested}  # fmt: skip


def test_the_same_question_has_the_same_answer(letters: Pair) -> None:
    first, second = (checked(letters, ["block", "uniform_used_twice"], samples=30, seed=2) for _ in range(2))
    assert {**first, "created": None} == {**second, "created": None}
    other = checked(letters, ["block", "uniform_used_twice"], samples=30, seed=3)
    assert other["pairs"]["rules"] != first["pairs"]["rules"]


def test_the_next_token_is_exact_or_estimated(letters: Pair) -> None:
    """Against the enumerated law of the very models, within five standard errors where it is estimated."""
    rules = ["threshold", "correction_from_target", "one_uniform_for_all", "break_at_first_failure"]
    records = list(law_check(letters, PROMPT, rules, gamma=3, samples=400, every=0.0))
    assert [record["pairs"]["done"] for record in records[:2]] == [2, 3]
    draft, target = trees_of(letters)
    plain = np.array(target(()))
    for name, found in records[-1]["next"]["rules"].items():
        law = output_law(name, draft, target, 1, 3)[records[-1]["next"]["ids"]]
        total_variation = float(0.5 * np.abs(law - plain[records[-1]["next"]["ids"]]).sum())
        if found["exact"]:
            assert np.abs(law - found["law"]).max() < 1e-12 and found["error"] is found["tv_error"] is None
            assert found["tv"] == pytest.approx(total_variation, abs=1e-12)
        else:
            assert (np.abs(law - found["law"]) < 5 * np.array(found["error"])).all()
            assert max(found["error"]) < 0.02 and abs(found["tv"] - total_variation) < 3 * found["tv_error"]
            assert found["tv"] > 2 * found["tv_error"]
    assert [found["exact"] for found in records[-1]["next"]["rules"].values()] == [True, True, False, False]


def test_one_sample_says_nothing_of_its_error(letters: Pair) -> None:
    record = checked(letters, ["one_uniform_for_all"], samples=1)
    found = record["next"]["rules"]["one_uniform_for_all"]
    assert record["pairs"]["done"] == 1 and found["error"] is found["tv_error"] is None and found["tv"] is not None


def p_values(pair: Pair, rules: list[str], seeds: int, samples: int) -> dict[str, list[float]]:
    """Of every rule, from one check a seed."""
    records = [checked(pair, rules, gamma=3, seed=seed, samples=samples) for seed in range(seeds)]
    return {rule: [record["pairs"]["rules"][rule]["p_value"] for record in records] for rule in rules}


def assert_no_bias(values: list[float]) -> None:
    """Of independent p-values: the least not below a hundredth of what it is on average, the mean within four standard errors of ½."""
    assert min(values) > 1 / len(values) / 100
    assert abs(float(np.mean(values)) - 0.5) < 4 * np.sqrt(1 / 12 / len(values))
    assert min(values) < 0.35 and max(values) > 0.65


def test_lossless_rules_pass(letters: Pair) -> None:
    for rule, values in p_values(letters, LOSSLESS, 16, 200).items():
        try:
            assert_no_bias(values)
        except AssertionError as error:
            raise AssertionError(rule) from error


@pytest.mark.parametrize("mutant", ["same uniforms", "no memory"])
def test_a_wrong_decoder_does_not_pass(letters: Pair, mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second block on the first one's uniforms, and greedy_block without its continuation, are seen in the p-values too."""
    rule = "token"
    if mutant == "same uniforms":
        monkeypatch.setattr("specdemo.lab.law_blocks.PhiloxUniforms", SameInEveryBlock)
    else:
        rule = "greedy_without_continuation"
    with pytest.raises(AssertionError):
        assert_no_bias(p_values(letters, [rule], 16, 200)[rule])


@pytest.mark.parametrize(
    "rule",
    [
        "correction_from_target",
        "threshold",
        "typical",
        "lenience",
        "one_uniform_for_all",
        "greedy_without_continuation",
    ],
)
def test_wrong_rules_fail(letters: Pair, rule: str) -> None:
    """600 pairs are enough for a p-value below 1/200 here, with each of three seeds, and for a total variation beyond chance."""
    for seed in range(3):
        record = checked(letters, [rule], gamma=3, seed=seed, samples=600)
        found = record["pairs"]["rules"][rule]
        assert found["p_value"] < 0.005 and found["tv"] > found["tv_by_chance"]["high"]  # fmt: skip


def test_only_the_pairs_catch_a_forgotten_continuation(letters: Pair) -> None:
    """Its first token is right to the last bit, its pairs are not: exactly, and as counted."""
    rule = "greedy_without_continuation"
    record = checked(letters, [rule], gamma=3, samples=3000)
    assert record["next"]["rules"][rule]["tv"] < 1e-12
    draft, target = trees_of(letters)
    law = output_law(rule, draft, target, 2, 3)
    plain = np.array([[target(())[a] * target((a,))[b] for b in range(3)] for a in range(3)])
    assert 0.5 * np.abs(law - plain).sum() > 0.1
    pairs = record["pairs"]
    for cell, expected, count in zip(pairs["cells"], pairs["target"], pairs["rules"][rule]["counts"], strict=True):
        a, b = cell
        assert expected == pytest.approx(plain[a, b], abs=1e-12)
        assert abs(count / 3000 - law[a, b]) < 5 * np.sqrt(law[a, b] / 3000)
    assert pairs["rest_target"] == 0 and pairs["rules"][rule]["rest"] == 0


def test_at_temperature_zero_there_is_one_pair(letters: Pair) -> None:
    record = checked(letters, ["token", "exact_match", "greedy_block"], temperature=0.0, samples=20)
    assert len(record["pairs"]["cells"]) == 1 and record["pairs"]["target"] == [1.0]
    for rule in record["rules"]:
        assert record["next"]["rules"][rule]["exact"] and record["next"]["rules"][rule]["tv"] == 0
        found = record["pairs"]["rules"][rule]
        assert (found["counts"], found["p_value"], found["tv"], found["impossible"]) == ([20], 1.0, 0.0, 0)


def test_what_is_impossible_is_no_chance(letters: Pair) -> None:
    """At temperature 0 a softmaxed residual emits tokens that the target cannot."""
    record = checked(letters, ["softmaxed_residual"], temperature=0.0, samples=40)
    found = record["pairs"]["rules"]["softmaxed_residual"]
    assert found["impossible"] > 0 and found["p_value"] == 0 and found["rest"] >= found["impossible"]


def test_without_a_draft_everything_is_plain(letters: Pair) -> None:
    record = checked(letters, ["token", "one_uniform_for_all"], gamma=0, samples=50)
    assert all(found["exact"] and found["tv"] < 1e-12 for found in record["next"]["rules"].values())
    counts = [found["counts"] for found in record["pairs"]["rules"].values()]
    assert counts[0] == counts[1] and sum(counts[0]) == 50


def test_a_cancelled_check_keeps_what_it_has(letters: Pair) -> None:
    stop = False
    records = law_check(letters, PROMPT, ["token"], samples=5000, every=0.0, cancelled=lambda: stop)
    for record in records:
        stop = record["pairs"]["done"] >= 7
        last = record
    assert last["pairs"]["done"] == 7
    assert list(law_check(letters, PROMPT, ["token"], cancelled=lambda: True)) == []


def test_records_come_now_and_then(letters: Pair) -> None:
    assert [record["pairs"]["done"] for record in law_check(letters, PROMPT, ["token"], samples=5, every=1e9)] == [0, 5]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rules": []}, "one to 4 different rules, got none"),
        ({"rules": ["token", "token"]}, "different rules, got token, token"),
        ({"rules": [*LOSSLESS, "typical"]}, "one to 4 different rules"),
        ({"rules": ["nonsense"]}, "there is no verifier 'nonsense'"),
        ({"samples": 0}, "an integer in 1 … 5000, got 0"),
        ({"samples": 5001}, "an integer in 1 … 5000, got 5001"),
        ({"samples": 2.5}, "an integer in 1 … 5000, got 2.5"),
        ({"samples": True}, "an integer in 1 … 5000, got True"),
        ({"gamma": 65}, "gamma"),
        ({"temperature": -1}, "temperature"),
        ({"top_p": 0}, "top_p"),
        ({"seed": -1}, "seed"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_at_once(letters: Pair, changed: dict[str, Any], message: str) -> None:
    settings: dict[str, Any] = {"rules": ["token"], "samples": 10} | changed
    with pytest.raises(ValueError, match=message):
        law_check(letters, PROMPT, settings.pop("rules"), **settings)


def test_the_module_names_its_bounds() -> None:
    assert (law_module.MOST_RULES, law_module.MOST_SAMPLES) == (4, 5000)


def test_a_check_that_paused_again_and_again_counts_the_same(letters: Pair) -> None:
    rules = ["block", "current_row_for_next", "threshold"]
    settings: dict[str, Any] = {"gamma": 2, "seed": 3, "samples": 50}
    whole = checked(letters, rules, **settings)
    assert not all(rule["exact"] for rule in whole["next"]["rules"].values()), "no estimate would have to be carried over"
    state: dict[str, Any] | None = None
    slices = 0
    while slices < 100:
        states: list[dict[str, Any]] = []
        *_, found = law_check(
            letters, PROMPT, rules, **settings, resume=state, paused=states.append, cancelled=stopped_after(8)
        )
        slices += 1
        if not states:
            break
        state = json.loads(json.dumps(states[-1], allow_nan=False))
    assert slices > 5 and found["pairs"]["done"] == 50
    assert found["pairs"] == whole["pairs"] and found["next"] == whole["next"]
