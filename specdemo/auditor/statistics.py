"""The verdict where no exact one is possible: texts are sampled, and each prefix's frequency is tested against its probability.

n independent texts of γ+1 tokens a world: a drafted block from D, the subject's decision, the rest from T. The frequency q of a
prefix of probability p deviates as far as it does with probability at most 2 exp(−n KL(q‖p)) (Chernoff); over all m prefixes of
all worlds the level α is divided by m (Bonferroni). Hoeffding's sqrt(ln(2m/α) / 2n) bounds what may have been missed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.laws import make_block
from specdemo.auditor.questions import Block, Question
from specdemo.auditor.subjects import Subject
from specdemo.auditor.texts import worst_prefix
from specdemo.auditor.trees import Prefix, World

# How often a right subject is wrongly accused: once in a million audits.
LEVEL = 1e-6


@dataclass(frozen=True)
class Sampled:
    """What sampling found in one world: `tables` holds the frequencies (γ+1, V) of (τ, Y) for every drafted block."""

    world: World
    count: int
    got: FloatArray
    right: FloatArray
    tables: dict[Prefix, FloatArray]
    numbers: dict[Prefix, int]
    expected_accepted: float

    def often_seen(self, least: int) -> dict[Prefix, FloatArray]:
        """The tables of the drafts that were decided at least so often."""
        return {tokens: table for tokens, table in self.tables.items() if self.numbers[tokens] >= least}

    @property
    def prefixes(self) -> int:
        """How many prefixes are tested."""
        return sum(self.world.vocab_size**length for length in range(1, self.got.ndim + 1))

    def shortened(self, length: int) -> Sampled:
        """The same for the first `length` tokens only."""
        rest = tuple(range(length, self.got.ndim))
        return replace(self, got=self.got.sum(axis=rest), right=self.right.sum(axis=rest))

    def worst(self, only_too_often: bool = False) -> tuple[Prefix, float, float, float]:
        return worst_prefix(self.got, self.right, only_too_often)

    def log_p_value(self) -> float:
        """The logarithm of the smallest p-value of any prefix, not yet divided by their number."""
        smallest = 0.0
        for length in range(1, self.got.ndim + 1):
            rest = tuple(range(length, self.got.ndim))
            q, p = self.got.sum(axis=rest), np.minimum(self.right.sum(axis=rest), 1.0)
            smallest = min(smallest, float((np.log(2) - self.count * divergence(q, p)).min()))
        return smallest


def divergence(q: FloatArray, p: FloatArray) -> FloatArray:
    """KL(q‖p) of coins with success probabilities q and p; infinite where p excludes what q shows.

    >>> float(divergence(np.array(0.5), np.array(0.5)))
    0.0
    """
    # Rounding leaves certain events a hair off 0 or 1, where the divergence would be infinite.
    p = np.where(p < 1e-14, 0.0, np.where(p > 1 - 1e-12, 1.0, p))
    q = np.clip(q, 0.0, 1.0)
    q = np.where(q > 1 - 1e-12, 1.0, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        hits = np.where(q > 0, q * np.log(q / p), 0.0)
        misses = np.where(q < 1, (1 - q) * np.log((1 - q) / (1 - p)), 0.0)
    return np.maximum(hits + misses, 0.0)


def error_bound(count: int, tests: int) -> float:
    """How far a probability may be from what was measured, at the level LEVEL for `tests` tests together (Hoeffding)."""
    return float(np.sqrt(np.log(2 * max(tests, 1) / LEVEL) / (2 * max(count, 1))))


def sampled(subject: Subject, world: World, count: int, rng: np.random.Generator, at_once: int = 512) -> Sampled:
    """`count` independent texts of γ+1 tokens from one world."""
    length = world.gamma + 1
    drafts = list(world.blocks((), world.gamma))
    masses = np.array([mass for _, mass in drafts])
    numbers = rng.multinomial(count, masses / masses.sum())
    blocks = [make_block(subject, world, (), tokens) for tokens, _ in drafts]
    # In random order, so that a batch holds different blocks and a generator shared between calls finds no pattern.
    order = rng.permutation(np.repeat(np.arange(len(blocks)), numbers))
    got = np.zeros((world.vocab_size,) * length)
    raw: dict[Prefix, FloatArray] = {block.tokens: np.zeros((length, world.vocab_size)) for block in blocks}
    for start in range(0, count, at_once):
        chosen = [blocks[i] for i in order[start : start + at_once].tolist()]
        for block, table in zip(chosen, _decided(subject, chosen, rng, start), strict=True):
            raw[block.tokens] += table
    kept = 0.0
    for tokens, table in raw.items():
        for accepted, token in zip(*np.nonzero(table), strict=True):
            number = float(table[accepted, token])
            kept += accepted * number
            text = (*tokens[:accepted], int(token))
            got[text] += _filled(world, text, length, number, rng)
    seen = {tokens: int(n) for tokens, n in zip(raw, numbers.tolist(), strict=True)}
    tables = {tokens: table / max(seen[tokens], 1) for tokens, table in raw.items()}
    return Sampled(world, count, got / count, world.completion((), length), tables, seen, kept / count)


def _decided(subject: Subject, blocks: list[Block], rng: np.random.Generator, start: int) -> list[FloatArray]:
    """One decision a block as a table (γ+1, V) of ones; a law is sampled, an invalid answer leaves zeros."""
    if subject.seeded:
        # Seeds 0, 1, 2, …: the ones that are used, and 0 is one of them.
        questions = [Question(block, seed=start + i) for i, block in enumerate(blocks)]
    else:
        uniforms = rng.random((len(blocks), blocks[0].gamma + 1)).tolist()
        questions = [
            Question(block, tuple(subject.feed.uniform(u) for u in row))
            for block, row in zip(blocks, uniforms, strict=True)
        ]
    tables = []
    for block, answer in zip(blocks, subject.answers(questions), strict=True):
        table = np.zeros((block.gamma + 1, block.vocab_size))
        if answer.accepted >= 0:
            token = answer.next_token
            if answer.law is not None:
                law = np.maximum(answer.law, 0.0)
                token = int(rng.choice(len(law), p=law / law.sum()))
            table[answer.accepted, token] = 1.0
        tables.append(table)
    return tables


def _filled(world: World, text: Prefix, length: int, number: float, rng: np.random.Generator) -> FloatArray:
    """The texts that `number` runs end in when the target goes on after `text`: counts (V,)*(what is missing)."""
    missing = length - len(text)
    if missing == 0:
        return np.array(number)
    law = np.maximum(world.completion(text, missing), 0.0).ravel()
    counts = rng.multinomial(int(number), law / law.sum())
    return counts.astype(np.float64).reshape((world.vocab_size,) * missing)
