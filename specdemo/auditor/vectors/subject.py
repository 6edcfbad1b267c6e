"""What can be run over the vectors: a Verifier, or a function (tokens, draft, target, uniforms) -> (accepted, next_token or law)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.arrays import to_numpy
from specdemo.auditor.signatures import takes_memory
from specdemo.auditor.vectors.record import Vector
from specdemo.verifiers import Verdict, Verifier


@dataclass(frozen=True)
class Answer:
    """What a subject decided: τ, and Y or the law of Y; a Verifier's whole verdict where there is one."""

    accepted: int
    next_token: int | None
    law: Any = None
    verdict: Verdict | None = None

    def words(self) -> str:
        """The decision in words."""
        return f"τ = {self.accepted}" + ("" if self.next_token is None else f", Y = {self.next_token}")


@dataclass(frozen=True)
class Subject:
    """A named thing that answers vectors, in a given precision."""

    name: str
    answer: Callable[[Vector, str], Answer]


def subject_of(name: str, thing: Verifier | Callable[..., Any]) -> Subject:
    """The subject made of a Verifier or of a function with four parameters, or with a fifth for the greedy rule's memory.

    Without the fifth it is not shown the memory: as the greedy rule it will then fail, as it should.
    """
    if isinstance(thing, Verifier):
        return Subject(name, lambda vector, dtype: _ask_verifier(thing, vector, dtype))
    remembers = takes_memory(thing)
    return Subject(name, lambda vector, dtype: _ask_function(thing, remembers, vector, dtype))


def given(vector: Vector, dtype: str) -> tuple[Any, Any, Any, Any]:
    """tokens (γ,) int64, draft, target and uniforms (γ+1,) in `dtype`."""
    draft, target = vector.case.arrays(dtype)
    uniforms = np.array([float(u) for u in vector.case.uniforms], dtype)
    return np.array(vector.case.tokens, dtype=np.int64), draft, target, uniforms


def _ask_verifier(rule: Verifier, vector: Vector, dtype: str) -> Answer:
    verdict = rule.verify(*given(vector, dtype), vector.case.float_memory() if rule.remembers else None)
    return Answer(verdict.accepted, verdict.next_token, verdict.next_law, verdict)


def _ask_function(function: Callable[..., Any], remembers: bool, vector: Vector, dtype: str) -> Answer:
    arguments: list[Any] = [*given(vector, dtype)]
    if remembers:
        arguments.append(vector.case.float_memory())
    accepted, following = tuple(function(*arguments))[:2]
    following = to_numpy(following)
    if following.size == 1:
        return Answer(int(accepted), int(following.reshape(())))
    if following.shape != (vector.case.vocab_size,):
        raise ValueError(
            f"the second value has shape {following.shape}: it must be a token or a law ({vector.case.vocab_size},)"
        )
    return Answer(int(accepted), None, following)
