"""The whole loop honours a rule's memory: its text follows the target, across blocks, resumptions, switches and short last blocks."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, cast

import numpy as np
import pytest

from specdemo.decoding import Decoding, decode_run, speculative_decode
from specdemo.decoding.batched_loop import Text as BatchedText
from specdemo.decoding.loop import BlockLoop, Step
from specdemo.pairs.vocabulary import Pieces
from specdemo.sentences import sentence_of
from specdemo.trace import RunState, block_record, state_of
from specdemo.trace.schema import check_trace
from specdemo.verifiers import get, owner_of
from tests.loop_law import Cell, Scripted, law_distance
from tests.reference import Text, drafted, text_law
from tests.tiny import tiny_pair
from tests.toy_models import ToyWorld, always, three_symbols

GREEDY = get("greedy_block")
EXACT = 1e-12


def cells(world: ToyWorld, text: Text, gamma: int, memory: Any) -> Iterator[Cell]:
    """Every box of uniforms in which a block after `text` ends differently; the rule's plan says where the boxes are, the loop decides."""
    for block in drafted(world.draft, text, gamma):
        rows = [np.array([float(p) for p in world.draft(text + block[:i])]) for i in range(gamma + 1)]
        target = np.array([[float(p) for p in world.target(text + block[:i])] for i in range(gamma + 1)])
        plan = GREEDY.core_plan(np.array(block, dtype=np.int64), np.array(rows), target, memory)
        assert plan.accept_prob is not None
        draws = [float(rows[i][:x].sum() + rows[i][x] / 2) for i, x in enumerate(block)]
        mass = float(np.prod([rows[i][x] for i, x in enumerate(block)]))
        coins = [[(h / 2, h, True), ((1 + h) / 2, 1 - h, False)] for h in plan.accept_prob.tolist()]
        for chosen in product(*coins):
            volume = mass * float(np.prod([width for _, width, _ in chosen]))
            if volume <= 0:
                continue
            kept = max((i + 1 for i, (_, _, success) in enumerate(chosen) if success), default=0)
            law = plan.next_law(kept)
            for y, p in enumerate(law.tolist()):
                if p > 0:
                    point = float(law[:y].sum() + p / 2)
                    yield Cell(tuple(draws), (*(eta for eta, _, _ in chosen), point), volume * p, (*block[:kept], y))


HandOn = Callable[[RunState, Step], Any]


def by_step(before: RunState, step: Step) -> Any:
    """The memory that a loop in this package goes on with."""
    return step.next_memory


def by_text(before: RunState, step: Step) -> Any:
    """The memory of a text in a batch."""
    text = BatchedText(list(before.ids), 1000, cast(Any, None), GREEDY, cast(Any, None), step.gamma, frozenset())
    text.take(step)
    return text.memory


def by_record(before: RunState, step: Step) -> Any:
    """The memory in the state of a record: what `decode` and the server hand on."""
    return block_record(step, ("greedy_block",), _pieces(), before).state.memory


@cache
def _pieces() -> Pieces:
    return tiny_pair().pieces


def by_old_trace(before: RunState, step: Step) -> Any:
    """The memory of a trace as it used to be written: after a cut, that of the whole block."""
    pair = dict.fromkeys(("name", "draft", "draft_revision", "target_revision", "vocab_size"), "")
    block = {"index": 0, "memory": step.memory, "committed": list(step.committed), "finish": step.finish, "digest": ""}
    settings = {"temperature": 1.0, "top_k": 0, "top_p": 1.0}
    trace = {"pair": pair, "settings": settings, "prompt": {"ids": list(before.ids)}, "blocks": [block], "memory": step.verdict.memory}
    return state_of(json.loads(json.dumps(trace))).memory


def written_law(
    loop: BlockLoop, world: ToyWorld, gammas: tuple[int, ...], length: int, cuts: tuple[int, ...] = (), hand_on: HandOn = by_step
) -> dict[Text, float]:
    """The law of `length` tokens that the loop writes, block n with γ = gammas[n] (the last one from then on), memory passed on by `hand_on`.

    At each of the lengths `cuts` a run ends, and the next one goes on. A text also ends at its first token of `loop.eos_token_ids`, and is then
    gone on with.
    """
    ends = loop.eos_token_ids
    states: dict[tuple[Text, str], tuple[Any, float, int]] = {((), ""): (None, 1.0, 0)}
    law: dict[Text, float] = defaultdict(float)
    while states:
        following: dict[tuple[Text, str], tuple[Any, float, int]] = {}
        for (text, _), (memory, mass, index) in states.items():
            loop.gamma = gammas[min(index, len(gammas) - 1)]
            loop.eos_token_ids = ends if ends.isdisjoint(text) else frozenset()
            most = min((cut for cut in cuts if cut > len(text)), default=1000) - len(text)
            before = RunState((*world.prompt, *text), len(world.prompt), index, memory)
            for cell in cells(world, text, loop.gamma, memory):
                loop.uniforms = Scripted([cell], index)
                step = loop.block([*world.prompt, *text], index, memory, most)
                longer = text + step.committed
                if len(longer) >= length:
                    law[longer[:length]] += mass * cell.volume
                else:
                    after = hand_on(before, step)
                    key = (longer, repr(after))
                    _, sofar, _ = following.get(key, (None, 0.0, 0))
                    following[key] = (after, sofar + mass * cell.volume, index + 1)
        states = following
    loop.eos_token_ids = ends
    return law


