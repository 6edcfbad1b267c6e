"""A Llama that writes many texts at once: every slot of the batch is at its own place in its own text.

The linear layers of all slots share one pass over the weights, which on a CPU is what a token costs; a slot whose text has
ended starts the next one at once. Fused products and one cache tensor; numerically the model's own forward up to rounding.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional


class Slots:
    """`step(ids, places)` feeds one token to every slot; the cache holds the keys and values of up to `length` tokens each."""

    def __init__(self, model: Any, slots: int, length: int) -> None:
        config = model.config
        self.slots, self.length = slots, length
        self.key_heads = config.num_key_value_heads
        self.groups = config.num_attention_heads // self.key_heads
        self.width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.epsilon = config.rms_norm_eps
        self.embedding = model.model.embed_tokens.weight.detach()
        self.head = model.lm_head.weight.detach()
        self.norm = model.model.norm.weight.detach()
        self.layers = [_fused(layer) for layer in model.model.layers]
        places = torch.arange(length)[None]
        cosine, sine = model.model.rotary_emb(self.embedding, places)
        self.cosine, self.sine = cosine[0], sine[0]
        # Contiguous as the products want them: a slice of a cache, or one turned on the fly, would be copied at every step.
        shape = (len(self.layers), slots, self.key_heads)
        self.keys = torch.zeros((*shape, self.width, length), dtype=self.embedding.dtype)
        self.values = torch.zeros((*shape, length, self.width), dtype=self.embedding.dtype)
        self._rows = torch.arange(slots)

    @torch.inference_mode()
    def step(self, ids: Tensor, places: Tensor) -> Tensor:
        """Logits (slots, V) of the token after `ids` (slots,), which stand at `places` (slots,) of their texts."""
        x = self.embedding[ids]
        mask = torch.where(torch.arange(self.length) <= places[:, None], 0.0, float("-inf")).repeat_interleave(
            self.key_heads, 0
        )[:, None]
        cosine, sine = self.cosine[places][:, None], self.sine[places][:, None]
        queries = self.groups * self.key_heads
        for layer, keys, values in zip(self.layers, self.keys, self.values, strict=True):
            mixed = functional.linear(self._normed(x, layer["input_norm"]), layer["query_key_value"])
            heads = mixed.view(self.slots, -1, self.width)
            rotated = _rotate(heads[:, : queries + self.key_heads], cosine, sine)
            keys[self._rows, :, :, places] = rotated[:, queries:]
            values[self._rows, :, places] = heads[:, queries + self.key_heads :]
            query = rotated[:, :queries].reshape(-1, self.groups, self.width)
            scores = torch.bmm(query, keys.flatten(0, 1)).float() * self.width**-0.5 + mask
            attended = torch.bmm(scores.softmax(-1).to(x.dtype), values.flatten(0, 1))
            x = x + functional.linear(attended.view(self.slots, -1), layer["output"])
            gate, up = functional.linear(self._normed(x, layer["middle_norm"]), layer["gate_up"]).chunk(2, -1)
            x = x + functional.linear(functional.silu(gate) * up, layer["down"])
        return functional.linear(self._normed(x, self.norm), self.head)

    def prefix(self, ids: list[int]) -> tuple[Tensor, Tensor]:
        """The cached keys and values of a beginning that many texts share."""
        for place, token in enumerate(ids):
            self.step(torch.full((self.slots,), token), torch.full((self.slots,), place))
        return self.keys[:, 0, ..., : len(ids)].clone(), self.values[:, 0, :, : len(ids)].clone()

    def begin(self, slot: int, prefix: tuple[Tensor, Tensor] | None) -> int:
        """Let a new text begin in the slot, with the cache of its first tokens if given; the place of its next token."""
        if prefix is None:
            return 0
        keys, values = prefix
        tokens = keys.shape[-1]
        self.keys[:, slot, ..., :tokens], self.values[:, slot, :, :tokens] = keys, values
        return tokens

    def _normed(self, x: Tensor, weight: Tensor) -> Tensor:
        return functional.rms_norm(x.float(), (x.shape[-1],), eps=self.epsilon).to(x.dtype) * weight


def _fused(layer: Any) -> dict[str, Tensor]:
    attention, mlp = layer.self_attn, layer.mlp
    products = [attention.q_proj.weight, attention.k_proj.weight, attention.v_proj.weight]
    return {
        "input_norm": layer.input_layernorm.weight.detach(),
        "middle_norm": layer.post_attention_layernorm.weight.detach(),
        "query_key_value": torch.cat(products).detach(),
        "output": attention.o_proj.weight.detach(),
        "gate_up": torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]).detach(),
        "down": mlp.down_proj.weight.detach(),
    }


def _rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat([-second, first], -1) * sine
