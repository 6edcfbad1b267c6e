"""One running check: observations that must follow their laws, taken in batches so that small laws cost little."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.auditor.steps.statistics import CentredSum, RareEvents, UniformPool, placed

_BATCH_ELEMENTS = 1 << 16

# Laws, observations, and the target and draft rows (or None) whose ratio orders them.
_Batch = list[tuple[FloatArray, IntArray, FloatArray, FloatArray | None]]


@dataclass
class RunningTest:
    """Pools of values that must be uniform, centred sums, and events that must not happen; `seen` observations in all.

    Every observation is placed three times: ordered by its own law, which finds changes of temperature, by T/D, along which draft
    and target differ, and by id, along which a uniform that has been looked at before is not uniform any more.
    """

    code: str
    sums: dict[str, CentredSum] = field(default_factory=dict)
    rare: RareEvents = field(default_factory=RareEvents)
    seen: int = 0
    # A p-value found elsewhere.
    bound: float = 1.0
    set_aside: int = 0
    _pools: dict[str, UniformPool] = field(default_factory=dict)
    _batch: _Batch = field(default_factory=list)
    _elements: int = 0
    # A fixed seed: the same log gives the same report.
    _noise: np.random.Generator = field(default_factory=lambda: np.random.default_rng(20))

    def add(self, laws: FloatArray, tokens: IntArray, target: FloatArray, draft: FloatArray | None) -> None:
        """Take in `tokens` (n,) that should follow `laws` (n, V).

        Ordered by `target` (n, V) over `draft` (≤ n rows; by T where there is none); with `draft` None by `target` alone.
        """
        if self._batch and self._batch[0][0].shape[1] != laws.shape[1]:
            self._place()
        self._batch.append((laws, tokens, target, draft))
        self.seen += len(tokens)
        self._elements += laws.size
        if self._elements > _BATCH_ELEMENTS:
            self._place()

    def sum(self, name: str) -> CentredSum:
        """The sum of that name."""
        return self.sums.setdefault(name, CentredSum())

    def pool(self, name: str) -> UniformPool:
        """The pool of that name."""
        return self._pools.setdefault(name, UniformPool())

    def pools(self) -> list[UniformPool]:
        """All pools, up to date."""
        self._place()
        return list(self._pools.values())

    def p_value(self) -> float:
        """Bonferroni over the parts, or `bound` where that is less."""
        parts = [pool.p_value() for pool in self.pools()] + [total.p_value() for total in self.sums.values()]
        parts.append(self.rare.p_value())
        return min(1.0, self.bound, len(parts) * min(parts))

    def distance(self) -> float:
        """The greatest distance of a pool from uniform."""
        return max((pool.distance() for pool in self.pools()), default=0.0)

    def _place(self) -> None:
        if not self._batch:
            return
        laws = np.concatenate([part[0] for part in self._batch])
        tokens = np.concatenate([part[1] for part in self._batch])
        if self._batch[0][3] is None:
            keys = {"by order": np.concatenate([part[2] for part in self._batch])}
        else:
            keys = {
                "by its law": laws,
                "by T/D": np.concatenate([_ratio(part[2], part[3]) for part in self._batch]),
                "by id": np.broadcast_to(np.arange(laws.shape[1], dtype=np.float64), laws.shape),
            }
        for name, key in keys.items():
            self.pool(name).add(placed(laws, tokens, key, self._noise.random(len(tokens))))
        self._batch, self._elements = [], 0


def _ratio(target: FloatArray, draft: FloatArray | None) -> FloatArray:
    assert draft is not None
    count = len(draft)
    with np.errstate(all="ignore"):
        # Entries that both laws exclude are never drawn; 0 keeps the ordering free of NaN.
        ratio = np.where(target[:count] > 0, target[:count] / draft, 0.0)
    return np.concatenate([ratio, target[count:]]) if count < len(target) else ratio
