"""What stands between two steps is bounded in bytes, in all and of one visitor, and a run that had to go says so when it is asked for."""

from __future__ import annotations

import gc
import json
import weakref
from typing import Any

import pytest
import torch

from specdemo.decoding import Decoding
from specdemo.pages.continuations import GONE, Continuations, StandingRun
from specdemo.pages.models import Models
from specdemo.pages.open_runs import Asker
from specdemo.pages.service import Service
from specdemo.pairs import Pair
from specdemo.trace import RunState
from tests.pages.test_service import PAIR, nothing, request
from tests.stories import stories
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=256, eos=None)


def standing(pair: Pair, seed: int = 0) -> tuple[StandingRun, RunState]:
    """A run after its first block."""
    run = StandingRun(Decoding(pair, "the cat", seed=seed, max_new_tokens=100))
    record = run.block()
    assert record is not None
    return run, record.state


@pytest.fixture(scope="module")
def one(pair: Pair) -> int:
    """Bytes that one run counts."""
    kept = Continuations()
    run, state = standing(pair)
    kept.keep("k", state, run)
    assert kept.bytes > run.nbytes() > 0
    return kept.bytes + 1000  # a first block may be longer than this one


def tensors() -> dict[int, int]:
    """Bytes by address of all that is stored for tensors."""
    gc.collect()
    found = [thing for thing in gc.get_objects() if issubclass(type(thing), torch.Tensor)]
    return {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in found}


@pytest.mark.parametrize("name", ["tiny", "stories"])
def test_what_is_counted_is_what_is_held(pair: Pair, name: str) -> None:
    """All tensors that are there because of the run, weights aside; the tiny models go through transformers, the others do not."""
    used = pair if name == "tiny" else stories()
    standing(used)  # what is made once for all runs
    before = tensors()
    run, _ = standing(used, seed=1)
    held = sum(size for address, size in tensors().items() if address not in before)
    assert 0.95 * held <= run.nbytes() <= 1.05 * held
    if name == "stories":
        assert 3.5e6 < run.nbytes() < 4.5e6, "docs/server.md tells how many of them are kept"


def test_all_visitors_together_are_bounded(pair: Pair, one: int) -> None:
    kept = Continuations(most_bytes=5 * one, most_bytes_each=2 * one)
    runs = [standing(pair, seed) for seed in range(9)]
    for number, (run, state) in enumerate(runs):
        kept.keep("k", state, run, f"visitor {number}")
        assert kept.bytes <= 5 * one and kept.bytes == sum(kept.bytes_of(f"visitor {n}") for n in range(9))
    assert len(kept) == 5
    assert [kept.had_to_go("k", state) for _, state in runs] == [True] * 4 + [False] * 5
    assert kept.take("k", runs[0][1]) is None and kept.take("k", runs[8][1]) is runs[8][0]
    assert not kept.had_to_go("k", runs[8][1]) and len(kept) == 4


def test_one_visitor_is_bounded_and_takes_nothing_from_others(pair: Pair, one: int) -> None:
    kept = Continuations(most_bytes=10 * one, most_bytes_each=2 * one)
    theirs, their_state = standing(pair, 100)
    kept.keep("k", their_state, theirs, "quiet")
    runs = [standing(pair, seed) for seed in range(6)]
    for run, state in runs:
        kept.keep("k", state, run, "busy")
        assert kept.bytes_of("busy") <= 2 * one
    assert kept.take("k", their_state) is theirs
    assert [kept.take("k", state) is not None for _, state in runs] == [False] * 4 + [True] * 2
    assert kept.bytes == kept.bytes_of("busy") == 0


def test_a_run_larger_than_the_bound_stays_until_the_next_comes(pair: Pair, one: int) -> None:
    kept = Continuations(most_bytes=one // 2, most_bytes_each=one // 4)
    first, second = standing(pair, 0), standing(pair, 1)
    kept.keep("k", first[1], first[0], "a")
    assert len(kept) == 1
    kept.keep("k", second[1], second[0], "b")
    assert len(kept) == 1 and kept.bytes == kept.bytes_of("b") and kept.take("k", second[1]) is second[0]


def test_the_same_place_twice_is_counted_once(pair: Pair, one: int) -> None:
    kept = Continuations()
    for visitor in ("a", "b"):
        run, state = standing(pair)
        kept.keep("k", state, run, visitor)
    assert len(kept) == 1 and kept.bytes == kept.bytes_of("b") <= one and kept.bytes_of("a") == 0


def stepped(service: Service, seed: int, visitor: str) -> dict[str, Any]:
    """The next step's request after a first one, which is left standing."""
    first = [json.loads(m) for m in service.decode(request(seed=seed, blocks=1), Asker(f"s{seed}", visitor))]
    head = next(m["head"] for m in first if m["kind"] == "start")
    (block,) = next(m["blocks"] for m in first if m["kind"] == "blocks")
    prompt = head["prompt"]["ids"]
    return {
        "ids": prompt + block["committed"], "prompt_length": len(prompt), "block": 1, "memory": None, "digest": block["digest"],
    }  # fmt: skip


def said(service: Service, seed: int, resume: dict[str, Any]) -> list[str]:
    messages = [json.loads(m) for m in service.decode(request(seed=seed, blocks=1, resume=resume))]
    assert messages[-1]["kind"] == "end"
    return [m["text"] for m in messages if m["kind"] == "progress"]


def test_who_comes_back_to_a_run_that_had_to_go_is_told(pair: Pair, one: int) -> None:
    service = Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))
    service._continuations = Continuations(most_bytes=5 * one, most_bytes_each=2 * one)
    resumes = [stepped(service, seed, "me") for seed in range(3)]
    others = stepped(service, 9, "another")
    assert said(service, 0, resumes[0]) == [GONE] and "read once more" in GONE
    assert said(service, 2, resumes[2]) == [] and said(service, 9, others) == []
    fresh = Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))
    assert GONE not in said(fresh, 0, resumes[0]), "a server that never had it has nothing to tell"


def test_a_pair_that_is_dropped_is_not_held_by_its_runs() -> None:
    pairs: dict[str, Pair] = {}

    def load(name: str, draft: str, progress: Any) -> Pair:
        pairs[name] = tiny_pair(context=256, eos=None)
        return pairs[name]

    service = Service(Models(load=load, kept=1, fetch=nothing))
    stepped(service, 0, "me")
    assert len(service._continuations) == 1
    gone = weakref.ref(pairs.pop(PAIR))
    service.models.start("other", "").future.result(10)
    assert len(service._continuations) == 0
    gc.collect()
    assert gone() is None
