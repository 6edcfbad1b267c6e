"""What the rules are worth: expected tokens per target call, all rules on the same drafted blocks.

Counts of single runs are never compared: each rule's expectation is exact given the drafted block, and only the block varies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from specdemo.decoding.laws import Processing
from specdemo.decoding.plain import build_loop
from specdemo.decoding.recorded_models import eager_only
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.competitors import Prompt, Setting
from specdemo.lab.floor import ForwardCall, recorded_calls
from specdemo.pairs.pair import Pair
from specdemo.verifiers import get


@dataclass(frozen=True)
class Survey:
    """An untimed run of our loop: its new ids, its forward passes, and per block E[τ]+1 of every rule on that drafted block."""

    ids: list[int]
    calls: list[ForwardCall]
    expected_tokens: list[dict[str, float]]


def survey(pair: Pair, prompt: Prompt, setting: Setting, verifier: str, rules: Sequence[str]) -> Survey:
    """Run the very loop that is timed (same seed, same tokens) and look at its blocks and forward passes."""
    with eager_only(pair.draft_model, pair.target_model):  # a replay passes hooks over
        loop = build_loop(
            pair.draft_model, pair.target_model, pair.vocab_size, get(verifier), setting.gamma, Processing(setting.temperature),
            PhiloxUniforms(setting.seed, prompt.number), frozenset(), pair.context_limit,
        )  # fmt: skip
    ids, memory = list(prompt.ids), None
    expected: list[dict[str, float]] = []
    end = len(ids) + setting.max_new_tokens
    with recorded_calls(pair) as calls:
        while len(ids) < end:
            step = loop.block(ids, len(expected), memory, end - len(ids))
            lengths = np.arange(step.gamma + 1)
            expected.append(
                {
                    rule: 1.0 + float(get(rule).core_plan(step.tokens, step.draft, step.target).length_law @ lengths)
                    for rule in rules
                }
            )
            ids.extend(step.committed)
            memory = step.next_memory
            if step.finish:
                break
    return Survey(ids[len(prompt.ids) :], calls, expected)
