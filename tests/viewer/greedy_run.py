"""A real run under greedy block verification, with blocks inside its modified window and outside."""

from __future__ import annotations

import json
from functools import cache
from typing import Any


@cache
def greedy_run() -> dict[str, Any]:
    """The trace of a tiny pair; do not change it."""
    from specdemo.decoding import decode_run
    from tests.tiny import tiny_pair

    rules = ("token", "block", "greedy_block")
    run = decode_run(tiny_pair(), "abc", gamma=4, verifier="greedy_block", seed=5, max_new_tokens=24, rules=rules)
    return json.loads(json.dumps(run, allow_nan=False))


def blocks_with_memory(trace: dict[str, Any]) -> tuple[list[int], list[int]]:
    """The indices of the blocks decided with and without memory."""
    indices = [[b["index"] for b in trace["blocks"] if bool(b["memory"]) == inside] for inside in (True, False)]
    return indices[0], indices[1]
