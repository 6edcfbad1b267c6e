"""`make bench-cuda`: what decoding costs on a GPU, in one run of at most ten minutes: JSON and Markdown, with the card's name.

    python -m specdemo.lab.device_bench [--device cuda] [--tiny] [--json FILE] [--lines FILE]

The stories pair and random-weight pairs of published shapes, for several γ, with eager and with graphed passes: bare steps, the loop over its own
forward passes, and beside them transformers' plain and assisted generation, in turns on every prompt; last the tests of what runs on a device, where
they are at hand. Each pair is a process with a limit, and each figure a line of a file as soon as it is known (`device_stages.py`): what fails, or
hangs, is named, and the rest is there. Exit status 2 where there is no such device, 1 where a figure is missing or a test failed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from specdemo.decoding.recorded_models import eager_only
from specdemo.decoding.recorder import first_line
from specdemo.lab.blocks import survey
from specdemo.lab.competitors import Clock, Prompt, Setting, generate, on_equal_terms, ours
from specdemo.lab.device_passes import record_now, static_forward
from specdemo.lab.device_stages import Line, noted, run_stages, write, written
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
# Seconds, ten minutes in all; a pair's γ that are done are written when its time is over.
STAGES = {"card": 40, "stories": 100, "135M → 360M": 150, "135M → 1.7B": 190, "tests": 110}
TINY_STAGES = {"card": 120, "tiny → tiny target": 300}
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


def pair_lines(shape: tuple[str, str] | None, device: str, *, tiny: bool) -> Iterator[Line]:
    """A line for each γ of a pair (None: stories), in the type that the app decodes in; `tiny`: one γ and one short text, to see that it runs."""
    clock = device_clock(torch.device(device))
    gammas, count, new = ([2], 1, 8) if tiny else ([4, 2, 8], 4, 64)
    pair = load_pair("stories", device=device) if shape is None else random_pair(*shape, device, torch.float32)
    facts = {
        "pair": pair.title, "draft": pair.draft_name, "dtype": pair.dtype,
        "bytes": {"draft": work_of(pair.draft_model).read, "target": work_of(pair.target_model).read},
    }  # fmt: skip
    for gamma in gammas:
        setting = Setting(gamma=gamma, max_new_tokens=new)
        try:
            prompts = encoded_prompts(pair, read_prompts(FOLDER / "stories.txt", count), setting)
            yield {**facts, "found": measured(pair, prompts, setting, clock)}
        except Exception as error:
            yield {**facts, "gamma": gamma, "error": first_line(error)}


def whole(lines: Sequence[Line]) -> dict[str, Any]:
    """The record of the lines that there are: what is known of the card, its pairs with what was `found` at each γ, and what `failed`."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "card": None,
        "torch": torch.__version__,
        "copy_gb_s": None,
        "pairs": [],
        "failed": [],
    }
    pairs: dict[str, dict[str, Any]] = {}
    for line in lines:
        if "copy_gb_s" in line:
            record |= line
        elif "found" in line:
            facts = {name: value for name, value in line.items() if name != "found"}
            pairs.setdefault(line["pair"], {**facts, "found": []})["found"].append(line["found"])
        elif "error" in line:
            about = f"{line['pair']}, γ = {line['gamma']}" if "pair" in line else line["stage"]
            record["failed"].append(f"{about}: {line['error']}")
        elif line.get("status", 0) != 0:
            how = line["status"] if isinstance(line["status"], str) else f"exit status {line['status']}"
            record["failed"].append(f"stage {line['stage']}: {how} after {line['seconds']:.0f} s")
    for pair in pairs.values():
        pair["found"].sort(key=lambda found: found["gamma"])
    record["pairs"] = list(pairs.values())
    return record


def report(record: dict[str, Any]) -> str:
    """The record in Markdown."""
    parts = [f"{record['card'] or 'An unknown device'}, PyTorch {record['torch']}."]
    if record["copy_gb_s"]:
        parts = [f"{parts[0][:-1]}: copies {_shown(record['copy_gb_s'], '{:.0f}')} GB/s."]
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
    parts += [f"Not measured: {words}." for words in record.get("failed", [])]
    return "\n\n".join([*parts, "The last three columns are tokens/s; medians [quartiles] over prompts."]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, test, print; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m specdemo.lab.device_bench", description="What decoding costs on a GPU.")  # fmt: skip
    parser.add_argument("--device", default="cuda", help="cuda (default) or, to try the script, cpu")
    parser.add_argument("--tiny", action="store_true", help="tiny models and few tokens: to see that it runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the record to FILE")
    parser.add_argument("--lines", type=Path, metavar="FILE", help="where each figure is added as soon as it is known")
    parser.add_argument("--stage", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.device.startswith("cuda") and not torch.cuda.is_available():
        print("there is no CUDA device here: nothing was measured (--device cpu --tiny tries the script)", file=sys.stderr)  # fmt: skip
        return 2
    if options.stage:
        return _stage(options.stage, options.device, options.tiny, options.lines)
    with tempfile.TemporaryDirectory() as folder:
        lines = options.lines or Path(folder) / "lines.jsonl"
        before = len(written(lines))
        command = [
            sys.executable, "-m", "specdemo.lab.device_bench", "--device", options.device, "--lines", str(lines),
            *(["--tiny"] if options.tiny else []), "--stage",
        ]  # fmt: skip
        run_stages(lambda stage: [*command, stage], TINY_STAGES if options.tiny else STAGES, lines)
        record = whole(written(lines)[before:])
    print(report(record))
    print(json.dumps(record, ensure_ascii=False, allow_nan=False))
    if options.json:
        options.json.write_text(json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n", encoding="utf-8")  # fmt: skip
    return 1 if record["failed"] else 0


def _stage(stage: str, device: str, tiny: bool, lines: Path) -> int:
    place = torch.device(device)
    if stage == "card":
        card = torch.cuda.get_device_name(place) if place.type == "cuda" else str(place)
        rate = bandwidth(place, _READ // (64 if tiny else 1), device_clock(place))
        write(lines, {"card": card, "torch": torch.__version__, "copy_gb_s": rate})
    elif stage == "tests":
        if not all(path.exists() for path in DEVICE_TESTS):
            return 0
        return subprocess.run([sys.executable, "-m", "pytest", "-q", *map(str, DEVICE_TESTS)], check=False).returncode
    else:
        draft, _, target = stage.partition(" → ")
        with noted(lines, stage=stage):
            for line in pair_lines((draft, target) if target else None, device, tiny=tiny):
                write(lines, line)
    return 0


def _spread(values: list[float]) -> dict[str, float]:
    return spread(values).to_json()


def _shown(values: dict[str, float], form: str) -> str:
    return f"{form.format(values['median'])} [{form.format(values['low'])}, {form.format(values['high'])}]"


if __name__ == "__main__":
    sys.exit(main())
