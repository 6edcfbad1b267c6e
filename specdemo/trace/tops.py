"""Which tokens of a row are shown: the tops of several laws, found without sorting the vocabulary."""

from __future__ import annotations

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


def all_but(count: int, ids: IntArray) -> IntArray:
    """The ids below `count` that are not among `ids`, in order.

    >>> all_but(5, np.array([3, 1])).tolist()
    [0, 2, 4]
    """
    others = np.ones(count, dtype=bool)
    others[ids] = False
    return np.flatnonzero(others)