@pytest.mark.parametrize("gammas", [(2,), (3, 1, 0)])
def test_the_loop_writes_the_targets_law(gammas: tuple[int, ...]) -> None:
    world = three_symbols()
    law = written_law(world.loop("greedy_block", 2), world, gammas, 3)
    expected = {text: float(p) for text, p in text_law(world.target, 3).items()}
    assert law_distance(law, expected) < EXACT


HAND_ON = pytest.mark.parametrize("hand_on", [by_step, by_text, by_record, by_old_trace], ids=lambda by: by.__name__)


@HAND_ON
def test_a_run_that_was_cut_goes_on_with_the_targets_law(hand_on: HandOn) -> None:
    """One token, then another: with the memory of the block as it was before the cut P(BA) would be 1/9."""
    world = ToyWorld(always([2 / 3, 1 / 3]), always([1 / 3, 2 / 3]), prompt=(0, 1))
    law = written_law(world.loop("greedy_block", 2), world, (2,), 2, (1,), hand_on)
    assert law[1, 0] == pytest.approx(2 / 9, abs=EXACT)
    whole = written_law(world.loop("greedy_block", 2), world, (2,), 2, (1,), lambda _, step: step.verdict.memory)
    assert whole[1, 0] == pytest.approx(1 / 9, abs=EXACT)


@HAND_ON
@pytest.mark.parametrize(("cuts", "ends"), [((1,), ()), ((), (0,))], ids=["length", "eos"])
def test_three_symbols_cut_at_a_length_or_at_an_end_of_text(hand_on: HandOn, cuts: tuple[int, ...], ends: tuple[int, ...]) -> None:
    world = three_symbols()
    law = written_law(world.loop("greedy_block", 2, eos=ends), world, (2,), 2, cuts, hand_on)
    assert law_distance(law, {text: float(p) for text, p in text_law(world.target, 2).items()}) < EXACT


@pytest.mark.slow
@pytest.mark.parametrize(("gamma", "cuts"), [(2, (1, 2)), (3, (1,)), (3, (2,))])
def test_cuts_inside_and_between_nested_windows(gamma: int, cuts: tuple[int, ...]) -> None:
    world = three_symbols()
    law = written_law(world.loop("greedy_block", gamma), world, (gamma,), 3, cuts)
    assert law_distance(law, {text: float(p) for text, p in text_law(world.target, 3).items()}) < EXACT


def test_forgetting_the_memory_is_noticed() -> None:
    """The same enumeration finds the mistake it is there for."""
    world = three_symbols()
    loop = world.loop("greedy_without_continuation", 2)
    law: dict[Text, float] = defaultdict(float)
    for cell in cells(world, (), 2, None):
        loop.uniforms = Scripted([cell], 0)
        step = loop.block(list(world.prompt), 0, None, 1000)
        assert step.verdict.memory is None
        rest = text_law(world.target, 2 - len(step.committed), step.committed) if len(step.committed) < 2 else {(): 1}
        for more, p in rest.items():
            law[(*step.committed, *more)[:2]] += cell.volume * float(p)
    expected = {text: float(p) for text, p in text_law(world.target, 2).items()}
    assert law_distance(law, expected) > 1e-3


def run(**settings: Any) -> dict[str, Any]:
    """A run of the tiny pair under greedy block verification, long enough to open windows."""
    defaults = {"gamma": 4, "verifier": "greedy_block", "seed": 5, "max_new_tokens": 40, "eos_token_id": []}
    return decode_run(tiny_pair(), "abc", **{**defaults, **settings})


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """That run."""
    return run()


def test_a_trace_shows_the_memory_and_the_modified_target() -> None:
    trace = check_trace(json.loads(json.dumps(run(), allow_nan=False)))
    inside = [block for block in trace["blocks"] if block["memory"]]
    assert inside, "no window was ever open: choose another seed"
    for block in trace["blocks"]:
        verdict = block["verdicts"]["greedy_block"]
        assert ("effective_target" in verdict) == bool(block["memory"])
        assert "effective_target" not in block["verdicts"]["token"]
        laws = verdict.get("effective_target", [])
        reach = max((n for _, n in block["memory"] or []), default=0)
        modified = [i for i, law in enumerate(laws) if law is not None]
        # Off the window, and on a drafted path that the text cannot take, T̃ is T itself.
        assert set(modified) <= set(range(reach)) and bool(reach) == (0 in modified)
        for law, row in zip(laws, block["paths"][0]["rows"], strict=False):
            if law is None:
                continue
            assert sum(law["shown"]) + law["rest"] == pytest.approx(1, abs=1e-6)
            if row["token"] is not None:
                shown = dict(zip(row["shown"]["ids"], law["shown"], strict=True))
                assert shown[row["token"]] == pytest.approx(law["drafted"], abs=1e-7)


