"""How many threads a forward pass should use: one is faster for models this small, whatever the number of cores."""

from __future__ import annotations

from specdemo.pairs.pair import Pair

# Below this many weights, starting a second thread costs more than it saves (measured on two cores: 12 layers × 256).
SMALL_MODEL = 30_000_000


def use_fitting_threads(pair: Pair) -> int | None:
    """Set torch's thread count for this pair on a CPU and return it; other devices are left alone (None)."""
    import torch

    if pair.device.type != "cpu" or pair.target_model.num_parameters() >= SMALL_MODEL:
        return None
    torch.set_num_threads(1)
    return 1
