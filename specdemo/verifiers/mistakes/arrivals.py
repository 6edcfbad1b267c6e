"""The exact length law of a rule that compares h_i with the product η_1 ⋯ η_i instead of with η_i.

The numbers E_i = −ln(η_1 ⋯ η_i) are the arrival times of a Poisson process, and a coin succeeds iff E_i > c_i = −ln h_i. With
A_j(e) = e^{−e} P(what is asked of E_{j+1}, …│E_j = e) the recursion A_{j−1}(e) = ∫_e^∞ [E_j as asked] A_j stays, between two of the
c's, of the form α e^{−e} + polynomial.
"""

from __future__ import annotations

from math import exp, inf, log
from typing import Literal

import numpy as np

from specdemo.arrays import FloatArray

Asked = Literal["success", "failure", "anything"]
_ASKED: tuple[Asked, Asked, Asked] = ("success", "failure", "anything")


def product_length_law(accept_prob: FloatArray, order: str) -> FloatArray:
    """P(τ = i) for i = 0…γ when products of uniforms are compared with the coins h (γ,), in the rule's `order`.

    >>> [round(p, 12) for p in product_length_law(np.array([0.5, 0.25]), "left_to_right").tolist()]
    [0.5, 0.07671320486, 0.42328679514]
    """
    gamma = len(accept_prob)
    law = np.empty(gamma + 1)
    for i in range(gamma + 1):
        law[i] = _probability(accept_prob, _asked_for(i, gamma, order))
    law = np.maximum(law, 0.0)
    return law / law.sum()


def _asked_for(accepted: int, gamma: int, order: str) -> list[Asked]:
    """What τ = `accepted` asks of the coins 1 … γ: the ones that must succeed or fail, and the ones nobody looks at."""
    success, failure, anything = _ASKED
    if order == "left_to_right":
        return [success] * accepted + [failure] * (accepted < gamma) + [anything] * (gamma - accepted - 1)
    return [anything] * (accepted - 1) + [success] * (accepted > 0) + [failure] * (gamma - accepted)


def _probability(accept_prob: FloatArray, asked: list[Asked]) -> float:
    bounds = [-log(coin) if coin > 0 else inf for coin in accept_prob.tolist()]
    edges = sorted({0.0, *(bound for bound in bounds if bound < inf)})
    falls = [exp(-edge) for edge in edges]
    # (α, coefficients) from each edge to the next, the last to infinity, where the polynomial is zero: no mass lies there.
    pieces: list[tuple[float, list[float]]] = [(1.0, [0.0])] * len(edges)
    for bound, what in zip(bounds[::-1], asked[::-1], strict=True):
        after = 0.0  # the integral from the piece's end to infinity
        made = []
        for k in range(len(edges) - 1, -1, -1):
            inside = what == "anything" or (edges[k] >= bound) == (what == "success")
            alpha, polynomial = pieces[k] if inside else (0.0, [0.0])
            primitive = [0.0, *(coefficient / (power + 1) for power, coefficient in enumerate(polynomial))]
            last = k + 1 == len(edges)
            at_end = 0.0 if last else _value(primitive, edges[k + 1]) - alpha * falls[k + 1]
            made.append((alpha, [after + at_end, *(-coefficient for coefficient in primitive[1:])]))
            after += at_end - _value(primitive, edges[k]) + alpha * falls[k]
        pieces = made[::-1]
    alpha, polynomial = pieces[0]
    return alpha + polynomial[0]


def _value(polynomial: list[float], at: float) -> float:
    value = 0.0
    for coefficient in reversed(polynomial):
        value = value * at + coefficient
    return value