def test_one_go_and_block_by_block_are_one_run() -> None:
    whole = run()
    inside = [count for count, block in enumerate(whole["blocks"]) if block["memory"]]
    for count in {1, *inside[:2], len(whole["blocks"]) - 1}:
        state = state_of(whole, count)
        again = RunState(
            state.ids, state.prompt_length, state.block, json.loads(json.dumps(state.memory)), state.digest
        )
        rest = run(resume=again)
        assert [b["digest"] for b in rest["blocks"]] == [b["digest"] for b in whole["blocks"][count:]]


def test_a_run_that_was_cut_hands_on_no_memory(whole: dict[str, Any]) -> None:
    block = next(block for block in whole["blocks"] if block["kept"] > 1 and whole["blocks"][block["index"] + 1]["memory"])
    most = block["start"] - len(whole["prompt"]["ids"]) + 1
    cut = run(max_new_tokens=most)
    assert cut["finish"] == "length" and cut["digest"] and cut["memory"] is None and state_of(cut).memory is None
    longer = run(resume=state_of(cut | {"memory": whole["blocks"][block["index"] + 1]["memory"]}))
    assert longer["blocks"][0]["memory"] is None and longer["blocks"][0]["start"] == len(cut["prompt"]["ids"]) + most


@pytest.mark.parametrize(("name", "here"), [("temperature", 0.7), ("top_k", 5), ("top_p", 0.9)])
def test_a_memory_of_other_distributions_is_refused(whole: dict[str, Any], name: str, here: float) -> None:
    state = state_of(whole, next(i for i, block in enumerate(whole["blocks"]) if block["memory"]))
    made, change = whole["settings"][name], cast(Any, {name: here})
    with pytest.raises(ValueError, match=rf"opened with {name} = {made}\. With {name} = {here} the text would not follow the target") as caught:
        run(resume=state, **change)
    assert sentence_of(caught.value).code == "memory_of_others"  # type: ignore[attr-defined]
    Decoding(tiny_pair(), "abc", resume=replace(state, memory=None), **change)  # what owes nothing may go on with anything


def test_a_memory_of_another_pair_is_refused(whole: dict[str, Any]) -> None:
    state = state_of(whole, next(i for i, block in enumerate(whole["blocks"]) if block["memory"]))
    with pytest.raises(ValueError, match="opened with draft_revision = elsewhere"):
        run(resume=replace(state, made_with=state.made_with | {"draft_revision": "elsewhere"}))
    for known in ({}, state.made_with):  # a state from before this was told, and its own
        record = next(iter(Decoding(tiny_pair(), "abc", gamma=4, seed=5, eos_token_id=[], resume=replace(state, made_with=known))))
        assert record.state.made_with == state.made_with


def test_the_plain_loop_writes_the_same_text() -> None:
    torch = pytest.importorskip("torch")
    pair = tiny_pair()
    trace = run()
    ids = speculative_decode(
        pair.draft_model, pair.target_model, torch.tensor([trace["prompt"]["ids"]]), 4,
        max_new_tokens=40, verifier="greedy_block", seed=5, eos_token_id=[],
    )  # fmt: skip
    assert ids[0, len(trace["prompt"]["ids"]) :].tolist() == [i for b in trace["blocks"] for i in b["committed"]]


def test_a_switch_waits_until_the_window_has_closed() -> None:
    whole = run()
    count = next(i for i, block in enumerate(whole["blocks"]) if block["memory"])
    rest = run(verifier="token", resume=state_of(whole, count))
    blocks = rest["blocks"]
    assert blocks[0]["verifier"] == "greedy_block" and blocks[0]["digest"] == whole["blocks"][count]["digest"]
    for block in blocks:
        assert block["verifier"] == ("greedy_block" if block["memory"] else "token")
    assert blocks[-1]["verifier"] == "token"


def test_a_smaller_gamma_inside_a_window() -> None:
    """The block is shorter than what is still modified: the loop asks the draft for the row after it."""
    whole = run(gamma=6)
    count = next(i for i, b in enumerate(whole["blocks"]) if b["memory"] and b["memory"][0][1] > 2)
    rest = run(gamma=1, resume=state_of(whole, count))
    first = rest["blocks"][0]
    assert first["gamma"] == 1 and len(first["verdicts"]["greedy_block"]["effective_target"]) == 2
    assert len(first["uniforms"]["draft"]) == 1


def test_whose_memory_it_is() -> None:
    token = get("token")
    assert owner_of(None, token) is token
    assert owner_of([[2.0, 1]], token) is GREEDY
    assert owner_of([[2.0, 1]], GREEDY) is GREEDY
    with pytest.raises(ValueError, match="the rule 'token' remembers nothing"):
        owner_of([["x"]], token)
    with pytest.raises(ValueError, match="remembers nothing"):
        Decoding(tiny_pair(), "abc", verifier="block", resume=RunState((1, 2), 1, 0, [["x"]], ""))
