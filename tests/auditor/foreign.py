"""Verifiers as somebody else would write them: no code of this package, each form the auditor takes, right and wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Answer = tuple[int, Any]


def pick(law: Any, uniform: float) -> int:
    """Inverse transform sampling that never lands on a zero."""
    total = 0.0
    chosen = 0
    for token, probability in enumerate(law):
        if probability > 0:
            chosen = token
            total += float(probability)
            if uniform < total:
                break
    return chosen


def token_law(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """Leviathan et al., Algorithm 1, with the law of the next token."""
    for i, token in enumerate(tokens):
        p, q = target[i][token], draft[i][token]
        if not uniforms[i] * q < p:
            residual = np.maximum(np.asarray(target[i]) - np.asarray(draft[i]), 0)
            return i, residual / residual.sum() if residual.sum() > 0 else np.asarray(target[i])
    return len(tokens), np.asarray(target[len(tokens)])


def token_rule(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """The same, drawing the next token."""
    kept, law = token_law(tokens, draft, target, uniforms)
    return kept, pick(law, uniforms[-1])


def block_law(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """Sun et al., Algorithm 2, with the law of the next token."""
    gamma = len(tokens)
    weight, kept, kept_weight = 1.0, 0, 1.0
    for i in range(1, gamma + 1):
        weight = min(1.0, weight * target[i - 1][tokens[i - 1]] / draft[i - 1][tokens[i - 1]])
        if i == gamma:
            coin = weight
        else:
            gain = np.maximum(weight * target[i] - draft[i], 0).sum()
            coin = gain / (gain + 1 - weight) if gain + 1 - weight > 0 else 1.0
        if uniforms[i - 1] < coin:
            kept, kept_weight = i, weight
    if kept == gamma:
        return kept, target[gamma]
    residual = np.maximum(kept_weight * target[kept] - draft[kept], 0)
    return kept, residual / residual.sum() if residual.sum() > 0 else target[kept]


def block_rule(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """The same, drawing the next token."""
    kept, law = block_law(tokens, draft, target, uniforms)
    return kept, pick(law, uniforms[-1])


def torch_block_rule(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    """The block rule in the tensors' own precision, answering with tensors, as an engine does."""
    import torch

    gamma = len(tokens)
    kept = torch.zeros((), dtype=torch.int64)
    weights = [torch.ones((), dtype=target.dtype)]
    for i in range(gamma):
        weights.append(torch.clamp(weights[-1] * target[i, tokens[i]] / draft[i, tokens[i]], max=1))
    for i in range(1, gamma + 1):
        coin = weights[i]
        if i < gamma:
            gain = torch.clamp(weights[i] * target[i] - draft[i], min=0).sum()
            coin = gain / (gain + (1 - weights[i])) if gain + (1 - weights[i]) > 0 else torch.ones(())
        if uniforms[i - 1] < coin:
            kept = torch.tensor(i)
    law = target[kept]
    if kept < gamma:
        residual = torch.clamp(weights[int(kept)] * target[kept] - draft[kept], min=0)
        if residual.sum() > 0:
            law = residual / residual.sum()
    cumulative = torch.cumsum(law, 0)
    token = torch.searchsorted(cumulative, uniforms[-1:], right=True)[0]
    last = torch.nonzero(law).max()
    return kept, torch.minimum(token, last)


def batched_token_rule(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    """The token rule on a batch, vectorised over rows and positions."""
    rows, gamma = tokens.shape
    size = target.shape[2]
    p = np.take_along_axis(target[:, :gamma], tokens[:, :, None], 2)[:, :, 0]
    q = np.take_along_axis(draft, tokens[:, :, None], 2)[:, :, 0]
    kept = np.cumprod(uniforms[:, :gamma] * q < p, axis=1).sum(axis=1) if gamma else np.zeros(rows, dtype=int)
    padded = np.concatenate([draft, np.zeros((rows, 1, size))], axis=1)
    here = np.arange(rows)
    residual = np.maximum(target[here, kept] - padded[here, kept], 0)
    empty = residual.sum(axis=1) == 0
    residual[empty] = target[here, kept][empty]
    cumulative = np.cumsum(residual, axis=1)
    # Scaled instead of divided, so that the last positive step is never below the uniform.
    return kept, (cumulative <= uniforms[:, -1:] * cumulative[:, -1:]).sum(axis=1)


def ragged_token_rule(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[list[int], list[int]]:
    """The token rule on a list of blocks of different lengths."""
    decided = [token_rule(*block) for block in zip(tokens, draft, target, uniforms, strict=True)]
    return [kept for kept, _ in decided], [token for _, token in decided]


def seeded(rule: Callable[..., Answer]) -> Callable[..., Answer]:
    """A rule that draws its own uniforms from a seed."""

    def verify(tokens: Any, draft: Any, target: Any, seed: int) -> Answer:
        return rule(tokens, draft, target, np.random.default_rng(seed).random(len(tokens) + 1))

    return verify


def token_rule_correcting_from_target(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """Wrong: after a stop it draws from the target."""
    kept, _ = token_law(tokens, draft, target, uniforms)
    return kept, pick(target[kept], uniforms[-1])


def block_rule_with_token_residual(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """Wrong: block's coins, the token rule's residual."""
    kept, law = block_law(tokens, draft, target, uniforms)
    if kept < len(tokens):
        residual = np.maximum(target[kept] - draft[kept], 0)
        law = residual / residual.sum() if residual.sum() > 0 else target[kept]
    return kept, pick(law, uniforms[-1])


def token_rule_accepting_equals(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """Wrong at η = 0 only: ≤ instead of <."""
    for i, token in enumerate(tokens):
        if not uniforms[i] <= target[i][token] / draft[i][token]:
            residual = np.maximum(target[i] - draft[i], 0)
            return i, pick(residual / residual.sum() if residual.sum() > 0 else target[i], uniforms[-1])
    return len(tokens), pick(target[len(tokens)], uniforms[-1])


def token_rule_by_product(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """Wrong: the products of the uniforms are compared."""
    products = np.append(np.cumprod(uniforms[:-1]), uniforms[-1])
    return token_rule(tokens, draft, target, products)


def sampled_by_a_hidden_generator(tokens: Any, draft: Any, target: Any, uniforms: Any) -> Answer:
    """Right in law, but the next token comes from a generator of its own."""
    kept, law = token_law(tokens, draft, target, uniforms)
    return kept, int(_hidden.choice(len(law), p=law / law.sum()))


_hidden = np.random.default_rng(5)
