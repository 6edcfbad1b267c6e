"""What makes a vector worth having, read off its laws and its outcome."""

from __future__ import annotations

from collections.abc import Callable

from specdemo.auditor.vectors.exact_rules import Exact, token
from specdemo.auditor.vectors.laws import ExactLaw
from specdemo.auditor.vectors.record import Case, Expected, Recipe

SMALL_MARGIN = 1e-3

# tag → what it says, in the order of display; the README lists them from here.
MEANING = {
    "gamma_zero": "no token was drafted",
    "gamma_one": "one token was drafted",
    "two_symbols": "V = 2",
    "large_vocab": "V ≈ 32,000, laws from a recipe",
    "zeros": "a law gives some symbol probability 0",
    "ties": "a target law has its maximum more than once",
    "one_hot": "a law has all its mass on one symbol",
    "disjoint": "draft and target share no symbol at some position",
    "equal_laws": "D = T at some position",
    "near_laws": "D and T differ, but by less than 1/50 in total variation",
    "target_zero": "T(x) = 0 for a drafted token",
    "next_token_zero": "the next token is token id 0",
    "eta_zero": "an accept uniform is exactly 0",
    "last_uniform_zero": "the last uniform is exactly 0",
    "none_kept": "τ = 0 although γ > 0",
    "full_acceptance": "τ = γ > 0",
    "rescue": "a kept token fails its own test η < min(1, r)",
    "token_keeps_more": "the token rule would keep more on the same uniforms",
    "memory": "the greedy rule's window is open before the block",
    "nested_memory": "two or more windows are open",
    "window_past_block": "a window reaches past the block: the bonus token is modified too",
    "empty_window": "a modified law is empty, so the target takes its place",
    "small_margin": "margin below 1/1000",
    "knife_edge": "margin 0: a strict comparison decides",
}


def tags_of(case: Case, exact: Exact, expected: Expected, margin: float) -> tuple[str, ...]:
    """The tags of a case with its outcome, in the order of `MEANING`."""
    # By position, where the draft may know a row less; in a large vocabulary no law is special.
    pairs = [] if isinstance(case.rows, Recipe) else list(zip(case.draft, case.target, strict=False))
    laws = [*case.draft, *case.target]
    etas, gamma, accepted = case.uniforms[:-1], case.gamma, expected.accepted
    by_token = token(case.tokens, case.draft, case.target)
    fails = [eta >= coin.chance for eta, coin in zip(etas, by_token.coins, strict=True)]
    reach = max((remaining for _, remaining in case.memory or []), default=0)
    holds: dict[str, Callable[[], bool]] = {
        "gamma_zero": lambda: gamma == 0,
        "gamma_one": lambda: gamma == 1,
        "two_symbols": lambda: case.vocab_size == 2,
        "large_vocab": lambda: case.vocab_size > 1000,
        "zeros": lambda: any(0 in law.weights for law in laws),
        "ties": lambda: any(law.weights.count(max(law.weights)) > 1 for law in case.target),
        "one_hot": lambda: any(max(law.weights) == law.total for law in laws),
        "disjoint": lambda: any(distance(draft, target) == 1 for draft, target in pairs),
        "equal_laws": lambda: any(draft.same_as(target) for draft, target in pairs),
        "near_laws": lambda: any(0 < distance(draft, target) < 0.02 for draft, target in pairs),
        "target_zero": lambda: any(case.target[i].weights[x] == 0 for i, x in enumerate(case.tokens)),
        "next_token_zero": lambda: expected.next_token == 0,
        "eta_zero": lambda: 0 in etas,
        "last_uniform_zero": lambda: case.uniforms[-1] == 0,
        "none_kept": lambda: gamma > 0 and accepted == 0,
        "full_acceptance": lambda: gamma > 0 and accepted == gamma,
        "rescue": lambda: exact.last_wins and any(fails[:accepted]),
        "token_keeps_more": lambda: exact.last_wins and by_token.accepted(etas) > accepted,
        "memory": lambda: case.memory is not None,
        "nested_memory": lambda: len(case.memory or []) > 1,
        "window_past_block": lambda: reach > gamma,
        "empty_window": lambda: exact.empty_window,
        "small_margin": lambda: 0 < margin < SMALL_MARGIN,
        "knife_edge": lambda: margin == 0,
    }
    return tuple(tag for tag in MEANING if holds[tag]())


def distance(draft: ExactLaw, target: ExactLaw) -> float:
    """Total variation of two laws; exactly 1 where they share no symbol."""
    shared = sum(min(d * target.total, t * draft.total) for d, t in zip(draft.weights, target.weights, strict=True))
    return 1 - shared / (draft.total * target.total)
