"""A command's pair, and what is said while it is loaded."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specdemo.pairs import Pair


def asked_pair(options: argparse.Namespace, draft: str | None, option: str = "--draft") -> Pair:
    """The pair of `--pair` with the draft that `option` gave: registered, of the hub, or two folders; raises what `load_pair` raises."""
    from specdemo.cli.terminal import bars_drawn
    from specdemo.decoding.recorded_models import record_passes
    from specdemo.pairs import load_pair
    from specdemo.pairs.folders import is_model_folder

    if draft is None and is_model_folder(options.pair):
        raise ValueError(f"--pair is a folder: give the draft's folder too ({option})")
    with bars_drawn():
        pair = load_pair(
            options.pair, draft=draft, device=options.device, dtype=options.dtype, progress=tell_slow_steps
        )
    record_passes(pair.draft_model, pair.target_model)
    return pair


def tell_slow_steps(text: str, fraction: float | None) -> None:
    """Progress of `load_pair`: on standard error, and only what takes long (there is no fraction then)."""
    if fraction is None:
        print(f"{text} …", file=sys.stderr, flush=True)
