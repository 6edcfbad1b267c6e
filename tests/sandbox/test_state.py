"""Texts become laws exactly, or problems that say where, what and what would be right; and nothing that is sent costs more than a moment."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from typing import Any

import pytest

from specdemo.sandbox.answers import ANSWERS
from specdemo.sandbox.numbers import NotAProbability, read_probability
from specdemo.sandbox.state import RequestError, State, read_as, read_laws
from tests.sandbox.states import free, laws_of, model_c, picture, random_state, two_symbols


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", "0"),
        ("1", "1"),
        ("0.25", "1/4"),
        (".25", "1/4"),
        ("1.", "1"),
        ("+0.5", "1/2"),
        ("1e-3", "1/1000"),
        ("25E-2", "1/4"),
        ("0.025e1", "1/4"),
        ("2/3", "2/3"),
        (" 2 / 3 ", "2/3"),
        ("0.5/3", "1/6"),
        ("1e3/2e3", "1/2"),
        ("0/7", "0"),
        ("-0", "0"),
        ("−0.0", "0"),
        ("0e999999999", "0"),
        ("1e-30", f"1/{10**30}"),
        ("0.1", "1/10"),
        ("0,25", "1/4"),
        ("0,125", "1/8"),
        ("1,5/3", "1/2"),
        ("０．５", "1/2"),
        ("１／３", "1/3"),
        ("0.30000000000000004", "30000000000000004/100000000000000000"),
    ],
)
def test_what_is_read_is_read_exactly(text: str, value: str) -> None:
    assert read_probability(text) == Fraction(value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing is typed"),
        ("   ", "nothing is typed"),
        ("-0.1", "negative"),
        ("−1/2", "negative"),
        ("--0", "negative"),
        ("1.5", "larger than 1"),
        ("7/6", "larger than 1"),
        ("1e400", "larger than 1"),
        ("1e999999999", "larger than 1"),
        ("1e-999999999", "smaller than 1e-30"),
        ("1e-31", "smaller than 1e-30"),
        ("1/1e35", "smaller than 1e-30"),
        ("nan", "no finite number"),
        ("Infinity", "no finite number"),
        ("+inf", "no finite number"),
        ("∞", "no finite number"),
        ("1/0", "divides by 0"),
        ("0/0", "divides by 0"),
        ("1/0.000", "divides by 0"),
        ("1/2/3", "more than one /"),
        ("1e999999999/1e999999999", "far too large"),
        ("1/1e999999999", "far too large"),
        ("1e-999999999/1", "far too small"),
        ("10^400", "1e-3"),
        ("2**-1", "1e-3"),
        ("1,234/9", "read in two ways"),
        ("25%", "0.25"),
        ("a", "0.25, 1e-3 or 2/3"),
        (".", "0.25, 1e-3 or 2/3"),
        ("e5", "0.25, 1e-3 or 2/3"),
        ("1_0", "0.25, 1e-3 or 2/3"),
        ("0x1", "0.25, 1e-3 or 2/3"),
        ("١", "0.25, 1e-3 or 2/3"),
        ("/", "0.25, 1e-3 or 2/3"),
        ("1e--5", "0.25, 1e-3 or 2/3"),
        ("0." + "1" * 39, "41 characters"),
    ],
)
def test_what_is_not_read_says_why(text: str, says: str) -> None:
    began = time.process_time()
    with pytest.raises(NotAProbability) as problem:
        read_probability(text)
    assert says in str(problem.value)
    assert time.process_time() - began < 0.05, "a text must not make a large integer"


def problems(given: dict[str, Any]) -> list[dict[str, Any]]:
    answer: dict[str, Any] = json.loads(ANSWERS["sandbox"](json.dumps(given)))
    assert set(answer) == {"problems"}
    return list(answer["problems"])


def test_a_problem_names_its_place() -> None:
    given = model_c()
    given["target"][1][0][2] = "1/0"
    (found,) = problems(given)
    assert {key: found[key] for key in ("side", "level", "row", "symbol", "text")} == {
        "side": "target", "level": 1, "row": 0, "symbol": 2, "text": "1/0",
    }  # fmt: skip
    assert "divides by 0" in found["message"] and "from 0 to 1" in found["message"]


def test_one_problem_a_field_and_no_sum_beside_it() -> None:
    given = free(["-1", "nan"], ["0.5", "0.6"], 2)
    found = [(p["side"], p["symbol"]) for p in problems(given)]
    assert found == [("draft", 0), ("draft", 1), ("target", None)]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (["2/3", "1/2"], "the row sums to 7/6 (1.16667), which is 1/6 (0.166667) too much"),
        (["0.3", "0.3"], "the row sums to 3/5 (0.6), which is 2/5 (0.4) missing"),
        (["1", "1"], "the row sums to 2, which is 1 too much"),
        (["0", "0"], "every symbol has probability 0"),
        (["0.5", "0.500000002"], "too much"),
    ],
)
def test_a_sum_says_what_it_is_and_by_how_much_it_misses(row: list[str], says: str) -> None:
    (found,) = problems(free(row, ["0.5", "0.5"], 1))
    assert (found["side"], found["level"], found["row"], found["symbol"]) == ("draft", 0, 0, None)
    assert says in found["message"]


def test_nothing_is_normalised_unasked_but_rounding_which_is_told() -> None:
    given = free(["0.333333333", "0.333333333", "0.333333333"], ["0.5", "0.25", "0.25"], 2)
    laws = laws_of(given)
    assert laws.draft == [[[Fraction(1, 3)] * 3]]
    (row,) = picture(given)["normalised"]
    assert row == {"side": "draft", "level": 0, "row": 0, "sum": pytest.approx(1 - 1e-9, abs=1e-15)}
    assert picture(two_symbols(2))["normalised"] == []


def test_a_law_copied_from_a_program() -> None:
    texts = [repr(0.1), repr(0.2), repr(0.7 - 1e-16)]
    assert sum(laws_of(free(texts, ["0.5", "0.25", "0.25"], 1)).draft[0][0]) == 1


def changed(**fields: Any) -> dict[str, Any]:
    return {**two_symbols(2), **fields}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (changed(symbols=1), "symbols"),
        (changed(symbols=6), "symbols"),
        (changed(symbols=2.0), "symbols"),
        (changed(symbols="2"), "symbols"),
        (changed(symbols=True), "symbols"),
        (changed(symbols=3), "3 texts"),
        (changed(gamma=0), "gamma"),
        (changed(gamma=5), "gamma"),
        (changed(context="any"), "context"),
        (changed(context="position"), "levels of [1] rows"),
        (changed(rules=["token"]), "rules"),
        (changed(rules=["token", "nosuch"]), "no verifier 'nosuch'"),
        (changed(rules=["token", "x" * 5000]), "so long a name"),
        (changed(draft=[]), "draft"),
        (changed(draft=[[["1", 0]]]), "draft"),
        (changed(draft=[[["1", "0", "0"]]]), "2 texts"),
        (changed(draft=[[["1", "0" * 2000]]]), "draft"),
        (changed(draft=None), "draft"),
        (changed(extra=1), "extra"),
        ({}, "symbols"),
        (random_state(0, 5, 3, "free") | {"gamma": 4}, "625 blocks"),
    ],
)
def test_what_is_no_state_is_refused_in_a_sentence(given: dict[str, Any], says: str) -> None:
    with pytest.raises(RequestError, match=r".") as error:
        ANSWERS["sandbox"](json.dumps(given))
    assert says in str(error.value) and len(str(error.value)) < 4000 and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{", "[" * 60_000, '{"symbols":' * 5_000, '"' + "x" * 60_000,
        '{"symbols":1e999}', '{"symbols":' + "9" * 60_000 + "}", '{"a":NaN}', '{"symbols":2,"other":3}', "\x00", '{"draft":"\\ud800"}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ANSWERS)
def test_hostile_texts_are_refused_quickly(name: str, text: str) -> None:
    began = time.process_time()
    with pytest.raises(RequestError):
        ANSWERS[name](text)
    assert time.process_time() - began < 0.5


def test_the_longest_laws_cost_no_more() -> None:
    """Different 19-digit denominators everywhere, sums within rounding: fractions grow to thousands of digits, and are left alone."""
    given = random_state(0, 4, 4, "prefix", "block", "sampled_match")
    denominator = 10**18 + 1
    for side in ("draft", "target"):
        for level in given[side]:
            for row in level:
                shares = [Fraction(1, 4)] * 4
                for i in range(4):
                    denominator += 2
                    row[i] = f"{int(shares[i] * denominator)}/{denominator}"
    state = read_as(State, json.dumps(given))
    began = time.process_time()
    read_laws(state)
    record = picture(given)
    assert time.process_time() - began < 5
    assert record["rules"]["block"]["expected_fraction"] is None and len(record["normalised"]) == 170
