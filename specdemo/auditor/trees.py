"""The small worlds on which a subject is tried: draft and target laws after every prefix, random and adversarial, small ones first.

Where verifiers go wrong is at the edges (zeros, ties, one-hot and disjoint laws, laws that differ by rounding only), so most
kinds are edges. Laws depend on the whole prefix; they are made from the seed and the prefix, as deep as they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.feeding import Feed

Prefix = tuple[int, ...]

RANDOM_KINDS = ("plain", "steep", "zeros", "ties", "near", "equal", "one_hot", "disjoint", "hot_draft", "hot_target")
_STEP = 2.0**-24
# The same for what is smaller than 1e-6 and yet no matter of rounding, in float32's steps (`rounding.py`). In each a fault of 1e-8 is as large as a
# probability, given that block was drafted: a residual and a coin's denominator of less than 1e-6 that are certain to be needed,
# a coin between two such numbers, laws that differ by less than 1e-6, and a token rarer than that before the others.
_BY_ROUNDING: dict[str, tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]] = {
    "tiny_residual": (
        ((0.5, 0.25, 0.25, 0.0), (4 * _STEP, 0.0, 0.0, 1 - 4 * _STEP)),
        ((0.75, 0.125, 0.125, 0.0), (_STEP, 6 * _STEP, 10 * _STEP, 1 - 17 * _STEP)),
    ),
    "tiny_denominator": (
        ((1.0, 0.0, 0.0, 0.0), (2 * _STEP, 0.0, 0.0, 1 - 2 * _STEP)),
        ((1 - 6 * _STEP, 2 * _STEP, 2 * _STEP, 2 * _STEP), (0.0, 3 * _STEP, 5 * _STEP, 1 - 8 * _STEP)),
    ),
    "nearly_equal": (
        ((0.5, 0.25, 0.25, 0.0),),
        ((0.5 - 16 * _STEP, 0.25 + 8 * _STEP, 0.25 + 8 * _STEP, 0.0), (0.25, 0.5, 0.25, 0.0)),
    ),
    "rare_first": (
        ((0.0, 0.5, 0.25, 0.25), (0.0, 0.0, 0.25, 0.75)),
        ((0.0, 4 * _STEP, 0.5, 0.5 - 4 * _STEP),),
    ),
}
# Worlds made by hand, the same with every seed: (draft, target) laws by position, which repeat.
_BY_POSITION: dict[str, tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]] = {
    "two_symbols": (((2 / 3, 1 / 3),), ((1 / 3, 2 / 3),)),
    # Three symbols, because two hide mistakes in the residual.
    "model_c": (((0.1, 0.2, 0.7), (0.3, 0.1, 0.6)), ((0.6, 0.0, 0.4), (0.5, 0.4, 0.1), (0.5, 0.1, 0.4))),
    # Residuals with three entries that differ: with fewer, one that is cut short looks right.
    "wide_residual": (
        ((0.2, 0.0, 0.0, 0.8), (0.0, 0.3, 0.7, 0.0)),
        ((0.3, 0.2, 0.15, 0.35), (0.3, 0.35, 0.15, 0.2), (0.1, 0.2, 0.3, 0.4)),
    ),
    # So few drafts that long blocks are affordable, in which every coin and every residual's weight matters, for all rules.
    "few_drafts": (
        ((0.0, 0.3, 0.7), (1.0, 0.0, 0.0), (0.0, 0.65, 0.35), (0.25, 0.0, 0.75)),
        ((0.15, 0.5, 0.35), (0.45, 0.3, 0.25), (0.4, 0.1, 0.5), (0.45, 0.15, 0.4), (0.2, 0.3, 0.5)),
    ),
    **_BY_ROUNDING,
}


@dataclass(eq=False)
class World:
    """Draft and target laws on `vocab_size` symbols; block b drafts gammas[b] tokens, the last entry repeats."""

    kind: str
    vocab_size: int
    gammas: tuple[int, ...]
    seed: int = 0
    feed: Feed = field(default_factory=Feed)
    _laws: dict[Prefix, tuple[FloatArray, FloatArray]] = field(default_factory=dict, repr=False)

    @property
    def gamma(self) -> int:
        """γ of the first block."""
        return self.gammas[0]

    @property
    def name(self) -> str:
        lengths = ",".join(str(gamma) for gamma in self.gammas)
        return f"{self.kind} V={self.vocab_size} γ={lengths} #{self.seed}"

    @property
    def changing(self) -> bool:
        """Whether blocks differ in length, so that one may end before what an earlier one has left open."""
        return len(set(self.gammas)) > 1

    @property
    def one_hot_target(self) -> bool:
        """Whether this is temperature 0: every target law is one-hot."""
        return self.kind in ("one_hot", "hot_target") or self.vocab_size == 1

    def draft(self, prefix: Prefix) -> FloatArray:
        return self._pair(prefix)[0]

    def target(self, prefix: Prefix) -> FloatArray:
        return self._pair(prefix)[1]

    def draft_rows(self, context: Prefix, tokens: Prefix, count: int) -> FloatArray:
        """D (count, V) after the context and the first tokens of the block."""
        rows = [self.draft((*context, *tokens[:i])) for i in range(count)]
        return np.array(rows).reshape(count, self.vocab_size)

    def target_rows(self, context: Prefix, tokens: Prefix) -> FloatArray:
        """T (γ+1, V) after the context and the first tokens of the block."""
        return np.array([self.target((*context, *tokens[:i])) for i in range(len(tokens) + 1)])

    def blocks(self, context: Prefix, gamma: int) -> Iterator[tuple[Prefix, float]]:
        """Every block the draft can propose after the context, with its probability."""
        for tokens in product(range(self.vocab_size), repeat=gamma):
            mass = 1.0
            for i, token in enumerate(tokens):
                mass *= float(self.draft((*context, *tokens[:i]))[token])
            if mass > 0:
                yield tokens, mass

    def completion(self, context: Prefix, length: int) -> FloatArray:
        """The target's law (V,)*length of what follows the context."""
        if length == 0:
            return np.ones(())
        law = self.target(context)
        if length == 1:
            return law
        return np.stack([law[v] * self.completion((*context, v), length - 1) for v in range(self.vocab_size)])

    def _pair(self, prefix: Prefix) -> tuple[FloatArray, FloatArray]:
        if prefix not in self._laws:
            draft, target = self._make(prefix)
            self._laws[prefix] = self.feed.rounded(draft / draft.sum()), self.feed.rounded(target / target.sum())
        return self._laws[prefix]

    def _make(self, prefix: Prefix) -> tuple[FloatArray, FloatArray]:
        if self.kind in _BY_POSITION:
            drafts, targets = _BY_POSITION[self.kind]
            return np.array(drafts[len(prefix) % len(drafts)]), np.array(targets[len(prefix) % len(targets)])
        rng = np.random.default_rng([self.seed, self.vocab_size, len(prefix), *prefix])
        kind = self.kind if self.kind != "mixed" else RANDOM_KINDS[rng.integers(len(RANDOM_KINDS))]
        if kind == "close":
            return _close_pair(rng, self.vocab_size, 2 * prefix[-1] + 4 if prefix else 2, self.feed.single)
        return _random_pair(kind, rng, self.vocab_size, 1e-7 if self.feed.single else 1e-15)


