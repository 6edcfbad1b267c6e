"""Whether a run's next block goes through recorded passes: decided between two blocks, and proven on the run's own text.

A run begins with eager passes and changes over when the passes of its shapes, one token of the draft and γ+1 of the target, were recorded and
gave an eager pass's laws. Whatever goes wrong, the run goes on with eager passes, and so does every other run of these models.
A capture that fails may leave PyTorch's allocator unable to give memory back; recorder.py finds that out, and /healthz tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from specdemo.decoding.forward import TransformersForward
from specdemo.decoding.static_forward import StaticForward

if TYPE_CHECKING:
    from specdemo.decoding.device import DeviceModel
    from specdemo.decoding.recordings import Recordings

# The most that laws may differ (any probability), and logits (root of squares, over their own spread). Passes in half precision differ by as much
# when they only sum in another order: a logit of 20 is stored in steps of 1/8.
TOLERANCES = {torch.float64: (1e-9, 1e-9), torch.float32: (1e-5, 1e-4)}
HALF = (0.15, 0.1)


class PassesDiffer(RuntimeError):
    """A recorded pass gave other laws than an eager one."""


class Changeover:
    """Changes a run's two models over to recorded passes, and back. Both have recordings."""

    def __init__(self, draft: DeviceModel, target: DeviceModel) -> None:
        self._models = draft, target
        self._gamma: int | None = None

    @property
    def recordings(self) -> list[Recordings]:
        """The draft's and the target's."""
        return [model.recordings for model in self._models if model.recordings is not None]

    @property
    def passes(self) -> str:
        """ "graphed", "eager", or "refused": eager because recorded ones failed or differed."""
        if any(found.refused is not None for found in self.recordings):
            return "refused"
        return "graphed" if self._inside else "eager"

    @property
    def _inside(self) -> bool:
        return all(model.is_static for model in self._models)

    def prepare(self, ids: list[int], gamma: int) -> None:
        """Before a block of γ after `ids`: change over, or back, or leave all as it is. Raises nothing."""
        # A shape is worth recording when it comes back: the first block goes at once, and those at the end of the context are all different.
        again, self._gamma = gamma == self._gamma, gamma
        if self.passes == "refused" or len(ids) + gamma > min(found.room for found in self.recordings):
            self._leave()
            return
        wanted = list(zip(self._models, self.recordings, (1, gamma + 1), strict=True))
        for _, found, count in wanted:
            if again:
                found.want(count)
        try:
            for model, found, count in wanted:
                if found.has(count) and not found.proven(count) and len(ids) > count:
                    check_pass(model, found, ids, count)
                    found.prove(count)
        except Exception as error:
            self.failed(error)
            return
        # A run that has changed over stays so at another γ; its passes are called directly until they are recorded.
        if not self._inside and all(found.proven(count) for _, found, count in wanted):
            for model, found, _ in wanted:
                model.go_static(found)

    def failed(self, error: Exception) -> None:
        """A block did not come to its end: nobody goes on with these passes."""
        self.recordings[0].refuse(error)
        self._leave()

    def _leave(self) -> None:
        for model in self._models:
            if model.is_static:
                model.reset()


def check_pass(model: DeviceModel, recordings: Recordings, ids: list[int], count: int) -> None:
    """PassesDiffer unless the recorded pass on the last `count` of `ids`, with more before them, gives an eager pass's laws."""
    text = model.as_read(ids)
    expected = TransformersForward(model.model)(text, count)
    forward = StaticForward(recordings)
    forward(text[:-count], 1)
    check_logits(forward.replayed(text[-count:]), expected, model.model.dtype)


def check_logits(found: Tensor, expected: Tensor, dtype: Any) -> None:
    """PassesDiffer where the laws of two logits (n, V) differ by more than such weights allow; also where one is not a number."""
    most_laws, most_logits = TOLERANCES.get(dtype, HALF)
    found, expected = found.double(), expected.double()
    laws = float((found.softmax(1) - expected.softmax(1)).abs().max())
    spread = float((expected - expected.mean(1, keepdim=True)).norm())
    logits = float((found - expected).norm()) / max(spread, 1e-30)
    if not (laws <= most_laws and logits <= most_logits):
        raise PassesDiffer(
            f"laws differ by {laws:.1e} (at most {most_laws:g}), logits by {logits:.1e} ({most_logits:g})"
        )
