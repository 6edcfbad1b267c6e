"""Of which models passes are recorded: those of which `record_passes` was told, as they were then."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from specdemo.decoding.recorder import recorder_of
from specdemo.decoding.recordings import Recorders, Recordings, Turn
from specdemo.pairs.spread import device_of, is_spread


class _Known:
    """A model's recordings, and what they have taken for granted."""

    def __init__(self, model: Any, turn: Turn | None, recorders: Recorders) -> None:
        self.turn, self.recorders, self.enabled = turn, recorders, True
        self.recordings, self.marks = Recordings(model, turn, recorders), _marks(model)


_known: weakref.WeakKeyDictionary[Any, _Known] = weakref.WeakKeyDictionary()


def graphs_wanted() -> bool:
    """Whether passes on CUDA are to be recorded: SPECDEMO_CUDA_GRAPHS=1. No card has shown yet what that is worth."""
    return os.environ.get("SPECDEMO_CUDA_GRAPHS", "").strip().lower() in ("1", "true", "yes")


def record_passes(
    draft_model: Any, target_model: Any, turn: Turn | None = None, recorders: Recorders | None = None
) -> bool:
    """Have passes of these models recorded for the runs that begin from now on; whether that can be.

    It can where both lie on one CUDA device and that is wanted (in any case, and on any device, with `recorders`), and both can have a static
    cache. `turn`: see recordings.py.
    """
    device = device_of(target_model)
    if (
        draft_model is target_model
        or is_spread(draft_model)
        or is_spread(target_model)
        or device_of(draft_model) != device
        or (recorders is None and not (device.type == "cuda" and graphs_wanted()))
    ):
        return False
    draft, target = (_Known(model, turn, recorders or recorder_of) for model in (draft_model, target_model))
    if not draft.recordings.room or not target.recordings.room:
        return False
    draft.recordings.join(target.recordings)
    _known[draft_model], _known[target_model] = draft, target
    return True


def forget_passes(*models: Any) -> None:
    """Record nothing of these models any more; runs that are under way keep what they use."""
    for model in models:
        _known.pop(model, None)


def recordings_of(model: Any) -> Recordings | None:
    """The recordings that a run beginning now may use: none of a model with hooks, which no replay would call.

    Weights that lie elsewhere than when they were recorded (a model that was moved) are recorded anew.
    """
    known = _known.get(model)
    if known is None or not known.enabled or _hooked(model):
        return None
    if known.marks != _marks(model):
        partner = known.recordings.partner
        known = _known[model] = _Known(model, known.turn, known.recorders)
        if partner is not None:
            known.recordings.join(partner)
    return known.recordings if known.recordings.room else None


@contextmanager
def eager_only(*models: Any) -> Iterator[None]:
    """Runs of these models that begin inside use no recordings, though they are kept: for comparisons, and where every pass must be seen."""
    found = [known for model in models if (known := _known.get(model)) is not None]
    before = [known.enabled for known in found]
    for known in found:
        known.enabled = False
    try:
        yield
    finally:
        for known, enabled in zip(found, before, strict=True):
            known.enabled = enabled


def _marks(model: Any) -> list[Any]:
    """What a graph has taken for granted: where every weight lies."""
    return [model.config._attn_implementation, *(part.data_ptr() for part in (*model.parameters(), *model.buffers()))]


def _hooked(model: Any) -> bool:
    return any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())
