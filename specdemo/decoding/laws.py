"""From logits to the law that is sampled AND verified: transformers' own warpers, float64 from the softmax on.

The same processing serves draft and target. A draft token is drawn from exactly the row this module returns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from specdemo.arrays import FloatArray, setting_of


class NonFiniteLogits(ValueError):
    """A model gave NaN or infinite logits."""


@dataclass(frozen=True)
class Processing:
    """Temperature, top-k and top-p, checked and as plain numbers, −0 as 0. temperature 0 is greedy (one-hot laws); top_k 0 and top_p 1 are off."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        for name in ("temperature", "top_k", "top_p"):
            if isinstance(value := getattr(self, name), (str, complex)) or not hasattr(value, "__float__"):
                raise ValueError(f"{name} must be a number, got {value!r}")
        if isinstance(self.temperature, bool) or not (np.isfinite(self.temperature) and self.temperature >= 0):
            raise ValueError(f"temperature must be a finite number ≥ 0, got {self.temperature!r}")
        if isinstance(self.top_k, bool) or int(self.top_k) != self.top_k or self.top_k < 0:
            raise ValueError(f"top_k must be an integer ≥ 0 (0 is off), got {self.top_k!r}")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must be in (0, 1] (1 is off), got {self.top_p!r}")
        for name, kind in (("temperature", setting_of), ("top_k", int), ("top_p", setting_of)):
            object.__setattr__(self, name, kind(getattr(self, name)))

    def warpers(self) -> LogitsProcessorList:
        """The logits warpers of transformers for these settings, in transformers' order; empty when all are off."""
        warpers: list[Any] = []
        if self.temperature not in (0, 1):
            warpers.append(TemperatureLogitsWarper(float(self.temperature)))
        if self.top_k:
            warpers.append(TopKLogitsWarper(top_k=int(self.top_k)))
        if self.top_p < 1:
            warpers.append(TopPLogitsWarper(top_p=float(self.top_p)))
        return LogitsProcessorList(warpers)


class LawMaker:
    """Turns rows of logits into rows of probabilities over a common vocabulary of `vocab_size` entries.

    Models with a smaller (differently padded) vocabulary get probability 0 at the entries they lack: mass is never dropped.
    """

    def __init__(self, processing: Processing, vocab_size: int) -> None:
        self._greedy = processing.temperature == 0
        self._warpers = processing.warpers()
        self._vocab_size = vocab_size
        self._plain = not self._greedy and not self._warpers

    def __call__(self, logits: torch.Tensor, model: str, first_position: int) -> FloatArray:
        """Laws (rows, vocab_size) in float64 from logits (rows, that model's vocabulary).

        `model` ("draft" or "target") and `first_position` (the place in the text that the first row predicts) are for the error:
        NonFiniteLogits, if any logit is NaN or infinite.
        """
        scores = _on_host(logits)
        laws = self.of(scores)
        self.check(laws, [scores], model, first_position)
        found: FloatArray = laws.numpy()
        return found

    def write(self, logits: torch.Tensor, law: torch.Tensor) -> None:
        """The laws of logits into `law` (rows, V), float64 on the host; to be checked when all of a block are there."""
        scores = _on_host(logits)
        if self._plain and scores.shape[1] == law.shape[1]:
            torch.softmax(scores, 1, torch.float64, out=law)
        else:
            law.copy_(self.of(scores))

    def check(self, laws: torch.Tensor, logits: Sequence[torch.Tensor], model: str, first_position: int) -> None:
        """NonFiniteLogits if any of the logits (rows, V each) is NaN or infinite; `laws` is what was made of all of them."""
        # Such a logit leaves NaN or 0 behind; a 0 may also be a logit far below the others, or one that the model does not have.
        if not logits or (self._plain and len(logits) > 1 and float(torch.amin(laws)) > 0):
            return
        for rows in logits:
            # One sum finds out; only where it is not finite (or overflowed) are the entries looked at.
            if not math.isfinite(float(rows.sum())):
                check_finite(rows, model, first_position)
            first_position += len(rows)

    def of(self, scores: torch.Tensor) -> torch.Tensor:
        """The laws (rows, vocab_size) of finite logits, where they are; nothing is looked at, so that a GPU is not waited for."""
        if self._plain and scores.shape[1] >= self._vocab_size:
            return torch.softmax(scores, 1, torch.float64)  # the usual case, in one pass
        scores = scores.double()
        laws = scores.new_zeros(scores.shape[0], max(self._vocab_size, scores.shape[1]))
        if self._greedy:
            laws.scatter_(1, scores.argmax(dim=1, keepdim=True), 1.0)
        else:
            if self._warpers:
                # The laws do not depend on a common shift; below 0 no temperature, however small, can overflow to +∞.
                scores = self._warpers(None, scores - scores.max(dim=1, keepdim=True).values)
            laws[:, : scores.shape[1]] = torch.softmax(scores, dim=1)
        return laws


def _on_host(logits: torch.Tensor) -> torch.Tensor:
    """On MPS there is no float64, so rows leave the device first."""
    if logits.requires_grad:
        logits = logits.detach()
    return logits if logits.is_cpu else logits.cpu()


def check_finite(scores: torch.Tensor, model: str, first_position: int) -> None:
    """NonFiniteLogits naming the first logit that is NaN or infinite, if any is."""
    wrong = torch.nonzero(~torch.isfinite(scores))
    if len(wrong):
        row, token = (int(i) for i in wrong[0])
        raise NonFiniteLogits(
            f"the {model} model gave the logit {scores[row, token].item()} for token {token} at position {first_position + row}: "
            "its weights or its precision are broken (try dtype='float32')"
        )
