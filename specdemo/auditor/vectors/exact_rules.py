"""Every rule once more, in exact fractions, written from the formulas and not from `specdemo.verifiers`.

Each function takes tokens (γ,), the laws drafted from (γ, or γ+1 for the greedy rule with memory), the target's laws (γ+1) and a memory, and
returns an `Exact`: coins, prefix weights, and the law of the next token after each τ. Besides the values it says how firmly they stand:
what a coin was divided by, and which zeros a rounding could lift. That is what a vector's margin and condition are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any

from specdemo.auditor.vectors.laws import ONE, ZERO, ExactLaw, difference

Laws = Sequence[ExactLaw]
Memory = list[tuple[Fraction, int]]  # (R, remaining), outermost first

LENIENCE = Fraction(1, 2)


@dataclass(frozen=True)
class Coin:
    """One accept coin: its chance h, what h was divided by, and, for rules that compare instead of tossing, how far from turning."""

    chance: Fraction
    condition: Fraction = ONE
    gap: Fraction | None = None
    certain: bool = False  # no rounding moves it: a factor is exactly zero


@dataclass(frozen=True)
class NextLaw:
    """The law of the next token, the mass it was divided by, and the symbols whose zero a rounding could lift."""

    law: ExactLaw
    condition: Fraction = ONE
    fragile: tuple[int, ...] = ()


@dataclass(frozen=True)
class Exact:
    """What a rule says of one drafted block before any uniform is looked at."""

    coins: list[Coin]
    weights: list[Fraction]  # P(τ ≥ i | x^i), i = 0…γ
    last_wins: bool
    next_law_of: Callable[[int], NextLaw]
    memory_after: Callable[[int, int], Memory | None] = field(default=lambda accepted, token: None)
    condition: Fraction = ONE  # of the rows the rule works with, where memory changes them
    empty_window: bool = False  # a modified row had no mass, so the target took its place
    made: dict[int, NextLaw] = field(default_factory=dict, repr=False)

    def next_law(self, i: int) -> NextLaw:
        """The law of the next token given τ = i."""
        if i not in self.made:
            self.made[i] = self.next_law_of(i)
        return self.made[i]

    def accepted(self, etas: Sequence[Fraction]) -> int:
        """τ for the uniforms η (γ,)."""
        kept = [eta < coin.chance for eta, coin in zip(etas, self.coins, strict=True)]
        if self.last_wins:
            return max((i for i, success in enumerate(kept, start=1) if success), default=0)
        return kept.index(False) if False in kept else len(kept)


def products(chances: Sequence[Fraction]) -> list[Fraction]:
    """1, h_1, h_1 h_2, …"""
    return list(accumulate(chances, mul, initial=ONE))


def after_stop(scale: Fraction, target: ExactLaw, draft: ExactLaw, sure: bool = True) -> NextLaw:
    """norm((sT − D)₊); T where nothing is left. `sure`: the factor s is exact in any precision, so that sT = D stays zero."""
    left = difference(scale, target, draft)
    law = left.law()
    if law is None:
        return NextLaw(target)
    return NextLaw(law, min(ONE, left.mass), () if sure else left.touching)


def token(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """Stop at the first i with η_i ≥ min(1, r_i)."""
    return _token_like(tokens, draft, target, ONE)


def lenience(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """The token rule with min(1, r_i / l): a lossy rule."""
    return _token_like(tokens, draft, target, LENIENCE)


def _token_like(tokens: Sequence[int], draft: Laws, target: Laws, divisor: Fraction) -> Exact:
    coins = []
    for i, x in enumerate(tokens):
        chance = min(ONE, target[i][x] / draft[i][x] / divisor)
        coins.append(Coin(chance, certain=chance == 0))

    def next_law(i: int) -> NextLaw:
        return after_stop(ONE, target[i], draft[i]) if i < len(tokens) else NextLaw(target[i])

    return Exact(coins, products([coin.chance for coin in coins]), False, next_law)


def block(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """w_i = min(1, w_{i−1} r_i); h_i from the next position's rows; the last success wins; Y ~ norm((w_τ T − D)₊)."""
    weights, sure = [ONE], [True]
    for i, x in enumerate(tokens):
        t, d = target[i][x], draft[i][x]
        product = weights[-1] * t / d
        weights.append(min(ONE, product))
        # Exact in any precision: clipped from above, zero, or one because nothing but equal numbers were divided.
        sure.append(product > 1 or product == 0 or (sure[-1] and weights[-2] == 1 and t == d))
    coins = []
    for i in range(1, len(tokens)):
        gain = difference(weights[i], target[i], draft[i]).mass
        below = gain + 1 - weights[i]
        if below == 0:
            coins.append(Coin(ONE, ONE if sure[i] else ZERO))
        else:
            coins.append(Coin(gain / below, min(ONE, below), certain=weights[i] == 0))
    if tokens:
        coins.append(Coin(weights[-1], certain=weights[-1] == 0))

    def next_law(i: int) -> NextLaw:
        return after_stop(weights[i], target[i], draft[i], sure[i]) if i < len(tokens) else NextLaw(target[i])

    return Exact(coins, weights, True, next_law)


