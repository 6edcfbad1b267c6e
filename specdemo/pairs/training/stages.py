"""The two stages of a run: the target by cross-entropy, then the drafts by forward KL to the target's full law.

A stage lives in one checkpoint file. Its schedule follows the seconds it has trained, so that it ends on time on any machine,
and a killed stage goes on from its last checkpoint.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from specdemo.pairs.training.network import Network
from specdemo.pairs.training.optimisers import Optimisers
from specdemo.pairs.training.packs import Sampler
from specdemo.pairs.training.prepare import Prepared
from specdemo.pairs.training.recipe import Recipe
from specdemo.pairs.training.team import Team


class Stopped(Exception):
    """The run was asked to stop (SIGINT or SIGTERM) and has saved its state."""


class Clock:
    """Seconds trained so far against the stage's budget; a long first step (compilation) counts like any other."""

    def __init__(self, budget: float, elapsed: float = 0.0, start: float = 0.0) -> None:
        self.budget, self.elapsed, self.start, self._last = budget, elapsed, start, time.monotonic()

    def tick(self) -> float:
        """Add the time since the last tick; the fraction of the budget that is used."""
        now = time.monotonic()
        self.elapsed += now - self._last
        self._last = now
        return (self.elapsed - self.start) / (self.budget - self.start)


def rate_factor(recipe: Recipe, fraction: float) -> float:
    """The learning rate's factor: a short linear warm-up, then a half cosine down to `floor`."""
    if fraction < recipe.warmup:
        return max(fraction / recipe.warmup, 0.02)
    progress = min((fraction - recipe.warmup) / (1 - recipe.warmup), 1.0)
    return recipe.floor + (1 - recipe.floor) * 0.5 * (1 + math.cos(math.pi * progress))


def _save(path: Path, record: dict[str, Any]) -> None:
    partial = path.with_suffix(".part")
    torch.save(record, partial)
    partial.replace(path)


