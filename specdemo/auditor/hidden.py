"""Hidden randomness: whether the same question gets the same answer, in another order and in other company."""

from __future__ import annotations

import numpy as np

from specdemo.auditor.laws import make_block
from specdemo.auditor.questions import Question
from specdemo.auditor.statistics import AT_ONCE
from specdemo.auditor.subjects import Subject
from specdemo.auditor.trees import World

OTHER_ROWS = f"its answers depend on the other rows of the batch (it is asked {AT_ONCE} rows a call)"
NOT_DETERMINISTIC = "it is not deterministic: the same tokens, laws and uniforms get different answers"
SEED_ZERO = "seed 0 is treated as no seed: the same question gets different answers"
NOT_SEEDED = "it is not deterministic: the same tokens, laws and seed get different answers"


def hidden_randomness(subject: Subject, seed: int) -> tuple[str, float]:
    """What the answers depend on besides the question ("" if on nothing), and the share of questions answered otherwise."""
    questions = _harmless_questions(subject, seed)
    first = subject.answers(questions)
    rng = np.random.default_rng([seed, 3])
    for alone in (False, True):
        order = rng.permutation(len(questions)).tolist()
        rounds = [[questions[i]] for i in order] if alone else [[questions[i] for i in order]]
        again = [answer for together in rounds for answer in subject.answers(together)]
        alike = [first[i].agrees(answer, subject.feed.tolerance) for i, answer in zip(order, again, strict=True)]
        if not all(alike):
            share = alike.count(False) / len(alike)
            return (OTHER_ROWS if _steady_alone(subject, questions) else NOT_DETERMINISTIC), share
    return "", 0.0


def why_unsteady(subject: Subject, seed: int) -> str:
    """What is behind two answers to one question: other rows of the batch, where rows that are asked alone get always the same."""
    return OTHER_ROWS if _steady_alone(subject, _harmless_questions(subject, seed)) else NOT_DETERMINISTIC


def _steady_alone(subject: Subject, questions: list[Question]) -> bool:
    if subject.form not in ("batched", "ragged"):
        return False
    alone = [[subject.answers([question])[0] for question in questions] for _ in range(2)]
    return all(a.agrees(b, subject.feed.tolerance) for a, b in zip(*alone, strict=True))


def unsteady_seeds(subject: Subject, seed: int) -> str:
    """What is odd about the seeds of a subject that draws for itself; "" if nothing is."""
    questions = _harmless_questions(subject, seed)
    again = [subject.answers(questions) for _ in range(4)]
    differ = [
        any(not one.agrees(others[0], subject.feed.tolerance) for one in others[1:])
        for others in zip(*again, strict=True)
    ]
    if any(differ[1:]):
        return NOT_SEEDED
    # The first question is asked with seed 0; once more, because the same answer may be luck.
    first = [subject.answers([Question(question.block, seed=0)])[0] for question in questions for _ in range(2)]
    pairs = zip(first[::2], first[1::2], strict=True)
    return SEED_ZERO if differ[0] or any(not a.agrees(b, subject.feed.tolerance) for a, b in pairs) else ""


def _harmless_questions(subject: Subject, seed: int) -> list[Question]:
    """A few dozen questions without any edge, with seeds 0, 1, 2, … where the subject takes one."""
    world, feed = World("plain", 3, (2,), seed, subject.feed), subject.feed
    blocks = [make_block(subject, world, (), tokens) for tokens, _ in world.blocks((), 2)]
    rows = np.random.default_rng([seed, 2]).random((4 * len(blocks), 3)).tolist()
    return [
        Question(block, tuple(feed.uniform(u) for u in row), seed=i if subject.seeded else None)
        for i, (block, row) in enumerate(zip(blocks * 4, rows, strict=True))
    ]
