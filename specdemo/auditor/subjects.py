"""What can be audited, behind one interface: a list of questions in, a list of answers out, whatever the subject's form is.

Forms: "verifier" (a Verifier, memory included), "plain" (tokens, draft, target, uniforms) → (accepted, next_token), "law" the
same → (accepted, law), "memory" (…, uniforms, memory) → (accepted, next_token, memory), "seed" (tokens, draft, target, seed),
"batched", "ragged" and "program" (`program.py`).
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, ClassVar

import numpy as np

from specdemo.auditor.feeding import Feed
from specdemo.auditor.questions import Answer, Block, Problem, ProblemLog, Question, judged
from specdemo.auditor.raising import raised_at
from specdemo.auditor.watching import Watch
from specdemo.verifiers import Verifier

Ask = Callable[..., Any]


class Subject(ABC):
    """Something that decides blocks. `calls` counts the questions put to it, `problems` collects what was wrong with answers."""

    form: ClassVar[str]
    seeded: ClassVar[bool] = False  # draws for itself: only a statistical verdict is possible

    def __init__(self, name: str, feed: Feed) -> None:
        self.name, self.feed = name, feed
        self.calls = 0
        self.problems = ProblemLog()
        self.watch = Watch()
        self.notes: list[str] = []  # what a reader of the report should know besides

    def answers(self, questions: list[Question]) -> list[Answer]:
        """One judged answer for each question, in order."""
        self.calls += len(questions)
        raw = self._ask(questions)
        answers = []
        for question, one in zip(questions, raw, strict=True):
            self.problems.together = self.together(question)
            answers.append(judged(question, one, self.feed.tolerance, self.problems))
        return answers

    def together(self, question: Question) -> tuple[Question, ...]:
        """The questions that were put in one call with this one, which was among those asked last."""
        return (question,)

    def shows_again(self, problem: Problem, together: tuple[Question, ...]) -> bool:
        """Whether its question, asked once more in one call with these, gets such an answer again."""
        place = next(i for i, question in enumerate(together) if question is problem.question)
        raw = self._once_more(list(together))[place]
        return judged(problem.question, raw, self.feed.tolerance, ProblemLog()).problem == problem.kind

    def _once_more(self, questions: list[Question]) -> list[Any]:
        return self._ask(questions)

    @abstractmethod
    def _ask(self, questions: list[Question]) -> list[Any]:
        """What the subject returned for each question, or the exception it raised."""

    def draft_rows_wanted(self, gamma: int, memory: Any) -> int:
        """γ, or γ+1 where the subject needs the draft's law after the block."""
        return gamma

    @property
    def may_remember(self) -> bool:
        """Whether a block may leave a memory to the next one."""
        return False

    def close(self) -> None:  # noqa: B027 (most subjects hold nothing)
        """Let go of what the subject holds."""


class VerifierSubject(Subject):
    """A Verifier, asked what it decides; what its plan announces is not looked at."""

    form = "verifier"

    def __init__(self, rule: Verifier) -> None:
        super().__init__(rule.name, Feed())
        self.rule = rule

    @property
    def may_remember(self) -> bool:
        return self.rule.remembers

    def draft_rows_wanted(self, gamma: int, memory: Any) -> int:
        return self.rule.draft_rows_wanted(gamma, memory)

    def _ask(self, questions: list[Question]) -> list[Any]:
        return [self._decide(question) for question in questions]

    def _decide(self, question: Question) -> Any:
        block = question.block
        self.watch.begins([question])
        try:
            if block.plan is None:
                tokens = np.array(block.tokens, dtype=np.int64)
                block.plan = self.rule.core_plan(tokens, block.draft.copy(), block.target.copy(), block.memory)
            verdict = block.plan.decide_unchecked(np.array(question.uniforms))
        except (Exception, SystemExit) as error:
            return error
        finally:
            self.watch.ends()
        if not np.isfinite(verdict.next_law).all():
            return verdict.accepted, verdict.next_law
        return verdict.accepted, verdict.next_token, verdict.memory


class FunctionSubject(Subject):
    """A function that decides one block a call: forms "plain", "law", "memory" and "seed"."""

    form = "plain"

    def __init__(self, function: Ask, name: str, feed: Feed, form: str) -> None:
        super().__init__(name, feed)
        self._function = function
        self.form = form  # type: ignore[misc]
        self.seeded = form == "seed"  # type: ignore[misc]

    @property
    def may_remember(self) -> bool:
        return self.form == "memory"

    def _ask(self, questions: list[Question]) -> list[Any]:
        return [self._decide(question) for question in questions]

    def _decide(self, question: Question) -> Any:
        arrays = self.feed.block(question.block)
        last = question.seed if self.seeded else self.feed.floats(question.uniforms)
        self.watch.begins([question])
        try:
            if self.form != "memory":
                return self._function(*arrays, last)
            # Copied like the arrays: a subject may write into its memory, and go on writing into what it returned.
            return copy.deepcopy(self._function(*arrays, last, copy.deepcopy(question.block.memory)))
        except (
            Exception,
            SystemExit,
        ) as error:  # a verifier that ends the process would end the audit as if all were well
            return error
        finally:
            self.watch.ends()


