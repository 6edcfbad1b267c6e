"""How a model's weights lie in memory, for products with few rows on an x86 processor.

Decoding feeds one token to the draft and γ+1 to the target, and PyTorch's product of so few rows with a (out, in) matrix reaches a
fraction of what memory and processor allow. So the linear layers of a Llama are replaced by layers that hold the same weights packed
(`products.py`), and only packed. Where that does not apply, the matrices are turned in memory, which helps MKL a little.
Names and values stay as they are. What is not packed moves to aligned memory (a weights file maps it wherever it lies in the file),
so that the same product gives the same last bits in every process.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
from typing import Any

import torch
from torch import nn

from specdemo.pairs.packed_linear import PackedLinear, plain_linear
from specdemo.pairs.products import packed
from specdemo.pairs.spread import is_spread

# Below this many weights, starting a second thread costs more than it saves.
SMALL_MODEL = 30_000_000
MOST_THREADS = 4  # no more has been tried
_AVAILABLE_THREADS = torch.get_num_threads()  # before anybody here sets it: the cores, or what OMP_NUM_THREADS says


def threads_suited_to(weights: int) -> int:
    """How many threads PyTorch may use for a model of so many weights on a CPU: one for a small model, whatever the number of cores."""
    return 1 if weights < SMALL_MODEL else min(_AVAILABLE_THREADS, MOST_THREADS)


def weight_count(model: Any) -> int:
    """The number of weights, packed ones included, tied ones once."""
    tied = model.get_output_embeddings() if getattr(model.config, "tie_word_embeddings", False) else None
    packed_layers = [m for m in model.modules() if isinstance(m, PackedLinear) and m is not tied]
    return sum(p.numel() for p in model.parameters()) + sum(m.in_features * m.out_features for m in packed_layers)


def suited_to_few_rows(model: Any, rows: int = 5) -> Any:
    """The model itself, its weights packed or laid out anew where that is known to help: on a CPU, in float32 or (packed) bfloat16.

    `rows`: how many tokens are fed at once as a rule, 1 for a draft. Packed models are for inference; `unpacked` is the way back.
    """
    if model.device.type != "cpu" or is_spread(model) or model.dtype not in (torch.float32, torch.bfloat16):
        return model
    if _is_llama(model):
        _pack(model, rows)
    if model.dtype == torch.float32 and torch.backends.mkl.is_available():
        _turn(model)
    return model


def is_packed(model: Any) -> bool:
    """Whether some of the model's weights are packed."""
    return any(isinstance(layer, PackedLinear) for layer in model.modules())


def unpacked(model: Any) -> Any:
    """A copy of the model with ordinary linear layers, its weights as transformers lays them out."""
    plain = copy.deepcopy(model)
    for name, layer in list(plain.named_modules()):
        if isinstance(layer, PackedLinear):
            plain.set_submodule(name, plain_linear(layer))
    if plain.config.tie_word_embeddings:
        plain.get_output_embeddings().weight = plain.get_input_embeddings().weight
    for parameter in plain.parameters():
        parameter.data = parameter.data.contiguous()
    return plain


def _is_llama(model: Any) -> bool:
    from transformers import LlamaForCausalLM

    # Others read `weight` in their forward pass here and there, which unpacks; a bias is not packed.
    return type(model) is LlamaForCausalLM and not any(
        isinstance(m, nn.Linear) and (type(m) is not nn.Linear or m.bias is not None) for m in model.modules()
    )


def _pack(model: Any, rows: int) -> None:
    threads = threads_suited_to(weight_count(model))
    # Only names are listed, so that the memory of a plain matrix is free before the next one is packed.
    for name in [name for name, module in model.named_modules() if isinstance(module, nn.Linear)]:
        model.set_submodule(name, _packed_layer(model.get_submodule(name), rows, threads))
    with contextlib.suppress(OSError, AttributeError):
        # glibc keeps small pieces that were freed for later: 400 MB after packing SmolLM2-135M. Others have no such function.
        ctypes.CDLL(None).malloc_trim(0)


def _packed_layer(layer: nn.Linear, rows: int, threads: int) -> nn.Module:
    weight = layer.weight.detach()
    product = packed(weight, rows=rows, threads=threads)
    return layer if product is None else PackedLinear(product, weight).eval()


def _turn(model: Any) -> None:
    # An output matrix that is also the embedding is turned too: reading a few columns costs less than the product gains.
    products = {id(m.weight) for m in model.modules() if isinstance(m, nn.Linear)}
    with torch.no_grad():
        for parameter in model.parameters():
            turned = id(parameter) in products and parameter.ndim == 2
            parameter.data = parameter.t().contiguous().t() if turned else parameter.clone()
