"""Training of the student on the stored labels: one checkpoint file, a schedule that follows the clock, measured as it goes."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from specdemo.pairs.distilling.batches import Batch, LabelSet
from specdemo.pairs.distilling.divergence import divergence
from specdemo.pairs.distilling.recipe import DistillingRecipe
from specdemo.pairs.distilling.student import Student
from specdemo.pairs.training.optimisers import Muon
from specdemo.pairs.training.recipe import Recipe
from specdemo.pairs.training.stages import Clock, Stopped, rate_factor

Measure = Callable[[Student], dict[str, float]]


class ProcessorClock(Clock):
    """Counts this process's processor time, not the wall's: a run in the background then reads as much as it was meant to."""

    def __init__(self, budget: float, elapsed: float = 0.0) -> None:
        super().__init__(budget, elapsed)
        self._last = time.process_time()

    def tick(self) -> float:
        """Add the processor time since the last tick; the fraction of the budget that is used."""
        now = time.process_time()
        self.elapsed += now - self._last
        self._last = now
        return self.elapsed / self.budget


class Distilling:
    """One run: student, optimisers, clock and history in the file `path`; `run` trains until the budget is used."""

    def __init__(
        self,
        path: Path,
        recipe: DistillingRecipe,
        student: Student,
        labels: LabelSet,
        seconds: float,
        processor_time: bool = False,
    ) -> None:
        self.path, self.recipe, self.student, self.labels = path, recipe, student, labels
        self.schedule = Recipe(warmup=recipe.warmup, floor=recipe.floor)
        self.optimisers = make_optimisers(student, recipe)
        self.rates = [[group["lr"] for group in optimiser.param_groups] for optimiser in self.optimisers]
        self.chance = torch.Generator().manual_seed(recipe.seed)
        self.history: list[dict[str, float]] = []
        self.measured: list[dict[str, float]] = []
        self.step_number = self.epoch_number = self.labels_read = 0
        elapsed = 0.0
        if path.exists():
            elapsed = self._restore(torch.load(path, weights_only=False))
        elif recipe.begun_from:
            begun = torch.load(path.with_name(f"{recipe.begun_from}.pt"), weights_only=False)
            self.student.load_state_dict(begun["student"], strict=False)
        self.clock = (ProcessorClock if processor_time else Clock)(seconds, elapsed)
        self._stop = False

    def _restore(self, record: dict[str, Any]) -> float:
        self.student.load_state_dict(record["student"], strict=False)
        for optimiser, state in zip(self.optimisers, record["optimisers"], strict=True):
            optimiser.load_state_dict(state)
        self.history, self.measured = record["history"], record["measured"]
        self.step_number, self.labels_read = record["step"], record["labels_read"]
        self.epoch_number = record["epoch"] + 1  # a pass that was broken off is not taken up again
        self.chance.manual_seed(self.recipe.seed + self.step_number)
        print(f"goes on from step {self.step_number}, {record['elapsed'] / 60:.1f} min trained", flush=True)
        return float(record["elapsed"])

    def save(self) -> None:
        """Write the checkpoint; an interruption while it is written leaves the one before."""
        partial = self.path.with_suffix(".part")
        record = {
            "student": self.student.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
            "history": self.history,
            "measured": self.measured,
            "step": self.step_number,
            "labels_read": self.labels_read,
            "epoch": self.epoch_number,
            "elapsed": self.clock.elapsed,
        }
        torch.save(record, partial)
        partial.replace(self.path)

    def run(self, measure: Measure) -> None:
        """Train until the time is used up, with a measurement now and then; Stopped when a signal asks for it (state saved)."""
        before = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._train(measure)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, *_: object) -> None:
        self._stop = True

    def _batches(self) -> Iterator[Batch]:
        while True:
            self.labels.refresh()
            seed = self.recipe.seed * 1000 + self.epoch_number
            yield from self.labels.epoch(self.recipe.rows, self.recipe.row_length, seed)
            self.epoch_number += 1

    def _train(self, measure: Measure) -> None:
        logged = saved = measured = time.monotonic()
        tokens, sums, steps = 0, torch.zeros(2, dtype=torch.float64), 0
        batches = self._batches()
        while (fraction := self.clock.tick()) < 1.0 and not self._stop:
            self._set_rates(rate_factor(self.schedule, fraction))
            batch = next(batches)
            sums += torch.stack(self.step(batch, fraction)).double()
            self.step_number, steps = self.step_number + 1, steps + 1
            tokens += len(batch.places)
            self.labels_read += len(batch.places)
            now = time.monotonic()
            if now - logged > 10.0:
                kl, overlap = (sums / steps).tolist()
                self._log(kl, overlap, tokens / (now - logged))
                logged, tokens, sums, steps = now, 0, torch.zeros(2, dtype=torch.float64), 0
            if now - measured > self.recipe.measure_seconds:
                self._measure(measure)
                measured = time.monotonic()
            if now - saved > self.recipe.checkpoint_seconds:
                self.save()
                saved = time.monotonic()
        if not self._stop:
            self._measure(measure)
        self.save()
        if self._stop:
            raise Stopped

    def step(self, batch: Batch, fraction: float) -> tuple[Tensor, Tensor]:
        """One update; the batch's divergence and acceptance on the top tokens."""
        kl, overlap = self.loss(batch, fraction)
        for optimiser in self.optimisers:
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        self.student.network.limit_attention(1.0)
        return kl, overlap

    def loss(self, batch: Batch, fraction: float) -> tuple[Tensor, Tensor]:
        """Accumulate the gradients of a batch."""
        recipe, student = self.recipe, self.student
        vocabulary = student.input.correction.shape[0]
        count = min(recipe.negatives, vocabulary)
        negatives = torch.randperm(vocabulary, generator=self.chance)[:count]
        rows, numbers = torch.unique(torch.cat([batch.top_ids.flatten(), negatives]), return_inverse=True)
        labels = (numbers[:-count].view(batch.top_ids.shape), batch.top_logs, batch.rests)
        late = fraction >= recipe.total_variation_from
        weights = (recipe.total_variation, recipe.cold_total_variation) if late else (0.0, 0.0)
        with torch.autocast("cpu", torch.bfloat16):
            hidden = student.hidden(batch.ids, batch.texts, batch.places)
        table = student.output(rows)
        loss, kl, overlap = divergence(
            hidden.float(), table, labels, numbers[-count:], vocabulary, recipe.chunk, *weights
        )
        loss.backward()
        return kl, overlap

    def _set_rates(self, factor: float) -> None:
        for optimiser, rates in zip(self.optimisers, self.rates, strict=True):
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * factor

    def _measure(self, measure: Measure) -> None:
        found = measure(self.student)
        self.measured.append({"minutes": self.clock.elapsed / 60, "step": self.step_number, **found})
        values = "  ".join(f"1-TV {name} {value:.4f}" for name, value in found.items())
        print(f"measured {self.clock.elapsed / 60:6.1f} min  step {self.step_number}  {values}", flush=True)

    def _log(self, kl: float, overlap: float, speed: float) -> None:
        minutes = self.clock.elapsed / 60
        entry = {"minutes": minutes, "step": self.step_number, "labels": self.labels_read, "epoch": self.epoch_number}
        self.history.append({**entry, "KL": kl, "1-TV top": overlap, "labels_per_second": speed})
        left = max(self.clock.budget - self.clock.elapsed, 0.0) / 60
        print(
            f"{minutes:6.1f} min, {left:5.1f} left  step {self.step_number}  pass {self.epoch_number}  "
            f"{speed:5.0f} labels/s  KL {kl:.3f}  1-TV {overlap:.3f}",
            flush=True,
        )


def make_optimisers(student: Student, recipe: DistillingRecipe) -> list[torch.optim.Optimizer]:
    """Muon for the layers' matrices, AdamW for corrections, projections and norms."""
    layers = student.network.layers
    matrices = [parameter for parameter in layers.parameters() if parameter.ndim == 2]
    norms = [parameter for parameter in student.network.parameters() if parameter.ndim == 1]
    tables = [student.input] if student.output is student.input else [student.input, student.output]
    groups: list[dict[str, Any]] = [
        {"params": [table.correction for table in tables], "lr": recipe.table_rate},
        {"params": [table.projection for table in tables], "lr": recipe.projection_rate},
        {"params": norms, "lr": recipe.norm_rate},
    ]
    return [
        Muon(matrices, recipe.matrix_rate, weight_decay=0.01),
        torch.optim.AdamW(groups, betas=(0.9, 0.95), weight_decay=0.0, fused=True),
    ]
