"""What `specdemo bench engine` measures, with the threads that suit the pair, or as many as were asked for."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specdemo.lab.competitors import Setting
    from specdemo.pairs import Pair


def measured(options: argparse.Namespace, pair: Pair, texts: list[str], setting: Setting) -> dict[str, Any]:
    """The figures of `specdemo.lab.engine`; `options.threads` is filled in. PyTorch's own count of threads is put back."""
    import torch

    from specdemo.decoding.threads import use_fitting_threads
    from specdemo.lab.bench import stock_copy
    from specdemo.lab.competitors import CLOCKS
    from specdemo.lab.engine import engine_bench
    from specdemo.lab.prompts import encoded_prompts

    before = torch.get_num_threads()
    try:
        if options.threads is None:
            options.threads = use_fitting_threads(pair) or before
        if options.clock == "cpu" and options.threads > 1:
            raise ValueError("--clock cpu adds up the times of all threads: take wall time, or --threads 1")
        torch.set_num_threads(options.threads)
        return engine_bench(
            pair,
            stock_copy(pair),
            encoded_prompts(pair, texts, setting),
            setting,
            CLOCKS[options.clock],
            rounds=4 if options.quick else 12,
            progress=lambda said: print(said, file=sys.stderr),
        )
    finally:
        torch.set_num_threads(before)
