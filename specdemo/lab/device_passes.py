"""Recorded passes for what is timed: all shapes of a γ at once, proven before anything is timed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

from specdemo.decoding.device import DeviceModel
from specdemo.decoding.forward import Forward
from specdemo.decoding.graphed import check_pass
from specdemo.decoding.recorded_models import record_passes, recordings_of
from specdemo.decoding.recorder import captures, recorder_of
from specdemo.decoding.recordings import Recordings
from specdemo.decoding.static_forward import StaticForward
from specdemo.pairs.pair import Pair

_READ = 64  # tokens on which a pass is proven


def static_forward(model: Any) -> Forward:
    """A Forward over the model's recordings; ValueError where it has none."""
    found = recordings_of(model)
    if found is None:
        raise ValueError("this model's passes are not recorded")
    return StaticForward(found)


def record_now(pair: Pair, text: Sequence[int], gamma: int) -> str | None:
    """Record one token of both models and γ+1 of the target, and prove them on `text`; None, or why that cannot be.

    On a CPU the recorder calls the passes.
    """
    models = pair.draft_model, pair.target_model
    known = all(recordings_of(model) is not None for model in models)
    if not known and not record_passes(*models, recorders=recorder_of):
        return "these models cannot have a static cache on this device"
    if can_replay(pair, text, gamma):
        return None
    refused = [found.refused for model in models if (found := recordings_of(model)) is not None]
    return next(filter(None, refused), captures.failure) or f"there is no room for passes of γ = {gamma}"


def can_replay(pair: Pair, text: Sequence[int], gamma: int, turn: AbstractContextManager[Any] | None = None) -> bool:
    """Whether runs at this γ, and plain decoding, go through recorded passes from their first block on: False unless passes of this pair are
    recorded at all (`record_passes`).

    The shapes that lack are recorded and proven here, on some tokens of `text` (not empty), each under `turn`.
    """
    draft, target = recordings_of(pair.draft_model), recordings_of(pair.target_model)
    if draft is None or target is None:
        return False
    most = min(_READ, draft.room, target.room)
    if most < 2 * (gamma + 1):
        return False
    whole = (list(text) * (1 + most // len(text)))[:most]
    shapes = [(pair.draft_model, draft, 1), (pair.target_model, target, 1), (pair.target_model, target, gamma + 1)]
    for model, recordings, count in shapes:
        if recordings.recorded(count) is None:
            with nullcontext() if turn is None else turn:
                _prove(model, recordings, whole, count)
    return all(recordings.proven(count) for _, recordings, count in shapes)


@torch.inference_mode()
def _prove(model: Any, recordings: Recordings, text: list[int], count: int) -> None:
    with recordings.work:
        recordings.want(count, now=True)
        if recordings.has(count) and not recordings.proven(count):
            try:
                check_pass(DeviceModel(model), recordings, text, count)
            except Exception as error:
                recordings.refuse(error)
            else:
                recordings.prove(count)
