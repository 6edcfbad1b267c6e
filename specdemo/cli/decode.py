"""`specdemo decode "prompt"`: the coloured text and a table of blocks, or the trace as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specdemo.cli.export import write_html
from specdemo.cli.painting import Painter, is_colored
from specdemo.cli.places import check_written, model_files
from specdemo.cli.terminal import print_painted
from specdemo.standalone import check_drawable, run_record

if TYPE_CHECKING:
    from specdemo.pairs.chat import PromptMode
    from specdemo.trace import BlockRecord


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "prompt", help='the text to continue ("" starts from the beginning-of-text token), or the message to answer'
    )
    parser.add_argument(
        "--verifier", default="block", help="the rule that decides (see `specdemo verifiers`; default: block)"
    )
    decoding_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the whole trace as JSON")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="also write the run as one page that opens from disk, offline"
    )
    parser.add_argument("--color", choices=["auto", "always", "never"], default="auto")


def decoding_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every command that decodes: which models, and how."""
    parser.add_argument(
        "--pair",
        default="stories",
        help="a pair of the registry (see `specdemo pairs`), a target's hub id, or a target's folder (default: stories)",
    )
    parser.add_argument("--draft", help="one of the pair's drafts, a hub id or a folder (default: the pair's first)")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--chat",
        dest="prompt_mode",
        action="store_const",
        const="chat",
        help="the prompt is a message in the model's chat template",
    )
    mode.add_argument(
        "--text",
        dest="prompt_mode",
        action="store_const",
        const="text",
        help="the prompt is a text to continue (default: as the pair has it)",
    )
    parser.add_argument("--gamma", type=int, default=4, help="drafted tokens a block, 0 to 64 (default: 4)")
    parser.add_argument(
        "--temperature", type=float, help="0 is greedy (default: as the pair has it, 1, or 0.5 for smollm2)"
    )
    parser.add_argument("--top-k", type=int, default=0, help="0 is off (default)")
    parser.add_argument("--top-p", type=float, default=1.0, help="1 is off (default)")
    parser.add_argument("--seed", type=int, default=0, help="0 to 2^64 − 1 (default: 0)")
    parser.add_argument(
        "--max-new-tokens", type=int, default=64, help="where the text ends at the latest (default: 64)"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or mps")
    parser.add_argument("--dtype", default="auto", help="auto, float32, bfloat16, float16 or float64")


def prompt_mode(options: argparse.Namespace) -> PromptMode:
    """The mode that was asked for, else the pair's own; two hub ids or folders have none and are continued."""
    from specdemo.pairs import registry

    own: PromptMode = registry.get(options.pair).prompt_mode if options.pair in registry.names() else "text"
    return options.prompt_mode or own


def temperature(options: argparse.Namespace) -> float:
    """The temperature that was asked for, else the pair's own."""
    from specdemo.pairs import registry

    own = registry.get(options.pair).temperature if options.pair in registry.names() else 1.0
    return own if options.temperature is None else float(options.temperature)


def run(options: argparse.Namespace) -> int:
    """Decode and print; blocks appear as they are decoded."""
    from specdemo.cli.loading import asked_pair
    from specdemo.decoding import Decoding
    from specdemo.decoding.threads import use_fitting_threads
    from specdemo.trace import whole_run
    from specdemo.verifiers import get

    get(options.verifier)  # a wrong name should not wait for the models
    check_written(options, "html", read=model_files(options, [options.draft]))
    pair = asked_pair(options, options.draft)
    use_fitting_threads(pair)
    decoding = Decoding(
        pair,
        options.prompt,
        gamma=options.gamma,
        verifier=options.verifier,
        temperature=temperature(options),
        top_k=options.top_k,
        top_p=options.top_p,
        seed=options.seed,
        max_new_tokens=options.max_new_tokens,
        prompt_mode=prompt_mode(options),
    )
    if options.html:
        check_drawable(decoding.head)
    blocks: list[BlockRecord] = []
    if options.json:
        blocks += decoding
        print(json.dumps(whole_run(decoding.head, blocks), ensure_ascii=False, allow_nan=False))
    else:
        _print_run(decoding.head, _kept(decoding, blocks), Painter(is_colored(options.color)))
    if options.html:
        write_html(run_record(whole_run(decoding.head, blocks)), options.html)
    return 0


def _kept(records: Iterable[BlockRecord], kept: list[BlockRecord]) -> Iterator[BlockRecord]:
    """The records as they come, each of them put into `kept`."""
    for record in records:
        kept.append(record)
        yield record


def lossy_words(rule: str, temperature: float, text: str = "this text") -> str | None:
    """A warning where the text will not follow the target's law: a rule that is not lossless at this temperature, or a mistake."""
    from specdemo.verifiers import get
    from specdemo.verifiers.mistakes import Mistake

    verifier = get(rule)
    if verifier.lossless == "always" or (verifier.lossless == "temperature_0" and temperature == 0):
        return None
    why = verifier.goes_wrong if isinstance(verifier, Mistake) else verifier.title + "."
    only = " above temperature 0" if verifier.lossless == "temperature_0" else ""
    return f"NOT LOSSLESS{only}: {text} does not follow the target's law. {why}"


def mode_words(settings: dict[str, Any]) -> str:
    """Said beside the other settings where the prompt is a message, else nothing."""
    return " · instruction" if settings["prompt_mode"] == "chat" else ""


def _print_run(head: dict[str, Any], decoding: Any, painter: Painter) -> None:
    pair, settings = head["pair"], head["settings"]
    chosen = f"γ={settings['gamma']} T={settings['temperature']:g} seed={settings['seed']}{mode_words(settings)}"
    print(f"{pair['title']}, draft {pair['draft']} · {settings['verifier']} · {chosen}")
    warning = lossy_words(settings["verifier"], settings["temperature"])
    if warning:
        print(warning)
    if head["prompt"]["notice"]:
        print(head["prompt"]["notice"])
    print(f"\n{painter.heading}")
    blocks = []
    for record in decoding:
        block = record.to_json()
        blocks.append(block)
        print_painted(painter.block_row(block))
    print_painted("\n" + painter.text(head, blocks) + "\n")
    calls, gained, shown = len(blocks), sum(b["gained"] for b in blocks), sum(b["shown_tokens"] for b in blocks)
    if calls:
        expected = {
            rule: sum(b["verdicts"][rule]["expected_accepted"] + 1 for b in blocks) / calls
            for rule in head["verifiers"]
        }
        ended = {"eos": "end of text", "length": "the limit on new tokens", "context": "the context limit"}
        print(
            f"{shown} tokens shown in {calls} target calls; ended by {ended.get(blocks[-1]['finish'], 'nothing yet')}"
        )
        cut = f", of which the end cuts {gained - shown}" if gained > shown else ""
        print(f"tokens gained a call (τ + 1), before the end cuts: {gained / calls:.2f}, {gained} in all{cut}")
        print(
            "expected tokens per target call on these drafted blocks: "
            + ", ".join(f"{rule} {value:.2f}" for rule, value in expected.items())
        )