class BatchedSubject(Subject):
    """A function of (tokens (B, γ), draft (B, γ, V), target (B, γ+1, V), uniforms (B, γ+1)) → (accepted (B,), next (B,) or (B, V))."""

    form = "batched"

    def __init__(self, function: Ask, name: str, feed: Feed) -> None:
        super().__init__(name, feed)
        self._function = function
        self._together: dict[int, tuple[Question, ...]] = {}

    def together(self, question: Question) -> tuple[Question, ...]:
        return self._together[id(question)]

    def _once_more(self, questions: list[Question]) -> list[Any]:
        return self._call(questions)

    def _group(self, block: Block) -> Hashable:
        return block.gamma, block.vocab_size

    def _arguments(self, questions: list[Question]) -> tuple[Any, ...]:
        blocks = [question.block for question in questions]
        gamma, size = blocks[0].gamma, blocks[0].vocab_size
        return (
            self.feed.integers(
                np.array([block.tokens for block in blocks], dtype=np.int64).reshape(len(blocks), gamma)
            ),
            self.feed.floats(np.array([block.draft for block in blocks]).reshape(len(blocks), gamma, size)),
            self.feed.floats(np.array([block.target for block in blocks])),
            self.feed.floats(np.array([question.uniforms for question in questions])),
        )

    def _ask(self, questions: list[Question]) -> list[Any]:
        groups: dict[Hashable, list[int]] = defaultdict(list)
        for i, question in enumerate(questions):
            groups[self._group(question.block)].append(i)
        raw: list[Any] = [None] * len(questions)
        self._together = {}
        for places in groups.values():
            mixed, mine = self._with_company([questions[i] for i in places])
            found = self._call(mixed)
            for place, i in zip(places, mine, strict=True):
                raw[place] = found[i]
        return raw

    def _with_company(self, questions: list[Question]) -> tuple[list[Question], list[int]]:
        """What is asked together, and the places of the questions in it."""
        return questions, list(range(len(questions)))

    def _call(self, questions: list[Question]) -> list[Any]:
        arguments = self._arguments(questions)
        self._together |= dict.fromkeys(map(id, questions), tuple(questions))
        self.watch.begins(questions)
        try:
            accepted, following = self._function(*arguments)
            rows = list(zip(list(accepted), list(following), strict=True))
            if len(rows) != len(questions):
                raise ValueError(f"{len(rows)} answers for a batch of {len(questions)}")
            return rows
        except (Exception, SystemExit) as error:
            if len(questions) == 1:
                return [error]
            together = f"raises {type(error).__name__}{raised_at(error)}"
        finally:
            self.watch.ends()
        # One by one, so that the offending row is named and the others are still judged.
        rows = [self._call([question])[0] for question in questions]
        if not self.notes and not any(isinstance(row, BaseException) for row in rows):
            self.notes.append(
                f"with {len(questions)} blocks in one call it {together}; they were asked one by one, and none raised alone"
            )
        return rows


class RaggedSubject(BatchedSubject):
    """The same with lists of differently long blocks: each argument is a list of B arrays (γ_b,), (γ_b, V), (γ_b+1, V), (γ_b+1,).

    Every call holds blocks of other lengths between those that are asked about: it must be told apart where each ends.
    """

    form = "ragged"

    def _group(self, block: Block) -> Hashable:
        return block.vocab_size

    def _with_company(self, questions: list[Question]) -> tuple[list[Question], list[int]]:
        mixed: list[Question] = []
        mine = []
        for i, question in enumerate(questions):
            mine.append(len(mixed))
            mixed.append(question)
            if i % 2 == 0:
                mixed.append(_companion(question.block, 1 + (question.block.gamma + i // 2) % 4))
        return mixed, mine

    def _arguments(self, questions: list[Question]) -> tuple[Any, ...]:
        arrays = [self.feed.block(question.block) for question in questions]
        uniforms = [self.feed.floats(question.uniforms) for question in questions]
        return [a[0] for a in arrays], [a[1] for a in arrays], [a[2] for a in arrays], uniforms


def _companion(block: Block, gamma: int) -> Question:
    """A harmless question of another length on the same vocabulary."""
    size = block.vocab_size
    laws = np.full((gamma + 1, size), 0.5 / size)
    laws[np.arange(gamma + 1), np.arange(gamma + 1) % size] += 0.5
    tokens = tuple(i % size for i in range(gamma))
    return Question(Block(tokens, laws[:gamma], laws[::-1].copy()), (0.75,) * (gamma + 1))
