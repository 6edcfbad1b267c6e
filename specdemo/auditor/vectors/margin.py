"""How far a vector's decision is from another one: its margin, and the condition by which an error of the laws may grow on the way.

margin = the least |η_i − h_i| among the coins whose turning would change τ, and the distance from the last uniform to the nearest step of the
next law's cumulative sum. condition = the least of the numbers that h and the next law were divided by (at most 1). An implementation
whose laws are off by ε need only agree where margin × condition is well above ε.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from specdemo.auditor.vectors.exact_rules import Coin, Exact, NextLaw
from specdemo.auditor.vectors.laws import ONE


def margin_of(exact: Exact, accepted: int, uniforms: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """(margin, condition) of a decided block; the margin is at most 1."""
    looked_at = _looked_at(exact, accepted)
    after = exact.next_law(accepted)
    distances = [_distance(exact.coins[i], uniforms[i]) for i in looked_at]
    margin = min([ONE, *distances, step_distance(after, uniforms[-1])])
    return margin, min([ONE, exact.condition, after.condition, *(coin.condition for coin in exact.coins)])


def _looked_at(exact: Exact, accepted: int) -> range:
    """The places of the coins of which one, turned, would change τ."""
    if exact.last_wins:
        return range(max(accepted - 1, 0), len(exact.coins))
    return range(min(accepted + 1, len(exact.coins)))


def _distance(coin: Coin, eta: Fraction) -> Fraction:
    if coin.certain:
        return ONE
    return abs(eta - coin.chance) if coin.gap is None else coin.gap


def step_distance(after: NextLaw, uniform: Fraction) -> Fraction:
    """The distance from `uniform` to the nearest place of the cumulative law where the drawn token would be another; at most 1.

    A step at 0 moves no token, unless it belongs to a zero that a rounding could lift.
    """
    weights = after.law.weights
    possible = sorted({*after.law.support, *after.fragile})
    steps = set(possible[:-1])
    place, cumulative = uniform.numerator * after.law.total, 0
    nearest = unit = uniform.denominator * after.law.total
    for v, weight in enumerate(weights):
        cumulative += weight * uniform.denominator
        if v in steps:
            nearest = min(nearest, abs(place - cumulative))
    return Fraction(nearest, unit)


def drawn(after: NextLaw, uniform: Fraction) -> int:
    """The smallest v with cumulative(law)[v] > uniform."""
    place, cumulative = uniform.numerator * after.law.total, 0
    for v, weight in enumerate(after.law.weights):
        cumulative += weight * uniform.denominator
        if cumulative > place:
            return v
    raise ValueError(f"the uniform {uniform} is not below 1")