class Stage:
    """One stage: networks and their optimisers, samplers of both lengths, clock, history; `run` trains until the budget is used."""

    def __init__(
        self,
        name: str,
        path: Path,
        prepared: Prepared,
        networks: dict[str, Network],
        rates: tuple[float, float],
        seconds: float,
        workers: int,
        growing: Network | None = None,
    ) -> None:
        self.growing = growing
        self.name, self.path, self.recipe, self.networks = name, path, prepared.recipe, networks
        self.optimisers = {key: Optimisers(network, *rates) for key, network in networks.items()}
        number = 0 if name == "target" else 1
        self.samplers: dict[int, Sampler] = {length: prepared.sampler(length, number) for length in prepared.packs}
        self.history: list[dict[str, float]] = []
        self.step_number = 0
        self.elapsed = 0.0
        self.done = False
        if path.exists():
            self._restore(torch.load(path, weights_only=False))
        self.clock = Clock(seconds, self.elapsed, 60 * self.recipe.cycle_starts.get(name, 0.0))
        self.team = Team([parameter for network in networks.values() for parameter in network.parameters()], workers)
        self._stop = False

    def _restore(self, record: dict[str, Any]) -> None:
        for key, network in self.networks.items():
            network.load_state_dict(record["networks"][key])
            self.optimisers[key].restore(record["optimisers"][key])
        for length, state in record["samplers"].items():
            self.samplers[length].restore(state)
        self.history, self.step_number, self.elapsed, self.done = (
            record["history"],
            record["step"],
            record["elapsed"],
            record["done"],
        )
        print(f"{self.name:7s} goes on from step {self.step_number}, {self.elapsed / 60:.1f} min trained", flush=True)

    def save(self) -> None:
        """Write the checkpoint; an interruption while it is written leaves the one before."""
        _save(
            self.path,
            {
                "networks": {key: network.state_dict() for key, network in self.networks.items()},
                "optimisers": {key: optimiser.state() for key, optimiser in self.optimisers.items()},
                "samplers": {length: sampler.state() for length, sampler in self.samplers.items()},
                "history": self.history,
                "step": self.step_number,
                "elapsed": self.clock.elapsed,
                "done": self.done,
            },
        )

    def run(self, loss_of: Callable[[Tensor], tuple[Tensor, dict[str, Tensor]]]) -> None:
        """Train until the time is used up; `loss_of(rows (B, L+1))` gives the loss and what to log."""
        if self.done:
            return
        before = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self.team.run(lambda: self._train(loss_of))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, *_: object) -> None:
        self._stop = True

    def _train(self, loss_of: Callable[[Tensor], tuple[Tensor, dict[str, Tensor]]]) -> None:
        recipe, team, control, compiled = self.recipe, self.team, self.team.control, set[tuple[int, int]]()
        logged = saved = time.monotonic()
        tokens = turn = 0
        sums: dict[str, float] = {}
        if team.rank == 0:
            control[0] = self.clock.tick()
        team.meet()
        while (fraction := float(control[0])) < 1.0 and not control[1]:
            length = recipe.long_pack_length if fraction >= recipe.long_from else recipe.pack_length
            batch_tokens = recipe.batch_tokens
            if self.growing is not None:
                thirds = recipe.thirds(fraction)
                batch_tokens = recipe.batch_tokens if length == recipe.long_pack_length else recipe.early_batch_tokens
                self.growing.grow(thirds)
            rows = torch.from_numpy(self.samplers[length].batch(batch_tokens // length))
            # In turn, since the order of the sources within a batch repeats.
            rows, turn = rows[(team.rank + turn) % team.size :: team.size], turn + 1
            shape = (rows.shape[0], length)
            for optimiser in self.optimisers.values():
                optimiser.set_rate(rate_factor(recipe, fraction))
            # The first worker compiles, the others then find the result in the cache.
            if shape not in compiled and team.rank > 0:
                team.meet()
            loss, notes = loss_of(rows)
            loss.backward()
            if shape not in compiled and team.rank == 0:
                team.meet()
            compiled.add(shape)
            team.average()
            for optimiser in self.optimisers.values():
                optimiser.step(team.rank, team.size)
            team.meet()
            if team.rank == 0:
                for network in self.networks.values():
                    network.limit_attention(recipe.query_key_norm)
            if team.rank == 0:
                self.step_number += 1
                tokens += batch_tokens
                for key, value in notes.items():
                    sums[key] = sums.get(key, 0.0) + float(value) * batch_tokens
                control[0], control[1] = self.clock.tick(), float(self._stop)
                now = time.monotonic()
                if now - logged > 5.0 or control[0] >= 1.0:
                    means = {key: value / tokens for key, value in sums.items()}
                    self._log(means, tokens / (now - logged), float(control[0]), length)
                    logged, tokens, sums = now, 0, {}
            team.meet()
            if team.rank == 0 and time.monotonic() - saved > recipe.checkpoint_seconds:
                self.save()
                saved = time.monotonic()
        if team.rank == 0:
            self.done = not control[1]
            self.save()
            if not self.done:
                raise Stopped

    def _log(self, means: dict[str, float], speed: float, fraction: float, length: int) -> None:
        self.history.append(
            {"minutes": self.clock.elapsed / 60, "step": self.step_number, "tokens_per_second": speed, **means}
        )
        bar = "#" * int(20 * min(fraction, 1.0))
        left = max(self.clock.budget - self.clock.elapsed, 0.0)
        values = "  ".join(f"{key} {value:.3f}" for key, value in means.items())
        print(
            f"{self.name:7s}[{bar:20s}] {self.clock.elapsed / 60:5.1f} min, {left / 60:5.1f} left  step {self.step_number}  "
            f"{speed:6.0f} tokens/s  L={length}  {values}",
            flush=True,
        )


def new_networks(recipe: Recipe) -> tuple[Network, dict[str, Network]]:
    """Freshly initialised target and drafts."""
    torch.manual_seed(recipe.seed)
    target = Network(recipe.target, recipe.vocabulary, recipe.long_pack_length)
    drafts = {name: Network(size, recipe.vocabulary, recipe.long_pack_length) for name, size in recipe.drafts.items()}
    return target, drafts


def train_target(prepared: Prepared, work: Path, seconds: float, workers: int = 1, compiled: bool = True) -> Network:
    """Train (or finish training) the target; returns it."""
    recipe = prepared.recipe
    target, _ = new_networks(recipe)
    stage = Stage(
        "target",
        work / "target.pt",
        prepared,
        {"target": target},
        (recipe.target_matrix_rate, recipe.target_vector_rate),
        seconds,
        workers,
        target,
    )

    def cross_entropy(logits: Tensor, next_ids: Tensor) -> Tensor:
        return functional.cross_entropy(logits.flatten(0, 1), next_ids.flatten())

    compare = torch.compile(cross_entropy, dynamic=False) if compiled else cross_entropy
    if compiled:
        target.compile_layers()

    def loss_of(rows: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        with torch.autocast("cpu", torch.bfloat16):
            logits = target(rows[:, :-1])
        loss = compare(logits, rows[:, 1:])
        return loss, {"loss": loss.detach()}

    stage.run(loss_of)
    return target


def train_drafts(
    prepared: Prepared, work: Path, target: Network, seconds: float, workers: int = 1, compiled: bool = True
) -> dict[str, Network]:
    """Distil (or finish distilling) the drafts from the target; one pass of the target serves both."""
    recipe = prepared.recipe
    _, drafts = new_networks(recipe)
    stage = Stage(
        "drafts",
        work / "drafts.pt",
        prepared,
        dict(drafts),
        (recipe.draft_matrix_rate, recipe.draft_vector_rate),
        seconds,
        workers,
    )
    target.eval().requires_grad_(False)

    def divergences(target_logits: Tensor, draft_logits: Tensor) -> tuple[Tensor, Tensor]:
        target_law = functional.log_softmax(target_logits, -1)
        law = functional.log_softmax(draft_logits, -1)
        mass = target_law.exp()
        return (mass * (target_law - law)).sum(-1).mean(), torch.minimum(mass, law.detach().exp()).sum(-1).mean()

    compare = torch.compile(divergences, dynamic=False) if compiled else divergences
    if compiled:
        for network in (target, *drafts.values()):
            network.compile_layers()

    def loss_of(rows: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        ids = rows[:, :-1].contiguous()
        losses, notes = [], {}
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                target_logits = target(ids)
            draft_logits = {name: draft(ids) for name, draft in drafts.items()}
        for name, logits in draft_logits.items():
            loss, overlap = compare(target_logits, logits)
            losses.append(loss)
            notes[f"KL {name}"], notes[f"1-TV {name}"] = loss.detach(), overlap
        return torch.stack(losses).sum(), notes

    stage.run(loss_of)
    return drafts
