"""Which models the lean forward knows, and their weights as it multiplies them."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from specdemo.pairs.packed_linear import PackedLinear
from specdemo.pairs.products import Plain, Product, packed
from specdemo.pairs.weights import threads_suited_to, weight_count

LARGEST = 50_000_000  # with plain weights: beyond, a pass is arithmetic and nothing is gained
LARGEST_PACKED = 500_000_000
_PLAIN_ROPES = ("default", "linear", "llama3")  # rotations that do not change with the length of the text


@dataclass(frozen=True)
class Layer:
    """A layer's norms, times √width, and its products; `attention` gives queries, keys and values at once, pairs to rotate side by side."""

    norm: Tensor
    attention: Product
    output: Product
    second_norm: Tensor
    gate: Product
    up: Product
    down: Product


@dataclass(frozen=True)
class LeanWeights:
    """The weights of a model as the lean forward multiplies them; shared by all forwards of that model."""

    model: weakref.ref[Any]
    fingerprint: tuple[Any, ...]
    embedding: Tensor
    layers: tuple[Layer, ...]
    norm: Tensor
    head: Product
    norm_floor: Tensor
    heads: int
    key_heads: int
    head_size: int
    inverse_frequencies: Tensor
    rope_scaling: float
    name: object = field(
        default_factory=object
    )  # what these weights are known by, for as long as something remembers it


_known: weakref.WeakKeyDictionary[Any, LeanWeights] = weakref.WeakKeyDictionary()


def lean_weights_of(model: Any) -> LeanWeights | None:
    """The model's weights for the lean forward, made once and again when they have changed; None where it does not apply."""
    from transformers import LlamaForCausalLM

    if type(model) is not LlamaForCausalLM or model.training:
        return None
    modules = _modules_of(model)
    if not _applies(model, modules):
        return None
    fingerprint = tuple(_marks(modules))
    known = _known.get(model)
    if known is None or known.fingerprint != fingerprint:
        plain = any(type(module) is nn.Linear for module in modules)
        if weight_count(model) > (LARGEST if plain else LARGEST_PACKED):
            return None
        known = _known[model] = _gathered(model, fingerprint)
    return known


def _modules_of(model: Any) -> list[Any]:
    """All modules, walked by hand: this is asked at every run's start, and PyTorch's own walk takes ten times as long."""
    found = [model]
    for module in found:
        found += filter(None, module._modules.values())
    return found


def _marks(modules: list[Any]) -> Iterable[Any]:
    for module in modules:
        if isinstance(module, PackedLinear):
            yield module.product
        yield from ((p.data_ptr(), p._version) for p in module._parameters.values() if p is not None)


def _applies(model: Any, modules: list[Any]) -> bool:
    from transformers.models.llama import modeling_llama as llama

    kinds = {nn.Embedding, nn.Linear, PackedLinear, nn.ModuleList, llama.LlamaModel, llama.LlamaDecoderLayer}
    kinds |= {
        llama.LlamaAttention,
        llama.LlamaForCausalLM,
        llama.LlamaMLP,
        llama.LlamaRMSNorm,
        llama.LlamaRotaryEmbedding,
    }
    plain = False
    for module in modules:
        # Only what transformers itself makes of a Llama: an adapter, an activation of another kind or a hook is not known here.
        kind = type(module)
        known = kind in kinds or kind.__name__ in ("SiLU", "SiLUActivation")
        hooked = module._forward_hooks or module._forward_pre_hooks or "forward" in module.__dict__
        if not known or hooked or module._parameters.get("bias") is not None:
            return False
        plain = plain or kind is nn.Linear
    parameters = {id(p): p for module in modules for p in module._parameters.values() if p is not None}.values()
    rope = (getattr(model.config, "rope_parameters", None) or {}).get("rope_type")
    element = {p.dtype for p in parameters}
    # bfloat16 only where it is packed: for somebody's own model in bfloat16 transformers' way is as good.
    return (
        rope in _PLAIN_ROPES
        and all(p.device.type == "cpu" for p in parameters)
        and model.config.hidden_act == "silu"
        and (element == {torch.float32} or (element == {torch.bfloat16} and not plain))
    )


@torch.no_grad()
def _gathered(model: Any, fingerprint: tuple[Any, ...]) -> LeanWeights:
    config, rotary = model.config, model.model.rotary_emb
    size, root = model.model.layers[0].self_attn.head_dim, math.sqrt(config.hidden_size)
    threads = threads_suited_to(weight_count(model))
    layers = [
        Layer(
            _scaled(layer.input_layernorm, root),
            _attention(layer.self_attn, size, threads),
            _product(layer.self_attn.o_proj),
            _scaled(layer.post_attention_layernorm, root),
            _product(layer.mlp.gate_proj),
            _product(layer.mlp.up_proj),
            _product(layer.mlp.down_proj),
        )
        for layer in model.model.layers
    ]
    return LeanWeights(
        weakref.ref(model), fingerprint, model.model.embed_tokens.weight.detach(), tuple(layers), _scaled(model.model.norm, root),
        _product(model.lm_head), torch.tensor(root * math.sqrt(config.rms_norm_eps)), config.num_attention_heads,
        config.num_key_value_heads, size, rotary.inv_freq.float(), float(rotary.attention_scaling),
    )  # fmt: skip


def _scaled(norm: Any, root: float) -> Tensor:
    return norm.weight.detach().float() * root


def _product(layer: Any) -> Product:
    return layer.product if isinstance(layer, PackedLinear) else Plain(layer.weight.detach())


def _attention(layer: Any, size: int, threads: int) -> Product:
    """One product for queries, keys and values: a second copy of these matrices, the smallest of a layer."""
    query, key, value = (part.weight.detach() for part in (layer.q_proj, layer.k_proj, layer.v_proj))
    matrix = torch.cat([_paired(query, size), _paired(key, size), value])
    if isinstance(layer.q_proj, PackedLinear):
        return packed(matrix, threads=threads) or Plain(matrix)
    return Plain(matrix.t().contiguous().t() if query.t().is_contiguous() else matrix)


def _paired(matrix: Tensor, size: int) -> Tensor:
    """Rows in another order: the two that are rotated together, half a head apart, come to lie side by side.

    Queries and keys are reordered alike, so that their products stay what they are.
    """
    return matrix.view(-1, 2, size // 2, matrix.shape[1]).transpose(1, 2).reshape(matrix.shape)
