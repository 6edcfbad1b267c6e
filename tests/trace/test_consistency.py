"""Traces whose parts do not fit together: refused with the place, and whatever is not refused here the viewer takes too."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from specdemo.standalone import record_of
from specdemo.trace.consistency import check_consistent
from specdemo.trace.schema import InvalidTrace, check_trace
from tests.fuzzing.doors import trace
from tests.fuzzing.test_page_importer import CHECK, damaged_traces
from tests.viewer.javascript import call

ROW = "blocks/0/paths/0/rows/0"
LAST = "blocks/0/paths/0/rows/2"
BLOCK = "blocks/0/verdicts/block"


def at(record: Any, place: str) -> tuple[Any, Any]:
    """What holds a place, and its key there."""
    *parts, last = place.split("/")
    for part in parts:
        record = record[int(part) if isinstance(record, list) else part]
    return record, int(last) if isinstance(record, list) else last


def changed(place: str, value: Any) -> Any:
    record = copy.deepcopy(trace())
    holder, key = at(record, place)
    holder[key] = value(holder[key]) if callable(value) else value
    return record


def swapped(kind: str) -> str:
    return {"bonus": "correction", "correction": "bonus"}[kind]


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("blocks/0/kept", lambda kept: (kept + 1) % 3, "what the deciding rule accepted"),
        ("blocks/0/gained", 9, "one more than was kept"),
        ("blocks/0/committed", lambda ids: [ids[0] + 1, *ids[1:]], "the kept tokens and the next one"),
        ("blocks/0/shown_tokens", 9, "as many as were committed"),
        ("blocks/0/index", 1, "a block is missing"),
        ("blocks/1/start", 1, "where the text before it ends"),
        ("blocks/0/paths/0/tokens", [299, 300], "the vocabulary has no id 300, only 0 … 299"),
        ("blocks/0/verdicts", lambda verdicts: {"block": verdicts["block"]}, "the rule 'token' has no verdict"),
        (f"{ROW}/token", 299, "the token that was drafted here"),
        (f"{ROW}/ratio", None, "only the last row has none"),
        (f"{ROW}/rest/draft", None, "only the last row has none"),
        (f"{ROW}/shown/draft", None, "one for each of the ids"),
        (f"{ROW}/shown/target", [0.5], "one for each of the ids"),
        (f"{ROW}/shown/ids", lambda ids: [299] * len(ids), "the drafted token"),
        (f"{LAST}/tv", 0.5, "must be null in the last row"),
        (f"{LAST}/shown/draft", [], "must be null in the last row"),
        (f"{LAST}/shown/ids", lambda ids: ids[:1] * len(ids), "an id is there twice"),
        (f"{BLOCK}/prefix_weight", [1.0], "3 entries, one for each prefix"),
        (f"{BLOCK}/residual_scale", [1.0] * 4, "3 entries, one for each prefix"),
        (f"{BLOCK}/expected_accepted", 2.1, "at most 2"),
        (f"{BLOCK}/next_token", 300, "the vocabulary has no id 300"),
        (f"{BLOCK}/next_kind", swapped, "where"),
        ("blocks/0/pieces", {"x": "a"}, "named by a token's id"),
        ("pieces", {"1": {"bytes": "abc"}}, "hexadecimal"),
        ("verifiers", [], "at least one rule"),
        ("prompt/ids", lambda ids: [300, *ids[1:]], "the vocabulary has no id 300"),
        ("pair/vocab_size", 10**7 + 1, "at most 10000000"),
        (f"{LAST}/rest/count", 2**53, "a browser cannot hold the whole number 9007199254740992"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(place: str, value: Any, words: str) -> None:
    wrong = changed(place, value)
    check_trace(wrong)  # nothing that the schema knows of
    with pytest.raises(InvalidTrace, match="the trace is wrong at ") as caught:
        record_of(wrong)
    said = str(caught.value)
    assert words in said and len(said.splitlines()) == 1
    assert said.removeprefix("the trace is wrong at ").startswith((place, place.rpartition("/")[0])), said


def test_a_block_that_was_taken_out_is_missed() -> None:
    wrong = copy.deepcopy(trace())
    del wrong["blocks"][1]
    check_trace(wrong)
    with pytest.raises(InvalidTrace, match="blocks/1/index: it must be 1: a block is missing"):
        check_consistent(wrong)


def test_a_good_trace_is_given_back() -> None:
    assert check_consistent(trace()) is trace()


def one_thing_wrong() -> Iterator[Any]:
    """The trace with each of its places, in the first block, changed in every way that a value of its kind can be."""
    whole = trace()
    one = {**whole, "blocks": whole["blocks"][:1]}
    for place, value in places(one):
        for other in (None, *others(value)):
            record = copy.deepcopy(one)
            holder, key = at(record, place)
            holder[key] = other
            yield record
        record = copy.deepcopy(one)
        holder, key = at(record, place)
        del holder[key]
        yield record


def places(value: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """Every place with its value; of a list the first two and the last."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if isinstance(value, list) and 1 < key < len(value) - 1:
            continue
        yield f"{above}{key}", inner
        yield from places(inner, f"{above}{key}/")


def others(value: Any) -> list[Any]:
    if isinstance(value, bool) or value is None:
        return [0, 0.5, [], {}, "x"]
    if isinstance(value, int):
        return [value + 1, value - 1, 0, 1, 2**31, 2**53]
    if isinstance(value, float):
        return [0.0, 0.5, 1.0, 1.0000000005, 2.5, 1e300, -0.0, 1]
    if isinstance(value, str):
        return ["", "x", "inf"]
    if isinstance(value, list):
        return [[], value[:-1], [*value, *value[:1]], value[::-1]]
    return [{}, {**value, "7": value}]


def taken(record: Any) -> bool:
    try:
        record_of(record)
    except ValueError:
        return False
    return True


def test_what_is_taken_here_the_viewer_takes(request: pytest.FixtureRequest) -> None:
    """Each accepted trace is put to validate.js: a page would be written of it, which must open."""
    hostile = [*one_thing_wrong(), *map(json.loads, damaged_traces(100))]
    good = [record for record in hostile if taken(record)]
    assert 100 < len(good) < len(hostile) / 2
    answers = call(request, "validate.js", CHECK, [json.dumps(record) for record in good])
    refused = [answer["words"] for answer in answers if not answer["accepted"]]
    assert not refused, refused[:10]
