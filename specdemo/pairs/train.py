"""`python -m specdemo.pairs.train --minutes 80` trains the embedded pair "stories": corpus, tokenizer, target, two drafts, export, card.

Stop it at any time and run the same command again: it goes on from the last checkpoint in the work folder.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

# Page faults of large short-lived tensors cost most of the time under the default allocator settings.
ENVIRONMENT = {
    "MALLOC_MMAP_THRESHOLD_": "4000000000",
    "MALLOC_TRIM_THRESHOLD_": "16000000000",
    "MALLOC_TOP_PAD_": "200000000",
    "OMP_WAIT_POLICY": "PASSIVE",
    "TOKENIZERS_PARALLELISM": "true",
}
ROOT = Path(__file__).resolve().parents[2]


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    parser = argparse.ArgumentParser(prog="python -m specdemo.pairs.train", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=80.0, help="training time of target and drafts together (default 80)"
    )
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "pairs" / "stories", help="checkpoints, packs, tokenizer"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "assets" / "pairs" / "stories", help="the exported folders and the card"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes of one thread each (default 2)")
    parser.add_argument(
        "--no-compile", action="store_true", help="do not compile: for trials too short to win its time back"
    )
    parser.add_argument("--no-card", action="store_true", help="do not measure and write the card at the end")
    parser.add_argument(
        "--export-only", action="store_true", help="export the folders from the current checkpoints and stop"
    )
    parser.add_argument(
        "--card-only", action="store_true", help="measure the exported folders, write the card and stop"
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """Train, export, measure, write the card; 0 when finished, 130 when interrupted (state saved)."""
    arguments = build_parser().parse_args(argv)
    import torch

    from specdemo.pairs.training.export import export_pair
    from specdemo.pairs.training.prepare import prepare
    from specdemo.pairs.training.recipe import Recipe
    from specdemo.pairs.training.stages import Stopped, train_drafts, train_target

    torch.set_num_threads(1)
    prepared = prepare(arguments.work, Recipe())
    recipe = prepared.recipe
    if not arguments.export_only and not arguments.card_only:
        seconds, compiled = 60 * arguments.minutes, not arguments.no_compile
        try:
            target = train_target(prepared, arguments.work, seconds * recipe.target_share, arguments.workers, compiled)
            train_drafts(
                prepared, arguments.work, target, seconds * (1 - recipe.target_share), arguments.workers, compiled
            )
        except Stopped:
            print("stopped; the same command goes on from here", flush=True)
            return 130
    if not arguments.card_only:
        export_pair(prepared, arguments.work, arguments.out)
    if not arguments.export_only and not arguments.no_card:
        # Imported here: a run of an hour must not fail at its start because of the report.
        from specdemo.pairs.training.card import write_card

        write_card(prepared, arguments.work, arguments.out)
    return 0


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in ENVIRONMENT.items()):
        os.environ.update(ENVIRONMENT)
        os.execv(sys.executable, [sys.executable, "-m", "specdemo.pairs.train", *sys.argv[1:]])
    sys.exit(main())
