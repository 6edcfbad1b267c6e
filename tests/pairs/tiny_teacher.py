"""A tiny real teacher for the distillation's tests: grouped attention, a chat template, and a law far from uniform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

from specdemo.pairs.distilling.prompts import Prompt
from tests.tiny import tiny_tokenizer

TEMPLATE = (
    "{% for message in messages %}the cat said: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}the dog: {% endif %}"
)


def tiny_teacher() -> tuple[Any, Any]:
    """A Llama of two layers with four query and two key heads, in float32, and its tokenizer."""
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=128, bos_token_id=0, eos_token_id=1, pad_token_id=None,
        tie_word_embeddings=True,
    )  # fmt: skip
    model = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 2:
                parameter.copy_(torch.randn_like(parameter) * 0.25)
        model.model.embed_tokens.weight[1] *= 3  # texts should end now and then
    model.generation_config = GenerationConfig(bos_token_id=0, eos_token_id=1)
    return model, tokenizer


def save_tiny_teacher(folder: Path) -> None:
    """The teacher as a folder that `load_teacher` reads."""
    model, tokenizer = tiny_teacher()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def short_prompt(number: int) -> Prompt:
    """Prompts of different lengths, with and without the template, some at temperature 1/2."""
    text = ("cat", "the hat", "a dog ran up the hill", "mat")[number % 4]
    return Prompt(text, number % 3 != 0, 1.0 if number % 2 else 0.5)
