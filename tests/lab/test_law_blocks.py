"""The decoded pairs are those of `decode`, token for token; what is shared between the rules changes nothing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import pytest

from specdemo.decoding import decode_run
from specdemo.decoding.laws import Processing
from specdemo.decoding.loop import BlockLoop, Step
from specdemo.decoding.uniforms import PhiloxUniforms, UniformSource
from specdemo.lab import law_blocks
from specdemo.lab.law_blocks import PairDecoder, Text
from specdemo.pairs import Pair
from specdemo.verifiers import Verdict, Verifier, get
from specdemo.verifiers.left_to_right import TargetPlan, left_to_right_plan
from tests.lab.law_worlds import PROMPT, letters_pair
from tests.tiny import tiny_pair

RULES = ["token", "block", "greedy_block", "sampled_match"]
WRONG = ["threshold", "one_uniform_for_all", "greedy_without_continuation", "draft_law_before_temperature"]
MANY = 25


def decoder(
    pair: Pair,
    prompt: str,
    rules: Sequence[str | Verifier],
    gamma: int = 3,
    lock: AbstractContextManager[Any] | None = None,
    kind: type[PairDecoder] = PairDecoder,
    **processing: Any,
) -> PairDecoder:
    """As `law_check` makes it, seed 5."""
    ids = pair.encode(prompt, room=min(gamma + 2, pair.context_limit // 2)).ids
    return kind(pair, ids, [get(rule) for rule in rules], gamma, Processing(**processing), 5, lock or nullcontext())


def assert_pairs_are_decoded(
    kind: type[PairDecoder], pair: Pair, prompt: str, rules: list[str], gamma: int = 3, **processing: Any
) -> tuple[set[int], int]:
    """25 decodings of all rules at once against 25 runs of each rule alone; how many blocks a pair took, and how often a memory was open."""
    found = decoder(pair, prompt, rules, gamma, kind=kind, **processing)
    blocks, memories = set(), 0
    for number in range(MANY):
        decoded = found.decode(number)
        for rule in rules:
            trace = decode_run(
                pair, prompt, gamma=gamma, verifier=rule, seed=5, stream=number + 1, max_new_tokens=2, eos_token_id=[], rules=[rule],
                **processing,
            )  # fmt: skip
            committed = [token for block in trace["blocks"] for token in block["committed"]]
            assert list(decoded[rule].pair) == committed, (number, rule)
            blocks.add(len(trace["blocks"]))
            memories += any(block["memory"] for block in trace["blocks"])
    return blocks, memories


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


@pytest.fixture(scope="module")
def letters() -> Pair:
    return letters_pair()


@pytest.mark.parametrize("rules", [RULES, RULES[::-1], WRONG], ids="-".join)
def test_the_pairs_are_those_of_decode(pair: Pair, rules: list[str]) -> None:
    blocks, memories = assert_pairs_are_decoded(PairDecoder, pair, "the cat", rules)
    assert blocks == {1, 2} and (memories > 0) == ("greedy_block" in rules)


@pytest.mark.parametrize(
    "settings", [{"gamma": 0}, {"gamma": 1}, {"gamma": 6}, {"temperature": 0.0}, {"top_k": 2}, {"top_p": 0.6}], ids=str
)
def test_so_are_they_under_other_settings(letters: Pair, settings: dict[str, Any]) -> None:
    assert_pairs_are_decoded(PairDecoder, letters, PROMPT, RULES, **settings)


def test_a_mutant_without_the_memory_is_caught(letters: Pair) -> None:
    class Forgetful(PairDecoder):
        """Begins the second block with no memory of the first."""

        def _block(
            self, rule: Verifier, uniforms: UniformSource, steps: dict[Text, Step], text: Text, memory: Any
        ) -> tuple[Step, Verdict]:
            return super()._block(rule, uniforms, steps, text, None)

    assert_pairs_are_decoded(PairDecoder, letters, PROMPT, RULES)
    with pytest.raises(AssertionError, match="greedy_block"):
        assert_pairs_are_decoded(Forgetful, letters, PROMPT, RULES)


class SameInEveryBlock(PhiloxUniforms):
    """The second block sees the first one's uniforms again."""

    def _words(self, block: int, role: int, count: int) -> list[float]:
        return super()._words(0, role, count)


def test_a_mutant_with_the_same_uniforms_is_caught(letters: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law_blocks, "PhiloxUniforms", SameInEveryBlock)
    with pytest.raises(AssertionError):
        assert_pairs_are_decoded(PairDecoder, letters, PROMPT, ["token"])


