"""Independent decodings of the next two tokens by several rules, block by block, by the very loop that decodes a text.

The rules share what they may: the rows and uniforms of a block that begins after the same text are asked of the models once.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.decoding.laws import Processing
from specdemo.decoding.loop import BlockLoop, Step
from specdemo.decoding.plain import build_loop
from specdemo.decoding.uniforms import PhiloxUniforms, UniformSource
from specdemo.pairs.pair import Pair
from specdemo.verifiers import Plan, Verdict, Verifier

LENGTH = 2

TokenPair = tuple[int, int]
Text = tuple[int, ...]


@dataclass(frozen=True)
class Decoded:
    """What a rule did in one decoding: its plan of the first block, the step whose rows it saw, the pair, and whether T can emit the pair."""

    step: Step
    plan: Plan
    pair: TokenPair
    possible: bool


class PairDecoder:
    """Decodes the two tokens after `ids` again and again. End-of-text tokens do not end it: a pair after one is a pair too.

    `lock` is held for each single block or row. Decoding number s has the uniforms of `seed` and stream s + 1: stream 0 is the run on the page.
    """

    def __init__(
        self,
        pair: Pair,
        ids: list[int],
        rules: list[Verifier],
        gamma: int,
        processing: Processing,
        seed: int,
        lock: AbstractContextManager[Any],
    ) -> None:
        self._ids, self._rules, self._seed, self._lock = ids, rules, seed, lock
        self._loop: BlockLoop = build_loop(
            pair.draft_model, pair.target_model, pair.vocab_size, rules[0], gamma, processing, PhiloxUniforms(seed), frozenset(),
            pair.context_limit,
        )  # fmt: skip
        self.gamma = max(0, min(gamma, pair.context_limit - len(ids)))

    def first_laws(self) -> tuple[FloatArray, FloatArray]:
        """D and T (V,) of the first token."""
        with self._lock:
            _, draft = self._loop.drafter.propose(self._ids, 1, np.array([0.5]))
        return draft[0], self.target_after()

    def target_after(self, *tokens: int) -> FloatArray:
        """T (V,) after the prompt and `tokens`."""
        ids = [*self._ids, *tokens]
        with self._lock:
            return self._loop.laws(self._loop.target.rows(ids), "target", len(ids))[0]

    def decode(self, number: int) -> dict[str, Decoded]:
        """What every rule, by its name, makes of decoding `number`."""
        uniforms = PhiloxUniforms(self._seed, number + 1)
        steps: dict[Text, Step] = {}
        return {rule.name: self._pair(rule, uniforms, steps) for rule in self._rules}

    def _pair(self, rule: Verifier, uniforms: UniformSource, steps: dict[Text, Step]) -> Decoded:
        step, verdict = self._block(rule, uniforms, steps, (), None)
        gained: list[int] = [*step.tokens[: verdict.accepted].tolist(), verdict.next_token]
        first = gained[0]
        if len(gained) >= LENGTH:
            second, law = gained[1], step.target[1]
        else:
            further, decided = self._block(rule, uniforms, steps, (first,), verdict.memory)
            second = int(further.tokens[0]) if decided.accepted else decided.next_token
            law = further.target[0]
        return Decoded(step, verdict.plan, (first, second), bool(step.target[0, first] > 0 and law[second] > 0))

    def _block(
        self, rule: Verifier, uniforms: UniformSource, steps: dict[Text, Step], text: Text, memory: Any
    ) -> tuple[Step, Verdict]:
        """The block after `text`, number len(text), and the rule's verdict on it; on rows that stand in `steps`, if they are all it wants."""
        found = steps.get(text)
        if found is not None and rule.draft_rows_wanted(found.gamma, memory) <= found.gamma:
            plan = rule.core_plan(found.tokens, found.draft, found.target, memory)
            return found, plan.decide_unchecked(found.verify_uniforms)
        loop = replace(self._loop, verifier=rule, uniforms=uniforms)
        with self._lock:
            step = loop.block([*self._ids, *text], len(text), memory, LENGTH - len(text))
        steps.setdefault(text, step)
        return step, step.verdict
