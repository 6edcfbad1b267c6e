"""Tiny real models for tests: Llama with random weights and a byte-level tokenizer trained on the spot."""

from __future__ import annotations

from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.models.llama.modeling_llama import LlamaRMSNorm, LlamaRotaryEmbedding

from specdemo.pairs import Pair

TEXT = [
    "once upon a time there was a cat",
    "the cat sat on the mat and the hat",
    "a dog ran up the hill to see the cat",
]

# Two turns between special tokens, as models that were taught to converse have them.
CHAT_TEMPLATE = (
    "<|bos|>the cat sat<|eos|>\n{% for message in messages %}<|bos|>{{ message['role'] }}\n{{ message['content'] }}<|eos|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|bos|>cat\n{% endif %}"
)


class _Norm(LlamaRMSNorm):
    """RMSNorm in the model's own precision; transformers computes it in float32."""

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        return self.weight * (hidden_states * torch.rsqrt(variance + self.variance_epsilon))


class _Rotary(LlamaRotaryEmbedding):
    """Rotary positions in the model's own precision. In float32 their last bit depends on how many tokens are read at once."""

    def forward(self, x: torch.Tensor, position_ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        angles = (position_ids[..., None].double() * self.inv_freq.double()).repeat(1, 1, 2)
        return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


def compute_in_float64() -> None:
    """Make every Llama of this process compute in its own precision: for a process that loads tiny models from folders."""
    LlamaRMSNorm.forward = _Norm.forward
    LlamaRotaryEmbedding.forward = _Rotary.forward


def tiny_llama(
    vocab_size: int,
    *,
    seed: int,
    layers: int = 1,
    width: int = 8,
    spread: float = 1.0,
    context: int = 64,
    eos: int | None = None,
) -> Any:
    """A Llama that computes in float64 throughout; `spread` widens its logits so that laws are far from uniform."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=vocab_size, hidden_size=width, intermediate_size=2 * width, num_hidden_layers=layers, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=context, bos_token_id=None, eos_token_id=eos, pad_token_id=None,
        tie_word_embeddings=False, attn_implementation="sdpa",
    )  # fmt: skip
    model = LlamaForCausalLM(config).double().eval()
    for module in model.modules():
        if isinstance(module, LlamaRMSNorm):
            module.__class__ = _Norm
        elif isinstance(module, LlamaRotaryEmbedding):
            module.__class__ = _Rotary
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 2:
                parameter.copy_(torch.randn_like(parameter) * 0.5)
        model.lm_head.weight.mul_(spread)
    return model


def tiny_tokenizer(vocab_size: int = 300) -> Any:
    """A byte-level BPE tokenizer with `<|bos|>` (0) and `<|eos|>` (1)."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=["<|bos|>", "<|eos|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(TEXT, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<|bos|>", eos_token="<|eos|>")


def tiny_pair(*, context: int = 96, eos: int | None = 1, chat: bool = False) -> Pair:
    """A pair of two tiny Llamas over the byte-level tokenizer, with `chat` one that has a chat template."""
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = CHAT_TEMPLATE if chat else None
    size = len(tokenizer)
    target = tiny_llama(size, seed=1, layers=2, context=context, eos=eos)
    draft = tiny_llama(size, seed=2, context=context, eos=eos)
    return Pair.from_models(
        draft,
        target,
        tokenizer,
        name="tiny",
        draft_name="tiny-draft",
        draft_revision="seed:2",
        target_revision="seed:1",
    )
