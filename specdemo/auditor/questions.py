"""What passes between the auditor and a subject: blocks, questions, answers, and what can go wrong with an answer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, to_numpy
from specdemo.auditor.raising import raised_at

# The kind of a token that the target never emits there.
IMPOSSIBLE = "zero target mass"
# Uniforms (γ+1,) as a tuple, or a seed where the subject draws for itself.
Uniforms = tuple[float, ...]


class CouldNotRun(RuntimeError):
    """The subject cannot be audited at all: it does not start, does not answer, or answers something unreadable."""


@dataclass(eq=False)
class Block:
    """One drafted block: `tokens` (γ,), `draft` (γ or γ+1, V), `target` (γ+1, V), and the rule's memory before it."""

    tokens: tuple[int, ...]
    draft: FloatArray
    target: FloatArray
    memory: Any = None
    fed: Any = None  # the same laws in the arrays of the subject, converted once
    plan: Any = None  # a Verifier's plan, made once

    @property
    def gamma(self) -> int:
        return len(self.tokens)

    @property
    def vocab_size(self) -> int:
        return int(self.target.shape[1])


@dataclass(frozen=True)
class Question:
    """A block together with the uniforms (γ+1,) or the seed it is decided with."""

    block: Block
    uniforms: Uniforms = ()
    seed: int | None = None


def spelled(question: Question) -> str:
    """The question as a reader can ask it again."""
    block = question.block
    given = f"seed={question.seed}" if question.seed is not None else f"uniforms={list(question.uniforms)}"
    return f"tokens={list(block.tokens)} draft={block.draft.tolist()} target={block.target.tolist()} {given}"


@dataclass(frozen=True)
class Problem:
    """An answer that no verifier may give, with the input that led to it.

    `kind` is "exception", "malformed", "accepted out of range", "next token out of range", "non-finite" or "zero target mass".
    `together` are the questions of the same call, this one among them, where a subject takes several at once.
    """

    kind: str
    message: str
    question: Question
    together: tuple[Question, ...] = ()

    def to_json(self) -> dict[str, Any]:
        block = self.question.block
        return {
            "kind": self.kind,
            "message": self.message,
            "tokens": list(block.tokens),
            "draft": block.draft.tolist(),
            "target": block.target.tolist(),
            "uniforms": list(self.question.uniforms) or None,
            "seed": self.question.seed,
        }


@dataclass(frozen=True)
class Answer:
    """τ and the next token, or its law (V,), and the memory after the block; `problem` is the kind of what is wrong with it."""

    accepted: int
    next_token: int
    law: FloatArray | None = None
    memory: Any = None
    memory_key: str = ""
    problem: str = ""

    def agrees(self, other: Answer, tolerance: float) -> bool:
        """Whether both say the same; laws are compared with `tolerance`."""
        if (self.accepted, self.next_token, self.memory_key) != (other.accepted, other.next_token, other.memory_key):
            return False
        if self.law is None or other.law is None:
            return self.law is other.law and self.problem == other.problem
        return bool(np.abs(self.law - other.law).max() <= tolerance)


@dataclass
class ProblemLog:
    """The problems with the smallest blocks, at most three of a kind, and how many there were of each."""

    kept: list[Problem] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    together: tuple[Question, ...] = ()  # of the call whose answer is being judged

    def add(self, problem: Problem) -> None:
        count = self.counts[problem.kind] = self.counts.get(problem.kind, 0) + 1
        if count > 3:
            largest = max((kept for kept in self.kept if kept.kind == problem.kind), key=_size)
            if _size(problem) >= _size(largest):
                return
            self.kept.remove(largest)
        self.kept.append(replace(problem, together=self.together))
        self.kept.sort(key=_size)


def _size(problem: Problem) -> tuple[int, int]:
    """How long the problem is to read."""
    return problem.question.block.gamma, problem.question.block.vocab_size


