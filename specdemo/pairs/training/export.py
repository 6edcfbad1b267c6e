"""Writes trained networks as plain `transformers` folders in float16, in files small enough for any host."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import GenerationConfig, LlamaForCausalLM

from specdemo.pairs.training.network import Network, config_of
from specdemo.pairs.training.prepare import Prepared
from specdemo.pairs.training.stages import new_networks
from specdemo.pairs.training.tokens import BOS_ID, EOS_ID, save_tokenizer

SHARD = "8MB"


def to_transformers(network: Network, vocabulary: int, length: int) -> LlamaForCausalLM:
    """The same model as a `LlamaForCausalLM` in float32; ValueError if a weight has no place there."""
    model = LlamaForCausalLM(config_of(network.size, vocabulary, length))
    missing, unexpected = model.load_state_dict(network.export_weights(), strict=False)
    if unexpected or set(missing) - {"lm_head.weight"}:
        raise ValueError(f"weights do not fit: missing {missing}, unexpected {unexpected}")
    model.tie_weights()
    return model.eval()


def export_model(network: Network, tokenizer: Tokenizer, length: int, folder: Path) -> None:
    """Replace `folder` by this model and its tokenizer; a reader never meets a half-written folder for long."""
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    model = to_transformers(network, tokenizer.get_vocab_size(), length).half()
    model.config.dtype = torch.float16
    model.generation_config = GenerationConfig(bos_token_id=BOS_ID, eos_token_id=EOS_ID, do_sample=True)
    model.save_pretrained(fresh, max_shard_size=SHARD)
    save_tokenizer(tokenizer, fresh, length)
    for path in fresh.iterdir():
        path.chmod(0o644)  # safetensors writes files that only their owner may read
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def load_networks(prepared: Prepared, work: Path) -> tuple[Network, dict[str, Network]]:
    """Target and drafts from the run's checkpoints, untrained where there is none yet; the run may go on meanwhile."""
    target, drafts = new_networks(prepared.recipe)
    if (work / "target.pt").exists():
        target.load_state_dict(torch.load(work / "target.pt", weights_only=False)["networks"]["target"])
    if (work / "drafts.pt").exists():
        record = torch.load(work / "drafts.pt", weights_only=False)["networks"]
        for name, draft in drafts.items():
            draft.load_state_dict(record[name])
    return target.eval(), {name: draft.eval() for name, draft in drafts.items()}


def export_pair(prepared: Prepared, work: Path, out: Path) -> None:
    """Export target and drafts from the checkpoints to `out/target`, `out/<draft>`."""
    out.mkdir(parents=True, exist_ok=True)
    target, drafts = load_networks(prepared, work)
    for name, network in {"target": target, **drafts}.items():
        export_model(network, prepared.tokenizer, prepared.recipe.long_pack_length, out / name)
        print(f"export   {out / name}", flush=True)
