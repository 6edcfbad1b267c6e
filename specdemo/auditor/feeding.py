"""The arrays a subject is fed: numpy or torch, float64 or float32, or plain lists; and how finely uniforms can be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.questions import Block

KINDS = ("numpy float64", "numpy float32", "torch float64", "torch float32", "lists")


@dataclass(frozen=True)
class Feed:
    """One kind of arrays. `resolution` is how close a threshold is located, `hint` how near a guess must be to be tried.

    `rounded_values`: laws and uniforms are numbers that float32 holds, also in arrays of another type.
    """

    kind: str = "numpy float64"
    rounded_values: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"array is {self.kind!r}: it must be one of {', '.join(KINDS)}")

    @property
    def single(self) -> bool:
        return self.rounded_values or self.kind.endswith("float32")

    @property
    def tolerance(self) -> float:
        """The error up to which answers in this precision count as alike, and a subject of unknown rounding as lossless."""
        return 1e-5 if self.kind.endswith("float32") else 1e-9

    @property
    def resolution(self) -> float:
        # Among numbers that float32 holds a threshold is found between two neighbours, however small it is.
        return 1e-15 if self.single else 1e-12

    @property
    def hint(self) -> float:
        return 2.0**-22 if self.single else 1e-12

    @property
    def top(self) -> float:
        """The largest uniform below 1."""
        return float(np.nextafter(np.float32(1), np.float32(0))) if self.single else float(np.nextafter(1.0, 0.0))

    def rounded(self, law: FloatArray) -> FloatArray:
        """The law as the subject will see it, in float64.

        For float32 in steps of 2⁻²⁴, so that it sums to 1 exactly, and float32 adds and subtracts its entries without an error.
        """
        if not self.single:
            return law
        steps = np.maximum(np.rint(law * 2**24), law > 0)
        steps[steps.argmax()] += 2**24 - steps.sum()
        return np.asarray(steps / 2**24)

    def uniform(self, value: float) -> float:
        """A uniform that the subject's precision can hold, below 1."""
        return min(float(np.float32(value)), self.top) if self.single else min(value, self.top)

    def floats(self, values: Any) -> Any:
        """A fresh array of the kind: a subject may write into what it is given."""
        if self.kind == "lists":
            return np.asarray(values, dtype=np.float64).tolist()
        array = np.array(values, dtype=np.float32 if self.kind.endswith("float32") else np.float64)
        return self._torch(array)

    def integers(self, values: Any) -> Any:
        """Fresh int64 tokens of the kind."""
        if self.kind == "lists":
            return np.asarray(values, dtype=np.int64).tolist()
        return self._torch(np.array(values, dtype=np.int64))

    def block(self, block: Block) -> tuple[Any, Any, Any]:
        """Fresh (tokens, draft, target) of a block; converted once, copied for every call."""
        if block.fed is None:
            block.fed = self.integers(block.tokens), self.floats(block.draft), self.floats(block.target)
        tokens, draft, target = block.fed
        if self.kind == "lists":
            return list(tokens), [list(row) for row in draft], [list(row) for row in target]
        if self.kind.startswith("torch"):
            return tokens.clone(), draft.clone(), target.clone()
        return tokens.copy(), draft.copy(), target.copy()

    def _torch(self, array: Any) -> Any:
        if not self.kind.startswith("torch"):
            return array
        import torch

        return torch.from_numpy(array)