def judged(question: Question, raw: Any, tolerance: float, problems: ProblemLog) -> Answer:
    """The answer read from what a subject returned; whatever is wrong with it is put into `problems`.

    `raw` is (accepted, next_token or law) or (accepted, next_token, memory), or the exception that was raised.
    """

    def wrong(kind: str, message: str) -> Answer:
        problems.add(Problem(kind, message, question))
        return Answer(-1, -1, problem=kind)

    if isinstance(raw, BaseException):
        return wrong("exception", f"raises {type(raw).__name__}: {_encodable(str(raw))}{raised_at(raw)}")
    if not isinstance(raw, (tuple, list)) or len(raw) not in (2, 3):
        return wrong("malformed", f"returns {_short(raw)}, not (accepted, next_token) nor (accepted, law)")
    block = question.block
    accepted = _integer(raw[0])
    if accepted is None:
        return wrong("malformed", f"accepted is {_short(raw[0])}, not a whole number")
    if not 0 <= accepted <= block.gamma:
        return wrong("accepted out of range", f"accepted is {accepted}, outside 0 … γ = {block.gamma}")
    memory = raw[2] if len(raw) == 3 else None
    key = memory_key(memory)
    problem = ""
    for i in range(accepted):
        if block.target[i, block.tokens[i]] <= 0:
            problem = IMPOSSIBLE
            message = f"keeps token {block.tokens[i]} at position {i + 1}, which the target never emits there"
            problems.add(Problem(problem, message, question))
            break
    token = _integer(raw[1])
    row = block.target[accepted]
    if token is None:
        return _judged_law(question, raw[1], accepted, tolerance, problems, problem)
    if not 0 <= token < block.vocab_size:
        return wrong("next token out of range", f"next token is {token}, outside 0 … {block.vocab_size - 1}")
    if row[token] <= 0:
        problem = IMPOSSIBLE
        message = f"emits token {token} after {accepted} kept, which the target never emits there"
        problems.add(Problem(problem, message, question))
    return Answer(accepted, token, memory=memory, memory_key=key, problem=problem)


def _judged_law(
    question: Question, value: Any, accepted: int, tolerance: float, problems: ProblemLog, problem: str
) -> Answer:
    block = question.block

    def wrong(kind: str, message: str) -> Answer:
        problems.add(Problem(kind, message, question))
        return Answer(-1, -1, problem=kind)

    try:
        law = np.asarray(to_numpy(value), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return wrong("malformed", f"next token is {_short(value)}, neither a token nor a law")
    if law.ndim == 0:  # None, True, 1.5: numpy makes arrays of them
        return wrong(
            "malformed", f"next token is {_short(value)}, neither a whole number nor a law over the vocabulary"
        )
    if law.shape != (block.vocab_size,):
        return wrong(
            "malformed", f"next token is an array of shape {law.shape}, neither a token nor a law over the vocabulary"
        )
    if not np.isfinite(law).all():
        return wrong("non-finite", f"the law of the next token after {accepted} kept is {_short(law.tolist())}")
    if (law < -tolerance).any() or abs(law.sum() - 1) > max(1e-6, 10 * tolerance):
        return wrong("malformed", f"the law of the next token after {accepted} kept is not one: {_short(law.tolist())}")
    impossible = (law > tolerance) & (block.target[accepted] <= 0)
    if impossible.any():
        problem = IMPOSSIBLE
        token = int(np.argmax(impossible))
        message = f"gives token {token} probability {law[token]:.3g} after {accepted} kept, which the target never emits there"
        problems.add(Problem(problem, message, question))
    return Answer(accepted, -1, law=law, problem=problem)


def shape_of(question: Question, raw: Any) -> str:
    """Whether what a subject returned has the shape of an answer, whatever it says: "token", "law", or ""."""
    if not isinstance(raw, (tuple, list)) or len(raw) not in (2, 3) or _integer(raw[0]) is None:
        return ""
    if _integer(raw[1]) is not None:
        return "token"
    try:
        law = np.asarray(to_numpy(raw[1]), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return ""
    return "law" if law.shape == (question.block.vocab_size,) else ""


def _integer(value: Any) -> int | None:
    """A whole number from an int, a numpy or torch scalar, or an array of one element without axes; None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value and abs(value) < 2**53:
        return int(value) if int(value) == value else None
    return None


def memory_key(memory: Any) -> str:
    """Equal for memories that say the same, also where `repr` shows an address (objects) or leaves digits out (arrays)."""
    return "" if memory is None else repr(_plain(memory))


def _plain(value: Any, depth: int = 0) -> Any:
    if depth > 20:
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(part, depth + 1) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part, depth + 1) for key, part in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if "__repr__" not in {name for kind in type(value).__mro__[:-1] for name in vars(kind)} and hasattr(
        value, "__dict__"
    ):
        return type(value).__name__, _plain(vars(value), depth + 1)
    return value


def _encodable(text: str) -> str:
    """A foreign message without what UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _short(value: Any) -> str:
    text = _encodable(repr(value))
    return text if len(text) <= 80 else text[:77] + "…"
