"""The limits of a run: block length, new tokens, context and end-of-text ids, read from the models and checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

MAX_GAMMA = 64
NO_LIMIT = 2**31
_POSITIONS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length")


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
    """The number of tokens every one of the models can read; 2³¹ where none says of itself that there is an end."""
    return min((_positions_of(model.config.get_text_config()) for model in models), default=NO_LIMIT)


def turns_of(model: Any) -> tuple[int, ...]:
    """The lengths of text at which the model's rotary embeddings change, for all tokens at once, in ascending order.

    A text of at most that many tokens is read by other rotations than a longer one, its first tokens too: "longrope" (Ding et al. 2024).
    "dynamic" ones change only beyond `max_position_embeddings`, where the context ends.
    """
    config = model.config.get_text_config()
    return tuple(
        sorted({
            int(rope.get("original_max_position_embeddings") or _positions_of(config))
            for rope in ropes_of(model) if rope.get("rope_type") == "longrope"
        })
    )  # fmt: skip


def ropes_of(model: Any) -> list[dict[str, Any]]:
    """What the configuration says of the rotary embeddings: once, or once for each kind of layer."""
    said = getattr(model.config.get_text_config(), "rope_parameters", None) or {}
    return [said, *(part for part in said.values() if isinstance(part, dict))]


def _positions_of(config: Any) -> int:
    # The first name that is there: some configurations keep an old one beside it that nothing reads.
    return next((int(said) for name in _POSITIONS if (said := getattr(config, name, None))), NO_LIMIT)


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
