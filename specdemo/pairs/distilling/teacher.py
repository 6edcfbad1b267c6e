"""The teacher SmolLM2-135M-Instruct, offline: the weights of an installed package, as the pair "smollm2" has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from specdemo.pairs.packaged import unpacked
from specdemo.pairs.registry import SMOLLM2


def load_teacher(folder: Path | None = None, dtype: torch.dtype = torch.bfloat16) -> tuple[Any, Any]:
    """The teacher model in `dtype` and its tokenizer, from `folder` or the package. Raises PairUnavailable without the package."""
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # in a log file a bar is one endless line
    place = str(folder or unpacked(SMOLLM2, print).folder)
    model = AutoModelForCausalLM.from_pretrained(place, dtype=dtype, local_files_only=True)
    return model.eval(), AutoTokenizer.from_pretrained(place, local_files_only=True)
