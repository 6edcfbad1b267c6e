"""A block on a GPU without a look at it between the tokens: drawn there, scored there, and brought over once.

On a GPU a forward pass of a small model is waiting for its launch; asking for the drafted token, to feed it again, would wait for the pass as
well. So the token stays where it is, as a tensor, until the whole block is drafted and scored; then the tokens and all laws come to the
host together and are verified there. The laws are the host's, by the same code; a sum may be taken in another order on a GPU.
"""

from __future__ import annotations

import itertools
import time
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from specdemo.arrays import FloatArray
from specdemo.decoding.cached import CachedModel, common_prefix, parts_of, turned
from specdemo.decoding.forward import Forward, TransformersForward
from specdemo.decoding.graphed import Changeover
from specdemo.decoding.laws import LawMaker, check_finite
from specdemo.decoding.recorded_models import recordings_of
from specdemo.decoding.recordings import Recordings
from specdemo.decoding.static_forward import StaticForward
from specdemo.pairs.spread import device_of, is_spread


def can_stay_on_device(draft_model: Any, target_model: Any) -> bool:
    """Whether both models lie whole on one CUDA device, or on any one device and passes of both are to be recorded."""
    models = (draft_model, target_model)
    # The usual case first: whether a model is spread out takes a walk through all of it, at every run's start.
    if any(next(model.parameters()).is_cpu and recordings_of(model) is None for model in models):
        return False
    if is_spread(draft_model) or is_spread(target_model):
        return False
    draft, target = device_of(draft_model), device_of(target_model)
    return draft == target and (target.type == "cuda" or all(recordings_of(model) is not None for model in models))


class DeviceModel(CachedModel):
    """A CachedModel, through transformers alone, that can also be fed tokens which nobody on the host has seen yet.

    `recordings` of its passes are used once it was told to `go_static`, until it is reset.
    """

    def __init__(self, model: Any) -> None:
        self.recordings: Recordings | None = recordings_of(model)
        super().__init__(model, lean=False)

    @property
    def is_static(self) -> bool:
        """Whether it goes through passes that are recorded, or can be."""
        return isinstance(self._forward, StaticForward)

    def go_static(self, recordings: Recordings) -> None:
        """Use these from now on; the text is read once more, into their memory."""
        self.reset()
        self._forward: Forward = StaticForward(recordings)

    def reset(self) -> None:
        """See CachedModel."""
        super().reset()
        self._unseen = 0

    def take_memory(self) -> None:
        """Have this run's tokens where recorded passes read them, if it goes through such passes."""
        if isinstance(self._forward, StaticForward) and self.recordings is not None and self.recordings.refused is None:
            self._forward.take_memory()

    def rows(self, ids: list[int], count: int = 1) -> Tensor:
        """See CachedModel; where a recorded pass fails, an eager one gives the rows."""
        static = self.is_static
        try:
            return super().rows(ids, count)
        except Exception as error:
            if self.recordings is None or not static or self.is_static:  # no pass has failed
                raise
            self.recordings.refuse(error)
        return super().rows(ids, count)

    def rows_after(self, ids: list[int], drafted: list[Tensor], count: int = 1) -> Tensor:
        """`rows` of `ids` and then `drafted`, tensors (1, 1); what was drafted before the call before is not fed again.

        When all is drafted `saw` must say what it was.
        """
        length = len(ids) + len(drafted)
        parts = [*parts_of(self._turns, length, count)]
        if len(parts) > 1:
            return torch.cat([self.rows_after(ids, drafted[: end - len(ids)], part) for end, part in parts])
        if turned(self._turns, length) != turned(self._turns, len(self._ids) + self._unseen):
            self._crop(0)
            self._unseen = 0
        forward = self._forward
        assert isinstance(forward, (TransformersForward, StaticForward))
        if self._unseen:
            fresh = drafted[self._unseen :]
        else:
            common = min(common_prefix(self._ids, ids), length - count)
            if common < len(self._ids):
                self._crop(common)
            rest = torch.tensor([self.as_read(ids[len(self._ids) :])], dtype=torch.long)
            fresh = [rest.to(forward.device, non_blocking=True), *drafted]
            self._ids += ids[len(self._ids) :]
        read = torch.cat(fresh, 1)
        logits = forward.feed(torch.where(read < self._readable, read, 0), count)
        self._unseen = len(drafted)
        return logits

    def saw(self, drafted: list[int]) -> None:
        """The tokens of the block, now that they are known."""
        self._ids += drafted[: self._unseen]
        self._unseen = 0


class Marks(Protocol):
    """Moments of a block, as its device comes to them."""

    def begin(self) -> None:
        """Forget the moments of the block before, and mark the first of this one."""

    def mark(self) -> None:
        """Mark that what was asked of the device so far is done."""

    def intervals(self) -> list[float]:
        """Seconds from each moment to the next; only after something has waited for all of them."""


class HostMarks:
    """For a device that has done what it was asked when the call returns."""

    def begin(self) -> None:
        """See Marks."""
        self._times = [time.perf_counter()]

    def mark(self) -> None:
        """See Marks."""
        self._times.append(time.perf_counter())

    def intervals(self) -> list[float]:
        """See Marks."""
        return [after - before for before, after in itertools.pairwise(self._times)]