def test_a_mutant_with_one_stream_is_caught(letters: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law_blocks, "PhiloxUniforms", lambda seed, stream=0: PhiloxUniforms(seed))
    with pytest.raises(AssertionError):
        assert_pairs_are_decoded(PairDecoder, letters, PROMPT, ["token"])


def test_rules_share_what_they_may(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """One first block for all four, and one second block for each first token that some rule is left with."""
    asked: list[tuple[int, tuple[int, ...]]] = []
    block = BlockLoop.block

    def counted(self: Any, ids: list[int], index: int, memory: Any, remaining: int) -> Step:
        asked.append((index, tuple(ids)))
        return block(self, ids, index, memory, remaining)

    monkeypatch.setattr(BlockLoop, "block", counted)
    found = decoder(pair, "the cat", RULES)
    for number in range(MANY):
        asked.clear()
        decoded = found.decode(number)
        left = {one.pair[0] for one in decoded.values()}
        assert [index for index, _ in asked].count(0) == 1
        assert len(asked) == len(set(asked)) <= 1 + len(left)
        assert all(one.step is decoded["token"].step for one in decoded.values())


def test_a_rule_that_wants_more_rows_gets_its_own_block(letters: Pair) -> None:
    class Curious(type(get("token"))):  # type: ignore[misc]
        """The token rule, which asks for the draft's row after the block all the same."""

        name = "curious"

        def draft_rows_wanted(self, gamma: int, memory: Any) -> int:
            return gamma + 1

    found = decoder(letters, PROMPT, ["token", Curious()])
    for number in range(MANY):
        decoded = found.decode(number)
        assert decoded["curious"].pair == decoded["token"].pair
        assert len(decoded["curious"].plan.draft) == 4 and len(decoded["token"].plan.draft) == 3


def test_what_the_target_cannot_emit_is_seen() -> None:
    """With top-k 2 the target gives one token in three probability 0, after every text another one."""

    class Drafts(Verifier):
        """Takes the draft's laws for the target's, and keeps every drafted token or none."""

        title = source = "a wrong rule for this test"
        lossless = "never"

        def __init__(self, keep: float) -> None:
            self.name, self.keep = f"keeps_{keep:.0f}", keep  # type: ignore[misc]

        def core_plan(self, tokens: Any, draft: Any, target: Any, memory: Any = None) -> Any:
            taken = np.concatenate([draft, target[-1:]])
            return left_to_right_plan(TargetPlan, tokens, draft, taken, np.full(len(tokens), self.keep))

    found = decoder(letters_pair(seeds=(1, 2)), PROMPT, ["block", Drafts(1), Drafts(0)], top_k=2)
    _, target = found.first_laws()
    seen = set()
    for number in range(MANY):
        for rule, one in found.decode(number).items():
            a, b = one.pair
            places = bool(target[a] > 0), bool(found.target_after(a)[b] > 0)
            assert one.possible == all(places) and (one.possible or rule != "block")
            seen.add((rule, *places))
    # Either token alone can be the impossible one, the second also where it stands in the first block.
    assert {
        ("keeps_1", True, False),
        ("keeps_0", True, False),
        ("keeps_0", False, True),
    } <= seen


def test_the_lock_is_held_for_every_call_and_only_then(letters: Pair) -> None:
    lock = threading.Lock()
    found = decoder(letters, PROMPT, RULES, lock=lock)
    held: list[bool] = []
    rows = type(found._loop.target).rows

    class Watching(type(found._loop.target)):  # type: ignore[misc]
        def rows(self, ids: list[int], count: int = 1) -> Any:
            held.append(lock.locked())
            return rows(self, ids, count)

    found._loop.target.__class__ = Watching
    found._loop.drafter._model.__class__ = Watching  # type: ignore[attr-defined]
    found.first_laws()
    for number in range(5):
        found.decode(number)
        assert not lock.locked()
    assert len(held) > 20 and all(held)


def test_at_the_end_of_the_context(letters: Pair) -> None:
    """64 tokens at most: the prompt's end is kept, and both blocks have room for all of γ."""
    prompt = " ".join("abcab"[i % 5] for i in range(200))
    found = decoder(letters, prompt, RULES, gamma=4)
    assert found.gamma == 4
    for number in range(10):
        for one in found.decode(number).values():
            assert one.step.gamma == 4
