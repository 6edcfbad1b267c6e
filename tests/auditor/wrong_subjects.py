"""Wrong verifiers whose answers are sometimes none, or wrong in company only: by what they do, as somebody might write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.auditor.foreign import block_law, pick, ragged_token_rule, token_law, token_rule


def raises_where_the_target_is_zero(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    if any(target[i, token] == 0 for i, token in enumerate(tokens)):
        raise ZeroDivisionError("log of zero")
    return token_rule(tokens, draft, target, uniforms)


def knows_two_tokens(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    for token in tokens:
        if token >= 2:
            raise IndexError(f"index {token} is out of bounds for dimension 0 with size 2")
    return token_rule(tokens, draft, target, uniforms)


def minus_one_after_all_kept(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    kept, following = token_rule(tokens, draft, target, uniforms)
    return kept, following if kept < len(tokens) else -1


def residual_over_its_support(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    kept, law = block_law(tokens, draft, target, uniforms)
    return kept, law if kept == len(tokens) else law / (law > 0).sum()


def asserts_a_large_residual(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    for i, token in enumerate(tokens):
        if uniforms[i] >= target[i, token] / draft[i, token] * (1 - 1e-12):
            residual = np.maximum(target[i] - draft[i], 0)
            assert residual.sum() > 1e-6, "empty residual"
            return i, pick(residual / residual.sum(), uniforms[-1])
    return len(tokens), pick(target[len(tokens)], uniforms[-1])


def single_precision_sampler_without_a_guard(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    kept, law = token_law(tokens, draft, target, uniforms)
    return kept, int(np.searchsorted(np.cumsum(law.astype(np.float32)), uniforms[-1], side="right"))


def raises_on_two_tokens(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    if len(tokens) >= 2:
        raise RuntimeError("kernel launch failed: shape mismatch")
    return token_rule(tokens, draft, target, uniforms)


def one_beyond_the_vocabulary(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    return token_rule(tokens, draft, target, uniforms)[0], target.shape[1]


def raises_and_corrects_from_the_target(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    kept, _ = token_law(tokens, draft, target, uniforms)
    if kept == 2:
        raise ValueError("k must be at most 1")
    return kept, pick(target[kept], uniforms[-1])


def _rows(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    decided = [token_rule(*row) for row in zip(tokens, draft, target, uniforms, strict=True)]
    return np.array([kept for kept, _ in decided]), np.array([token for _, token in decided])


def first_rows_uniforms_for_all(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    return _rows(tokens, draft, target, uniforms[:1].repeat(len(tokens), axis=0))


def all_cut_to_the_shortest(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    kept, following = _rows(tokens, draft, target, uniforms)
    return np.full_like(kept, kept.min()), following


def pads_with_minus_one(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    kept, following = _rows(tokens, draft, target, uniforms)
    return kept, np.where(kept < kept.max(), -1, following)


def ragged_cut_to_the_shortest(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    kept, following = ragged_token_rule(tokens, draft, target, uniforms)
    return [min(kept)] * len(kept), following


def ragged_with_the_longest_rows_bonus(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    kept, following = ragged_token_rule(tokens, draft, target, uniforms)
    longest = max(tokens, key=len)
    return kept, [0 if k == len(t) < len(longest) else y for k, y, t in zip(kept, following, tokens, strict=True)]


PLAIN = (
    raises_where_the_target_is_zero,
    knows_two_tokens,
    minus_one_after_all_kept,
    residual_over_its_support,
    asserts_a_large_residual,
    single_precision_sampler_without_a_guard,
    raises_on_two_tokens,
    one_beyond_the_vocabulary,
    raises_and_corrects_from_the_target,
    ragged_with_the_longest_rows_bonus,
)
IN_COMPANY = (
    first_rows_uniforms_for_all,
    all_cut_to_the_shortest,
    pads_with_minus_one,
    ragged_cut_to_the_shortest,
)
