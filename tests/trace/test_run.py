"""The head of a trace, whole runs, and the states between blocks."""

from __future__ import annotations

import copy
from datetime import datetime
from typing import Any

import pytest

import specdemo
from specdemo.decoding import Decoding, decode_run
from specdemo.pairs import Pair
from specdemo.trace import RunState, run_head, state_of, whole_run
from specdemo.trace.run import versions
from tests.tiny import tiny_pair

# docs/trace.md, "The run" and "A block"; adding a field means telling it there.
RUN_FIELDS = {
    "schema", "created", "versions", "pair", "settings", "prompt", "pieces", "verifiers", "blocks", "finish", "smallest_margin", "memory",
    "digest", "head_digest",
}  # fmt: skip
BLOCK_FIELDS = {
    "index", "start", "gamma", "verifier", "memory", "uniforms", "paths", "verdicts", "kept", "gained", "committed", "shown_tokens",
    "finish", "pieces", "margin", "digest", "passes", "timings",
}  # fmt: skip


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None)


@pytest.fixture(scope="module")
def run(pair: Pair) -> dict[str, Any]:
    return decode_run(pair, "the cat sat", seed=6, max_new_tokens=10, gamma=3)


def test_the_fields_are_those_of_the_documentation(run: dict[str, Any]) -> None:
    assert set(run) == RUN_FIELDS
    assert all(set(block) == BLOCK_FIELDS for block in run["blocks"])
    assert run["schema"] == "specdemo.trace/1"
    assert datetime.fromisoformat(run["created"]).utcoffset() is not None


def test_the_head_says_what_was_asked_of_what(pair: Pair, run: dict[str, Any]) -> None:
    assert run["pair"] == {
        "name": "tiny", "title": "tiny", "draft": "tiny-draft", "draft_revision": "seed:2", "target_revision": "seed:1",
        "vocab_size": 300, "context_limit": 96, "device": "cpu", "dtype": "float64", "eos_token_ids": [],
    }  # fmt: skip
    assert run["settings"] == {
        "verifier": "block", "gamma": 3, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 6, "stream": 0,
        "max_new_tokens": 10, "prompt_mode": "text",
    }  # fmt: skip
    assert run["prompt"] == {"text": "the cat sat", "ids": pair.tokenizer("the cat sat").input_ids, "notice": None}


def test_versions_name_what_is_there_and_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    assert versions()["specdemo"] == specdemo.__version__ and versions()["numpy"][0].isdigit()
    monkeypatch.setattr(metadata, "version", lambda name: (_ for _ in ()).throw(metadata.PackageNotFoundError(name)))
    assert versions()["torch"] == "absent"


def test_a_head_is_a_run_without_blocks(pair: Pair) -> None:
    decoding = Decoding(pair, "the cat", seed=1, max_new_tokens=5)
    head = copy.deepcopy(decoding.head)
    assert head["blocks"] == [] and head["finish"] is None and head["smallest_margin"] is None
    assert head["digest"] == head["head_digest"]
    whole = whole_run(decoding.head, decoding)
    assert decoding.head == head, "the head itself is left as it is"
    assert whole["finish"] == "length" == whole["blocks"][-1]["finish"]
    assert whole["digest"] == whole["blocks"][-1]["digest"] != whole["head_digest"]
    assert whole_run(head, []) == head


def test_blocks_are_numbered_and_placed(run: dict[str, Any]) -> None:
    start = len(run["prompt"]["ids"])
    for index, block in enumerate(run["blocks"]):
        assert (block["index"], block["start"]) == (index, start)
        start += block["shown_tokens"]
    assert start == len(run["prompt"]["ids"]) + 10


def test_the_deciding_rule_is_always_among_the_verdicts(pair: Pair) -> None:
    run = decode_run(pair, "the cat", max_new_tokens=3, verifier="block", rules=("token", "token"))
    assert run["verifiers"] == ["token", "block"] == list(run["blocks"][0]["verdicts"])


def test_streams_share_nothing(pair: Pair) -> None:
    runs = [decode_run(pair, "the cat", seed=1, stream=s, max_new_tokens=6) for s in (0, 1)]
    used = [{u for b in r["blocks"] for u in b["uniforms"]["draft"] + b["uniforms"]["verify"]} for r in runs]
    assert not used[0] & used[1]


def test_state_of(run: dict[str, Any]) -> None:
    prompt = tuple(run["prompt"]["ids"])
    assert state_of(run, 0) == RunState(prompt, len(prompt), 0, None, run["head_digest"])
    two = state_of(run, 2)
    added = (*run["blocks"][0]["committed"], *run["blocks"][1]["committed"])
    assert two == RunState((*prompt, *added), len(prompt), 2, None, run["blocks"][1]["digest"])
    assert state_of(run).block == len(run["blocks"]) and state_of(run).digest == run["digest"]


def test_state_of_takes_the_memory_from_where_it_is(run: dict[str, Any]) -> None:
    """Before a block it is in that block, after the last one in the run; where a text has ended there is none."""
    remembering = copy.deepcopy(run)
    remembering["blocks"][1]["memory"], remembering["memory"] = [[0.5, 2]], [[0.25, 1]]
    assert state_of(remembering, 1).memory == [[0.5, 2]]
    assert remembering["blocks"][-1]["finish"] == "length" and state_of(remembering).memory is None
    remembering["blocks"][-1]["finish"] = None
    assert state_of(remembering).memory == [[0.25, 1]]


@pytest.mark.parametrize("blocks", [-1, 99])
def test_state_of_a_block_that_is_not_there(run: dict[str, Any], blocks: int) -> None:
    with pytest.raises(ValueError, match=rf"blocks is {blocks}: the trace has \d+"):
        state_of(run, blocks)


def test_state_of_a_trace_without_its_beginning(pair: Pair, run: dict[str, Any]) -> None:
    rest = decode_run(pair, "the cat sat", seed=6, max_new_tokens=10, gamma=3, resume=state_of(run, 2))
    assert rest["digest"] == run["digest"] and rest["head_digest"] == run["head_digest"]
    with pytest.raises(ValueError, match=r"the trace begins at block 2: the text before it is missing"):
        state_of(rest)


def test_a_record_tells_what_loops_need(pair: Pair) -> None:
    record = next(iter(Decoding(pair, "the cat", seed=1, max_new_tokens=5)))
    data = record.to_json()
    assert (record.kept, record.committed, record.finish) == (data["kept"], data["committed"], data["finish"])
    assert record.state.digest == data["digest"] and record.state.block == 1


def test_run_head_of_unusual_text_is_json(pair: Pair) -> None:
    import json

    head = run_head(pair, pair.encode('"\\ \u2028 🙂 \x00 é'), {"verifier": "block", "gamma": 1})
    assert json.loads(json.dumps(head, allow_nan=False)) == head
