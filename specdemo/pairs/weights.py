"""How a model's weights lie in memory, for products with few rows on an x86 processor.

Verifying feeds γ+1 tokens at once, and MKL's product of so few rows with a (out, in) matrix is quicker where the matrix lies
in memory the other way round. Shapes, names and values stay as they are; on two cores with γ = 4 a target call costs a sixth
less. The weights also move to aligned memory (a weights file maps them wherever they lie in it), so that the same product
gives the same last bits in every process.
"""

from __future__ import annotations

from typing import Any

import torch


def suited_to_few_rows(model: Any) -> Any:
    """The model, its weights laid out anew where that is known to help: float32 on a CPU with MKL. Tied weights stay tied."""
    if model.device.type != "cpu" or model.dtype != torch.float32 or not torch.backends.mkl.is_available():
        return model
    # An output matrix that is also the embedding is turned too: reading a few columns costs less than the product gains.
    products = {id(m.weight) for m in model.modules() if isinstance(m, torch.nn.Linear)}
    with torch.no_grad():
        for parameter in model.parameters():
            turned = id(parameter) in products and parameter.ndim == 2
            parameter.data = parameter.t().contiguous().t() if turned else parameter.clone()
    return model
