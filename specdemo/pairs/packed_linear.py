"""A linear layer that holds its weights packed and nothing else: transformers' own code runs on it as on any other.

For inference only: there is no parameter to train. `weight` unpacks, so that reading it is exact but takes time.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from specdemo.pairs.products import Product


class PackedLinear(nn.Module):
    """y = x Wᵀ for x (…, in), without bias."""

    bias = None

    def __init__(self, product: Product, weight: Tensor) -> None:
        super().__init__()
        self.product = product
        self.out_features, self.in_features = weight.shape
        self.dtype = weight.dtype

    @property
    def weight(self) -> Tensor:
        """The weights (out, in) in fresh memory: to look at, not to change."""
        return self.product.dense()

    def forward(self, x: Tensor) -> Tensor:
        """The product, packed where that is possible: not where a gradient is wanted, nor in another type or on another device."""
        if x.dtype != self.dtype or x.device.type != "cpu" or (torch.is_grad_enabled() and x.requires_grad):
            return functional.linear(x, self.weight.to(device=x.device, dtype=x.dtype))
        return self.product(x.reshape(-1, self.in_features)).view(*x.shape[:-1], self.out_features)

    def extra_repr(self) -> str:
        """As nn.Linear's, with how the weights are packed."""
        return f"in_features={self.in_features}, out_features={self.out_features}, {type(self.product).__name__}"

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        destination[f"{prefix}weight"] = self.weight

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *arguments: Any) -> None:
        raise RuntimeError(
            f"{prefix.rstrip('.')} holds packed weights, which do not change: load a plain model and pack it"
        )


def plain_linear(layer: PackedLinear) -> nn.Linear:
    """An ordinary linear layer with the same weights."""
    linear = nn.Linear(layer.in_features, layer.out_features, bias=False, device="meta")
    linear.weight = nn.Parameter(layer.weight, requires_grad=False)
    return linear.eval()
