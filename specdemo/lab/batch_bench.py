"""What decoding many texts at once gains: tokens a second one by one and in batches, and cells a second of a sweep, side by side in one run."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Sequence
from typing import Any

import torch

from specdemo.decoding import speculative_decode
from specdemo.decoding.batched import decode_many
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.competitors import Clock, Prompt, Setting
from specdemo.lab.forked import Forked
from specdemo.lab.report import table
from specdemo.lab.statistics import spread
from specdemo.lab.sweep_batched import BatchedEngine
from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Cell, Grid, PairIdentity
from specdemo.lab.sweep_engine import Engine
from specdemo.lab.sweep_forked import ForkedEngine
from specdemo.lab.sweep_settings import BATCH
from specdemo.lab.tasks import Task
from specdemo.pairs.pair import Pair

SIZES = (4, 16, 64)
ALONE = "one by one"
_SWEPT = 8  # prompts of the sweep
_GAMMAS = (4, 6, 8)  # of the paper's table

Texts = list[list[int]]


def batch_bench(
    pair: Pair,
    prompts: Sequence[Prompt],
    setting: Setting,
    clock: Clock,
    *,
    rounds: int = 3,
    processes: int = 1,
    progress: Callable[[str], None] = lambda said: None,
) -> dict[str, Any]:
    """The figures as plain data: for plain decoding, for the block rule and for a sweep, work a second by way and its ratio to one by one.

    Every way does the same work in every round, in an order that rotates; ratios are taken within a round. `same_results`:
    whether they are those of one by one (texts; of a sweep the statistics), to the bit. Several `processes`, each with a batch, are measured
    with the time that it takes to fork them; `clock` must then be a clock of the wall.
    """
    found: dict[str, Any] = {}
    works = {"plain decoding": 0, f"block, γ = {setting.gamma}": setting.gamma}
    for name, gamma in works.items():
        ways: dict[str, Callable[[], Texts]] = {ALONE: functools.partial(_alone, pair, prompts, setting, gamma)}
        for size in SIZES:
            ways[f"batch {size}"] = functools.partial(_together, pair, prompts, setting, gamma, size)
        if processes > 1:
            ways[_several(processes)] = functools.partial(_forked, pair, prompts, setting, gamma, processes)
        found[name] = _in_turns(ways, len(prompts) * setting.max_new_tokens, "tokens", clock, rounds, progress, name)
    cells = _cells(pair, prompts[:_SWEPT], setting)
    sweeps: dict[str, Callable[[], Any]] = {
        ALONE: lambda: [measure(pair, cell)["statistics"] for cell in cells],
        f"batch {BATCH}": lambda: _swept(BatchedEngine(lambda draft: pair, (pair,)), cells),
    }
    if processes > 1:
        sweeps[_several(processes)] = lambda: _swept(ForkedEngine((pair,), processes), cells)
    name = f"a sweep, γ = {', '.join(map(str, _GAMMAS))}"
    found[name] = _in_turns(sweeps, len(cells), "cells", clock, rounds, progress, name)
    return {"works": found}


def _alone(pair: Pair, prompts: Sequence[Prompt], setting: Setting, gamma: int) -> Texts:
    return [
        speculative_decode(
            pair.draft_model, pair.target_model, prompt.rows, gamma, max_new_tokens=setting.max_new_tokens, verifier="block",
            temperature=setting.temperature, eos_token_id=[], uniforms=PhiloxUniforms(setting.seed, prompt.number),
        )[0, len(prompt.ids) :].tolist()
        for prompt in prompts
    ]  # fmt: skip


def _together(pair: Pair, prompts: Sequence[Prompt], setting: Setting, gamma: int, size: int) -> Texts:
    return decode_many(
        pair.draft_model, pair.target_model, [prompt.ids for prompt in prompts], gamma, batch=size, seed=setting.seed, verifier="block",
        streams=[prompt.number for prompt in prompts], max_new_tokens=setting.max_new_tokens, temperature=setting.temperature, eos_token_id=[],
    )  # fmt: skip


def _several(processes: int) -> str:
    return f"{processes} × batch {BATCH}"


def _forked(pair: Pair, prompts: Sequence[Prompt], setting: Setting, gamma: int, processes: int) -> Texts:
    def decoding(share: Sequence[Prompt]) -> Callable[[Any], None]:
        return lambda pipe: pipe.send(_together(pair, share, setting, gamma, BATCH))

    workers, found = list[Forked](), Texts([[]] * len(prompts))
    try:
        for number in range(processes):
            workers.append(Forked(decoding(prompts[number::processes]), workers))
        for number, worker in enumerate(workers):
            found[number::processes] = worker.receive()
    finally:
        for worker in workers:
            worker.end()
    return found


def _cells(pair: Pair, prompts: Sequence[Prompt], setting: Setting) -> list[Cell]:
    task = Task("bench", "bench", "", tuple(prompt.text for prompt in prompts))
    grid = Grid(
        (task,),
        gammas=_GAMMAS,
        temperatures=(setting.temperature,),
        seeds=(setting.seed,),
        max_new_tokens=setting.max_new_tokens,
    )
    return list(grid.cells([PairIdentity.of(pair)]))


def _swept(engine: Engine, cells: Sequence[Cell]) -> list[dict[str, Any]]:
    rows = {row["key"]: row["statistics"] for row in engine.run(iter(cells), lambda: False)}
    return [rows[cell.key] for cell in cells]


def _in_turns(
    ways: dict[str, Callable[[], Any]],
    work: int,
    unit: str,
    clock: Clock,
    rounds: int,
    progress: Callable[[str], None],
    name: str,
) -> dict[str, Any]:
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    same = dict.fromkeys(ways, True)
    for number in range(rounds):
        results = {}
        order = [*ways][number % len(ways) :] + [*ways][: number % len(ways)]
        for way in order:
            gc.collect()
            started = clock()
            with torch.inference_mode():
                results[way] = ways[way]()
            seconds[way].append(clock() - started)
        for way in ways:
            same[way] = same[way] and results[way] == results[ALONE]
        progress(f"{name}: round {number + 1} of {rounds}")
    return {
        "unit": unit,
        "ways": {
            way: {
                "per_second": spread([work / s for s in seconds[way]]).to_json(),
                "over_alone": spread([a / s for a, s in zip(seconds[ALONE], seconds[way], strict=True)]).to_json(),
                "same_results": same[way],
            }
            for way in ways
        },
    }


def batch_report(bench: dict[str, Any], *, markdown: bool = False) -> str:
    """The figures as a table for a terminal, or in Markdown."""
    rows = []
    for name, work in bench["works"].items():
        for way, one in work["ways"].items():
            rows.append(
                [
                    name,
                    way,
                    f"{one['per_second']['median']:.{0 if work['unit'] == 'tokens' else 1}f} {work['unit']}",
                    "" if way == ALONE else f"{one['over_alone']['median']:.2f}",
                    "" if way == ALONE else "yes" if one["same_results"] else "no",
                ]
            )
    return table(["", "", "a second", "× one by one", "same results"], rows, markdown=markdown)
