"""How many target calls a rule needs for a text of the target's own: exact given the text, drafts and coins integrated out (docs/lab.md).

For a lossless rule that goes on with the plain target, a call at place t of a text X keeps at least i tokens with probability

    G_t(i) = Π D(X_j) · P(τ ≥ i │ x^i = X^i) / Π T(X_j) = w_i / R_i,

w and R being those of the rule's own plan with the text's tokens as the drafted block: E[calls] and E[tokens gained] follow by renewal.
Nothing here depends on which rule decoded; the text must follow the target's law, as plain decoding's does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.lab.sweep_blocks import lossless_at
from specdemo.verifiers import Verifier, get
from specdemo.verifiers.base import ratios

LONGEST_GAMMA = 16


@dataclass(frozen=True)
class Text:
    """A text of the target's law: tokens (n,), the laws D and T (n, V) after what stands before each, whether it `ended` by itself, and
    the `limit` of tokens at which it would have been cut off."""

    tokens: IntArray
    draft: FloatArray
    target: FloatArray
    ended: bool
    limit: int

    def __len__(self) -> int:
        return len(self.tokens)


def suited(rule: str, temperature: float) -> bool:
    """Whether G is defined by the rule's plan alone: lossless at this temperature, and nothing remembered between blocks."""
    return lossless_at(rule, temperature) and not get(rule).remembers


def longest_gamma(gamma: int, max_new_tokens: int) -> int:
    """The longest block that is looked at: 16, or γ if longer, but not more than half the text except for γ; 0 where no call would be left."""
    longest = max(gamma, min(LONGEST_GAMMA, max_new_tokens // 2))
    return longest if longest < max_new_tokens else 0


def call_starts(text: Text, longest: int) -> int:
    """At how many places calls are counted: those from which a whole block lies before the limit, whether the text then ended or not.

    A text that the context cut off is looked at as far as whole blocks lie in it.
    """
    return max(0, min(len(text), text.limit - longest) if text.ended else len(text) - longest)


def kept_by_text(rule: str | Verifier, text: Text, longest: int) -> FloatArray:
    """G (starts, longest + 1): the probability that a call at each place keeps at least i tokens, given how the text goes on.

    Behind the end of a text nothing is kept: its last token is gained by whoever comes there, drafted or not.
    """
    verifier, starts = get(rule), call_starts(text, longest)
    drafted = text.draft[np.arange(len(text)), text.tokens] > 0
    kept = np.zeros((starts, longest + 1))
    for t in range(starts):
        reach = min(longest, len(text) - t - 1)
        possible = drafted[t : t + reach]
        reach = reach if possible.all() else int(np.argmin(possible))
        block = slice(t, t + reach)
        plan = verifier.core_plan(text.tokens[block], text.draft[block], text.target[t : t + reach + 1])
        assert plan.prefix_weight is not None
        with np.errstate(over="ignore"):
            joint = np.cumprod(ratios(text.tokens[block], text.draft[block], text.target[block]))
        kept[t, 0] = 1.0
        # A joint ratio below the smallest float belongs to a text that is never written.
        np.divide(plan.prefix_weight[1:], joint, out=kept[t, 1 : reach + 1], where=joint > 0)
    return kept


def expected_calls(kept: FloatArray) -> tuple[FloatArray, FloatArray]:
    """E[calls] and E[tokens gained by them] for γ = 1 … longest, each (longest,), from G (starts, longest + 1).

    u_t is the probability that a call stands at t; it goes on to t + τ + 1 with P(τ = i) = G(i) − G(i+1), P(τ = γ) = G(γ).

    >>> calls, gained = expected_calls(np.array([[1.0, 0.5], [1.0, 0.5]]))
    >>> calls.tolist(), gained.tolist()
    ([1.5], [2.25])
    """
    starts, longest = len(kept), kept.shape[1] - 1
    places = np.arange(longest + 1)
    gammas = np.arange(1, longest + 1)[:, None]
    cut = np.where(places <= gammas, kept[:, None, :], 0.0)  # (starts, γ, i): what is never drafted is never kept
    lengths = cut - np.concatenate([cut[:, :, 1:], np.zeros((starts, longest, 1))], axis=2)
    standing = np.zeros((longest, starts + longest + 1))
    standing[:, 0] = 1.0
    for t in range(starts):
        standing[:, t + 1 : t + longest + 2] += standing[:, t, None] * lengths[t]
    here = standing[:, :starts]
    return here.sum(axis=1), np.einsum("gt,tgi->g", here, cut)


def text_calls(rules: Sequence[str], text: Text, longest: int) -> dict[str, dict[str, list[float]]]:
    """For each of the rules E[calls] and E[gained] on this text, entry γ − 1 for γ = 1 … longest; nothing where no call is counted."""
    if not longest or not call_starts(text, longest):
        return {}
    found = {}
    for rule in rules:
        calls, gained = expected_calls(kept_by_text(rule, text, longest))
        found[rule] = {"calls": calls.tolist(), "gained": gained.tolist()}
    return found
