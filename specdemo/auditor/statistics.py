"""The verdict where no exact one is possible: texts are sampled, and each prefix's frequency is tested against its probability.

n independent texts of γ+1 tokens a world: a drafted block from D, the subject's decision, and in place of a rest drawn from T (or
of a next token drawn from the subject's law) its probabilities. The frequency q of a prefix of probability p, a mean of numbers in
[0, 1], deviates as far as it does with probability at most 2 exp(−n KL(q‖p)) (Chernoff; Hoeffding 1963, Theorem 1); over all m
prefixes of all worlds the level α is divided by m (Bonferroni). Hoeffding's sqrt(ln(2m/α) / 2n) bounds what may have been missed.
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
# So many texts are decided together: the rows of a batch.
AT_ONCE = 512


@dataclass(frozen=True)
class Sampled:
    """What sampling found in one world: `tables` holds the frequencies (γ+1, V) of (τ, Y) for every drafted block.

    `stream` seeds the generator that drew the drafts and the uniforms, so that a program can draw them again.
    """

    world: World
    count: int
    stream: tuple[int, ...]
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


def sampled(subject: Subject, world: World, count: int, stream: tuple[int, ...]) -> Sampled:
    """`count` independent texts of γ+1 tokens from one world; what is drawn here and how, `sampled_snippet` writes down."""
    rng = np.random.default_rng(stream)
    length = world.gamma + 1
    drafts = list(world.blocks((), world.gamma))
    masses = np.array([mass for _, mass in drafts])
    numbers = rng.multinomial(count, masses / masses.sum())
    blocks = [make_block(subject, world, (), tokens) for tokens, _ in drafts]
    # In random order, so that a batch holds different blocks and a generator shared between calls finds no pattern.
    order = rng.permutation(np.repeat(np.arange(len(blocks)), numbers))
    got = np.zeros((world.vocab_size,) * length)
    raw: dict[Prefix, FloatArray] = {block.tokens: np.zeros((length, world.vocab_size)) for block in blocks}
    for start in range(0, count, AT_ONCE):
        chosen = [blocks[i] for i in order[start : start + AT_ONCE].tolist()]
        for block, table in zip(chosen, _decided(subject, chosen, rng, start), strict=True):
            raw[block.tokens] += table
    kept = 0.0
    for tokens, table in raw.items():
        for accepted, token in zip(*np.nonzero(table), strict=True):
            number = float(table[accepted, token])
            kept += accepted * number
            text = (*tokens[:accepted], int(token))
            got[text] += number * _completion(world, text, length - len(text))
    seen = {tokens: int(n) for tokens, n in zip(raw, numbers.tolist(), strict=True)}
    tables = {tokens: table / max(seen[tokens], 1) for tokens, table in raw.items()}
    return Sampled(world, count, stream, got / count, _completion(world, (), length), tables, seen, kept / count)


def _completion(world: World, text: Prefix, missing: int) -> FloatArray:
    """The target's law of what follows; laws rounded to float32 must not make what is certain a hair less than that."""
    law = world.completion(text, missing)
    return np.asarray(law / law.sum())


def _decided(subject: Subject, blocks: list[Block], rng: np.random.Generator, start: int) -> list[FloatArray]:
    """One decision a block as a table (γ+1, V): a one, or the law in the row of τ; an invalid answer leaves zeros."""
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
            if answer.law is None:
                table[answer.accepted, answer.next_token] = 1.0
            else:
                law = np.maximum(answer.law, 0.0)
                table[answer.accepted] = law / law.sum()
        tables.append(table)
    return tables
