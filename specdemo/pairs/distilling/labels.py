"""Labels: the teacher's law at every position of a stream of texts, as its top entries and the mass of the rest, in shards on disk.

A shard is one uncompressed .npz of whole texts. Position p of a text is labelled if its NEXT token is to be learned, that is from
the last token of the prompt on. Shards are written under another name and renamed; their numbers are all that a run needs to go on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

TOP = 64


@dataclass
class Text:
    """One text: its tokens, where its prompt ends, the temperature it was sampled at, and a label for every place from there on.

    `ids` and `logs` hold TOP entries a label; `rests` is the logarithm of the mass outside them.
    """

    tokens: list[int]
    prompt: int
    temperature: float = 1.0
    ids: list[npt.NDArray[np.uint16]] = field(default_factory=list)
    logs: list[npt.NDArray[np.float16]] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)


def top_of(logits: Tensor, top: int = TOP) -> tuple[Tensor, Tensor, Tensor]:
    """Of logits (n, V): the ids and log-probabilities (n, top) of the most probable tokens, and the log-mass (n,) of all others."""
    scores = logits.float()
    total = scores.logsumexp(-1, keepdim=True)
    found = scores.topk(top, dim=-1)
    logs = found.values - total
    rest = (1.0 - logs.double().exp().sum(-1)).clamp(min=1e-6).log()
    return found.indices, logs, rest.float()


class ShardWriter:
    """Collects finished texts and writes a shard of about `tokens` labels at a time to `folder/<stream>-<number>.npz`."""

    def __init__(self, folder: Path, stream: str, tokens: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.stream, self.tokens = folder, stream, tokens
        taken = [int(path.stem.rpartition("-")[2]) for path in folder.glob(f"{stream}-*.npz")]
        self.number = max(taken, default=-1) + 1
        self.waiting: list[Text] = []
        self.count = 0

    def add(self, text: Text) -> bool:
        """Take a finished text; whether a shard was written."""
        if not text.rests:
            return False
        self.waiting.append(text)
        self.count += len(text.rests)
        if self.count < self.tokens:
            return False
        self.flush()
        return True

    def flush(self) -> None:
        """Write what is waiting as a shard."""
        if not self.waiting:
            return
        path = self.folder / f"{self.stream}-{self.number:05d}.npz"
        partial = path.with_suffix(".part")
        with partial.open("wb") as file:
            np.savez(
                file,
                tokens=np.concatenate([np.asarray(text.tokens, dtype=np.uint16) for text in self.waiting]),
                lengths=np.asarray([len(text.tokens) for text in self.waiting], dtype=np.int32),
                prompts=np.asarray([text.prompt for text in self.waiting], dtype=np.int32),
                temperatures=np.asarray([text.temperature for text in self.waiting], dtype=np.float16),
                ids=np.concatenate([np.stack(text.ids) for text in self.waiting]).astype(np.uint16),
                logs=np.concatenate([np.stack(text.logs) for text in self.waiting]).astype(np.float16),
                rests=np.concatenate([np.asarray(text.rests) for text in self.waiting]).astype(np.float16),
            )
        partial.replace(path)
        self.number, self.waiting, self.count = self.number + 1, [], 0


@dataclass(frozen=True)
class Shard:
    """A shard in memory: flat arrays over its texts; text t has `lengths[t]` tokens and `lengths[t] - prompts[t]` labels."""

    tokens: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.int32]
    prompts: npt.NDArray[np.int32]
    temperatures: npt.NDArray[np.float16]
    ids: npt.NDArray[np.uint16]
    logs: npt.NDArray[np.float16]
    rests: npt.NDArray[np.float16]

    @staticmethod
    def load(path: Path) -> Shard:
        """Read what `ShardWriter` wrote."""
        with np.load(path) as arrays:
            return Shard(**{name: arrays[name] for name in Shard.__dataclass_fields__})


def flat_top(logits: Tensor) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.float16], list[float]]:
    """`top_of` as the arrays that a Text keeps."""
    ids, logs, rest = top_of(logits)
    return ids.to(torch.int32).numpy().astype(np.uint16), logs.numpy().astype(np.float16), rest.tolist()
