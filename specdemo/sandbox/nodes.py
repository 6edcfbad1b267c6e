"""Mass on the prefix tree: what is accepted, corrected and continued at every node, from where the block's mass flows.

What is emitted along v was kept up to v (τ ≥ │v│), corrected just there (τ = │v│ − 1), or corrected earlier and continued.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

from specdemo.arrays import FloatArray
from specdemo.sandbox.state import LETTERS


def nodes_of(flows: FloatArray, size: int) -> dict[str, dict[str, float]]:
    """{prefix: {accepted, corrected, continued, emitted, stopped}} from P(τ = i, drafted block, first γ emitted tokens).

    accepted + corrected + continued = emitted; `stopped` = P(τ = │v│, the kept prefix is v).
    """
    lengths = flows.sum(axis=1)  # P(τ = i, emitted)
    nodes: dict[str, dict[str, float]] = {}
    for depth in range(len(flows)):
        parts: dict[str, Any] = {
            "accepted": lengths[depth:].sum(axis=0),
            "corrected": lengths[depth - 1] if depth else 0 * lengths[0],
            "continued": lengths[: max(depth - 1, 0)].sum(axis=0),
            "emitted": lengths.sum(axis=0),
            "stopped": lengths[depth],
        }
        columns = [summed(part, size, depth).tolist() for part in parts.values()]
        for word, *values in zip(prefix_words(size, depth), *columns, strict=True):
            nodes[word] = dict(zip(parts, values, strict=True))
    return nodes


def summed(law: FloatArray, size: int, depth: int) -> FloatArray:
    """A measure (V^γ,) on blocks as one (V^depth,) on their prefixes."""
    prefixes: FloatArray = law.reshape(size**depth, -1).sum(axis=1)
    return prefixes


@lru_cache(maxsize=32)
def prefix_words(size: int, depth: int) -> list[str]:
    """ "A", "B", … or "AA", "AB", …, in lexicographic order; [""] for depth 0.

    >>> prefix_words(2, 2)
    ['AA', 'AB', 'BA', 'BB']
    """
    return ["".join(LETTERS[x] for x in prefix) for prefix in product(range(size), repeat=depth)]
