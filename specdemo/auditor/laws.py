"""The exact law of (τ, Y) of drafted blocks, many at a time, so that batched subjects and programs are asked in large rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.questions import Answer, Block, Question, Uniforms
from specdemo.auditor.splitting import Cell, Splitting, Unsteady
from specdemo.auditor.subjects import Subject
from specdemo.auditor.trees import Prefix, World


class NotExact(Exception):
    """The thresholds of this subject cannot be found: the verdict must be statistical. `unsteady`: one question got two answers."""

    def __init__(self, unsteady: bool = False) -> None:
        super().__init__()
        self.unsteady = unsteady


@dataclass(frozen=True)
class Outcome:
    """τ, Y and the memory after the block, with the probability over the uniforms."""

    accepted: int
    next_token: int
    memory: Any
    memory_key: str
    probability: float


@dataclass(frozen=True)
class BlockLaw:
    """What a subject does with one drafted block: its outcomes, the cells they came from, and the bound on the error."""

    block: Block
    outcomes: list[Outcome]
    cells: list[Cell]
    error: float

    @property
    def table(self) -> FloatArray:
        """The law (γ+1, V) of (τ, Y); what is missing from 1 was no valid answer."""
        table = np.zeros((self.block.gamma + 1, self.block.vocab_size))
        for outcome in self.outcomes:
            table[outcome.accepted, outcome.next_token] += outcome.probability
        return table

    @property
    def expected_accepted(self) -> float:
        return sum(outcome.accepted * outcome.probability for outcome in self.outcomes)


def make_block(subject: Subject, world: World, context: Prefix, tokens: Prefix, memory: Any = None) -> Block:
    """The block of these tokens after a context, with as many draft rows as the subject wants."""
    rows = subject.draft_rows_wanted(len(tokens), memory)
    if subject.may_remember and memory is not None and world.changing:
        rows = len(tokens) + 1  # what is remembered may reach past this block, and then the row after it is needed
    return Block(tokens, world.draft_rows(context, tokens, rows), world.target_rows(context, tokens), memory)


def block_laws(
    subject: Subject, blocks: list[Block], rng: np.random.Generator, random_points: int = 8, at_once: int = 64
) -> list[BlockLaw]:
    """The law of every block, in order; NotExact where the boxes of one never come to rest."""
    found: list[BlockLaw] = []
    for i in range(0, len(blocks), at_once):
        found += _together(subject, blocks[i : i + at_once], rng, random_points)
    return found


def _together(subject: Subject, blocks: list[Block], rng: np.random.Generator, random_points: int) -> list[BlockLaw]:
    runs = [Splitting(block, subject.feed, rng, random_points).run() for block in blocks]
    laws: dict[int, BlockLaw] = {}
    wanted: dict[int, list[Uniforms]] = {i: next(run) for i, run in enumerate(runs)}
    while wanted:
        questions = [Question(blocks[i], point) for i, points in wanted.items() for point in points]
        answers = subject.answers(questions)
        following: dict[int, list[Uniforms]] = {}
        start = 0
        for i, points in wanted.items():
            mine = answers[start : start + len(points)]
            start += len(points)
            try:
                following[i] = runs[i].send(mine)
            except Unsteady:
                raise NotExact(unsteady=True) from None
            except StopIteration as end:
                if end.value is None:
                    raise NotExact() from None
                laws[i] = BlockLaw(blocks[i], _outcomes(end.value.cells), end.value.cells, end.value.error)
        wanted = following
    return [laws[i] for i in range(len(blocks))]


def _outcomes(cells: list[Cell]) -> list[Outcome]:
    sums: dict[tuple[int, int, str], tuple[Answer, float]] = {}
    for cell in cells:
        answer = cell.answer
        if answer.accepted < 0:
            continue
        shares = [(answer.next_token, 1.0)] if answer.law is None else list(enumerate(answer.law.tolist()))
        for token, share in shares:
            if share != 0:
                key = answer.accepted, token, answer.memory_key
                before = sums.get(key, (answer, 0.0))[1]
                sums[key] = answer, before + cell.volume * share
    return [
        Outcome(accepted, token, answer.memory, key, mass) for (accepted, token, key), (answer, mass) in sums.items()
    ]
