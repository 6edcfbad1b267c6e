"""Whether a block costs the same however many were decoded before it: the loop's time outside its forward passes, early and late in one text.

Attention reads everything before it, so forward passes may grow with the text; what the loop adds to them should not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.forward import Forward
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import BlockLoop
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.competitors import Clock, Prompt, Setting
from specdemo.lab.statistics import spread
from specdemo.pairs.pair import Pair
from specdemo.verifiers import get

MOST_TOKENS = 400
_WINDOW = 20


class _Timed:
    """A Forward that adds up how long its passes take."""

    def __init__(self, forward: Forward, clock: Clock) -> None:
        self._forward, self._clock = forward, clock
        self.seconds = 0.0

    @property
    def length(self) -> int:
        return self._forward.length

    def __call__(self, ids: list[int], kept: int) -> torch.Tensor:
        started = self._clock()
        logits = self._forward(ids, kept)
        self.seconds += self._clock() - started
        return logits

    def step_back(self, length: int) -> None:
        self._forward.step_back(length)

    def nbytes(self) -> int:
        return self._forward.nbytes()


class _TimedModel(CachedModel):
    """A CachedModel that knows the time of its passes."""

    def __init__(self, model: Any, clock: Clock) -> None:
        self._clock = clock
        super().__init__(model)

    def reset(self) -> None:
        """See CachedModel."""
        super().reset()
        self.timed = _Timed(self._forward, self._clock)
        self._forward = self.timed


@dataclass(frozen=True)
class BlockCost:
    """A block that began at token `start`: seconds of its forward passes, and of everything else the loop does."""

    start: int
    forward: float
    outside: float


def block_costs(pair: Pair, prompt: Prompt, setting: Setting, clock: Clock, verifier: str) -> list[BlockCost]:
    """The blocks of one text, which ends after `setting.max_new_tokens` or at the pair's context limit."""
    laws = LawMaker(Processing(setting.temperature), pair.vocab_size)
    draft, target = _TimedModel(pair.draft_model, clock), _TimedModel(pair.target_model, clock)
    loop = BlockLoop(
        ModelDrafter(draft, laws, pair.vocab_size), target, laws, get(verifier), PhiloxUniforms(setting.seed, prompt.number),
        setting.gamma, frozenset(), pair.context_limit,
    )  # fmt: skip
    ids, memory, end = list(prompt.ids), None, len(prompt.ids) + setting.max_new_tokens
    costs: list[BlockCost] = []
    while len(ids) < end:
        before = draft.timed.seconds + target.timed.seconds
        started = clock()
        step = loop.block(ids, len(costs), memory, end - len(ids))
        whole = clock() - started
        forward = draft.timed.seconds + target.timed.seconds - before
        costs.append(BlockCost(len(ids), forward, whole - forward))
        ids.extend(step.committed)
        memory = step.next_memory
        if step.finish:
            break
    return costs


def many_blocks(
    pair: Pair, prompt: Prompt, setting: Setting, clock: Clock, verifier: str, rounds: int = 3
) -> dict[str, Any]:
    """Milliseconds of early and late blocks, outside the forward passes and in them, and late over early within a round.

    Early and late are the medians of 20 blocks each (fewer of a short text), the first block, which reads the prompt, and the last left out.
    """
    found = [_inner(block_costs(pair, prompt, setting, clock, verifier)) for _ in range(rounds)]
    window = max(1, min(_WINDOW, len(found[0]) // 2))
    early, late = slice(window), slice(-window, None)
    figures: dict[str, Any] = {"blocks": len(found[0]), "window": window}
    figures["tokens"] = [int(spread([cost.start for cost in found[0][part]]).median) for part in (early, late)]
    for name in ("outside", "forward"):
        first, last = ([_median(costs[part], name) for costs in found] for part in (early, late))
        figures[name] = {
            "early_ms": spread([1e3 * s for s in first]).to_json(),
            "late_ms": spread([1e3 * s for s in last]).to_json(),
            "late_over_early": spread([b / a for a, b in zip(first, last, strict=True)]).to_json(),
        }
    return figures


def _inner(costs: list[BlockCost]) -> list[BlockCost]:
    return costs[1:-1] or costs


def _median(costs: list[BlockCost], name: str) -> float:
    return spread([getattr(cost, name) for cost in costs]).median
