"""Pairs of random weights in the shapes of published models: for times, which do not depend on what the weights say.

Their laws are nearly even, so that drafts are kept more often than with trained weights: compare times of a block, not tokens a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from specdemo.pairs import registry
from specdemo.pairs.pair import Pair
from specdemo.pairs.sources import load_tokenizer


@dataclass(frozen=True)
class Shape:
    """What a Llama is made of: layers, width, heads, key heads, inner width; vocabulary 49,152 as SmolLM2's."""

    layers: int
    width: int
    heads: int
    key_heads: int
    inner: int
    vocab_size: int = 49_152


SHAPES = {
    "135M": Shape(30, 576, 9, 3, 1536),
    "360M": Shape(32, 960, 15, 5, 2560),
    "1.7B": Shape(24, 2048, 32, 32, 8192),
    "tiny": Shape(1, 16, 2, 1, 32, 2048),
    "tiny target": Shape(2, 32, 2, 2, 64, 2048),
}


def random_pair(draft: str, target: str, device: str, dtype: torch.dtype) -> Pair:
    """A pair of two of the SHAPES with random weights, and the stories pair's tokenizer, whose ids both read."""
    from transformers import LlamaConfig, LlamaForCausalLM

    def model(shape: Shape, seed: int) -> LlamaForCausalLM:
        torch.manual_seed(seed)
        config = LlamaConfig(
            vocab_size=shape.vocab_size, hidden_size=shape.width, intermediate_size=shape.inner, num_hidden_layers=shape.layers,
            num_attention_heads=shape.heads, num_key_value_heads=shape.key_heads, max_position_embeddings=2048,
            bos_token_id=None, eos_token_id=None, pad_token_id=None, tie_word_embeddings=True,
        )  # fmt: skip
        with torch.device(device):
            return LlamaForCausalLM(config).to(dtype).eval()

    return Pair.from_models(
        model(SHAPES[draft], 1), model(SHAPES[target], 2), load_tokenizer(registry.get("stories").target, lambda text, fraction: None),
        name=f"{draft} → {target}", title=f"random weights, {draft} → {target}", draft_name=draft,
    )  # fmt: skip
