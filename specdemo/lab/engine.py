"""How far decoding is from what the machine allows: the machine, the bare forward passes, the loop and transformers, in one run.

From below upwards, each in turns with the others: the machine's limits, forward passes of both models (lean, and transformers' own), a
block of the loop, the same with its record, and transformers' plain and assisted generation on weights as transformers lays them out.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from specdemo.lab.bench import PARTS, RECORDED
from specdemo.lab.blocks import survey
from specdemo.lab.competitors import Clock, Prompt, Setting, generate, on_equal_terms, ours, ours_recorded
from specdemo.lab.floor import Bare, ForwardCall, floor_seconds
from specdemo.lab.machine import COPIED, SIDE, Job, Work, copying, interleaved, multiplying, reading, timed, work_of
from specdemo.lab.many_blocks import MOST_TOKENS, many_blocks
from specdemo.lab.statistics import spread
from specdemo.pairs.pair import Pair

RUNS = ("plain", "assisted", "ours", "recorded")
Roles = dict[str, Work]


def engine_bench(
    pair: Pair,
    stock: Pair,
    prompts: Sequence[Prompt],
    setting: Setting,
    clock: Clock,
    *,
    rounds: int = 12,
    progress: Callable[[str], None] = lambda said: None,
) -> dict[str, Any]:
    """The figures as plain data: `machine`, `passes` by name, `block`, `many_blocks`, `speed` and `ratios` between the runs.

    `stock` is the same pair with weights as transformers lays them out. Medians with quartiles, over rounds or prompts; every ratio is taken
    within a round or a prompt. Raises ValueError for a pair that is not on the CPU.
    """
    if pair.device.type != "cpu":
        raise ValueError(f"bench engine measures on the CPU so far, this pair is on {pair.device}")
    works = {"draft": work_of(pair.draft_model), "target": work_of(pair.target_model)}
    progress("forward passes")
    seconds = _passes(pair, stock, works, prompts[0], setting, clock, rounds)
    with on_equal_terms(stock, setting), on_equal_terms(pair, setting):
        for assisted in (False, True):  # the first run of each is slower
            generate(stock, prompts[0], setting, assisted=assisted)
        found = []
        for prompt in prompts:
            found.append(_on_prompt(pair, stock, prompt, setting, clock))
            progress(f"prompt {len(found)} of {len(prompts)}")
    progress("many blocks")
    long = many_blocks(
        pair, prompts[0], replace(setting, max_new_tokens=MOST_TOKENS), clock, RECORDED, (rounds + 3) // 4
    )
    limit = {name: _Limit(work, seconds, name) for name, work in works.items()}
    return {
        "machine": {
            "copy_gb_s": _spread([2 * COPIED / 1e9 / s for s in seconds["copy"]]),
            "gflop_s": _spread([2 * SIDE**3 / 1e9 / s for s in seconds["multiply"]]),
        },
        "passes": {
            f"{role}, {_tokens(rows)}": _pass(works[role], seconds, role, rows) for role, rows in _fed(setting.gamma)
        },
        "block": _block(found, limit)
        | {f"{name.replace(' ', '_')}_ms": _spread(_ms(seconds[name])) for name in ("laws", "read laws")},
        "many_blocks": long,
        "speed": {run: _spread([setting.max_new_tokens / one["seconds"][run] for one in found]) for run in RUNS},
        "ratios": {
            run: {base: _spread([one["seconds"][base] / one["seconds"][run] for one in found]) for base in RUNS}
            for run in RUNS
        },
    }


def _fed(gamma: int) -> list[tuple[str, int]]:
    return [("draft", 1), ("target", 1), ("target", gamma + 1)]


def _tokens(rows: int) -> str:
    return "1 token" if rows == 1 else f"{rows} tokens"


def _passes(
    pair: Pair, stock: Pair, works: Roles, prompt: Prompt, setting: Setting, clock: Clock, rounds: int
) -> dict[str, list[float]]:
    jobs: dict[str, Job] = {"copy": copying(clock), "multiply": multiplying(clock)}
    jobs |= {f"read {role}": reading(work.read, clock) for role, work in works.items()}
    jobs |= _laws(pair.vocab_size, setting.gamma, clock)
    text = [*prompt.ids, *survey(pair, prompt, setting, RECORDED, [RECORDED]).ids]
    for way, models, lean in (("lean", pair, True), ("eager", stock, False)):
        for role, rows in _fed(setting.gamma):
            model = models.draft_model if role == "draft" else models.target_model
            jobs[f"{way} {role} {rows}"] = _forward(Bare(model, clock, lean), text, rows)
    return interleaved(jobs, rounds)


def _laws(vocab_size: int, gamma: int, clock: Clock) -> dict[str, Job]:
    """What no loop can leave out: a block's logits made into float64 laws, as they come, and these laws read once."""
    import torch

    logits = torch.randn(gamma + 1, vocab_size, generator=torch.Generator().manual_seed(0))
    rows = logits.split(1)[:gamma]

    def softmax() -> None:
        for given in (*rows, logits):
            torch.softmax(given, 1, dtype=torch.float64)

    laws = torch.softmax(torch.cat([logits, *rows]), 1, dtype=torch.float64).numpy()
    return {"laws": timed(softmax, clock), "read laws": timed(lambda: laws.sum(), clock)}


