"""Which rules are one and the same where they stand: at γ = 1, or where both laws are a single token (T = 0).

What is the same must not be ranked by the noise of its measurements. No list says which: the rules are asked, on a few laws that are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.lab.sweep_blocks import lossless_at
from specdemo.verifiers import get

_SYMBOLS, _WORLDS = 3, 8
_LONGEST = 4  # what rules do with longer blocks of certain tokens shows in this many
_NEAR = 1e-12


def same_rules(rules: Sequence[str], gamma: int, setting: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The rules in groups that decide alike at this γ, in the order given; `setting` has `temperature` and `top_k`.

    Only lossless rules share a group, and where tokens are drawn only at γ = 1: longer blocks tell them apart.

    >>> same_rules(["token", "block", "sampled_match"], 1, {"temperature": 1.0, "top_k": 0})
    [('token', 'block'), ('sampled_match',)]
    """
    certain, groups = is_certain(setting), list[list[str]]()
    for rule in rules:
        for group in groups:
            if (certain or gamma == 1) and _alike(group[0], rule, min(gamma, _LONGEST), certain):
                group.append(rule)
                break
        else:
            groups.append([rule])
    return [tuple(group) for group in groups]


def is_certain(setting: Mapping[str, Any]) -> bool:
    """Whether every law is a single token: at temperature 0, or with top-k 1."""
    return bool(setting["temperature"] == 0 or setting["top_k"] == 1)


@cache
def _alike(one: str, other: str, gamma: int, certain: bool) -> bool:
    """Whether both keep as much with the same probability, go on with the same law, and leave nothing to the next block."""
    temperature = 0.0 if certain else 1.0
    if not (lossless_at(one, temperature) and lossless_at(other, temperature)):
        return False
    return all(_same_plan(one, other, world) for world in _worlds(gamma, certain))


def _same_plan(one: str, other: str, world: tuple[IntArray, FloatArray, FloatArray]) -> bool:
    mine, theirs = (get(rule).core_plan(*world) for rule in (one, other))
    if not np.allclose(mine.length_law, theirs.length_law, rtol=0, atol=_NEAR):
        return False
    for i in np.flatnonzero(mine.length_law > _NEAR).tolist():
        law = mine.next_law(i)
        if not np.allclose(law, theirs.next_law(i), rtol=0, atol=_NEAR):
            return False
        tokens = np.flatnonzero(law > _NEAR).tolist()
        if any(plan.memory_after(i, token) is not None for plan in (mine, theirs) for token in tokens):
            return False
    return True


def _worlds(gamma: int, certain: bool) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Drafted tokens (γ,) with D (γ, V) and T (γ+1, V): laws without and with zeros, or single tokens that agree up to each place."""
    draw = np.random.default_rng(5)
    if certain:
        sure = np.eye(_SYMBOLS)
        tokens = draw.integers(_SYMBOLS, size=gamma)
        for agreed in range(gamma + 1):
            wanted = np.append(tokens, 0)
            wanted[agreed:gamma] = (wanted[agreed:gamma] + 1) % _SYMBOLS
            yield tokens, sure[tokens], sure[wanted]
        return
    for n in range(_WORLDS):
        draft, target = (draw.dirichlet(np.ones(_SYMBOLS), size=rows) for rows in (gamma, gamma + 1))
        if n % 2:
            (draft if n % 4 == 1 else target)[:, n % _SYMBOLS] = 0.0
        draft, target = (law / law.sum(axis=1, keepdims=True) for law in (draft, target))
        for token in np.flatnonzero(draft[0]).tolist():
            yield np.full(gamma, token), draft, target
