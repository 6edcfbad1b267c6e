"""Which forward pass made a block is told in the trace, and is no part of what the digest says."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from specdemo.decoding import decode_run
from specdemo.pairs import Pair
from specdemo.trace.schema import InvalidTrace, check_trace
from tests.decoding.graphs import Counting, recording
from tests.tiny import tiny_pair

PROMPT = "the cat sat on the mat"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None)


def decoded(pair: Pair) -> dict[str, Any]:
    return check_trace(decode_run(pair, PROMPT, seed=6, max_new_tokens=12, gamma=2))


def kinds(trace: dict[str, Any]) -> list[str]:
    return [block["passes"] for block in trace["blocks"]]


def test_every_block_says_how_it_was_made(pair: Pair) -> None:
    plain = decoded(pair)
    with recording(pair.draft_model, pair.target_model, Counting()):
        graphed = decoded(pair)
    with recording(pair.draft_model, pair.target_model, Counting(lies_at=1)):
        refused = decoded(pair)
    count = len(plain["blocks"])
    assert kinds(plain) == ["eager"] * count
    assert kinds(graphed) == ["eager"] + ["graphed"] * (count - 1)
    assert kinds(refused) == ["eager"] + ["refused"] * (count - 1)
    assert plain["digest"] == graphed["digest"] == refused["digest"], "the same text, decided by the same numbers"


def test_traces_that_do_not_say_it_are_read(pair: Pair) -> None:
    trace = decoded(pair)
    older = copy.deepcopy(trace)
    for block in older["blocks"]:
        del block["passes"]
    assert check_trace(older) is older
    other = copy.deepcopy(trace)
    other["blocks"][1]["passes"] = "by hand"
    with pytest.raises(InvalidTrace, match=r"blocks/1/passes"):
        check_trace(other)
