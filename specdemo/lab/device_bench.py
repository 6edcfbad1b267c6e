"""`make bench-cuda`: what decoding costs on a GPU, in one run of a few minutes: JSON and Markdown, with the card's name.

    python -m specdemo.lab.device_bench [--device cuda] [--tiny] [--json FILE]

The stories pair and random-weight pairs of published shapes, for several γ, with eager and with graphed passes: bare steps, the loop over its own
forward passes, and beside them transformers' plain and assisted generation, in turns on every prompt. Before that the tests of what runs on a
device, where the tests are at hand. Graphs, which are off elsewhere unless SPECDEMO_CUDA_GRAPHS=1, are measured in any case.
Exit status 2 where there is no such device, 1 where a test failed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from specdemo.decoding.recorded_models import eager_only
from specdemo.lab.blocks import survey
from specdemo.lab.competitors import Clock, Prompt, Setting, generate, on_equal_terms, ours
from specdemo.lab.device_passes import record_now, static_forward
from specdemo.lab.floor import Forwards, floor_seconds, step_costs
from specdemo.lab.machine import interleaved, timed, work_of
from specdemo.lab.prompts import FOLDER, encoded_prompts, read_prompts
from specdemo.lab.random_pairs import random_pair
from specdemo.lab.report import table
from specdemo.lab.statistics import spread
from specdemo.pairs import load_pair
from specdemo.pairs.pair import Pair

SCHEMA = "specdemo.bench-device/2"
RULE = "block"
DEVICE_TESTS = [
    Path("tests/decoding") / name for name in ("test_device.py", "test_graphed.py", "test_graphed_safety.py")
]
_READ = 256 * 2**20  # bytes copied on the device to learn its bandwidth


def device_clock(device: torch.device) -> Clock:
    """Wall time at which the device has done all it was given."""

    def clock() -> float:
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        return time.perf_counter()

    return clock


def measured(pair: Pair, prompts: Sequence[Prompt], setting: Setting, clock: Clock) -> dict[str, Any]:
    """One pair at one γ: milliseconds of steps and of a block, eager and graphed, and tokens/s; medians with quartiles over prompts.

    `graphed` is what refused it, in words, where recorded passes could not be had.
    """
    text = (prompts[0].ids * (1 + 64 // len(prompts[0].ids)))[:64]
    refused = record_now(pair, text, setting.gamma)
    ways: dict[str, Forwards | None] = {"eager": None} if refused else {"eager": None, "graphed": static_forward}
    seconds: dict[str, list[float]] = {
        name: [] for name in ("plain", "assisted", *ways, *(f"bare {way}" for way in ways))
    }
    blocks: list[int] = []

    def eager(prompt: Prompt) -> list[int]:
        with eager_only(pair.draft_model, pair.target_model):
            return ours(pair, prompt, setting, RULE)

    with on_equal_terms(pair, setting):
        runs: dict[str, Callable[[Prompt], list[int]]] = {
            "plain": lambda prompt: generate(pair, prompt, setting, assisted=False),
            "assisted": lambda prompt: generate(pair, prompt, setting, assisted=True),
            "eager": eager,
            "graphed": lambda prompt: ours(pair, prompt, setting, RULE),
        }
        runs = {name: run for name, run in runs.items() if name in seconds}
        for run in runs.values():
            run(prompts[0])  # the first of each is slower
        for prompt in prompts:
            calls = survey(pair, prompt, setting, RULE, []).calls
            blocks.append(sum(call.role == "target" for call in calls))
            names, shift = list(runs), prompt.number % len(runs)
            for name in names[shift:] + names[:shift]:
                started = clock()
                runs[name](prompt)
                seconds[name].append(clock() - started)
            for way, forwards in ways.items():
                seconds[f"bare {way}"].append(floor_seconds(pair, calls, clock, forwards))
        found = {way: _way(seconds[way], seconds[f"bare {way}"], blocks) for way in ways}
        for way, forwards in ways.items():
            steps = step_costs(pair, text, setting.gamma, clock, 10, forwards)
            found[way]["steps_ms"] = {name: _spread([1e3 * s for s in times[1:]]) for name, times in steps.items()}
    return {
        "gamma": setting.gamma,
        "graphed": refused,
        "ways": found,
        "tokens_per_second": {name: _spread([setting.max_new_tokens / s for s in seconds[name]]) for name in runs},
    }


def _way(loops: Sequence[float], bares: Sequence[float], blocks: Sequence[int]) -> dict[str, Any]:
    each = list(zip(loops, bares, blocks, strict=True))
    return {
        "loop_ms": _spread([1e3 * loop / count for loop, _, count in each]),
        "bare_ms": _spread([1e3 * bare / count for _, bare, count in each]),
        "loop_over_bare": _spread([loop / bare - 1 for loop, bare, _ in each]),
    }


def bandwidth(device: torch.device, size: int, clock: Clock) -> dict[str, float]:
    """GB/s at which the device copies: bytes read and written together."""
    source, target = (torch.ones(size // 4, device=device) for _ in range(2))
    seconds = interleaved({"copy": timed(lambda: target.copy_(source), clock)}, rounds=5)["copy"]
    return _spread([2 * size / 1e9 / s for s in seconds])


def bench(device: str, *, tiny: bool) -> Iterator[dict[str, Any]]:
    """The record of each pair in turn; `tiny`: a small pair alone, one γ, to see that it runs."""
    place = torch.device(device)
    clock = device_clock(place)
    dtype = torch.bfloat16 if place.type == "cuda" else torch.float32
    shapes = [("tiny", "tiny target")] if tiny else [None, ("135M", "360M"), ("135M", "1.7B")]
    gammas, count, new = ([2], 1, 8) if tiny else ([2, 4, 8], 4, 64)
    for shape in shapes:
        pair = load_pair("stories", device=device) if shape is None else random_pair(*shape, device, dtype)
        found = []
        for gamma in gammas:
            setting = Setting(gamma=gamma, max_new_tokens=new)
            prompts = encoded_prompts(pair, read_prompts(FOLDER / "stories.txt", count), setting)
            found.append(measured(pair, prompts, setting, clock))
        yield {
            "pair": pair.title, "draft": pair.draft_name, "dtype": pair.dtype,
            "bytes": {"draft": work_of(pair.draft_model).read, "target": work_of(pair.target_model).read}, "found": found,
        }  # fmt: skip


def report(record: dict[str, Any]) -> str:
    """The record in Markdown."""
    parts = [f"{record['card']}, PyTorch {record['torch']}: copies {_shown(record['copy_gb_s'], '{:.0f}')} GB/s."]
    header = [
        "γ", "passes", "draft step", "target step", "target, γ+1", "bare block", "loop", "over bare", "tokens/s", "plain", "assisted",
    ]  # fmt: skip
    for one in record["pairs"]:
        rows = [
            [
                str(f["gamma"]), way, *(f"{_shown(w['steps_ms'][s], '{:.2f}')} ms" for s in ("draft_step", "target_step", "target_call")),
                f"{_shown(w['bare_ms'], '{:.2f}')} ms", f"{_shown(w['loop_ms'], '{:.2f}')} ms", _shown(w["loop_over_bare"], "{:+.1%}"),
                *(_shown(f["tokens_per_second"][name], "{:.0f}") for name in (way, "plain", "assisted")),
            ]
            for f in one["found"] for way, w in f["ways"].items()
        ]  # fmt: skip
        size = one["bytes"]
        read = f"a step reads {size['draft'] / 1e6:.0f} and {size['target'] / 1e6:.0f} MB"
        parts.append(f"{one['pair']}, draft {one['draft']}, {one['dtype']}; {read}.")
        parts.append(table(header, rows, markdown=True))
        parts += [f"No graphed passes at γ = {f['gamma']}: {f['graphed']}." for f in one["found"] if f["graphed"]]
    return "\n\n".join([*parts, "The last three columns are tokens/s; medians [quartiles] over prompts."]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Test, measure, print; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m specdemo.lab.device_bench", description="What decoding costs on a GPU.")  # fmt: skip
    parser.add_argument("--device", default="cuda", help="cuda (default) or, to try the script, cpu")
    parser.add_argument("--tiny", action="store_true", help="tiny models and few tokens: to see that it runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the record to FILE")
    options = parser.parse_args(arguments)
    if options.device.startswith("cuda") and not torch.cuda.is_available():
        print("there is no CUDA device here: nothing was measured (--device cpu --tiny tries the script)", file=sys.stderr)  # fmt: skip
        return 2
    place = torch.device(options.device)
    if place.type == "cuda" and all(path.exists() for path in DEVICE_TESTS):
        tests = subprocess.run([sys.executable, "-m", "pytest", "-q", *map(str, DEVICE_TESTS)], check=False)
        if tests.returncode:
            return 1
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "card": torch.cuda.get_device_name(place) if place.type == "cuda" else str(place),
        "torch": torch.__version__,
        "copy_gb_s": bandwidth(place, _READ // (64 if options.tiny else 1), device_clock(place)),
        "pairs": [],
    }
    for one in bench(options.device, tiny=options.tiny):
        print(f"{one['pair']}: measured", file=sys.stderr)
        record["pairs"].append(one)
    print(report(record))
    print(json.dumps(record, ensure_ascii=False, allow_nan=False))
    if options.json:
        options.json.write_text(json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n", encoding="utf-8")  # fmt: skip
    return 0


def _spread(values: list[float]) -> dict[str, float]:
    return spread(values).to_json()


def _shown(values: dict[str, float], form: str) -> str:
    return f"{form.format(values['median'])} [{form.format(values['low'])}, {form.format(values['high'])}]"


if __name__ == "__main__":
    sys.exit(main())
