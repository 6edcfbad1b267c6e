"""Draft laws that are not the ones the tokens were drawn from."""

from __future__ import annotations

import numpy as np

from specdemo.arrays import FloatArray

SOFT_PEAK = 0.6


def as_drawn(draft: FloatArray) -> FloatArray:
    """The draft laws themselves."""
    return draft


def before_temperature(draft: FloatArray) -> FloatArray:
    """D′ ∝ D^{1/2}: what the verifier sees if the tokens were drawn at half the temperature that D was computed at."""
    powers = np.sqrt(draft)
    return powers / powers.sum(axis=1, keepdims=True)


def soft_for_argmax(draft: FloatArray) -> FloatArray:
    """A soft law in place of every one-hot row: the model's law, though the drafter took its argmax without drawing."""
    size = draft.shape[1]
    if size == 1:
        return draft
    soft = np.where(draft == 1.0, SOFT_PEAK, (1 - SOFT_PEAK) / (size - 1))
    one_hot = (draft == 1.0).any(axis=1, keepdims=True)
    return np.where(one_hot, soft, draft)