def _forward(bare: Bare, text: list[int], rows: int) -> Job:
    """A job that feeds the last tokens of the text after what is before them, which is cached."""
    import torch

    ids = torch.tensor([text])
    cached = len(text) - rows
    with torch.inference_mode():
        bare.seconds(ids[:, :cached], 1)

    def job() -> float:
        bare.step_back(cached)
        return bare.seconds(ids[:, cached:], rows)

    return job


def _pass(work: Work, seconds: dict[str, list[float]], role: str, rows: int) -> dict[str, Any]:
    read, multiply = seconds[f"read {role}"], seconds["multiply"]
    floor = [work.floor(rows, r, m) for r, m in zip(read, multiply, strict=True)]
    lean, eager = seconds[f"lean {role} {rows}"], seconds[f"eager {role} {rows}"]
    return {
        "weights": work.weights,
        "bytes": work.read,
        "operations": work.operations(rows),
        "floor_ms": _spread(_ms(floor)),
        "lean_ms": _spread(_ms(lean)),
        "eager_ms": _spread(_ms(eager)),
        "lean_over_floor": _spread([a / b for a, b in zip(lean, floor, strict=True)]),
        "eager_over_lean": _spread([a / b for a, b in zip(eager, lean, strict=True)]),
    }


class _Limit:
    """The floor of a model's forward calls, from the median limits of the machine."""

    def __init__(self, work: Work, seconds: dict[str, list[float]], role: str) -> None:
        self._work = work
        self._read, self._multiply = (spread(seconds[name]).median for name in (f"read {role}", "multiply"))

    def of(self, call: ForwardCall) -> float:
        return self._work.floor(call.fed, self._read, self._multiply)


def _on_prompt(pair: Pair, stock: Pair, prompt: Prompt, setting: Setting, clock: Clock) -> dict[str, Any]:
    calls = survey(pair, prompt, setting, RECORDED, [RECORDED]).calls
    found: dict[str, Any] = {"calls": calls, "seconds": {}, "parts": []}

    def timed(name: str, run: Callable[[], Any]) -> None:
        started = clock()
        run()
        found["seconds"][name] = clock() - started

    def recorded() -> None:
        found["parts"] = ours_recorded(pair, prompt, setting, RECORDED)[1]

    def bare() -> None:
        found["bare"] = floor_seconds(pair, calls, clock)

    turns: list[Callable[[], None]] = [
        lambda: timed("plain", lambda: generate(stock, prompt, setting, assisted=False)),
        lambda: timed("assisted", lambda: generate(stock, prompt, setting, assisted=True)),
        functools.partial(timed, "ours", lambda: ours(pair, prompt, setting, RECORDED)),
        bare,
        functools.partial(timed, "recorded", recorded),
    ]
    shift = prompt.number % len(turns)
    for turn in turns[shift:] + turns[:shift]:
        gc.collect()
        turn()
    return found


def _block(found: list[dict[str, Any]], limit: dict[str, _Limit]) -> dict[str, Any]:
    """Milliseconds of a block, and what each step up costs; `parts` is wall time of the run with its record."""

    def each(of: Callable[[dict[str, Any]], float]) -> dict[str, float]:
        return _spread([of(one) * 1e3 / len(one["parts"]) for one in found])

    blocks = [block for one in found for block in one["parts"]]
    return {
        "blocks": len(blocks),
        "floor_ms": each(lambda one: sum(limit[call.role].of(call) for call in one["calls"])),
        "bare_ms": each(lambda one: one["bare"]),
        "loop_ms": each(lambda one: one["seconds"]["ours"]),
        "recorded_ms": each(lambda one: one["seconds"]["recorded"]),
        "loop_over_bare": _spread([one["seconds"]["ours"] / one["bare"] - 1 for one in found]),
        "recorded_over_loop": _spread([one["seconds"]["recorded"] / one["seconds"]["ours"] - 1 for one in found]),
        "parts": {part: spread([block[part] for block in blocks]).median for part in PARTS},
    }


def _ms(seconds: list[float]) -> list[float]:
    return [1e3 * s for s in seconds]


def _spread(values: list[float]) -> dict[str, float]:
    return spread(values).to_json()
