"""The interface every rule implements: one method, `core_plan`, on validated float64 arrays."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np

from specdemo.arrays import FloatArray, IntArray, checked_laws, checked_tokens, named_numpy
from specdemo.verifiers.records import Plan, Verdict, as_kind_of


class Verifier(ABC):
    """A rule that decides how many drafted tokens are kept and which token follows.

    `lossless` is "always", "temperature_0" (only with one-hot laws) or "never": whether the text follows the target's law.
    `remembers`: whether a block leaves something to the next one (the `memory`). `has_residual`: whether corrections are drawn
    from norm((s T − D)₊), so that the flow of mass at a position can be drawn.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    lossless: ClassVar[Literal["always", "temperature_0", "never"]]
    remembers: ClassVar[bool] = False
    has_residual: ClassVar[bool] = True

    @abstractmethod
    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        """The plan from arrays that are known to be valid: the path the decoding loop takes."""

    def check_memory(self, memory: Any) -> None:
        """ValueError unless `memory` can have come from this rule; a rule that remembers something overrides it."""
        if memory is not None:
            raise ValueError(f"memory is {memory!r}: the rule {self.name!r} remembers nothing, it must be None")

    def draft_rows_wanted(self, gamma: int, memory: Any) -> int:
        """How many draft rows a block of γ tokens needs: γ, or γ + 1 where the memory reaches past the block."""
        return gamma

    def plan(self, tokens: Any, draft: Any, target: Any, memory: Any = None) -> Plan:
        """Everything before a uniform is looked at, for γ ≥ 0 drafted tokens.

        `tokens` (γ,) integers; `draft` (γ, V), or (γ+1, V) where the row after the block is known; `target` (γ+1, V).
        Arrays or tensors in, the same kind out, float64 inside. Raises ValueError naming argument, index and value.
        """
        self.check_memory(memory)
        target_rows = checked_laws("target", target)
        gamma = len(target_rows) - 1
        if gamma == 0 and named_numpy("draft", draft).size == 0:
            draft_rows = np.zeros((0, target_rows.shape[1]))
        else:
            draft_rows = checked_laws("draft", draft, target_rows.shape[1])
        count = named_numpy("tokens", tokens).size
        if gamma != count:
            raise ValueError(
                f"target has {gamma + 1} rows for {count} drafted tokens: it must have {count + 1}, one for each token and one after the block"
            )
        if len(draft_rows) not in (count, count + 1):
            raise ValueError(
                f"draft has {len(draft_rows)} rows for {count} drafted tokens: it must have {count} or {count + 1}"
            )
        if len(draft_rows) < self.draft_rows_wanted(count, memory):
            raise ValueError(
                f"draft has {len(draft_rows)} rows, but the memory {memory!r} reaches past this block: the rule {self.name!r} "
                f"then needs the draft's law after the block too, {count + 1} rows in all"
            )
        core = self.core_plan(checked_tokens(tokens, draft_rows), draft_rows, target_rows, memory)
        return as_kind_of(target, core) if hasattr(target, "detach") else core

    def verify(self, tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any = None) -> Verdict:
        """`plan(tokens, draft, target, memory).decide(uniforms)`, with `uniforms` (γ+1,) in [0, 1)."""
        return self.plan(tokens, draft, target, memory).decide(uniforms)


def ratios(tokens: IntArray, draft: FloatArray, target: FloatArray) -> FloatArray:
    """r_i = T(x_i | x^{i−1}) / D(x_i | x^{i−1}), shape (γ,); D > 0 because x_i was drawn from D."""
    # Plain numbers: they overflow to ∞ without a word, and a block has only a few.
    places = list(enumerate(tokens.tolist()))
    return np.array([_ratio(target.item(place), draft.item(place)) for place in places], dtype=np.float64)


def _ratio(target: float, draft: float) -> float:
    return target / draft if draft else math.inf if target > 0 else math.nan
