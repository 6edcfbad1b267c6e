"""`specdemo compare "prompt"`: several rules on the same drafted blocks, block by block; their race; and whether their law is one.

`--json` and `--csv` write everything as data: {"schema": "specdemo.comparison/1", "trace", "race", "law"} and one file a table.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from specdemo.cli.decode import decoding_arguments, prompt_mode, temperature
from specdemo.cli.stopping import stoppable

SCHEMA = "specdemo.comparison/1"
SAMPLES, MOST_SAMPLES = 600, 5000
_MEASURED = ("gamma", "temperature", "top_k", "top_p", "seed", "prompt_mode")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "prompt",
        nargs="?",
        help="the text to continue, or the message to answer; only a race with --prompts needs none",
    )
    parser.add_argument(
        "--rules",
        default="token,block",
        help="one to four, with commas (see `specdemo verifiers`; default: token,block)",
    )
    parser.add_argument("--follow", help="the rule that the text follows (default: block, or else the first)")
    decoding_arguments(parser)
    parser.add_argument(
        "--race", action="store_true", help="let every rule decode on its own, and plain decoding beside them"
    )
    parser.add_argument(
        "--prompts",
        metavar="SET|FILE",
        help="race over a set of prompts (stories, austen, code, verse, …: see docs/lab-tasks.md) or those of a file "
        "(.txt: one a line, .csv, .json, .jsonl) instead of the prompt",
    )
    parser.add_argument(
        "--runs",
        type=int,
        metavar="N",
        help="take only the first N of --prompts (default: all; the 40 of a set take about a minute on two cores)",
    )
    parser.add_argument("--seeds", type=int, help="race every prompt with so many seeds (default: 1)")
    parser.add_argument(
        "--law", action="store_true", help="compare the law of the next token, and decode the next two many times"
    )
    parser.add_argument("--samples", type=int, help=f"how many times, at most {MOST_SAMPLES} (default: {SAMPLES})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all records to FILE")
    parser.add_argument("--csv", type=Path, metavar="FOLDER", help="also write all tables to FOLDER")
    parser.add_argument("--color", choices=["auto", "always", "never"], default="auto")


def run(options: argparse.Namespace) -> int:
    """Compare and print, block by block; races and checks tell their progress on standard error. Ctrl-C keeps what is finished."""
    from specdemo.verifiers import get

    rules, follow = _rules(options)
    _check(options)
    options.prompt_mode, options.temperature = prompt_mode(options), temperature(options)
    lossless = {rule: get(rule).lossless for rule in rules}  # a wrong name should not wait for the models
    prompts = _prompts(options) if options.race else []
    pair = _load(options)
    _print_heading(pair, options, rules)
    found: dict[str, Any] = {"schema": SCHEMA, "trace": None, "race": None, "law": None}
    with stoppable() as stopped:
        parts = {"trace": options.prompt is not None, "race": options.race, "law": options.law}
        make = {
            "trace": lambda: _trace(pair, options, rules, follow, stopped),
            "race": lambda: _race(pair, options, rules, prompts, stopped),
            "law": lambda: _law(pair, options, rules, stopped),
        }
        for part in [name for name, wanted in parts.items() if wanted]:
            if not stopped():
                found[part] = make[part]()
        ended = stopped()
    _write(options, found, lossless)
    if ended:
        print("stopped", file=sys.stderr)
    return 130 if ended else 0


def _rules(options: argparse.Namespace) -> tuple[list[str], str]:
    rules = [rule.strip() for rule in options.rules.split(",") if rule.strip()]
    if not 1 <= len(rules) <= 4 or len(set(rules)) < len(rules):
        raise ValueError(f"--rules takes one to four different rules with commas between them, got {options.rules!r}")
    follow = options.follow or ("block" if "block" in rules else rules[0])
    if follow not in rules:
        raise ValueError(f"--follow {follow}: the text can only follow one of the compared rules, {', '.join(rules)}")
    return rules, follow


def _check(options: argparse.Namespace) -> None:
    if options.prompt is None and (options.law or not (options.race and options.prompts)):
        raise ValueError("give a prompt; only --race with --prompts does without")
    if options.prompts and not options.race:
        raise ValueError("--prompts are for --race: the blocks and the law of one prompt are compared")
    for name, needed in (("runs", "prompts"), ("seeds", "race"), ("samples", "law")):
        given = getattr(options, name)
        if given is not None and given < 1:
            raise ValueError(f"--{name} must be at least 1, got {given}")
        if given is not None and not getattr(options, needed):
            raise ValueError(f"--{name} says something only together with --{needed}")
    if options.samples and options.samples > MOST_SAMPLES:
        raise ValueError(f"--samples must be at most {MOST_SAMPLES}, got {options.samples}")
    options.seeds, options.samples = options.seeds or 1, options.samples or SAMPLES
    _check_places(options)


def _check_places(options: argparse.Namespace) -> None:
    from specdemo.cli.places import check_apart, check_written, model_files
    from specdemo.lab.compare_tables import FILES
    from specdemo.lab.prompts import TEXTS

    own = [("--prompts", Path(options.prompts))] if options.prompts and options.prompts not in TEXTS else []
    read = [*own, *model_files(options, [options.draft])]
    check_written(options, "json", read=read)
    if options.csv is None:
        return
    if not options.csv.absolute().parent.is_dir():
        raise ValueError(f"--csv: the folder of {options.csv} does not exist")
    if options.csv.exists() and not options.csv.is_dir():
        raise ValueError(f"--csv: {options.csv} is a file, a folder is needed")
    written = [] if options.json is None else [("--json", options.json)]
    tables = [("--csv", options.csv / name) for name in FILES]
    check_apart([*written, ("--csv", options.csv), *tables], read)


def _prompts(options: argparse.Namespace) -> list[str]:
    from specdemo.lab.prompts import MOST_PROMPTS, TEXTS, read_prompt_set, read_prompts

    if not options.prompts:
        return [options.prompt]
    if options.prompts in TEXTS:
        return read_prompt_set(options.prompts)[: options.runs]
    return read_prompts(Path(options.prompts), options.runs or MOST_PROMPTS)


def _load(options: argparse.Namespace) -> Any:
    from specdemo.cli.loading import asked_pair
    from specdemo.decoding.threads import use_fitting_threads

    pair = asked_pair(options, options.draft)
    use_fitting_threads(pair)
    return pair


def _print_heading(pair: Any, options: argparse.Namespace, rules: list[str]) -> None:
    from specdemo.cli.compare_blocks import heading
    from specdemo.trace.run import pair_facts

    print(heading(pair_facts(pair), {name: getattr(options, name) for name in _MEASURED}, rules))


def _trace(
    pair: Any, options: argparse.Namespace, rules: list[str], follow: str, stopped: Callable[[], bool]
) -> dict[str, Any]:
    from specdemo.cli.compare_blocks import block_text, summary_text
    from specdemo.cli.painting import Painter, is_colored
    from specdemo.cli.terminal import print_painted
    from specdemo.decoding import Decoding
    from specdemo.trace import BlockRecord, whole_run

    settings = {name: getattr(options, name) for name in (*_MEASURED, "max_new_tokens")}
    decoding = Decoding(pair, options.prompt, verifier=follow, rules=rules, **settings)
    if decoding.head["prompt"]["notice"]:
        print(decoding.head["prompt"]["notice"])

    def shown() -> Iterator[BlockRecord]:
        for record in decoding:
            print("\n" + block_text(record.to_json(), rules, follow, options.max_new_tokens))
            yield record
            if stopped():
                return

    trace = whole_run(decoding.head, shown())
    painter = Painter(is_colored(options.color))
    print_painted(f"\n{painter.text(decoding.head, trace['blocks'])}\n")
    print(summary_text(trace, rules, follow))
    return trace


def _race(
    pair: Any, options: argparse.Namespace, rules: list[str], prompts: list[str], stopped: Callable[[], bool]
) -> dict[str, Any]:
    from specdemo.cli.compare_report import race_report
    from specdemo.lab.prompts import TEXTS
    from specdemo.lab.race import race, whole_race

    prompt_set = options.prompts if options.prompts in (None, *TEXTS) else Path(options.prompts).name
    settings = {name: getattr(options, name) for name in (*_MEASURED, "max_new_tokens", "seeds")}
    events = race(pair, prompts, rules, **settings, prompt_set=prompt_set, cancelled=stopped)

    def progress(event: dict[str, Any]) -> None:
        if event["kind"] == "race_run":
            print(f"race {event['at'] + 1}/{len(prompts) * options.seeds}", file=sys.stderr)

    record = whole_race(events, progress)
    print("\n" + race_report(record))
    return record


def _law(
    pair: Any, options: argparse.Namespace, rules: list[str], stopped: Callable[[], bool]
) -> dict[str, Any] | None:
    from specdemo.cli.compare_report import law_report
    from specdemo.lab.law import law_check

    settings = {name: getattr(options, name) for name in _MEASURED}
    record = None
    for record in law_check(
        pair, options.prompt, rules, **settings, samples=options.samples, cancelled=stopped, every=2.0
    ):
        print(f"law {(record['pairs'] or {'done': 0})['done']}/{options.samples}", file=sys.stderr)
    if record is not None:
        print("\n" + law_report(record))
    return record


def _write(options: argparse.Namespace, found: dict[str, Any], lossless: Mapping[str, str]) -> None:
    from specdemo.lab.compare_tables import comparison_tables, csv_text

    if options.json:
        options.json.write_text(json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    if options.csv:
        options.csv.mkdir(exist_ok=True)
        for name, rows in comparison_tables(found, lossless).items():
            (options.csv / name).write_text(csv_text(rows), encoding="utf-8", newline="")
