"""What may have been done to laws between the log and the sampler: powers, truncations, shifted rows; each with its sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from specdemo.arrays import FloatArray

TEMPERATURES = (0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.5, 2.0, 3.0)
TOP_K = (1, 2, 3, 5, 8, 10, 16, 20, 32, 40, 50, 64, 100, 128, 256)
TOP_P = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
MIN_P = (0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5)


@dataclass(frozen=True)
class RowChange:
    """Another law (n, V) for every row of laws (n, V); `did` completes "as if … ".

    `shift` is s where row i is replaced by row i + s: at one end of a block there is no such row.
    """

    code: str
    did: str
    apply: Callable[[FloatArray], FloatArray]
    temperature: float | None = None
    shift: int = 0


def normalised(laws: FloatArray) -> FloatArray:
    """Rows divided by their sums; a row without mass becomes uniform."""
    sums = laws.sum(axis=1, keepdims=True)
    return np.divide(laws, sums, out=np.full_like(laws, 1 / laws.shape[1]), where=sums > 0)


def at_temperature(temperature: float) -> Callable[[FloatArray], FloatArray]:
    """D^{1/t}, normalised."""

    def power(laws: FloatArray) -> FloatArray:
        # Divided by the row's greatest entry first, so that no small temperature loses the whole row to underflow.
        top = laws.max(axis=1, keepdims=True) if laws.size else laws
        return normalised((laws / np.where(top > 0, top, 1.0)) ** (1 / temperature))

    return power


def top_k(k: int) -> Callable[[FloatArray], FloatArray]:
    """Only the k most probable tokens of a row (ties with the k-th stay)."""

    def cut(laws: FloatArray) -> FloatArray:
        if k >= laws.shape[1] or not laws.size:
            return laws
        least = np.partition(laws, -k, axis=1)[:, -k, None]
        return normalised(np.where(laws >= least, laws, 0.0))

    return cut


def top_p(p: float) -> Callable[[FloatArray], FloatArray]:
    """Only the smallest set of most probable tokens whose mass reaches p."""

    def cut(laws: FloatArray) -> FloatArray:
        if not laws.size:
            return laws
        falling = -np.sort(-laws, axis=1)
        before = np.cumsum(falling, axis=1) - falling
        least = np.where(before < p, falling, np.inf).min(axis=1, keepdims=True)
        return normalised(np.where(laws >= least, laws, 0.0))

    return cut


def min_p(p: float) -> Callable[[FloatArray], FloatArray]:
    """Only the tokens at least p times as probable as the most probable one."""

    def cut(laws: FloatArray) -> FloatArray:
        return normalised(np.where(laws >= p * laws.max(axis=1, keepdims=True), laws, 0.0)) if laws.size else laws

    return cut


def first_ids(count: int) -> Callable[[FloatArray], FloatArray]:
    """Only the ids below `count`: a truncated vocabulary."""
    return lambda laws: normalised(np.where(np.arange(laws.shape[1]) < count, laws, 0.0))


def later(laws: FloatArray) -> FloatArray:
    """Row i holds what row i+1 held; the last one stays."""
    return np.concatenate([laws[1:], laws[-1:]])


def earlier(laws: FloatArray) -> FloatArray:
    """Row i holds what row i−1 held; the first one stays."""
    return np.concatenate([laws[:1], laws[:-1]])


def row_changes(columns: int, largest_id: int, temperatures: tuple[float, ...] = ()) -> list[RowChange]:
    """Every change of single rows that is tried: `temperatures` are those the log itself names, `largest_id` the largest id met."""
    grid = sorted({*TEMPERATURES, *(t for t in temperatures if t > 0), *(1 / t for t in temperatures if t > 0)} - {1.0})
    changes = [RowChange(f"temperature_{t:.3g}", f"at temperature {t:.3g}", at_temperature(t), t) for t in grid]
    changes += [
        RowChange(f"top_k_{k}", "by argmax" if k == 1 else f"with top-k {k}", top_k(k)) for k in TOP_K if k < columns
    ]
    changes += [RowChange(f"top_p_{p}", f"with top-p {p}", top_p(p)) for p in TOP_P]
    changes += [RowChange(f"min_p_{p}", f"with min-p {p}", min_p(p)) for p in MIN_P]
    if largest_id + 1 < columns:
        cut = largest_id + 1
        changes.append(
            RowChange(f"first_{cut}_ids", f"from the first {cut} of {columns} ids only (truncated vocabulary)", first_ids(cut))
        )  # fmt: skip
    return [
        *changes,
        RowChange("rows_later", "from the next position's row (rows off by one)", later, shift=1),
        RowChange("rows_earlier", "from the previous position's row (rows off by one)", earlier, shift=-1),
    ]
