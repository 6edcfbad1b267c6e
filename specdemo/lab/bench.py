"""The benchmark: every competitor on every prompt in turn, in one process, so that what slows the machine slows them all.

Only ratios within a prompt are compared; the order rotates from prompt to prompt. This module measures, it does not summarise.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from specdemo.lab.blocks import Survey, survey
from specdemo.lab.competitors import Clock, Prompt, Setting, generate, on_equal_terms, ours, ours_recorded
from specdemo.lab.floor import floor_seconds, step_costs
from specdemo.pairs.pair import Pair
from specdemo.pairs.weights import unpacked

RULES = ("token", "block")
RECORDED = "block"
STOCK = "_stock"
PARTS = ("draft", "target", "verify", "rest", "record")


@dataclass
class PromptResult:
    """Everything measured on one prompt.

    `seconds` of each run (plain, assisted, the rules, "recorded"; "plain_stock" and "assisted_stock" where asked for); `floor`, the
    seconds of each rule's forward passes; `blocks`, per block of the recorded rule E[τ]+1 by rule; `target_calls` of each rule;
    `parts` of the recorded run's blocks in milliseconds; `costs` of single steps in seconds.
    """

    prompt: int
    prompt_tokens: int
    new_tokens: int
    seconds: dict[str, float] = field(default_factory=dict)
    floor: dict[str, float] = field(default_factory=dict)
    blocks: list[dict[str, float]] = field(default_factory=list)
    target_calls: dict[str, int] = field(default_factory=dict)
    parts: list[dict[str, float]] = field(default_factory=list)
    costs: dict[str, list[float]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The record as plain data."""
        return asdict(self)


def measure(
    pair: Pair,
    prompts: Sequence[Prompt],
    setting: Setting,
    clock: Clock,
    progress: Callable[[int, PromptResult], None] = lambda done, result: None,
    *,
    stock: Pair | None = None,
) -> list[PromptResult]:
    """Measure every competitor on every prompt; `progress(done, result)` after each prompt.

    `stock` is the pair with its weights as transformers lays them out: both kinds of `generate` are then measured on it as well.
    Raises RuntimeError if a competitor does not make exactly the asked number of tokens: times would not be comparable.
    """
    results = []
    generators = {"": pair} if stock is None else {"": pair, STOCK: stock}
    with ExitStack() as stack:
        for models in generators.values():
            stack.enter_context(on_equal_terms(models, setting))
            for assisted in (False, True):  # the first run of each is slower
                generate(models, prompts[0], setting, assisted=assisted)
        for prompt in prompts:
            results.append(_measure_prompt(pair, generators, prompt, setting, clock))
            progress(len(results), results[-1])
    return results


def stock_copy(pair: Pair) -> Pair:
    """The pair with copies of its models whose weights lie in memory as transformers loads them (see specdemo.pairs.weights)."""
    return replace(pair, draft_model=unpacked(pair.draft_model), target_model=unpacked(pair.target_model))


def _measure_prompt(
    pair: Pair, generators: Mapping[str, Pair], prompt: Prompt, setting: Setting, clock: Clock
) -> PromptResult:
    result = PromptResult(prompt.number, len(prompt.ids), setting.max_new_tokens)
    surveys = {rule: survey(pair, prompt, setting, rule, RULES) for rule in RULES}
    result.blocks = surveys[RECORDED].expected_tokens
    result.target_calls = {rule: _target_calls(found) for rule, found in surveys.items()}

    def timed(name: str, run: Callable[[], list[int]]) -> None:
        started = clock()
        new = run()
        result.seconds[name] = clock() - started
        if len(new) != setting.max_new_tokens:
            raise RuntimeError(
                f"{name} made {len(new)} tokens on prompt {prompt.number + 1}, not {setting.max_new_tokens}"
            )
        if name in surveys and new != surveys[name].ids:
            raise RuntimeError(f"{name} made other tokens on prompt {prompt.number + 1} when it was timed")

    def recorded() -> list[int]:
        new, timings = ours_recorded(pair, prompt, setting, RECORDED)
        result.parts = [{part: block[part] for part in PARTS} for block in timings]
        return new

    def floor(rule: str) -> None:
        result.floor[rule] = floor_seconds(pair, surveys[rule].calls, clock)

    def costs() -> None:
        text = [*prompt.ids, *surveys[RECORDED].ids]
        result.costs = step_costs(pair, text, setting.gamma, clock)

    def generated(name: str, models: Pair) -> None:
        timed(f"plain{name}", lambda: generate(models, prompt, setting, assisted=False))
        timed(f"assisted{name}", lambda: generate(models, prompt, setting, assisted=True))

    turns: list[Callable[[], None]] = [
        *(functools.partial(generated, name, models) for name, models in generators.items()),
        lambda: timed("token", lambda: ours(pair, prompt, setting, "token")),
        lambda: floor("token"),
        lambda: timed("block", lambda: ours(pair, prompt, setting, "block")),
        lambda: floor("block"),
        lambda: timed("recorded", recorded),
        costs,
    ]
    shift = prompt.number % len(turns)
    for turn in turns[shift:] + turns[:shift]:
        gc.collect()
        turn()
    return result


def _target_calls(found: Survey) -> int:
    return sum(call.role == "target" for call in found.calls)
