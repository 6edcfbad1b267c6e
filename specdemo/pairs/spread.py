"""A model over several devices: layers on one GPU after the other, what is left over in memory. Done by accelerate, an optional package.

`device="auto-map"` asks for it when a pair is loaded. The draft stays whole, on the device where the target begins.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import torch

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.placement import AUTO_MAP

# What transformers is given; on a machine without a GPU its "auto" is the CPU, as if nothing had been said.
device_map: Any = "auto"


def check_accelerate() -> None:
    """Raises PairUnavailable without accelerate, saying how to have it."""
    if importlib.util.find_spec("accelerate") is None:
        raise PairUnavailable(
            f"device={AUTO_MAP!r} lays a model over several devices, which needs the package accelerate: pip install '.[accelerate]'"
        )


def is_spread(model: Any) -> bool:
    """Whether accelerate moves this model's weights or states between devices: then only its own forward pass may be used."""
    return any(hasattr(module, "_hf_hook") for module in model.modules())


def device_of(model: Any) -> torch.device:
    """Where the model takes its ids and gives its logits. Weights that are fetched when they are needed lie nowhere themselves."""
    hook = getattr(model.get_input_embeddings(), "_hf_hook", None) if is_spread(model) else None
    execution = getattr(hook, "execution_device", None)
    device: torch.device = model.device if execution is None else torch.device(execution)
    return device
