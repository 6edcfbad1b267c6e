"""Probability laws as integer weights, and the residual of two of them, without a rounding anywhere.

A law on V symbols is a tuple of integers ≥ 0; symbol v has probability weights[v] / total. Integers keep 32,000 symbols as exact as two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class ExactLaw:
    """A law by integer weights (V,); the probabilities are weights / total."""

    weights: tuple[int, ...]

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    def __getitem__(self, symbol: int) -> Fraction:
        return Fraction(self.weights[symbol], self.total)

    def __len__(self) -> int:
        return len(self.weights)

    def fractions(self) -> list[Fraction]:
        """The probabilities (V,)."""
        return [self[v] for v in range(len(self))]

    def floats(self) -> list[float]:
        """The probabilities (V,) as the nearest float64 numbers."""
        return [weight / self.total for weight in self.weights]

    @property
    def support(self) -> list[int]:
        """The symbols of positive probability."""
        return [v for v, weight in enumerate(self.weights) if weight]

    def same_as(self, other: ExactLaw) -> bool:
        """Whether both are the same law, whatever their weights are scaled by."""
        return all(a * other.total == b * self.total for a, b in zip(self.weights, other.weights, strict=True))


def law_of(values: Sequence[Fraction | str | int]) -> ExactLaw:
    """The law with these probabilities (V,), e.g. ["2/3", "1/3"]; ValueError unless they are ≥ 0 and sum to 1.

    >>> law_of(["2/3", "1/3"]).weights
    (2, 1)
    """
    parts = [Fraction(value) for value in values]
    if sum(parts) != 1 or min(parts) < 0:
        raise ValueError(f"{[str(part) for part in parts]} is not a law: its parts must be ≥ 0 and sum to 1")
    scale = lcm(*(part.denominator for part in parts))
    return ExactLaw(tuple(int(part * scale) for part in parts))


@dataclass(frozen=True)
class Difference:
    """s T − D, symbol by symbol: `above` (V,) the integer weights of (sT − D)₊, `mass` its sum, `below` the sum of (D − sT)₊."""

    above: tuple[int, ...]
    mass: Fraction
    below: Fraction
    touching: tuple[int, ...]  # symbols with sT = D > 0: a rounding could lift them above zero

    def law(self) -> ExactLaw | None:
        """norm((sT − D)₊), or None where nothing is left."""
        if not self.mass:
            return None
        divisor = gcd(*self.above)
        return ExactLaw(tuple(weight // divisor for weight in self.above))


def difference(scale: Fraction, target: ExactLaw, draft: ExactLaw) -> Difference:
    """s T − D for a factor `scale` on the target."""
    times_target, times_draft = scale.numerator * draft.total, scale.denominator * target.total
    common = scale.denominator * target.total * draft.total
    signed = [t * times_target - d * times_draft for t, d in zip(target.weights, draft.weights, strict=True)]
    above = tuple(max(0, part) for part in signed)
    total = sum(above)
    return Difference(
        above=above,
        mass=Fraction(total, common),
        below=Fraction(total - sum(signed), common),
        touching=tuple(v for v, part in enumerate(signed) if part == 0 and draft.weights[v]),
    )
