"""Which tokens of a row are shown: the tops of several laws, found without sorting the vocabulary."""

from __future__ import annotations

import itertools

import numpy as np

from specdemo.arrays import FloatArray, IntArray

CHUNK = 64


def top_ids(values: FloatArray, count: int) -> IntArray:
    """The ids of the `count` highest values (V,) that are positive; of equal values the lower ids.

    Residuals are mostly zeros, on which numpy's own partition is slow. So a bound comes first: of the chunks' maxima, the
    `count`-th highest; at least `count` values reach it, and few more.

    >>> top_ids(np.array([0.0, 0.5, 0.25, 0.25, 0.0]), 2).tolist()
    [1, 2]
    """
    bound = 0.0
    if len(values) > count * CHUNK:
        maxima = np.maximum.reduceat(values, np.arange(0, len(values), CHUNK))
        maxima.sort()
        bound = maxima[-count]
    candidates = np.flatnonzero(values >= bound if bound > 0 else values > 0)
    order = np.argsort(-values[candidates], kind="stable")
    return candidates[order[:count]].astype(np.int64)


def highest_first(height: FloatArray, groups: list[IntArray]) -> IntArray:
    """The union of some ids, the highest first; equal heights by id, so that the order is the same everywhere."""
    ids = np.unique(np.concatenate(groups))
    return ids[np.lexsort((ids, -height[ids]))]


class Others:
    """The ids below `count` that are not among `ids`: kept as the stretches between, which is quicker to read than a list of them.

    >>> others = Others(5, np.array([3, 1]))
    >>> len(others), others.sum(np.array([1.0, 2.0, 4.0, 8.0, 16.0]))
    (3, 21.0)
    """

    def __init__(self, count: int, ids: IntArray) -> None:
        edges = [-1, *np.unique(ids).tolist(), count]
        self._stretches = [slice(a + 1, b) for a, b in itertools.pairwise(edges) if b > a + 1]
        self._count = count - (len(edges) - 2)

    def __len__(self) -> int:
        return self._count

    def sum(self, values: FloatArray) -> float:
        """The sum of these ids' values, of (V,): added up in their order, as if no others had been there."""
        return float(np.concatenate([values[:0], *(values[stretch] for stretch in self._stretches)]).sum())