class CudaMarks:
    """Events in the stream: the host is far ahead of a GPU, and its clock would tell how long launching took."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._events: list[Any] = []
        self._count = 0

    def begin(self) -> None:
        """See Marks."""
        self._count = 0
        self.mark()

    def mark(self) -> None:
        """See Marks."""
        if self._count == len(self._events):
            self._events.append(torch.cuda.Event(enable_timing=True))
        self._events[self._count].record(torch.cuda.current_stream(self._device))
        self._count += 1

    def intervals(self) -> list[float]:
        """See Marks."""
        pairs = itertools.pairwise(self._events[: self._count])
        return [before.elapsed_time(after) / 1e3 for before, after in pairs]


def marks_of(device: torch.device) -> Marks:
    """The marks that suit a device."""
    return CudaMarks(device) if device.type == "cuda" else HostMarks()


class DeviceBlock(NamedTuple):
    """A block as it came over: tokens, draft laws (γ, V), target laws (γ+1, V), and what the device took for them in seconds."""

    tokens: list[int]
    draft: FloatArray
    target: FloatArray
    draft_steps: list[float]
    target_seconds: float


class OnDevice:
    """Drafts and scores a block."""

    def __init__(self, draft: DeviceModel, target: DeviceModel, laws: LawMaker) -> None:
        self._draft, self._target, self._laws = draft, target, laws
        self._marks = marks_of(device_of(target.model))
        recorded = draft.recordings is not None and target.recordings is not None
        self._changeover = Changeover(draft, target) if recorded else None

    @property
    def passes(self) -> str:
        """The kind of passes that the last block went through: "eager", "graphed" or "refused" (see graphed.py)."""
        return "eager" if self._changeover is None else self._changeover.passes

    def take_memory(self) -> None:
        """Before a block that is timed, where other runs have had the memory of recorded passes: a run alone never has to fetch it."""
        if self._changeover is not None:
            self._draft.take_memory()
            self._target.take_memory()
            if self._draft.model.device.type == "cuda":
                torch.cuda.synchronize(self._draft.model.device)

    @torch.inference_mode()
    def block(self, ids: list[int], gamma: int, uniforms: FloatArray) -> DeviceBlock:
        """As ModelDrafter.propose and the target's rows after it; raises NonFiniteLogits once the block is known."""
        if self._changeover is None:
            return self._clean_block(ids, gamma, uniforms)
        with Recordings.work:
            self._changeover.prepare(ids, gamma)
            graphed = self._changeover.passes == "graphed"
            try:
                return self._clean_block(ids, gamma, uniforms)
            except Exception as error:
                if not graphed and not isinstance(error, torch.OutOfMemoryError):
                    raise
                self._changeover.failed(error)  # which also gives back the memory that an eager pass may lack
            return self._clean_block(ids, gamma, uniforms)

    def _clean_block(self, ids: list[int], gamma: int, uniforms: FloatArray) -> DeviceBlock:
        try:
            return self._block(ids, gamma, uniforms)
        except BaseException:
            self._draft.reset()
            self._target.reset()
            raise

    def _block(self, ids: list[int], gamma: int, uniforms: FloatArray) -> DeviceBlock:
        logits: list[Tensor] = []
        laws: list[Tensor] = []
        drafted: list[Tensor] = []
        chances = torch.from_numpy(uniforms[:gamma, None].copy()).to(device_of(self._draft.model), non_blocking=True)
        self._marks.begin()
        for i in range(gamma):
            logits.append(self._draft.rows_after(ids, drafted))
            laws.append(self._laws.of(logits[-1]))
            drafted.append(drawn(laws[-1], chances[i : i + 1]))
            self._marks.mark()
        scores = self._target.rows_after(ids, drafted, gamma + 1)
        laws.append(self._laws.of(scores))
        self._marks.mark()
        # One piece of memory, so that it crosses once; a token is far below 2^53 and crosses as a number, and so does what is asked of the logits:
        # a law may hold zeros for good reasons, and looking at the logits themselves would bring every row over once more.
        rows, width = torch.cat(laws), laws[0].shape[1]
        finite = [scored.isfinite().all().double().reshape(1) for scored in (*logits, scores)]
        crossed = torch.cat([rows.flatten(), *(token[0].double() for token in drafted), *finite]).cpu().numpy()
        found = crossed[: rows.numel()].reshape(-1, width)
        tokens = [int(token) for token in crossed[rows.numel() : rows.numel() + gamma]]
        if not crossed[rows.numel() + gamma :].all():
            for i, row in enumerate(logits):
                check_finite(row.cpu(), "draft", len(ids) + i)
            check_finite(scores.cpu(), "target", len(ids))
        self._draft.saw(tokens)
        self._target.saw(tokens)
        *draft_steps, target_seconds = self._marks.intervals()  # the block has crossed: nothing is waited for
        return DeviceBlock(tokens, found[:gamma], found[gamma:], draft_steps, target_seconds)


def drawn(law: Tensor, uniform: Tensor) -> Tensor:
    """`specdemo.verifiers.sampling.draw` for a law (1, V) and a uniform (1, 1), as a tensor (1, 1): the same rule, without a look."""
    token = torch.searchsorted(law.cumsum(1), uniform, right=True)
    places = torch.arange(law.shape[1], device=law.device)
    last = torch.where(law > 0, places, 0).max(1, keepdim=True).values
    return torch.minimum(token, last)
