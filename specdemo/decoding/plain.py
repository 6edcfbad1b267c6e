"""`speculative_decode`: two plain transformers models in, the whole text out, at full speed and without a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.device import DeviceModel, OnDevice, can_stay_on_device
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.forward import check_models
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.limits import (
    checked_gamma,
    checked_new_tokens,
    context_limit_of,
    end_of_text_ids,
    vocabulary_size_of,
)
from specdemo.decoding.loop import BlockLoop
from specdemo.decoding.uniforms import PhiloxUniforms, UniformSource
from specdemo.verifiers import Verifier, get


def speculative_decode(
    draft_model: Any,
    target_model: Any,
    input_ids: torch.Tensor,
    k: int = 4,
    *,
    max_new_tokens: int = 64,
    verifier: str | Verifier = "block",
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    eos_token_id: int | Iterable[int] | None = None,
    uniforms: UniformSource | None = None,
) -> torch.Tensor:
    """Decode with `k` drafted tokens a block; returns ids (1, prompt + new) on the device of `input_ids`.

    `input_ids` (1, n) or (n,), n ≥ 1. `eos_token_id` None means the target model's own, an int or a list otherwise.
    Raises ValueError for what is no tensor, a batch, an empty prompt, ids outside the vocabulary, a prompt longer than the context, or bad settings;
    CannotStepBack for a model with a state, NonFiniteLogits if one gives NaN. Source: Leviathan et al. Alg. 1 or Sun et al. Alg. 2, by `verifier`.
    """
    if not isinstance(input_ids, torch.Tensor):
        kind = type(input_ids).__name__
        raise ValueError(f"input_ids must be a tensor of ids, such as torch.tensor([[1, 2, 3]]), got a {kind}")
    rows = input_ids[None] if input_ids.ndim == 1 else input_ids
    if rows.ndim != 2 or rows.shape[0] != 1:
        raise ValueError(f"input_ids must have shape (1, n): one prompt at a time, got {tuple(input_ids.shape)}")
    ids: list[int] = rows[0].tolist()
    check_models(draft_model, target_model)
    sizes = [vocabulary_size_of(model) for model in (draft_model, target_model)]
    vocab_size, readable = max(sizes), sizes[1]
    if not ids:
        raise ValueError("input_ids is empty: start from the model's BOS token")
    for place, token in enumerate(ids):
        if not isinstance(token, int) or not 0 <= token < readable:
            raise ValueError(
                f"input_ids[0, {place}] is {token!r}: it must be an integer in 0 … {readable - 1}, the target's vocabulary"
            )
    limit = context_limit_of(draft_model, target_model)
    if len(ids) > limit:
        raise ValueError(f"the prompt has {len(ids)} tokens, the models read at most {limit}: shorten it")
    loop = build_loop(
        draft_model, target_model, vocab_size, get(verifier), checked_gamma(k, "k"), Processing(temperature, top_k, top_p),
        PhiloxUniforms(seed) if uniforms is None else uniforms, end_of_text_ids(target_model, eos_token_id), limit,
    )  # fmt: skip
    end = len(ids) + checked_new_tokens(max_new_tokens)
    memory, index = None, 0
    with torch.inference_mode():
        while len(ids) < end:
            step = loop.block(ids, index, memory, end - len(ids))
            ids.extend(step.committed)
            memory, index = step.next_memory, index + 1
            if step.finish:
                break
    return torch.tensor([ids], device=input_ids.device)


def build_loop(
    draft_model: Any,
    target_model: Any,
    vocab_size: int,
    verifier: Verifier,
    gamma: int,
    processing: Processing,
    uniforms: UniformSource,
    eos_token_ids: frozenset[int],
    context_limit: int,
) -> BlockLoop:
    """A BlockLoop over two plain models with fresh caches, from checked settings."""
    laws = LawMaker(processing, vocab_size)
    on_device = None
    draft, target = CachedModel(draft_model), CachedModel(target_model)
    if can_stay_on_device(draft_model, target_model):
        draft, target = DeviceModel(draft_model), DeviceModel(target_model)
        on_device = OnDevice(draft, target, laws)
    drafter = ModelDrafter(draft, laws, vocab_size)
    return BlockLoop(drafter, target, laws, verifier, uniforms, gamma, eos_token_ids, context_limit, on_device)
