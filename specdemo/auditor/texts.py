"""From laws of blocks to the law of the text: one block filled up from the target, or block after block where there is memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.laws import BlockLaw, block_laws, make_block
from specdemo.auditor.subjects import Subject
from specdemo.auditor.trees import Prefix, World

StateKey = tuple[Prefix, str, int]


@dataclass
class State:
    """Where a run stands between two blocks, the mass of the runs that stand there, and the laws of the blocks drafted there."""

    text: Prefix
    memory: Any
    place: int  # how many blocks came before
    mass: float
    laws: list[tuple[BlockLaw, float]] = field(default_factory=list)  # with the probability of the draft


@dataclass
class WorldResult:
    """What was found in one world; laws (V,)*length, and the states by (text, memory, block)."""

    world: World
    length: int
    got: FloatArray
    right: FloatArray
    states: dict[StateKey, State]
    error: float

    @property
    def first(self) -> list[tuple[BlockLaw, float]]:
        """The laws of the first block, with the probability of each draft."""
        return self.states[(), "", 0].laws

    @property
    def expected_accepted(self) -> float:
        return sum(law.expected_accepted * mass for law, mass in self.first)

    @property
    def deviation(self) -> float:
        """The largest difference of the probability of any prefix."""
        return self.worst()[1]

    def worst(self, only_too_often: bool = False) -> tuple[Prefix, float, float, float]:
        """The prefix that deviates most (the shortest of equals): (prefix, deviation, right, got)."""
        return worst_prefix(self.got, self.right, only_too_often)


def worst_prefix(
    got: FloatArray, right: FloatArray, only_too_often: bool = False
) -> tuple[Prefix, float, float, float]:
    """The prefix whose probability deviates most between two laws (V,)*length: (prefix, deviation, right, got)."""
    best: tuple[Prefix, float, float, float] = (
        (),
        abs(float(got.sum() - right.sum())),
        float(right.sum()),
        float(got.sum()),
    )
    if only_too_often:
        best = ((), -np.inf, best[2], best[3])
    for length in range(1, got.ndim + 1):
        rest = tuple(range(length, got.ndim))
        got_here, right_here = got.sum(axis=rest), right.sum(axis=rest)
        difference = got_here - right_here
        if not only_too_often:
            difference = np.abs(difference)
        place = np.unravel_index(int(np.argmax(difference)), difference.shape)
        if difference[place] > best[1] + 1e-12:
            prefix = tuple(int(v) for v in place)
            best = (prefix, float(difference[place]), float(right_here[place]), float(got_here[place]))
    return best


def text_length(world: World, remembers: bool) -> int:
    """How many tokens are compared: γ+1 of one block, at least 2γ where there is memory."""
    gamma = max(world.gammas)
    return max(2 * gamma, sum(world.gammas) + 1, 1) if remembers else gamma + 1


def first_states(subject: Subject, world: World, rng: np.random.Generator, random_points: int) -> dict[StateKey, State]:
    """The start, with the laws of its blocks."""
    start = State((), None, 0, 1.0)
    _decide([start], subject, world, rng, random_points)
    return {((), "", 0): start}


def result_of(
    subject: Subject, world: World, rng: np.random.Generator, random_points: int = 8, remembers: bool = False
) -> WorldResult:
    """The law of the text in one world, exactly; NotExact where a block's law cannot be found.

    Without memory, one block filled up from the target decides: every later block is such a first block. With memory,
    blocks follow each other until the text is long enough, each with the memory that the one before left.
    """
    states = first_states(subject, world, rng, random_points)
    length = text_length(world, remembers)
    got = np.zeros((world.vocab_size,) * length)
    open_states = list(states.values())
    error = 0.0
    while open_states:
        following: dict[StateKey, State] = {}
        for state in open_states:
            for law, drafted in state.laws:
                error = max(error, law.error)
                for outcome in law.outcomes:
                    mass = state.mass * drafted * outcome.probability
                    text = (*state.text, *law.block.tokens[: outcome.accepted], outcome.next_token)
                    if len(text) >= length:
                        got[text[:length]] += mass
                    elif not remembers:
                        got[text] += mass * world.completion(text, length - len(text))
                    else:
                        key = text, outcome.memory_key, state.place + 1
                        following.setdefault(key, State(text, outcome.memory, state.place + 1, 0.0)).mass += mass
        states.update(following)
        open_states = list(following.values())
        _decide(open_states, subject, world, rng, random_points)
    return WorldResult(world, length, got, world.completion((), length), states, error * (length if remembers else 1))


def _decide(states: list[State], subject: Subject, world: World, rng: np.random.Generator, random_points: int) -> None:
    blocks, owners = [], []
    for state in states:
        gamma = world.gammas[min(state.place, len(world.gammas) - 1)]
        for tokens, mass in world.blocks(state.text, gamma):
            blocks.append(make_block(subject, world, state.text, tokens, state.memory))
            owners.append((state, mass))
    for law, (state, mass) in zip(block_laws(subject, blocks, rng, random_points), owners, strict=True):
        state.laws.append((law, mass))
