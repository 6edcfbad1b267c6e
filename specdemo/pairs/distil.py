"""`python -m specdemo.pairs.distil --teacher smollm2 --minutes 60` distils a draft from labels that `specdemo.pairs.distilling.label` wrote.

Stop it at any time and run the same command again: it goes on from its last checkpoint, on all labels that are there by then.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specdemo.pairs.train import ENVIRONMENT, ROOT

if TYPE_CHECKING:
    from specdemo.pairs.distilling.student import Student


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    parser = argparse.ArgumentParser(prog="python -m specdemo.pairs.distil", description=__doc__)
    parser.add_argument("--teacher", choices=["smollm2"], default="smollm2")
    parser.add_argument("--teacher-folder", type=Path, default=None, help="a folder instead of the installed teacher")
    parser.add_argument("--minutes", type=float, default=60.0, help="training time (default 60)")
    parser.add_argument(
        "--processor-time", action="store_true", help="minutes of processor time: for the background of a busy machine"
    )
    parser.add_argument("--work", type=Path, default=None, help="labels, checkpoint, recipe (build/pairs/<teacher>)")
    parser.add_argument("--run", default="draft", help="name of the checkpoint and recipe files in the work folder")
    parser.add_argument("--out", type=Path, default=None, help="the exported folder (<work>/export-<run>)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--prompts", type=int, default=40, help="held-out prompts to measure on")
    parser.add_argument("--tokens", type=int, default=64, help="longest answer to a held-out prompt, in tokens")
    parser.add_argument("--no-compile", action="store_true", help="for trials too short to win the time back")
    parser.add_argument("--export-only", action="store_true", help="export from the checkpoint, measure and stop")
    parser.add_argument(
        "--lab", type=Path, default=None, help="a summary of the lab (--json) for the card's figures of speed"
    )
    parser.add_argument("--no-card", action="store_true", help="do not write the model card")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Train, export, measure the exported folder; 0 when finished, 130 when interrupted (state saved)."""
    arguments = build_parser().parse_args(argv)
    import torch
    from transformers import AutoModelForCausalLM

    from specdemo.pairs.distilling.batches import LabelSet
    from specdemo.pairs.distilling.exporting import export
    from specdemo.pairs.distilling.measuring import AcceptanceMeter, answers, held_out_prompts
    from specdemo.pairs.distilling.recipe import DistillingRecipe
    from specdemo.pairs.distilling.student import Student, to_llama
    from specdemo.pairs.distilling.teacher import load_teacher
    from specdemo.pairs.distilling.training import Distilling
    from specdemo.pairs.training.stages import Stopped

    torch.set_num_threads(arguments.threads)
    work: Path = arguments.work or ROOT / "build" / "pairs" / arguments.teacher
    out: Path = arguments.out or work / f"export-{arguments.run}"
    kept = work / f"{arguments.run}.json"
    recipe = DistillingRecipe.load(kept) if kept.exists() else DistillingRecipe()
    recipe.save(kept)
    teacher, tokenizer = load_teacher(arguments.teacher_folder, torch.float32)
    prompts = held_out_prompts()[: arguments.prompts]
    given = answers(
        teacher, tokenizer, prompts, arguments.tokens, work / f"answers-{len(prompts)}-{arguments.tokens}.json"
    )
    meter = AcceptanceMeter.of(teacher, given)
    student = Student(recipe, teacher.get_input_embeddings().weight.detach())
    config = teacher.config
    del teacher
    labels = LabelSet(work / "labels", recipe.held_out)
    print(f"labels   {labels.count():,} in {len(labels.names)} shards", flush=True)
    training = Distilling(
        work / f"{arguments.run}.pt", recipe, student, labels, 60 * arguments.minutes, arguments.processor_time
    )
    if not arguments.export_only:
        if not arguments.no_compile:
            student.network.compile_layers()

        def measure(trained: Student) -> dict[str, float]:
            return meter.measure(to_llama(trained, config))

        try:
            training.run(measure)
        except Stopped:
            print("stopped; the same command goes on from here", flush=True)
            return 130
    export(to_llama(student, config), tokenizer, out)
    exported: Any = AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32).eval()
    acceptance = meter.measure(exported)
    values = "  ".join(f"1-TV {name} {value:.4f}" for name, value in acceptance.items())
    size = sum(path.stat().st_size for path in out.iterdir()) / 1e6
    print(f"export   {out}: {size:.1f} MB  {values}", flush=True)
    if not arguments.no_card:
        # Imported here: a run of an hour must not fail at its start because of the report.
        from specdemo.pairs.distilling.card import write_card

        lab = json.loads(arguments.lab.read_text(encoding="utf-8")) if arguments.lab else None
        write_card(out, recipe, labels, torch.load(training.path, weights_only=False), acceptance, lab)
    return 0


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in ENVIRONMENT.items()):
        os.environ.update(ENVIRONMENT)
        os.execv(sys.executable, [sys.executable, "-m", "specdemo.pairs.distil", *sys.argv[1:]])
    sys.exit(main())
