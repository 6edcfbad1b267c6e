"""What `specdemo bench batch` measures, with as many threads as were asked for, and by the wall clock with several processes too."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specdemo.lab.competitors import Setting
    from specdemo.pairs import Pair


def measured(options: argparse.Namespace, pair: Pair, texts: list[str], setting: Setting) -> dict[str, Any]:
    """The figures of `specdemo.lab.batch_bench`. PyTorch's own count of threads is put back."""
    import torch

    from specdemo.lab.batch_bench import batch_bench
    from specdemo.lab.competitors import CLOCKS
    from specdemo.lab.forked import processes_suited_to
    from specdemo.lab.prompts import encoded_prompts

    before = torch.get_num_threads()
    torch.set_num_threads(options.threads)
    try:
        return batch_bench(
            pair,
            encoded_prompts(pair, texts, setting),
            setting,
            CLOCKS[options.clock],
            rounds=1 if options.quick else 3,
            # Their processor time is not this process's.
            processes=processes_suited_to(pair) if options.clock == "wall" else 1,
            progress=lambda said: print(said, file=sys.stderr),
        )
    finally:
        torch.set_num_threads(before)
