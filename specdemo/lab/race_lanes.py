"""The lanes of a race: one rule decoding one prompt, a call at a time, with caches of its own over models that all lanes share.

Plain decoding is the lane with γ = 0: the same loop and the same forward pass, without a draft.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from specdemo.arrays import IntArray
from specdemo.decoding.laws import Processing
from specdemo.decoding.limits import checked_gamma, checked_new_tokens
from specdemo.decoding.loop import Finish, Step
from specdemo.decoding.plain import build_loop
from specdemo.decoding.recorded_models import eager_only
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.competitors import Prompt
from specdemo.lab.lane_names import PARTS, PLAIN
from specdemo.pairs.pair import Pair
from specdemo.verifiers import get

COLUMNS = ("gained", "shown", "gamma", "expected", "draft_ms", "target_ms", "verify_ms", "rest_ms")


@dataclass(frozen=True)
class RaceSettings:
    """How every lane decodes; the first run of a prompt has the seed `seed`. Made by `checked_settings`."""

    gamma: int
    temperature: float
    top_k: int
    top_p: float
    seed: int
    max_new_tokens: int


def checked_settings(
    gamma: int, temperature: float, top_k: int, top_p: float, seed: int, max_new_tokens: int
) -> RaceSettings:
    """The settings of a race; ValueError where one is wrong, or where nothing would be drafted."""
    if checked_gamma(gamma) == 0:
        raise ValueError("gamma is 0: no lane of this race would draft anything, take 1 or more")
    processing = Processing(temperature, top_k, top_p)
    PhiloxUniforms(seed)
    most = checked_new_tokens(max_new_tokens)
    return RaceSettings(int(gamma), **asdict(processing), seed=int(seed), max_new_tokens=most)


@dataclass
class Costs:
    """Milliseconds of single calls, all lanes and runs together: `draft_step`, `target_step` (plain decoding's) and `target_call` (γ+1 tokens)."""

    draft_step: list[float] = field(default_factory=list)
    target_step: list[float] = field(default_factory=list)
    target_call: list[float] = field(default_factory=list)

    def add(self, other: Costs) -> None:
        """Take in the calls of another record."""
        self.draft_step += other.draft_step
        self.target_step += other.target_step
        self.target_call += other.target_call

    def medians(self) -> dict[str, float] | None:
        """The medians, and c and v of the formula for the expected speed-up, in plain target steps; None before there are any."""
        if not (self.draft_step and self.target_step and self.target_call):
            return None
        draft, step, call = (float(np.median(of)) for of in (self.draft_step, self.target_step, self.target_call))
        return {
            "draft_step_ms": draft, "target_step_ms": step, "target_call_ms": call, "c": draft / step, "v": call / step,
        }  # fmt: skip


class Lane:
    """A rule on its way through a prompt, a run with the seed `seed`.

    `calls` holds a row of COLUMNS for each call so far, `ids` the tokens shown, `costs` single times, `first_block` the first drafted tokens,
    `last` the last call's step. `replay`: it may use recorded passes, which all lanes can from their first block on.
    """

    def __init__(
        self, pair: Pair, prompt: Prompt, rule: str, settings: RaceSettings, seed: int, replay: bool = False
    ) -> None:
        self.rule = rule
        self.calls: list[list[float]] = []
        self.ids: list[int] = []
        self.finish: Finish | None = None
        self.costs = Costs()
        self.first_block: IntArray = np.empty(0, dtype=np.int64)
        self.last: Step | None = None
        self._prompt = prompt
        self._memory: Any = None
        self._most = settings.max_new_tokens
        verifier, gamma = (get("token"), 0) if rule == PLAIN else (get(rule), settings.gamma)
        processing = Processing(settings.temperature, settings.top_k, settings.top_p)
        # Recorded passes for all lanes from their first block on (`replay`, see device_passes.py) or for none: one would change over before another.
        with nullcontext() if replay else eager_only(pair.draft_model, pair.target_model):
            self._loop = build_loop(
                pair.draft_model, pair.target_model, pair.vocab_size, verifier, gamma, processing,
                PhiloxUniforms(seed, prompt.number), pair.eos_token_ids, pair.context_limit,
            )  # fmt: skip

    def paused(self) -> dict[str, Any]:
        """Where the lane is, as plain data that `resume` takes."""
        return {
            "ids": list(self.ids),
            "calls": list(self.calls),
            "finish": self.finish,
            "memory": self._memory,
            "first_block": self.first_block.tolist(),
            "costs": asdict(self.costs),
        }

    def resume(self, paused: dict[str, Any]) -> None:
        """Go on where another lane of the same rule, prompt and seed has paused."""
        self.ids, self.calls = list(paused["ids"]), list(paused["calls"])
        self.finish, self._memory = paused["finish"], paused["memory"]
        self.first_block = np.array(paused["first_block"], dtype=np.int64)
        self.costs = Costs(**paused["costs"])
        if self.calls and not self.finish:
            # The caches are empty here. What reading the text again takes is no call's time, so the block is decoded once
            # without being counted: the same uniforms give the same block.
            self._block()

    def _block(self) -> Step:
        text = [*self._prompt.ids, *self.ids]
        if self._loop.on_device is not None:
            self._loop.on_device.take_memory()  # the other lanes have had it
        return self._loop.block(text, len(self.calls), self._memory, self._most - len(self.ids))

    def call(self) -> list[int]:
        """Decode one block; returns the ids it showed. Only for a lane that has not finished."""
        step = self._block()
        self._count(step)
        self.last = step
        self._memory = step.next_memory
        self.ids += step.committed
        self.finish = step.finish
        return list(step.committed)

    def _count(self, step: Step) -> None:
        times = {part: step.seconds[part] * 1e3 for part in PARTS}
        if not self.calls:
            self.first_block = step.tokens
        else:
            # A lane's first call reads the prompt: its steps are not what a step costs.
            self.costs.draft_step += [seconds * 1e3 for seconds in step.seconds["draft_steps"]]
            if step.gamma == self._loop.gamma:
                (self.costs.target_call if step.gamma else self.costs.target_step).append(times["target"])
        expected = float(step.verdict.length_law @ np.arange(step.gamma + 1)) + 1
        gained = step.verdict.accepted + 1
        self.calls.append(
            [gained, len(step.committed), step.gamma, expected, *(round(times[part], 4) for part in PARTS)]
        )

    def record(self, with_ids: bool) -> dict[str, Any]:
        """The lane's part of a run's record."""
        return {"calls": self.calls, "ids": self.ids if with_ids else None, "finish": self.finish}
