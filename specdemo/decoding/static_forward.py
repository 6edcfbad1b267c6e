"""A run's forward passes on the memory that all runs of a model share: recorded ones where there are, else the same passes called directly.

One run at a time has the memory. Another run's turn comes between two passes: what was there is put aside, and brought back later, so that
a run's numbers do not depend on who decodes beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from specdemo.decoding.recordings import Recordings
    from specdemo.decoding.static_pass import StaticPass

PIECE = 256  # tokens of a long text that are read at once: their mask is as wide as the cache


class StaticForward:
    """A Forward that can also be fed tensors, over the recordings of its model; RuntimeError once they were refused."""

    def __init__(self, recordings: Recordings) -> None:
        self._recordings = recordings
        self.device = recordings.device
        self.length = 0
        self._aside: list[Tensor] | None = None

    def __call__(self, ids: list[int], kept: int) -> Tensor:
        """See Forward."""
        return self.feed(torch.tensor([ids], device=self.device), kept)

    @torch.inference_mode()
    def feed(self, fresh: Tensor, kept: int) -> Tensor:
        """The same for ids (1, n) that are on the device already, and that nobody has looked at."""
        with self._recordings.work:
            static = self._recordings.taken_by(self)
            # The last rows by themselves: they have the shape of a block's pass, whatever is read before them. So a draft that has not
            # seen two tokens reads them in two passes of one, and of a long text only the end is recorded.
            first = fresh.shape[1] - kept
            for at in range(0, first, PIECE):
                self._read(static, fresh[:, at : min(at + PIECE, first)], 1, proven=True)
            return self._read(static, fresh[:, first:], kept, proven=True)

    @torch.inference_mode()
    def take_memory(self) -> None:
        """Have this run's tokens in the memory, as the next pass needs them."""
        with self._recordings.work:
            self._recordings.taken_by(self)

    @torch.inference_mode()
    def replayed(self, ids: list[int]) -> Tensor:
        """The logits after each of these ids by a pass that was recorded, and that may not have been proven yet."""
        with self._recordings.work:
            static = self._recordings.taken_by(self)
            return self._read(static, torch.tensor([ids], device=self.device), len(ids), proven=False)

    def _read(self, static: StaticPass, fresh: Tensor, kept: int, *, proven: bool) -> Tensor:
        count = fresh.shape[1]
        if self.length + count > static.room:
            raise ValueError(f"the static cache holds {static.room} tokens, not {self.length + count}")
        recorded = self._recordings.recorded(count, proven=proven)
        if recorded is None:
            logits = static.direct(fresh, self.length, kept)
        else:
            static.give(fresh, self.length)
            logits = recorded()[-kept:].clone()  # the next replay writes over it
        self.length += count
        return logits

    def step_back(self, length: int) -> None:
        """See Forward; nothing but the length changes."""
        self.length = min(self.length, length)

    def nbytes(self) -> int:
        """Bytes of its own tokens, put aside or not; the memory itself is everybody's."""
        return self.length * self._recordings.token_bytes()

    def put_aside(self, static: StaticPass) -> None:
        """Somebody else takes the memory."""
        self._aside = static.states(self.length)

    def bring_back(self, static: StaticPass) -> None:
        """It is this run's again."""
        if self._aside is not None:
            static.bring_back(self._aside, self.length)
        self._aside = None
