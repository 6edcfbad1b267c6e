"""`specdemo bench`: our loop against plain and assisted generation and against its own bare forward passes, side by side.

`specdemo bench engine` goes from the machine's limits to whole decoding and shows what each step up costs; `specdemo bench batch` decodes
many texts at once; `specdemo bench rules` estimates
what every rule keeps on the same drafted blocks; `specdemo bench verify` measures the rules alone, without models, against reading their
arrays once; `specdemo bench server` lets a crowd of visitors step at a server of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from specdemo.cli import bench_server
from specdemo.cli.places import check_written, model_files

SCHEMA = "specdemo.bench/1"
BENCHED = ("stories", "austen")  # an easy text and a hard one; the others are the lab's


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=["loop", "engine", "batch", "rules", "verify", "server"],
        default="loop",
        help="loop: whole decoding on a pair (default); engine: from the machine's limits to whole decoding, and what each step up costs; "
        "batch: many texts at once against one by one; rules: expected tokens per target call of every rule, untimed; "
        "verify: one plan and decision of each rule at V = 151,936, γ = 8; "
        "server: visitors who step at a server of its own on this machine",
    )
    parser.add_argument(
        "--pair",
        default="stories",
        help="a pair of the registry, a target's hub id, or a target's folder (default: stories)",
    )
    parser.add_argument("--draft", help="one of the pair's drafts, a hub id or a folder (default: the pair's first)")
    parser.add_argument("--gamma", type=int, default=4, help="drafted tokens a block (default: 4)")
    parser.add_argument("--temperature", type=float, default=1.0, help="0 is greedy (default: 1)")
    parser.add_argument("--prompts", type=int, help="prompts of each kind of text (default: 30; engine: 6)")
    parser.add_argument("--prompt-file", type=Path, help="measure these prompts, one a line, instead of the project's")
    parser.add_argument("--max-new-tokens", type=int, help="tokens a prompt, for everyone (default: 100; engine: 64)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--threads", type=int, help="threads of torch, for everyone (default: 1; engine: what suits the pair)"
    )
    parser.add_argument(
        "--clock",
        choices=["wall", "cpu"],
        default="wall",
        help="cpu: processor time, for a machine that is busy otherwise",
    )
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps (default: cpu)")
    parser.add_argument("--dtype", default="auto", help="auto, float32, bfloat16, float16 or float64")
    parser.add_argument(
        "--stock",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="loop: measure transformers on weights as it lays them out in memory itself too, and compare with that (default)",
    )
    bench_server.arguments(parser)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a look, not a measurement: 4 prompts (engine: 2) of 32 tokens (batch: 16), where --prompts and --max-new-tokens do not say otherwise",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every measurement to FILE")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")


def run(options: argparse.Namespace) -> int:
    """Measure and print; progress on standard error."""
    engine = options.what == "engine"
    prompts, new_tokens = _sizes(options.what, options.quick)
    options.prompts = prompts if options.prompts is None else options.prompts
    options.max_new_tokens = new_tokens if options.max_new_tokens is None else options.max_new_tokens
    if options.threads is None and not engine:
        options.threads = 1
    files = [("--prompt-file", options.prompt_file)] if options.prompt_file else []
    check_written(options, "json", read=[*files, *model_files(options, [options.draft])])
    run_one = {
        "verify": _run_verify,
        "rules": _run_rules,
        "loop": _run_loop,
        "engine": _run_engine,
        "batch": _run_batch,
        "server": _run_server,
    }
    return run_one[options.what](options)


def _sizes(what: str, quick: bool) -> tuple[int, int]:
    """How many prompts of each kind of text, and tokens a prompt, where the person has not said."""
    if quick and what != "server":
        return {"engine": (2, 32), "batch": (4, 16)}.get(what, (4, 32))
    return (6, 64) if what == "engine" else (30, 100)


def _run_server(options: argparse.Namespace) -> int:
    texts = [text for some in _texts(options, options.prompts).values() for text in some]
    record, status = bench_server.measured(options, texts)
    if options.json:
        _write(options.json, {"schema": "specdemo.bench-server/1", **record})
    return status


def _run_verify(options: argparse.Namespace) -> int:
    from specdemo.lab.verify import verify_cost, verify_report

    repeats = 5 if options.quick else 30
    costs = [verify_cost(rule, 151_936, 8, repeats) for rule in ("token", "block", "greedy_block", "sampled_match")]
    print(verify_report(costs))
    if options.json:
        record = {"schema": "specdemo.bench-verify/1", "costs": [cost.to_json() for cost in costs]}
        _write(options.json, record)
    return 0


def _run_rules(options: argparse.Namespace) -> int:
    from specdemo.lab.competitors import Setting
    from specdemo.lab.expected import expected_report, expected_tokens
    from specdemo.lab.prompts import encoded_prompts
    from specdemo.verifiers import names

    count, new_tokens = options.prompts, options.max_new_tokens
    _check(options, count, new_tokens)
    texts, pair = _texts(options, count), _load(options)
    setting = Setting(options.gamma, options.temperature, new_tokens, options.seed)
    record = {**_head(pair, setting, options), "schema": "specdemo.bench-rules/1"}
    for name, prompts in texts.items():
        encoded = encoded_prompts(pair, prompts, setting)
        found = expected_tokens(pair, encoded, setting, names(), progress=_counted(name, len(encoded)))
        of = f"{len(encoded)} prompts, {found[0].blocks} blocks, γ={setting.gamma} T={setting.temperature:g}, draft {pair.draft_name}"
        print(
            f"{'## ' if options.markdown else ''}{name}: {of}\n\n{expected_report(found, markdown=options.markdown)}\n"
        )
        record["texts"][name] = [line.to_json() for line in found]
    if options.json:
        _write(options.json, record)
    return 0


def _counted(name: str, total: int) -> Any:
    return lambda done: print(f"{name} {done}/{total}", file=sys.stderr)


def _texts(options: argparse.Namespace, count: int) -> dict[str, list[str]]:
    from specdemo.lab.prompts import FOLDER, read_prompts

    paths = {name: FOLDER / f"{name}.txt" for name in BENCHED}
    if options.prompt_file:
        paths = {options.prompt_file.stem: options.prompt_file}
    return {name: read_prompts(path, count) for name, path in paths.items()}


def _run_loop(options: argparse.Namespace) -> int:
    import torch

    from specdemo.lab.bench import measure, stock_copy
    from specdemo.lab.competitors import CLOCKS, Setting
    from specdemo.lab.prompts import encoded_prompts
    from specdemo.lab.report import report
    from specdemo.lab.summary import summary

    count, new_tokens = options.prompts, options.max_new_tokens
    _check(options, count, new_tokens)
    setting = Setting(options.gamma, options.temperature, new_tokens, options.seed)
    texts = _texts(options, count)
    threads_before = torch.get_num_threads()
    pair = _load(options)
    torch.set_num_threads(options.threads)
    try:
        stock = stock_copy(pair) if options.stock else None
        bench = _head(pair, setting, options)
        for name, prompts in texts.items():
            encoded = encoded_prompts(pair, prompts, setting)
            progress = _progress(name, len(encoded))
            results = measure(pair, encoded, setting, CLOCKS[options.clock], progress, stock=stock)
            bench["texts"][name] = summary(results, setting.gamma)
            bench["measurements"][name] = [result.to_json() for result in results]
    finally:
        torch.set_num_threads(threads_before)
    print(report(bench, markdown=options.markdown))
    if options.json:
        _write(options.json, bench)
    return 0


def _run_engine(options: argparse.Namespace) -> int:
    from specdemo.cli.bench_engine import measured
    from specdemo.lab.competitors import Setting
    from specdemo.lab.engine_report import engine_report

    count, new_tokens = options.prompts, options.max_new_tokens
    _check(options, count, new_tokens)
    texts, pair = next(iter(_texts(options, count).values())), _load(options)
    setting = Setting(options.gamma, options.temperature, new_tokens, options.seed)
    found = measured(options, pair, texts, setting)
    head = _head(pair, setting, options)
    del head["texts"], head["measurements"]
    head["machine"]["limits"] = found.pop("machine")
    head["settings"]["prompts"] = len(texts)
    bench = {**head, **found, "schema": "specdemo.bench-engine/1"}
    print(engine_report(bench, markdown=options.markdown))
    if options.json:
        _write(options.json, bench)
    return 0


def _run_batch(options: argparse.Namespace) -> int:
    from specdemo.cli.bench_batch import measured
    from specdemo.lab.batch_bench import batch_report
    from specdemo.lab.competitors import Setting

    count, new_tokens = options.prompts, options.max_new_tokens
    _check(options, count, new_tokens)
    texts = [text for some in _texts(options, count).values() for text in some]
    pair, setting = _load(options), Setting(options.gamma, options.temperature, new_tokens, options.seed)
    found = measured(options, pair, texts, setting)
    of = f"{len(texts)} prompts, {new_tokens} tokens each · {pair.dtype} on {pair.device}, threads: {options.threads} · {options.clock} time"
    print(f"{pair.title}, draft {pair.draft_name} · T={setting.temperature:g} · {of}\n")
    print(batch_report(found, markdown=options.markdown))
    if options.json:
        head = _head(pair, setting, options)
        del head["texts"], head["measurements"]
        _write(options.json, {**head, **found, "schema": "specdemo.bench-batch/1"})
    return 0


def _write(path: Path, record: dict[str, Any]) -> None:
    path.write_text(json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n", encoding="utf-8")


def _check(options: argparse.Namespace, count: int, new_tokens: int) -> None:
    for name, value in (
        ("gamma", options.gamma),
        ("prompts", count),
        ("max-new-tokens", new_tokens),
        ("threads", options.threads),
    ):
        if value is not None and value < 1:
            raise ValueError(f"--{name} must be at least 1, got {value}")


def _load(options: argparse.Namespace) -> Any:
    from specdemo.cli.loading import asked_pair

    return asked_pair(options, options.draft)


def _head(pair: Any, setting: Any, options: argparse.Namespace) -> dict[str, Any]:
    from dataclasses import asdict

    from specdemo.trace.run import versions

    return {
        "schema": SCHEMA,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "versions": versions(),
        "machine": {"architecture": platform.machine(), "cores": os.cpu_count()},
        "pair": {
            "title": pair.title, "draft": pair.draft_name, "draft_revision": pair.draft_revision,
            "target_revision": pair.target_revision, "device": str(pair.device), "dtype": pair.dtype,
        },
        "settings": {**asdict(setting), "threads": options.threads, "clock": options.clock},
        "texts": {},
        "measurements": {},
    }  # fmt: skip


def _progress(name: str, total: int) -> Any:
    def show(done: int, result: Any) -> None:
        ratio = result.seconds["plain"] / result.seconds["block"]
        print(f"{name} {done}/{total}: ours (block) {ratio:.2f} × plain generate", file=sys.stderr)

    return show