def exact_match(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """Keep x_i while it is the target's first largest; emit that."""

    tops = [law.weights.index(max(law.weights)) for law in target]

    def next_law(i: int) -> NextLaw:
        return NextLaw(ExactLaw(tuple(int(v == tops[i]) for v in range(len(target[i])))))

    coins = [Coin(ONE if x == tops[i] else ZERO, gap=_lead(target[i])) for i, x in enumerate(tokens)]
    return Exact(coins, products([coin.chance for coin in coins]), False, next_law)


def _lead(law: ExactLaw) -> Fraction:
    """By how much the largest probability exceeds the next smaller one: equal fractions stay equal in every precision."""
    largest = max(law.weights)
    return Fraction(largest - max((weight for weight in law.weights if weight < largest), default=0), law.total)


def sampled_match(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """Keep x_i with probability T(x_i); after a failure Y ~ T without x_{τ+1}."""
    coins = [Coin(target[i][x], certain=target[i][x] == 0) for i, x in enumerate(tokens)]

    def next_law(i: int) -> NextLaw:
        if i == len(tokens):
            return NextLaw(target[i])
        rest = tuple(0 if v == tokens[i] else weight for v, weight in enumerate(target[i].weights))
        law = ExactLaw(rest)
        return NextLaw(law, Fraction(law.total, target[i].total)) if law.total else NextLaw(target[i])

    return Exact(coins, products([coin.chance for coin in coins]), False, next_law)


def threshold(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """Keep x_i while T(x_i) ≥ D(x_i); then Y ~ T: a lossy rule."""
    # Equal fractions become equal floats, so a tie stands as firmly as a wide gap.
    gaps = [target[i][x] - draft[i][x] for i, x in enumerate(tokens)]
    return _comparing([(gap >= 0, abs(gap) or ONE) for gap in gaps], target)


def typical(tokens: Sequence[int], draft: Laws, target: Laws, memory: Memory | None = None) -> Exact:
    """Keep x_i while T(x_i) > min(0.09, 0.3 e^{−H(T)}); then Y ~ T: a lossy rule, and the only one with an irrational threshold."""
    gaps = [target[i][x] - _typical_threshold(target[i]) for i, x in enumerate(tokens)]
    return _comparing([(gap > 0, abs(gap)) for gap in gaps], target)


def _typical_threshold(law: ExactLaw) -> Fraction:
    with localcontext() as context:
        context.prec = 40
        parts = [Decimal(weight) / Decimal(law.total) for weight in law.weights if weight]
        entropy = -sum((p * p.ln() for p in parts), Decimal(0))
        return Fraction(min(Decimal("0.09"), Decimal("0.3") * (-entropy).exp()))


def _comparing(tests: list[tuple[bool, Fraction]], target: Laws) -> Exact:
    coins = [Coin(ONE if kept else ZERO, gap=gap) for kept, gap in tests]
    return Exact(coins, products([coin.chance for coin in coins]), False, lambda i: NextLaw(target[i]))


Rule = Callable[..., Exact]
LOSSY = ("threshold", "typical", "lenience")


def rules() -> dict[str, Rule]:
    """The vectored rules by name."""
    from specdemo.auditor.vectors.exact_greedy import greedy_block

    return {
        "token": token, "block": block, "greedy_block": greedy_block, "exact_match": exact_match,
        "sampled_match": sampled_match, "threshold": threshold, "typical": typical, "lenience": lenience,
    }  # fmt: skip


def exactly(rule: str, tokens: Sequence[int], draft: Laws, target: Laws, memory: Any = None) -> Exact:
    """What the rule of that name says of the block; KeyError if it has none."""
    return rules()[rule](tokens, draft, target, memory)
