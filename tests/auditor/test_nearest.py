"""A name is given only to what the known mistake explains: its later blocks too, and more than the right rules do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from specdemo.auditor import statistics
from specdemo.auditor.feeding import Feed
from specdemo.auditor.findings import Findings
from specdemo.auditor.nearest import Match, _Drafts, _known_tables
from specdemo.auditor.subjects import BatchedSubject, FunctionSubject, Subject
from specdemo.auditor.texts import result_of
from specdemo.auditor.trees import World
from specdemo.verifiers import get, mistakes
from tests.auditor.foreign import block_rule, token_rule

WORLDS = (("plain", 2, (1,)), ("plain", 2, (2,)), ("model_c", 3, (2,)))
WORLDS_OF_MANY_BLOCKS = (("plain", 2, (1,)), ("plain", 2, (2,)), ("model_c", 3, (2, 0)))


def nearest_of(subject: Subject) -> Match | None:
    findings = Findings(subject, 1e-9)
    for kind, size, gammas in WORLDS_OF_MANY_BLOCKS if subject.may_remember else WORLDS:
        world, rng = World(kind, size, gammas), np.random.default_rng(0)
        findings.add_exact(result_of(subject, world, rng, 4, subject.may_remember), findings.problems())
    assert not findings.lossless
    return findings.nearest()


def remembering(verify: Callable[..., Any]) -> Subject:
    return FunctionSubject(verify, "verify", Feed(), "memory")


def wrong_every_second_time(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> Any:
    """Right in its first block; every second one emits the likeliest token."""
    if not memory:
        return *block_rule(tokens, draft, target, uniforms), 1
    return 0, int(target[0].argmax()), 0


def remembers_by_halves(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> Any:
    """The greedy rule, which in its first block decides as the one without continuation does."""
    halved = None if memory is None else [[ratio / 2, left] for ratio, left in memory]
    verdict = get("greedy_block").core_plan(tokens, draft, target, halved).decide(uniforms)
    return verdict.accepted, verdict.next_token, verdict.memory


@pytest.mark.parametrize("verify", [wrong_every_second_time, remembers_by_halves])
def test_what_goes_wrong_in_later_blocks_only_is_given_no_name(verify: Callable[..., Any]) -> None:
    assert nearest_of(remembering(verify)) is None


@pytest.mark.parametrize("name", ["residual_without_weight", "correction_from_target_in_token"])
@pytest.mark.parametrize("remembers", [True, False])
def test_a_known_mistake_is_named_whether_or_not_it_carries_a_memory(name: str, remembers: bool) -> None:
    rule = mistakes.get(name)

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any = None) -> Any:
        verdict = rule.core_plan(tokens, draft[: len(tokens)], target).decide(uniforms)
        return (
            (verdict.accepted, verdict.next_token, "ignored") if remembers else (verdict.accepted, verdict.next_token)
        )

    subject = remembering(verify) if remembers else FunctionSubject(verify, "verify", Feed(), "plain")
    match = nearest_of(subject)
    assert match is not None and (match.name, match.exact) == (name, True)


def test_what_is_hardly_nearer_than_the_right_rules_is_given_no_name() -> None:
    """Every row of a batch is cut to the shortest, but keeps its own next token: no rule of the gallery does anything like it."""

    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Any:
        rows = [token_rule(*row) for row in zip(tokens, draft, target, uniforms, strict=True)]
        return [min(kept for kept, _ in rows)] * len(rows), [following for _, following in rows]

    subject = BatchedSubject(verify, "verify", Feed())
    findings = Findings(subject, 1e-9)
    for kind, size, gamma in (("model_c", 3, 2), ("plain", 2, 2), ("two_symbols", 2, 3)):
        text = statistics.sampled(subject, World(kind, size, (gamma,)), 4000, (0, 4, 0))
        findings.add_sampled(text, False, 0)
    assert findings.nearest() is None


def test_a_right_law_with_answers_that_are_none_is_no_mistake_of_laws() -> None:
    """Every fiftieth seed raises: mistakes whose laws are right in these worlds explain nothing of that."""

    def verify(tokens: Any, draft: Any, target: Any, seed: int) -> Any:
        if seed % 50 == 7:
            raise ValueError("no answer")
        return token_rule(tokens, draft, target, np.random.default_rng(seed).random(len(tokens) + 1))

    subject = FunctionSubject(verify, "verify", Feed(), "seed")
    findings = Findings(subject, 1e-9)
    findings.add_sampled(statistics.sampled(subject, World("model_c", 3, (2,)), 20_000, (0, 4, 0)), True, 1)
    assert subject.problems.counts and findings.nearest() is None


def test_tables_of_rounded_laws_are_others() -> None:
    """The same world in numbers that float32 holds has other laws, and what was computed for the one is not taken for the other."""
    for feed in (Feed(), Feed(rounded_values=True)):
        world = World("plain", 3, (1,), feed=feed)
        found = _known_tables(get("token"), _Drafts(world, ((0,),)), False)
        assert found is not None
        plan = get("token").core_plan(np.array([0]), world.draft_rows((), (0,), 1), world.target_rows((), (0,)))
        assert np.abs(found[0][0,] - np.array([plan.length_law[i] * plan.next_law(i) for i in range(2)])).max() < 1e-9
