"""Measures a trained pair: perplexity and acceptance on held-out text of every kind, and samples of what the target writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import LlamaForCausalLM

from specdemo.pairs.training.packs import Packs
from specdemo.pairs.training.tokens import BOS_ID, EOS_ID


@dataclass(frozen=True)
class Measured:
    """Of one text kind: tokens scored, perplexity by model name, acceptance (mean of 1 − TV at temperature 1) by draft name."""

    tokens: int
    perplexity: dict[str, float]
    acceptance: dict[str, float]


@torch.inference_mode()
def measure(models: dict[str, LlamaForCausalLM], packs: Packs, rows: int = 24) -> Measured:
    """Score up to `rows` held-out packs; the model called "target" is what the others are compared to."""
    chosen = torch.from_numpy(packs[:rows].astype(np.int64))
    surprise = dict.fromkeys(models, 0.0)
    overlap = {name: 0.0 for name in models if name != "target"}
    for row in chosen:
        laws = {
            name: functional.log_softmax(model(row[None, :-1]).logits[0].float(), -1) for name, model in models.items()
        }
        for name, law in laws.items():
            surprise[name] -= float(law.gather(1, row[1:, None]).sum())
            if name != "target":
                overlap[name] += float(torch.minimum(law.exp(), laws["target"].exp()).sum())
    tokens = chosen.shape[0] * (chosen.shape[1] - 1)
    return Measured(
        tokens,
        {name: float(np.exp(value / tokens)) for name, value in surprise.items()},
        {name: value / tokens for name, value in overlap.items()},
    )


@torch.inference_mode()
def write(
    model: LlamaForCausalLM, tokenizer: Tokenizer, prompt: str, tokens: int, seed: int, temperature: float = 1.0
) -> list[int]:
    """Continue a prompt by sampling; the ids of BOS, prompt and up to `tokens` new tokens (EOS ends it)."""
    generator = torch.Generator().manual_seed(seed)
    ids = [BOS_ID, *tokenizer.encode(prompt, add_special_tokens=False).ids]
    out = model(torch.tensor([ids]), use_cache=True)
    for _ in range(tokens):
        law = torch.softmax(out.logits[0, -1].float() / temperature, -1)
        ids.append(int(torch.multinomial(law, 1, generator=generator)))
        if ids[-1] == EOS_ID:
            break
        out = model(torch.tensor([ids[-1:]]), past_key_values=out.past_key_values, use_cache=True)
    return ids


@torch.inference_mode()
def acceptance_along(models: dict[str, LlamaForCausalLM], ids: list[int], start: int) -> dict[str, tuple[float, int]]:
    """Sum of 1 − TV over the positions that predict `ids[start:]`, and how many they are, by draft: acceptance on the target's own text."""
    laws = {
        name: torch.softmax(model(torch.tensor([ids[:-1]])).logits[0, start - 1 :].float(), -1)
        for name, model in models.items()
    }
    return {
        name: (float(torch.minimum(law, laws["target"]).sum()), law.shape[0])
        for name, law in laws.items()
        if name != "target"
    }
