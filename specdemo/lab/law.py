"""Is it the same law? (docs/compare.md, `specdemo.law/1`): the next token of a prompt under several rules, and the next two, counted.

The next token's law is exact where it can be, and then needs no decoding; the next two are decoded by the very loop and tested.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from datetime import datetime, timezone
from typing import Any

import numpy as np

from specdemo.decoding.laws import Processing
from specdemo.decoding.limits import checked_gamma
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.law_blocks import LENGTH, Decoded, PairDecoder
from specdemo.lab.law_cells import Cells, ChanceTest, PairCounts, likeliest_pairs
from specdemo.lab.law_next import NextToken
from specdemo.pairs.chat import PromptMode
from specdemo.pairs.pair import Pair
from specdemo.trace.run import pair_facts, versions
from specdemo.verifiers import Verifier, get

SCHEMA = "specdemo.law/1"
MOST_RULES = 4
MOST_SAMPLES = 5000
# Of a single block nobody can say how far it may be off.
_FEWEST_BLOCKS = 2


def law_check(
    pair: Pair,
    prompt: str,
    rules: Sequence[str | Verifier],
    *,
    gamma: int = 4,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    samples: int = 600,
    prompt_mode: PromptMode = "text",
    lock: AbstractContextManager[Any] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    every: float = 0.5,
    resume: dict[str, Any] | None = None,
    paused: Callable[[dict[str, Any]], None] = lambda state: None,
) -> Iterator[dict[str, Any]]:
    """The record of a law check of one to four rules, whole each time: first before anything is counted (`pairs.done` 0; 2 where a law of the
    next token has to be estimated), then about `every` so many seconds, and when all `samples` (1 to 5,000) pairs have been decoded.

    End-of-text tokens do not stop a decoding: the law of the two tokens is meant, and a pair after one is a pair. A prompt that leaves no room
    for two tokens and a block keeps its end; `prompt_mode` is that of `decode`. `lock` is held for each single model call or block; once
    `cancelled`, the last record is what there is, and `paused` is told where it stopped: plain data that a check with the same arguments takes
    as `resume` to count on. Raises ValueError at once for an unknown rule, a wrong setting or number; NonFiniteLogits if a model gives NaN.
    """
    chosen = [get(rule) for rule in rules]
    names = [rule.name for rule in chosen]
    if not 1 <= len(names) <= MOST_RULES or len(set(names)) < len(names):
        raise ValueError(
            f"a law check takes one to {MOST_RULES} different rules, got {', '.join(map(str, names)) or 'none'}"
        )
    count = _checked_samples(samples)
    block_length = checked_gamma(gamma)
    processing = Processing(temperature, top_k, top_p)
    PhiloxUniforms(seed)
    encoded = pair.encode(prompt, room=min(block_length + LENGTH, pair.context_limit // 2), mode=prompt_mode)
    head = {
        "schema": SCHEMA,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "versions": versions(),
        "pair": pair_facts(pair),
        "settings": {
            "gamma": block_length, **asdict(processing), "seed": int(seed),
            "samples": count, "prompt_mode": prompt_mode,
        },
        "rules": names,
        "lossless": {rule.name: rule.lossless for rule in chosen},
        "prompt": {"text": encoded.text, "tokens": len(encoded.ids), "notice": encoded.notice},
    }  # fmt: skip
    decoder = PairDecoder(
        pair, encoded.ids, chosen, block_length, processing, int(seed), nullcontext() if lock is None else lock
    )
    return _records(pair, head, chosen, decoder, cancelled, every, resume, paused)


def _records(
    pair: Pair,
    head: dict[str, Any],
    rules: list[Verifier],
    decoder: PairDecoder,
    cancelled: Callable[[], bool],
    every: float,
    resume: dict[str, Any] | None,
    paused: Callable[[dict[str, Any]], None],
) -> Iterator[dict[str, Any]]:
    draft, target = decoder.first_laws()
    samples = head["settings"]["samples"]
    following = NextToken(rules, draft, target, decoder.gamma)
    if cancelled():
        if resume is not None:
            paused(resume)
        return
    counted = _PairCounter(head["rules"], likeliest_pairs(target, decoder.target_after, samples))
    if resume is not None:
        counted.resume(resume["pairs"])
        following.resume(resume["next"])
    mentioned = [*following.ids.tolist(), *(i for cell in counted.cells.pairs for i in cell)]
    head = {**head, "pieces": pair.pieces.table(mentioned)}
    first = 0 if following.all_exact else min(_FEWEST_BLOCKS, samples)
    shown, shown_at = -1, float("-inf")
    while counted.done < samples:
        if counted.done >= first and time.monotonic() - shown_at >= every:
            yield {**head, "next": following.to_json(), "pairs": counted.to_json()}
            shown, shown_at = counted.done, time.monotonic()
        if cancelled():
            paused({"pairs": counted.paused(), "next": following.paused()})
            break
        decoded = decoder.decode(counted.done)
        following.add(decoded)
        counted.add(decoded)
    if counted.done > shown and counted.done >= min(first, 1):
        yield {**head, "next": following.to_json(), "pairs": counted.to_json()}


class _PairCounter:
    """The `pairs` part of the record."""

    def __init__(self, names: list[str], cells: Cells) -> None:
        self.cells = cells
        self.done = 0
        place = {pair: i for i, pair in enumerate(cells.pairs)}
        self._counts = {name: PairCounts(place) for name in names}
        self._test = ChanceTest(cells.law)

    def add(self, decoded: dict[str, Decoded]) -> None:
        """Count one decoding of every rule."""
        for name, one in decoded.items():
            self._counts[name].add(one.pair, one.possible)
        self.done += 1

    def paused(self) -> dict[str, Any]:
        """The counts so far, as plain data that `resume` takes."""
        return {
            "done": self.done,
            "rules": {name: [found.counts.tolist(), found.impossible] for name, found in self._counts.items()},
        }

    def resume(self, state: dict[str, Any]) -> None:
        """Count on from there."""
        self.done = state["done"]
        for name, (counts, impossible) in state["rules"].items():
            self._counts[name].counts += np.array(counts, dtype=np.int64)
            self._counts[name].impossible += impossible

    def to_json(self) -> dict[str, Any]:
        """The record so far."""
        return {
            "done": self.done,
            "cells": [list(pair) for pair in self.cells.pairs],
            "target": self.cells.target.tolist(),
            "rest_target": self.cells.rest,
            "rules": {name: self._rule(found) for name, found in self._counts.items()},
        }

    def _rule(self, found: PairCounts) -> dict[str, Any]:
        *counts, rest = found.counts.tolist()
        judged = self._test.judge(found.counts, found.impossible)
        return {"counts": counts, "rest": rest, "impossible": found.impossible, **judged}


def _checked_samples(samples: int) -> int:
    whole = isinstance(samples, (int, np.integer)) and not isinstance(samples, bool)
    if not whole or not 1 <= samples <= MOST_SAMPLES:
        raise ValueError(
            f"samples (how many pairs are decoded) must be an integer in 1 … {MOST_SAMPLES}, got {samples!r}"
        )
    return int(samples)
