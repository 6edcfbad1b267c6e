"""`python -m specdemo.pairs.distilling.label --minutes 60` lets the teacher write and label; run it again to go on.

Several streams may run at once, each in a process of one thread: `--stream chat-a`, `--stream chat-b`. With `--source own` the teacher
writes the instructions, too, with `--source led` it finishes instructions that the project begins; with `--source austen --stream austen`
it reads instead.
"""

from __future__ import annotations

import argparse
import signal
import time
import zlib
from pathlib import Path

from specdemo.pairs.corpus.build import SOURCES

ROOT = Path(__file__).resolve().parents[3]
WORK = ROOT / "build" / "pairs" / "smollm2"
PROMPT_SOURCES = ("own", "led")


def main(argv: list[str] | None = None) -> int:
    """Write shards of the stream until the time is over; 0 when done or interrupted (finished texts are written)."""
    parser = argparse.ArgumentParser(prog="python -m specdemo.pairs.distilling.label", description=__doc__)
    parser.add_argument("--work", type=Path, default=WORK, help="shards are written to its folder labels")
    parser.add_argument(
        "--stream", default="chat-a", help="the stream's name; streams that run at once need different ones"
    )
    parser.add_argument(
        "--source", choices=["prompts", *PROMPT_SOURCES, *SOURCES], default="prompts",
        help="its answers to the project's prompts, to its own or to its own after the project's first words, or a text",
    )  # fmt: skip
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--slots", type=int, default=64, help="texts written at once (default 64)")
    parser.add_argument("--length", type=int, default=256, help="longest text in tokens (default 256)")
    parser.add_argument("--shard", type=int, default=20_000, help="labels a shard (default 20,000)")
    parser.add_argument("--teacher-folder", type=Path, default=None, help="a folder instead of the installed teacher")
    arguments = parser.parse_args(argv)
    import torch

    from specdemo.pairs.distilling.labels import ShardWriter
    from specdemo.pairs.distilling.prompts import led_prompt, make_prompt, own_prompt
    from specdemo.pairs.distilling.reading import pieces, read
    from specdemo.pairs.distilling.teacher import load_teacher
    from specdemo.pairs.distilling.writing import AnswerWriter

    torch.set_num_threads(1)
    model, tokenizer = load_teacher(arguments.teacher_folder)
    writer = ShardWriter(arguments.work / "labels", arguments.stream, arguments.shard)
    stopped = False

    def stop(*_: object) -> None:
        nonlocal stopped
        stopped = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    end = time.monotonic() + 60 * arguments.minutes

    def go_on() -> bool:
        return not stopped and time.monotonic() < end

    def report(labels: int, seconds: float) -> None:
        name = f"{arguments.stream}-{writer.number - 1:05d}"
        print(f"{time.strftime('%H:%M:%S')} {name}: {labels} labels, {labels / seconds:.0f} a second", flush=True)

    if arguments.source in SOURCES:
        read(model, pieces(tokenizer, arguments.source, arguments.length), writer, go_on, report)
        return 0
    # Streams never share a prompt's number, nor the numbers they draw from.
    stream = zlib.crc32(arguments.stream.encode())
    make = {"prompts": make_prompt, "own": own_prompt, "led": led_prompt}[arguments.source]
    teacher = AnswerWriter(
        model, tokenizer, lambda number: make(stream * 10**9 + number), arguments.slots, arguments.length,
        seed=stream + writer.number,
    )  # fmt: skip
    teacher.run(writer, go_on, report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
