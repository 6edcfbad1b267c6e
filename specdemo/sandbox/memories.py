"""The Markov chain of what a rule remembers between blocks, on laws without context.

What greedy block verification remembers matters only as the law of the next γ − 1 tokens: two memories with the same law are one
state. Their number has no bound in general, because a ratio R carries on what earlier windows have left in it. The states met most
are taken first; when there are enough, what leads to others is led to the known state whose law is nearest, and what that moves is kept count of.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.sandbox.laws import RepeatingLaws
from specdemo.transport.flows import GoingOn
from specdemo.transport.tables import BlockTable, block_table
from specdemo.verifiers import Verifier
from specdemo.verifiers.greedy_block import GreedyBlockVerifier

# Plans are what costs time: a state takes V^γ of them.
MOST_PLANS, MOST_STATES = 5_000, 200
# States are told apart by so many digits of their laws, and rarer ones than this are not looked at.
_DIGITS, _RARE = 12, 1e-15

Law = tuple[float, ...]


@dataclass(frozen=True)
class Chain:
    """n states, the fresh memory first: `gained` (n,) = E[τ + 1], `matrix` (n, n), `laws` (n, V^(γ−1)) of the next tokens.

    `moved` (n,): by how much each row of the matrix is not the true one, as mass times total variation; zeros where nothing was merged.
    """

    gained: FloatArray
    matrix: FloatArray
    laws: FloatArray
    moved: FloatArray


def chain_of(rule: Verifier, trees: tuple[RepeatingLaws, RepeatingLaws], gamma: int) -> Chain:
    """The chain of a rule's memories; ValueError for a rule whose memory is not known to be the law of the next tokens."""
    if rule.remembers and type(rule) is not GreedyBlockVerifier:
        raise ValueError(f"what the rule {rule.name!r} remembers is not known: its long run can only be simulated")
    return _Exploring(rule, trees, gamma).chain()


class _Exploring:
    """From the fresh memory on, the state with the largest mass first."""

    def __init__(self, rule: Verifier, trees: tuple[RepeatingLaws, RepeatingLaws], gamma: int) -> None:
        self._rule, self._trees, self._gamma = rule, trees, gamma
        self._most = max(2, min(MOST_STATES, MOST_PLANS // trees[0].vocab_size ** gamma))
        self._going_on = GoingOn(rule, *trees, gamma)
        self._gained: dict[Law, float] = {}
        self._moves: dict[Law, dict[Law, float]] = {}

    def chain(self) -> Chain:
        start = self._law(None)
        memories, masses, waiting = {start: None}, {start: 1.0}, [(-1.0, start)]
        while waiting and len(self._gained) < self._most:
            _, law = heapq.heappop(waiting)
            if law in self._gained:
                continue
            table = block_table(self._rule, *self._trees, (), self._gamma, memories[law])
            self._gained[law] = table.expected_accepted + 1
            moves = self._moves[law] = {}
            for memory, mass in self._memories_after(table):
                following = self._law(memory)
                memories.setdefault(following, memory)
                moves[following] = moves.get(following, 0.0) + mass
            for following, mass in moves.items():
                if following not in self._gained:
                    masses[following] = masses.get(following, 0.0) + masses[law] * mass
                    if masses[following] > _RARE:
                        heapq.heappush(waiting, (-masses[following], following))
        return self._merged()

    def _law(self, memory: Any) -> Law:
        """What a memory means: the law (V^(γ−1),) of the next γ − 1 tokens."""
        if memory is None and not self._rule.remembers:
            return ()
        return tuple(np.round(self._going_on.law((), self._gamma - 1, memory), _DIGITS).tolist())

    def _memories_after(self, table: BlockTable) -> Iterator[tuple[Any, float]]:
        """Every memory after a block with its mass; it depends on the kept prefix and Y alone."""
        if not self._rule.remembers:
            yield None, 1.0
            return
        size, count = table.next_laws.shape[2], len(table.masses)
        for i in range(table.drafted + 1):
            stopped = table.stopped(i)
            each = count // size**i
            sums = stopped.reshape(-1, each, size).sum(axis=1)
            for group, y in np.argwhere(sums > 0).tolist():
                plan = next(table.plans[n] for n in range(group * each, count) if stopped[n, y] > 0)
                assert plan is not None
                yield plan.memory_after(i, y), float(sums[group, y])

    def _merged(self) -> Chain:
        known = {law: number for number, law in enumerate(self._gained)}
        laws = np.array(list(known)).reshape(len(known), -1)
        matrix, moved = np.zeros((len(known), len(known))), np.zeros(len(known))
        nearest: dict[Law, tuple[int, float]] = {}
        for law, number in known.items():
            for following, mass in self._moves[law].items():
                if following in known:
                    matrix[number, known[following]] += mass
                    continue
                if following not in nearest:
                    apart = 0.5 * np.abs(laws - np.array(following)).sum(axis=1)
                    nearest[following] = int(apart.argmin()), float(apart.min())
                place, distance = nearest[following]
                matrix[number, place] += mass
                moved[number] += mass * distance
        gained = np.array(list(self._gained.values()))
        return Chain(gained, matrix / matrix.sum(axis=1, keepdims=True), laws, moved)
