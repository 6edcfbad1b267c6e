"""Finding an example: decode prompts with many seeds and take the block that shows a kind best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specdemo.decoding import decode_run
from specdemo.examples.kinds import Kind
from specdemo.pairs import Pair

SEEDS = 12
# A learner should not have to walk through many blocks first, and should see some after it.
FIRST_BLOCK, LAST_BLOCK, NEW_TOKENS = 1, 5, 40


def find(kind: Kind, pair: Pair) -> tuple[dict[str, Any], int]:
    """The best trace for a kind and the index of its block; RuntimeError if no seed shows it."""
    best: tuple[float, dict[str, Any], int] | None = None
    for trace in _traces(kind, pair):
        for block in trace["blocks"][FIRST_BLOCK : LAST_BLOCK + 1]:
            if kind.suits(block) and (best is None or kind.rank(block) > best[0]):
                best = (kind.rank(block), trace, block["index"])
    if best is None:
        raise RuntimeError(
            f"no seed below {SEEDS} shows the example {kind.name!r}: add prompts to its kind or seeds to the search"
        )
    return best[1], best[2]


def _traces(kind: Kind, pair: Pair) -> Iterator[dict[str, Any]]:
    for prompt in kind.prompts:
        for seed in range(SEEDS):
            settings = {"gamma": 4, "verifier": "block", "seed": seed, "max_new_tokens": NEW_TOKENS} | kind.settings
            yield decode_run(pair, prompt, **settings)  # type: ignore[arg-type]
