"""What proposes tokens. A two-method-free interface: anything that returns tokens together with the laws they were drawn from."""

from __future__ import annotations

import itertools
import time
from typing import Protocol

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.laws import LawMaker
from specdemo.verifiers.sampling import draw


class Drafter(Protocol):
    """Proposes up to γ tokens, also fewer or none, and the law each was really drawn from."""

    def propose(self, context_ids: list[int], gamma: int, uniforms: FloatArray) -> tuple[list[int], FloatArray]:
        """Tokens (n ≤ γ) and laws (n, V) after `context_ids`; token i is drawn with `uniforms[i]`."""


class ModelDrafter:
    """A draft model as a drafter. `step_seconds` holds how long each step of the last proposal took."""

    def __init__(self, model: CachedModel, laws: LawMaker, vocab_size: int) -> None:
        self._model = model
        self._laws = laws
        self._vocab_size = vocab_size
        self.step_seconds: list[float] = []

    def nbytes(self) -> int:
        """Bytes of what is cached."""
        return self._model.nbytes()

    def propose(self, context_ids: list[int], gamma: int, uniforms: FloatArray) -> tuple[list[int], FloatArray]:
        """See Drafter."""
        ids = list(context_ids)
        laws = np.empty((gamma, self._vocab_size))
        times = [time.perf_counter()]
        for row, uniform in zip(laws, uniforms[:gamma].tolist(), strict=True):
            row[:] = law = self._laws(self._model.rows(ids), "draft", len(ids))[0]
            ids.append(draw(law, uniform))
            times.append(time.perf_counter())
        self.step_seconds = [after - before for before, after in itertools.pairwise(times)]
        return ids[len(context_ids) :], laws
