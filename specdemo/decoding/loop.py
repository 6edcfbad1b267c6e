"""One block of speculative decoding: draft → score → verify → commit, as a function that returns its work.

The fast path (`speculative_decode`) and the path that shows its work (`decode`) run this same function; the second only
writes down what the first throws away.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import torch

from specdemo.arrays import FloatArray, IntArray
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.device import OnDevice
from specdemo.decoding.drafters import Drafter
from specdemo.decoding.laws import LawMaker
from specdemo.decoding.uniforms import UniformSource
from specdemo.verifiers import Verdict, Verifier, owner_of

Finish = Literal["eos", "length", "context"]


@dataclass(frozen=True)
class Step:
    """Everything one block did. Shapes: tokens (γ,), draft (γ, V), target (γ+1, V), draft_uniforms (γ,), verify_uniforms (γ+1,)."""

    index: int
    start: int
    verifier: str
    memory: Any
    tokens: IntArray
    draft: FloatArray
    target: FloatArray
    draft_uniforms: FloatArray
    verify_uniforms: FloatArray
    verdict: Verdict
    committed: tuple[int, ...]
    finish: Finish | None
    seconds: dict[str, Any] = field(compare=False)
    passes: str | None = field(default=None, compare=False)  # the kind of forward pass, where that is known

    @property
    def gamma(self) -> int:
        """The block's own γ: what the drafter proposed."""
        return len(self.tokens)

    @property
    def next_memory(self) -> Any:
        """The rule's memory from which the next block goes on; None where the text has ended.

        All three ends lie where the text alone decides, and a lossless text follows the target up to any such place: from there on plain T is
        exact, whatever the block still held. The memory belongs to the block as it was before it was cut.
        """
        return None if self.finish else self.verdict.memory


@dataclass
class BlockLoop:
    """The parts a block needs, and the limits at which a run ends."""

    drafter: Drafter
    target: CachedModel
    laws: LawMaker
    verifier: Verifier
    uniforms: UniformSource
    gamma: int
    eos_token_ids: frozenset[int]
    context_limit: int
    on_device: OnDevice | None = None  # the same block without a look at the device between its tokens

    def block(self, ids: list[int], index: int, memory: Any, remaining: int) -> Step:
        """Decode one block after `ids`, which are left as they were; at most `remaining` tokens of it are committed.

        Drafting never gets shorter because of `remaining` or an end-of-text token, only where the context limit leaves no room:
        otherwise the last block would follow another law of lengths.
        """
        if torch.is_inference_mode_enabled():  # entering it takes as long as an operator, so a whole run may do so once
            return self._block(ids, index, memory, remaining)
        with torch.inference_mode():
            return self._block(ids, index, memory, remaining)

    def _block(self, ids: list[int], index: int, memory: Any, remaining: int) -> Step:
        started = time.perf_counter()
        start = len(ids)
        # What a rule owes to its earlier blocks only that rule can pay: a switch of rules waits until its memory is used up.
        rule = owner_of(memory, self.verifier)
        gamma = max(0, min(self.gamma, self.context_limit - start))
        draft_uniforms = self.uniforms.draft(index, gamma)
        on_device = None if self.on_device is None else self.on_device.block(ids, gamma, draft_uniforms)
        crossed = time.perf_counter()
        if on_device is not None:
            tokens, draft, draft_steps = on_device.tokens, on_device.draft, on_device.draft_steps
        else:
            tokens, draft = self.drafter.propose(ids, gamma, draft_uniforms)
            draft_steps = list(getattr(self.drafter, "step_seconds", []))
        laws_given = draft
        if rule.draft_rows_wanted(len(tokens), memory) > len(tokens):
            laws_given = np.concatenate([draft, self._law_after([*ids, *tokens])])
        drafted = time.perf_counter()

        if on_device is not None:
            target = on_device.target
        else:
            ids += tokens  # for as long as the target reads them: see ModelDrafter
            try:
                logits = self.target.rows(ids, len(tokens) + 1)
            finally:
                del ids[start:]
            target = self.laws(logits, "target", start)
        scored = time.perf_counter()

        token_array = np.asarray(tokens, dtype=np.int64)
        verify_uniforms = self.uniforms.verify(index, len(tokens))
        verdict = rule.core_plan(token_array, laws_given, target, memory).decide_unchecked(verify_uniforms)
        verified = time.perf_counter()

        committed, finish = commit([*tokens[: verdict.accepted], verdict.next_token], self.eos_token_ids, remaining)
        if finish is None and start + len(committed) > self.context_limit:
            finish = "context"
        before, scoring = drafted - started, scored - drafted
        if on_device is not None:  # both were done when the block had crossed, and crossing is neither's
            before, scoring = sum(draft_steps) + drafted - crossed, on_device.target_seconds
        if gamma == 0:  # plain decoding drafts nothing, so that nothing of it is a draft's
            before = 0.0
        parts = {"draft": before, "target": scoring, "verify": verified - scored}
        rest = max(0.0, time.perf_counter() - started - sum(parts.values()))
        seconds = {**parts, "rest": rest, "draft_steps": draft_steps}
        return Step(
            index, start, rule.name, memory, token_array, draft, target,
            draft_uniforms[: len(tokens)], verify_uniforms, verdict, committed, finish, seconds,
            self.target.passes if self.on_device is None else self.on_device.passes,
        )  # fmt: skip

    def nbytes(self) -> int:
        """Bytes of what the models have cached; a drafter without `nbytes` counts nothing."""
        drafted: int = self.drafter.nbytes() if hasattr(self.drafter, "nbytes") else 0
        return self.target.nbytes() + drafted

    def _law_after(self, ids: list[int]) -> FloatArray:
        """The drafter's law (1, V) after `ids`, whatever it would draw."""
        _, laws = self.drafter.propose(ids, 1, np.array([0.5]))
        if len(laws) != 1:
            raise ValueError(
                "the rule's memory reaches past this block, but the drafter has no law for the token after it"
            )
        return laws


def commit(
    gained: Sequence[int], eos_token_ids: frozenset[int], remaining: int
) -> tuple[tuple[int, ...], Finish | None]:
    """What of the τ+1 gained tokens reaches the text: cut after the first end-of-text token, and at `remaining` ≥ 1 tokens.

    >>> commit([5, 2, 7], frozenset([2]), 10)
    ((5, 2), 'eos')
    >>> commit([5, 6, 7], frozenset([2]), 2)
    ((5, 6), 'length')
    """
    kept = list(gained[:remaining])
    for i, token in enumerate(kept):
        if token in eos_token_ids:
            return tuple(kept[: i + 1]), "eos"
    return tuple(kept), "length" if len(kept) == remaining else None
