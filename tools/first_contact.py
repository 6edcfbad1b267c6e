"""The first ten minutes on a card, the most valuable questions first: `python tools/first_contact.py FOLDER`.

Each stage is a process with a limit, and each answer a line of FOLDER/first.jsonl as soon as it is known, so that a fault or a hang costs its own
stage alone. DEVICE=cpu TINY=1 tries the script where there is no card.

facts   which card, driver and libraries          text    is a text the same in one go, block by block, with recorded passes, on the CPU?
steps   what steps cost, eager and replayed       server  four visitors while passes are recorded in another thread
broken  what a capture that fails leaves behind   bench   whole blocks, beside transformers        tests   of what runs on a device
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from specdemo.lab.device_stages import noted, run_stages, write  # noqa: E402  # the checkout's, also where another one is installed

if TYPE_CHECKING:
    from specdemo.pairs import Pair

DEVICE, TINY = os.environ.get("DEVICE", "cuda"), bool(os.environ.get("TINY"))
SECONDS = {"facts": 30, "text": 90, "steps": 90, "server": 60, "broken": 30, "bench": 200, "tests": 90}
SLOW_HERE = 4 if DEVICE == "cpu" else 1  # a processor that others use too
PROMPT = "Once upon a time there was"
TEST_FILES = [f"tests/decoding/test_{name}.py" for name in ("device", "graphed", "graphed_safety", "recorder")]


def milliseconds(call: Callable[[], object], times: int = 20) -> float:
    """The mean time of a call on the device, after a first one that does not count."""
    import torch

    from specdemo.lab.device_bench import device_clock

    clock = device_clock(torch.device(DEVICE))
    call()
    began = clock()
    for _ in range(times):
        call()
    return round(1e3 * (clock() - began) / times, 4)


def random_pairs() -> Iterator[Pair]:
    """Pairs of random weights in published shapes, in the type that the app decodes in."""
    import torch

    from specdemo.lab.random_pairs import random_pair

    for shape in [("tiny", "tiny target")] if TINY else [("135M", "360M"), ("135M", "1.7B")]:
        yield random_pair(*shape, DEVICE, torch.float32)


def facts(lines: Path) -> None:
    """Which card, driver and libraries these are."""
    import numpy
    import torch
    import transformers

    card = None
    if torch.cuda.is_available():
        card = [torch.cuda.get_device_name(), torch.cuda.get_device_capability(), torch.cuda.mem_get_info()]
    versions = {"torch": torch.__version__, "transformers": transformers.__version__, "numpy": numpy.__version__}
    write(lines, {"card": card, "cuda": torch.version.cuda, **versions})


def text(lines: Path) -> None:
    """How many runs have the same text in one go, block by block, with recorded passes, and on the CPU."""
    from specdemo.decoding.recorded import Decoding
    from specdemo.decoding.recorded_models import forget_passes, record_passes, recordings_of
    from specdemo.decoding.recorder import recorder_of
    from specdemo.pairs import load_pair

    def run(pair: Pair, seed: int) -> list[Any]:
        return list(Decoding(pair, PROMPT, gamma=4, seed=seed, max_new_tokens=48))

    def tokens(records: list[Any]) -> list[int]:
        return [token for record in records for token in record.committed]

    def stepped(pair: Pair, seed: int) -> list[int]:
        state = None
        found: list[int] = []
        while True:
            decoding = Decoding(pair, PROMPT, gamma=4, seed=seed, max_new_tokens=48, resume=state)
            record = next(iter(decoding), None)
            if record is None:
                return found
            state = record.state
            found += record.committed
            if record.finish is not None:
                return found

    host = load_pair("stories", device="cpu", dtype="float32")
    for dtype in ("float32", "bfloat16"):
        pair = load_pair("stories", device=DEVICE, dtype=dtype)
        models = pair.draft_model, pair.target_model
        same, passes = {"stepped": 0, "graphed": 0, "host": 0}, set()
        for seed in (seeds := range(2 if TINY else 8)):
            whole = tokens(run(pair, seed))
            same["stepped"] += stepped(pair, seed) == whole
            same["host"] += tokens(run(host, seed)) == whole
            record_passes(*models, None, recorder_of)
            records = run(pair, seed)
            passes |= {str(record.data.get("passes")) for record in records}
            refused = [found.refused for model in models if (found := recordings_of(model)) is not None]
            forget_passes(*models)
            same["graphed"] += tokens(records) == whole
        line = {"dtype": dtype, "runs": len(seeds), "same_as_whole": same, "passes": sorted(passes), "refused": refused}
        write(lines, line)


def steps(lines: Path) -> None:
    """What a step costs, eager and replayed; replayed also by the room of the cache, whose empty part is read too."""
    import torch

    from specdemo.decoding import static_pass
    from specdemo.decoding.forward import TransformersForward
    from specdemo.decoding.recorded_models import forget_passes, record_passes, recordings_of
    from specdemo.decoding.recorder import recorder_of

    with torch.inference_mode():
        for pair in random_pairs():
            models = ("draft", pair.draft_model, (1,)), ("target", pair.target_model, (1, 3, 5, 9))
            for role, model, counts in models:
                for count in counts:
                    forward = TransformersForward(model)
                    forward([0] * 64, 1)

                    def eager(forward: TransformersForward = forward, count: int = count) -> None:
                        forward([1] * count, count)
                        forward.step_back(64)

                    what = {"pair": pair.name, "role": role, "count": count}
                    with noted(lines, **what):
                        write(lines, {**what, "eager_ms": milliseconds(eager)})
            for room in (256, 512, 2048):
                static_pass.MOST_TOKENS = room
                forget_passes(pair.draft_model, pair.target_model)
                record_passes(pair.draft_model, pair.target_model, None, recorder_of)
                for role, model, counts in models:
                    found = recordings_of(model)
                    if found is None:
                        continue
                    for count in counts:
                        what = {"pair": pair.name, "role": role, "count": count, "room": found.room}
                        with noted(lines, **what):
                            found.want(count, now=True)
                            replay = found.recorded(count, proven=False)
                            time_taken = milliseconds(replay) if replay else None
                            write(lines, {**what, "replay_ms": time_taken, "refused": found.refused})


def server(lines: Path) -> None:
    """Four visitors with two settings, while passes are recorded in another thread: one text a setting, and no error."""
    os.environ["SPECDEMO_CUDA_GRAPHS"] = "1"
    from specdemo.pages.models import Models
    from specdemo.pages.service import Service
    from specdemo.pairs import load_pair

    def load(name: str, draft: str, progress: object) -> Pair:
        return load_pair(name, draft=draft, device=DEVICE)

    service = Service(Models(load, fetch=lambda *given, **named: None))
    ends: list[tuple[int, str, str]] = []
    passes: set[str] = set()

    def visitor(number: int) -> None:
        for turn in range(2 if TINY else 6):
            settings = {"seed": 1, "gamma": 2 + number % 2, "max_new_tokens": 48}
            asked = {"run": f"v{number}-{turn}", "pair": "stories", "prompt": PROMPT, "settings": settings, "blocks": 0}
            messages = [json.loads(message) for message in service.decode(json.dumps(asked))]
            blocks = [block for message in messages if message["kind"] == "blocks" for block in message["blocks"]]
            passes.update(str(block.get("passes")) for block in blocks)
            last = messages[-1]
            ends.append((number % 2, blocks[-1]["digest"] if blocks else "", last.get("text") or last["kind"]))

    threads = [threading.Thread(target=visitor, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    errors = [words for _, _, words in ends if words != "end"]
    texts = len({(setting, digest) for setting, digest, _ in ends})
    line = {"runs": len(ends), "texts_of_two_settings": texts, "errors": errors, "passes": sorted(passes)}
    write(lines, {**line, "health": service.health()})


def broken(lines: Path) -> None:
    """What a capture that fails leaves behind: can another be made, and memory be given back?"""
    import torch

    from specdemo.decoding.recorder import captures, recorder_of

    one = torch.ones(4, device=DEVICE)
    recorder = recorder_of(one.device)
    passes = {"that waits for the device": lambda: one * float(one.sum().item()), "after it": lambda: one * 2}
    for name, made in passes.items():
        captures.failure = None  # else none is tried after the first that fails
        with noted(lines, capture=name):
            write(lines, {"capture": name, "gives": recorder.record(made)().tolist()})
        with noted(lines, after=name):
            if DEVICE == "cuda":
                torch.cuda.empty_cache()
            write(lines, {"after": name, "eager": (one + 1).tolist(), "allocator": captures.broken})


def bench(lines: Path) -> None:
    """Whole blocks of each pair, beside transformers' plain and assisted generation."""
    from specdemo.lab.device_bench import pair_lines

    shapes = [("tiny", "tiny target")] if TINY else [None, ("135M", "360M"), ("135M", "1.7B")]
    for shape in shapes:
        with noted(lines, pair=str(shape)):
            for line in pair_lines(shape, DEVICE, tiny=TINY):
                write(lines, line)


def tests(lines: Path) -> None:
    """Of what runs on a device; what they print is in FOLDER/tests.log."""
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", *TEST_FILES]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    (lines.parent / "tests.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    write(lines, {"tests": done.returncode, "tail": done.stdout.splitlines()[-12:]})


STAGES: dict[str, Callable[[Path], None]] = {
    stage.__name__: stage for stage in (facts, text, steps, server, broken, bench, tests)
}


def main(arguments: list[str]) -> int:
    """Run all stages, or the one that is named; status 1 where one did not end well."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    lines = folder / "first.jsonl"
    if len(arguments) == 2:
        STAGES[arguments[1]](lines)
        return 0
    write(lines, {"began": time.strftime("%Y-%m-%d %H:%M:%S"), "device": DEVICE})
    command = [sys.executable, str(Path(__file__).resolve()), str(folder)]
    limits = {stage: SECONDS[stage] * SLOW_HERE for stage in STAGES}
    return 0 if run_stages(lambda stage: [*command, stage], limits, lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
