"""Recorded passes for a benchmark: all shapes of a γ at once, proven before anything is timed."""

from __future__ import annotations

from typing import Any

import torch

from specdemo.decoding.device import DeviceModel
from specdemo.decoding.forward import Forward
from specdemo.decoding.graphed import check_pass
from specdemo.decoding.recorded_models import record_passes, recordings_of
from specdemo.decoding.recorder import recorder_of
from specdemo.decoding.static_forward import StaticForward
from specdemo.pairs.pair import Pair


def static_forward(model: Any) -> Forward:
    """A Forward over the model's recordings; ValueError where it has none."""
    found = recordings_of(model)
    if found is None:
        raise ValueError("this model's passes are not recorded")
    return StaticForward(found)


@torch.inference_mode()
def record_now(pair: Pair, text: list[int], gamma: int) -> str | None:
    """Record one token of both models and γ+1 of the target, and prove them on `text`; None, or why that cannot be.

    On a CPU the recorder calls the passes.
    """
    models = pair.draft_model, pair.target_model
    known = all(recordings_of(model) is not None for model in models)
    if not known and not record_passes(*models, recorders=recorder_of):
        return "these models cannot have a static cache on this device"
    for model, counts in zip(models, ((1,), (1, gamma + 1)), strict=True):
        cached = DeviceModel(model)
        assert cached.recordings is not None
        for count in counts:
            cached.recordings.want(count)
            if cached.recordings.has(count) and not cached.recordings.proven(count):
                try:
                    check_pass(cached, cached.recordings, text, count)
                except Exception as error:
                    cached.recordings.refuse(error)
                else:
                    cached.recordings.prove(count)
        if cached.recordings.refused is not None:
            return cached.recordings.refused
    return None