def _random_pair(kind: str, rng: np.random.Generator, size: int, rounding: float) -> tuple[FloatArray, FloatArray]:
    draft, target = (_random_row(kind, rng, size) for _ in range(2))
    if kind == "equal":
        draft = target.copy()
    elif kind == "near":
        draft = target * (1 + rounding * rng.standard_normal(size))
    elif kind == "hot_draft":
        draft = np.eye(size)[rng.integers(size)]
    elif kind == "hot_target":
        target = np.eye(size)[rng.integers(size)]
    elif kind == "disjoint" and size > 1:
        side = rng.permutation(size) < max(1, size // 2)
        draft, target = np.where(side, draft, 0.0), np.where(side, 0.0, target)
    return draft, target


def _close_pair(rng: np.random.Generator, size: int, digits: int, single: bool) -> tuple[FloatArray, FloatArray]:
    """Laws that agree in their first `digits` digits: where "close enough", or a small residual set to zero, is a mistake."""
    draft = rng.dirichlet(np.ones(size))
    target = draft * (1 + 10.0 ** -(digits / 2 if single else digits) * rng.standard_normal(size))
    return draft, np.maximum(target, 0.0)


def _random_row(kind: str, rng: np.random.Generator, size: int) -> FloatArray:
    if kind == "one_hot":
        return np.eye(size)[rng.integers(size)]
    if kind == "ties":
        return rng.integers(1, 3, size).astype(np.float64)
    if kind == "steep":
        return rng.dirichlet(np.full(size, 0.3)) + 1e-6
    if kind == "rare":
        return 10.0 ** -rng.uniform(0, 7, size)
    row = rng.dirichlet(np.ones(size))
    if kind == "zeros":
        row[rng.random(size) < 0.4] = 0.0
        row[rng.integers(size)] += 0.5
    return row


# (γ, V, kinds), small to large: the first failure is then the smallest counterexample.
_QUICK: tuple[tuple[int, int, str], ...] = (
    (0, 1, "plain"),
    (0, 3, "plain"),
    (1, 1, "plain"),
    (1, 2, "two_symbols plain zeros one_hot disjoint equal near hot_draft hot_target ties steep"),
    (1, 3, "plain zeros near mixed"),
    (1, 4, "wide_residual mixed"),
    (2, 1, "plain"),
    (2, 2, "two_symbols plain one_hot disjoint hot_draft mixed close rare"),
    (2, 3, "model_c plain zeros near ties hot_draft hot_target mixed close rare"),
    (3, 2, "two_symbols plain hot_target mixed"),
    (2, 4, "wide_residual mixed " + " ".join(_BY_ROUNDING)),
    (3, 3, "few_drafts mixed"),
)
_THOROUGH: tuple[tuple[int, int, str], ...] = (
    *_QUICK[:-2],
    (1, 3, " ".join(RANDOM_KINDS)),
    (2, 2, " ".join(RANDOM_KINDS)),
    (2, 3, " ".join(RANDOM_KINDS)),
    (2, 4, "wide_residual plain zeros near ties disjoint mixed close rare " + " ".join(_BY_ROUNDING)),
    (3, 2, " ".join(RANDOM_KINDS)),
    (3, 3, "few_drafts plain zeros disjoint hot_draft mixed"),
    (3, 4, "wide_residual"),
    (4, 2, "two_symbols plain zeros mixed"),
    (4, 3, "few_drafts mixed"),
)
# With memory the text is followed over several blocks, a hundred times the work: fewer and smaller worlds.
_QUICK_MEMORY: tuple[tuple[int, int, str], ...] = (
    *_QUICK[:8],
    (2, 3, "model_c zeros mixed"),
    (2, 4, " ".join(_BY_ROUNDING)),
    (3, 2, "two_symbols mixed"),
)
_THOROUGH_MEMORY: tuple[tuple[int, int, str], ...] = (
    *_QUICK[:8],
    (2, 2, " ".join(RANDOM_KINDS)),
    (2, 3, "model_c plain zeros near ties disjoint mixed close"),
    (2, 4, " ".join(_BY_ROUNDING)),
    (3, 2, "two_symbols plain zeros mixed"),
)
# Blocks of changing length, for rules that remember: the next block may be shorter or longer than what is still modified.
_CHANGING: tuple[tuple[tuple[int, ...], int, str], ...] = (
    ((2, 1), 2, "plain"),
    ((3, 1), 2, "plain"),
    ((1, 2), 2, "mixed"),
    ((2, 0, 1), 2, "plain"),
)


def worlds(budget: str, feed: Feed, seed: int = 0, minimum_gamma: int = 0, remembers: bool = False) -> list[World]:
    """The worlds of a budget ("quick" or "thorough"), small to large; for subjects with memory also changing block lengths."""
    quick = budget == "quick"
    table = (_QUICK_MEMORY if quick else _THOROUGH_MEMORY) if remembers else (_QUICK if quick else _THOROUGH)
    found = []
    for gamma, size, kinds in table:
        for kind in kinds.split():
            seeds = 1 if quick or kind in _BY_POSITION else 3
            found += [World(kind, size, (gamma,), seed + i, feed) for i in range(seeds)]
    if remembers:
        found += [World(kind, size, gammas, seed, feed) for gammas, size, kind in _CHANGING]
    return [world for world in found if min(world.gammas) >= minimum_gamma]


def sampled_worlds(budget: str, feed: Feed, seed: int = 0, minimum_gamma: int = 0) -> list[World]:
    """The fewer worlds whose texts are sampled where no exact verdict is possible."""
    table = [(1, 3, "zeros"), (2, 3, "model_c"), (2, 4, "wide_residual"), (3, 2, "two_symbols")]
    if budget == "thorough":
        table += [
            (1, 3, "plain"),
            (2, 2, "plain"),
            (2, 3, "plain"),
            (2, 3, "ties"),
            (3, 2, "plain"),
            (3, 3, "few_drafts"),
        ]
    return [World(kind, size, (gamma,), seed, feed) for gamma, size, kind in table if gamma >= minimum_gamma]
