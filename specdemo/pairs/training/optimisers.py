"""Muon for matrices, AdamW for the rest.

Muon (Jordan et al. 2024): momentum, then the update is replaced by the nearest semi-orthogonal matrix, by five Newton-Schulz steps.
Matrices of one shape are orthogonalised together, which on a CPU saves most of the calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn


def orthogonalise(matrices: Tensor, steps: int = 5) -> Tensor:
    """(n, rows, columns) → matrices with the same singular vectors and singular values near 1, in bfloat16."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = matrices.bfloat16()
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """Muon with Nesterov momentum and decoupled weight decay; every parameter must be a matrix."""

    def __init__(
        self, parameters: Iterable[nn.Parameter], lr: float, momentum: float = 0.95, weight_decay: float = 0.0
    ) -> None:
        super().__init__(list(parameters), {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})
        self.rank, self.workers = 0, 1
        for group in self.param_groups:
            for parameter in group["params"]:
                # Shared, so that the worker that saves sees what the worker that updates has written.
                self.state[parameter]["momentum"] = torch.zeros_like(parameter, requires_grad=False).share_memory_()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load momenta into the shared buffers."""
        buffers = {
            parameter: self.state[parameter]["momentum"] for group in self.param_groups for parameter in group["params"]
        }
        super().load_state_dict(state_dict)
        for parameter, buffer in buffers.items():
            buffer.copy_(self.state[parameter]["momentum"])
            self.state[parameter]["momentum"] = buffer

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:
        """One update of this worker's matrices (with one worker: all) from their gradients."""
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[nn.Parameter]] = defaultdict(list)
            for parameter in group["params"]:
                if parameter.grad is not None:
                    by_shape[parameter.shape].append(parameter)
            for shape, all_of_shape in by_shape.items():
                parameters = all_of_shape[self.rank :: self.workers]
                if not parameters:
                    continue
                gradients: list[Tensor] = [p.grad for p in parameters if p.grad is not None]
                momenta: list[Tensor] = [self.state[p]["momentum"] for p in parameters]
                torch._foreach_lerp_(momenta, gradients, 1 - group["momentum"])
                ahead = torch._foreach_lerp(gradients, momenta, group["momentum"])
                updates = orthogonalise(torch.stack(list(ahead)))
                scale = max(1.0, shape[0] / shape[1]) ** 0.5
                torch._foreach_mul_(parameters, 1 - group["lr"] * group["weight_decay"])
                torch._foreach_add_(parameters, [u.float() for u in updates.unbind(0)], alpha=-group["lr"] * scale)


class Optimisers:
    """Both optimisers of a network as one: `set_rate(factor)`, `step()`, and their state."""

    def __init__(self, network: nn.Module, matrix_rate: float, vector_rate: float) -> None:
        matrices = [p for name, p in network.named_parameters() if p.ndim == 2 and "embed" not in name]
        others = [p for name, p in network.named_parameters() if p.ndim != 2 or "embed" in name]
        self.parts: list[tuple[torch.optim.Optimizer, float]] = [
            (Muon(matrices, matrix_rate, weight_decay=0.01), matrix_rate),
            (torch.optim.AdamW(others, vector_rate, betas=(0.9, 0.95), weight_decay=0.0, foreach=True), vector_rate),
        ]

    def set_rate(self, factor: float) -> None:
        """Set every learning rate to `factor` times its recipe value."""
        for optimiser, rate in self.parts:
            for group in optimiser.param_groups:
                group["lr"] = rate * factor

    def step(self, rank: int = 0, workers: int = 1) -> None:
        """Update this worker's parameters (matrices in turn, all others by worker 0) and forget the gradients."""
        for optimiser, _ in self.parts:
            if isinstance(optimiser, Muon):
                optimiser.rank, optimiser.workers = rank, workers
                optimiser.step()
            elif rank == 0:
                optimiser.step()
            optimiser.zero_grad(set_to_none=True)

    def state(self) -> list[dict[str, Any]]:
        """Both state dicts."""
        return [optimiser.state_dict() for optimiser, _ in self.parts]

    def restore(self, state: list[dict[str, Any]]) -> None:
        """Load what `state` gave."""
        for (optimiser, _), record in zip(self.parts, state, strict=True):
            optimiser.load_state_dict(record)
