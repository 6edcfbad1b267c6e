"""Writes the student as a plain `transformers` folder, in files small enough for any host."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from transformers import LlamaForCausalLM

SHARD = "9MB"
TABLES = ("model.embed_tokens.weight", "lm_head.weight")
EIGHT_BIT = torch.float8_e4m3fn
FILE_LIMIT = 9_000_000


def rescale_tables(model: LlamaForCausalLM, deviation: float = 1.0) -> None:
    """Scale the tables to that standard deviation without changing what the model computes: eight-bit floats are coarse near zero.

    What the layers add to the embedding is scaled with it, and the last norm back.
    """
    with torch.no_grad():
        factor = deviation / float(model.model.embed_tokens.weight.std())
        model.model.embed_tokens.weight.mul_(factor)
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.mul_(factor)
            layer.mlp.down_proj.weight.mul_(factor)
        output = model.lm_head.weight
        if output is not model.model.embed_tokens.weight:
            factor = deviation / float(output.std())
            output.mul_(factor)
        model.model.norm.weight.div_(factor)


def export(model: LlamaForCausalLM, tokenizer: Any, folder: Path) -> None:
    """Replace `folder` by the model in float16 and the tokenizer; a table that makes too large a file is stored in eight bits.

    `from_pretrained` casts such a table to the precision it is asked for, or to float16.
    """
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    rescale_tables(model)
    model = model.half()
    model.config.dtype = torch.float16
    model.save_pretrained(fresh, max_shard_size=SHARD)
    for path in fresh.glob("*.safetensors"):
        if path.stat().st_size > FILE_LIMIT:
            weights = load_file(path)
            eight = {name: w.to(EIGHT_BIT) if name in TABLES else w for name, w in weights.items()}
            save_file(eight, path, metadata={"format": "pt"})
    tokenizer.save_pretrained(fresh)
    for path in fresh.iterdir():
        path.chmod(0o644)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
