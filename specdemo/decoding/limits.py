"""The limits of a run: block length, new tokens, context and end-of-text ids, read from the models and checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

MAX_GAMMA = 64


def checked_gamma(gamma: int, name: str = "gamma") -> int:
    """γ as an int; ValueError, which calls it by the `name` it was given as, unless it is an integer in 0 … 64."""
    if not _whole(gamma) or not 0 <= gamma <= MAX_GAMMA:
        raise ValueError(f"{name} (the block length) must be an integer in 0 … {MAX_GAMMA}, got {gamma!r}")
    return int(gamma)


def checked_new_tokens(max_new_tokens: int) -> int:
    """The length limit as an int; ValueError unless it is an integer ≥ 1."""
    if not _whole(max_new_tokens) or max_new_tokens < 1:
        raise ValueError(f"max_new_tokens must be an integer ≥ 1, got {max_new_tokens!r}")
    return int(max_new_tokens)


def _whole(value: Any) -> bool:
    """Whether `value` is a whole number, also as a float or of numpy's; what is no number at all is none."""
    return isinstance(value, (int, float, np.integer)) and not isinstance(value, bool) and value % 1 == 0


def context_limit_of(*models: Any) -> int:
    """The number of tokens every one of the models can read."""
    limits = (getattr(m.config.get_text_config(), "max_position_embeddings", None) for m in models)
    return min((int(limit) for limit in limits if limit), default=2**31)


def vocabulary_size_of(model: Any) -> int:
    """The number of entries the model's (padded) output has."""
    head = model.get_output_embeddings()
    size = getattr(head, "out_features", None)  # packed weights have a size without being read
    return int(head.weight.shape[0] if size is None else size)


def end_of_text_ids(model: Any, eos_token_id: int | Iterable[int] | None = None) -> frozenset[int]:
    """The ids that end the text: those given, or the model's own where None is given; token id 0 is an id like any other."""
    if eos_token_id is None:
        eos_token_id = getattr(model.generation_config, "eos_token_id", None)
        if eos_token_id is None:
            eos_token_id = getattr(model.config, "eos_token_id", None)
    if eos_token_id is None:
        return frozenset()
    if isinstance(eos_token_id, (int, np.integer)):
        return frozenset([int(eos_token_id)])
    return frozenset(int(i) for i in eos_token_id)
