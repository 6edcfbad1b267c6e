"""A Llama for training: the weights carry the names of `transformers`, the forward is written out so that it compiles well on a CPU.

Explicit attention beats the fused kernel here once compiled. No cache, no padding: rows of equal length only.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import LlamaConfig

from specdemo.pairs.training.recipe import ModelSize
from specdemo.pairs.training.tokens import BOS_ID, EOS_ID

ROPE_THETA = 10_000.0
EPSILON = 1e-5


def config_of(size: ModelSize, vocabulary: int, length: int) -> LlamaConfig:
    """The `transformers` configuration of a model of that size with a context of `length` tokens."""
    return LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=size.width,
        intermediate_size=size.feed_forward,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads,
        max_position_embeddings=length,
        rms_norm_eps=EPSILON,
        rope_parameters={"rope_type": "default", "rope_theta": ROPE_THETA},
        tie_word_embeddings=True,
        bos_token_id=BOS_ID,
        eos_token_id=EOS_ID,
        pad_token_id=None,
        use_cache=True,
    )


class _Layer(nn.Module):
    def __init__(self, size: ModelSize) -> None:
        super().__init__()
        self.heads = size.heads
        self.self_attn = nn.ModuleDict(
            {f"{name}_proj": nn.Linear(size.width, size.width, bias=False) for name in "qkvo"}
        )
        self.mlp = nn.ModuleDict(
            {
                "gate_proj": nn.Linear(size.width, size.feed_forward, bias=False),
                "up_proj": nn.Linear(size.width, size.feed_forward, bias=False),
                "down_proj": nn.Linear(size.feed_forward, size.width, bias=False),
            }
        )
        self.input_layernorm = nn.RMSNorm(size.width, EPSILON)
        self.post_attention_layernorm = nn.RMSNorm(size.width, EPSILON)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor, mask: Tensor) -> Tensor:
        rows, length, width = x.shape
        normed = self.input_layernorm(x)
        attention = self.self_attn
        together = torch.cat([attention[f"{name}_proj"].weight for name in "qkv"])
        query, key, value = (
            functional.linear(normed, together).view(rows, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        )
        query, key = _rotate(query, cosine, sine), _rotate(key, cosine, sine)
        scores = (query @ key.transpose(-1, -2)).float() * query.shape[-1] ** -0.5 + mask
        mixed = (scores.softmax(-1).to(value.dtype) @ value).transpose(1, 2).reshape(rows, length, width)
        x = x + attention["o_proj"](mixed)
        normed = self.post_attention_layernorm(x)
        hidden = functional.silu(self.mlp["gate_proj"](normed)) * self.mlp["up_proj"](normed)
        return x + self.mlp["down_proj"](hidden)


def _rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    first, second = x.float().chunk(2, -1)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], -1).to(x.dtype)


class Network(nn.Module):
    """A Llama whose `export_weights` are those of `LlamaForCausalLM`; `forward(ids (B, L))` gives logits (B, L, V) in float32."""

    def __init__(self, size: ModelSize, vocabulary: int, length: int) -> None:
        super().__init__()
        self.size = size
        self._through: Callable[..., Tensor] = _Layer.forward
        self.active = list(range(size.layers))
        self.embed_tokens = nn.Embedding(vocabulary, size.width)
        self.layers = nn.ModuleList([_Layer(size) for _ in range(size.layers)])
        self.norm = nn.RMSNorm(size.width, EPSILON)
        half = size.width // size.heads // 2
        angles = torch.outer(torch.arange(length).float(), ROPE_THETA ** (-torch.arange(half).float() / half))
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)
        self.register_buffer("mask", torch.full((length, length), float("-inf")).triu(1), persistent=False)
        for name, parameter in self.named_parameters():
            if parameter.ndim == 2:
                nn.init.normal_(parameter, std=0.02)
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits of the token after each position."""
        length = ids.shape[1]
        cosine, sine, mask = self.cosine[:length], self.sine[:length], self.mask[:length, :length]
        x = self.embed_tokens(ids)
        for number in self.active:
            x = self._through(self.layers[number], x, cosine, sine, mask)
        return functional.linear(self.norm(x), self.embed_tokens.weight).float()

    @torch.no_grad()
    def grow(self, thirds: int) -> None:
        """Use the first `thirds` of every three layers; a layer not used is the identity, since its output matrices start at zero.

        A layer that joins takes over the weights of the one before it, save the output matrices, so that the function does not change
        (after progressive stacking, Gong et al. 2019). Layers that have been trained are left alone.
        """
        active = [number for number in range(self.size.layers) if number % 3 < thirds]
        for number in active:
            layer = self.layers[number]
            if number in self.active or number == 0 or layer.self_attn["o_proj"].weight.any():
                continue
            for own, other in zip(layer.named_parameters(), self.layers[number - 1].parameters(), strict=True):
                if not own[0].endswith(("o_proj.weight", "down_proj.weight")):
                    own[1].copy_(other)
        self.active = active

    @torch.no_grad()
    def limit_attention(self, limit: float) -> None:
        """Scale down query and key matrices whose singular values have a root mean square above `limit`.

        Muon makes them grow without end; attention then puts all its weight on one token and cannot learn to look elsewhere.
        """
        for number in self.active:
            for name in ("q_proj", "k_proj"):
                weight = self.layers[number].self_attn[name].weight
                weight.mul_((limit * self.size.width**0.5 / weight.norm()).clamp(max=1.0))

    def compile_layers(self) -> None:
        """Compile one layer's forward and use it for all: a twelfth of the compile time of the whole network, about the same speed."""
        self._through = torch.compile(_Layer.forward, dynamic=False)

    def export_weights(self) -> dict[str, Tensor]:
        """The weights under the names that `LlamaForCausalLM` gives them (the tied output matrix is not repeated)."""
        return {f"model.{name}": parameter.detach().clone() for name, parameter in self.named_parameters()}
