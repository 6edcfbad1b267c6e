"""What proposes tokens. A two-method-free interface: anything that returns tokens together with the laws they were drawn from."""

from __future__ import annotations

import itertools
import time
from typing import Protocol

import torch

from specdemo.arrays import FloatArray
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.laws import LawMaker
from specdemo.verifiers.sampling import SHORT, draw, draw_along


class Drafter(Protocol):
    """Proposes up to γ tokens, also fewer or none, and the law each was really drawn from."""

    def propose(self, context_ids: list[int], gamma: int, uniforms: FloatArray) -> tuple[list[int], FloatArray]:
        """Tokens (n ≤ γ) and laws (n, V) after `context_ids`, which are left as they were; token i is drawn with `uniforms[i]`."""


class ModelDrafter:
    """A draft model as a drafter. `step_seconds` holds how long each step of the last proposal took."""

    def __init__(self, model: CachedModel, laws: LawMaker, vocab_size: int) -> None:
        self._model = model
        self._laws = laws
        self._vocab_size = vocab_size
        self._sums = torch.empty((1, min(vocab_size, SHORT)), dtype=torch.float64)
        self._along: FloatArray = self._sums.numpy()[0]
        self.step_seconds: list[float] = []

    def nbytes(self) -> int:
        """Bytes of what is cached, and of the row to work in."""
        return self._model.nbytes() + self._sums.nbytes

    def propose(self, context_ids: list[int], gamma: int, uniforms: FloatArray) -> tuple[list[int], FloatArray]:
        """See Drafter."""
        ids, start = context_ids, len(context_ids)
        laws = torch.empty((gamma, 1, self._vocab_size), dtype=torch.float64)
        found: FloatArray = laws.numpy()[:, 0]
        logits: list[torch.Tensor] = []
        times = [time.perf_counter()]
        try:
            # Drafted tokens are appended to the text itself, and taken off again: a copy of it would take longer with every block.
            for law, row, uniform in zip(laws.unbind(), found, uniforms[:gamma].tolist(), strict=True):
                logits.append(self._model.rows(ids))
                self._laws.write(logits[-1], law)
                if self._vocab_size > SHORT:
                    ids.append(draw(row, uniform))
                else:
                    # PyTorch adds one by one, as NumPy does, and faster: after a pass its operators are in the processor's caches.
                    torch.cumsum(law, 1, out=self._sums)
                    ids.append(draw_along(row, self._along, uniform))
                times.append(time.perf_counter())
            tokens = ids[start:]
        finally:
            del ids[start:]
        self._laws.check(laws, logits, "draft", start)
        self.step_seconds = [after - before for before, after in itertools.pairwise(times)]
        return tokens, found
