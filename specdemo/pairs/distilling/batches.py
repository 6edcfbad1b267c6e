"""Batches of labelled texts: several texts share a row, none looks at another, and every label knows its place in the batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from specdemo.pairs.distilling.labels import Shard

OPEN_ROWS = 24  # rows kept open for texts that still fit


@dataclass(frozen=True)
class Batch:
    """`ids` (rows, length) and `texts` (rows, length), the number of the text at each place (−1: nothing); of every label its flat
    `places` (n,), and its `top_ids` (n, k), `top_logs` (n, k) and `rests` (n,), the last two as log-probabilities."""

    ids: Tensor
    texts: Tensor
    places: Tensor
    top_ids: Tensor
    top_logs: Tensor
    rests: Tensor


class LabelSet:
    """The labels of a folder. `texts(held_out)` are pairs (shard, text in the shard); every `every`-th text of a shard is held out."""

    def __init__(self, folder: Path, every: int) -> None:
        self.folder, self.every = folder, every
        self.names: list[str] = []
        self.shards: list[Shard] = []
        self._starts: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
        self.refresh()

    def refresh(self) -> None:
        """Read shards that were written since: the teacher may still be writing."""
        for path in sorted(self.folder.glob("*.npz")):
            if path.name in self.names:
                continue
            shard = Shard.load(path)
            labels = shard.lengths - shard.prompts
            self.names.append(path.name)
            self.shards.append(shard)
            self._starts.append((np.cumsum(shard.lengths) - shard.lengths, np.cumsum(labels) - labels))

    def texts(self, held_out: bool = False) -> npt.NDArray[np.int64]:
        """(texts, 2): numbers of shard and text."""
        pairs = [
            (number, text)
            for number, shard in enumerate(self.shards)
            for text in range(len(shard.lengths))
            if (text % self.every == 0) == held_out
        ]
        return np.asarray(pairs, dtype=np.int64).reshape(-1, 2)

    def count(self) -> int:
        """How many labels there are, held out or not."""
        return sum(len(shard.rests) for shard in self.shards)

    def length(self, shard: int, text: int) -> int:
        """How many tokens of the text a model reads: all but the last."""
        return int(self.shards[shard].lengths[text]) - 1

    def batch(self, rows: list[list[tuple[int, int]]], row_length: int) -> Batch:
        """The batch whose rows hold these texts, one after another."""
        ids = np.zeros((len(rows), row_length), dtype=np.int64)
        texts = np.full((len(rows), row_length), -1, dtype=np.int64)
        places, spans = [], []
        for number, row in enumerate(rows):
            at = 0
            for place, (shard_number, text) in enumerate(row):
                shard, (token_starts, label_starts) = self.shards[shard_number], self._starts[shard_number]
                length, prompt = self.length(shard_number, text), int(shard.prompts[text])
                start, first = int(token_starts[text]), int(label_starts[text])
                ids[number, at : at + length] = shard.tokens[start : start + length]
                texts[number, at : at + length] = place
                places.append(number * row_length + np.arange(at + prompt - 1, at + length))
                spans.append((shard, slice(first, first + length - prompt + 1)))
                at += length
        return Batch(
            torch.from_numpy(ids),
            torch.from_numpy(texts),
            torch.from_numpy(np.concatenate(places)),
            torch.from_numpy(np.concatenate([shard.ids[span] for shard, span in spans]).astype(np.int64)),
            torch.from_numpy(np.concatenate([shard.logs[span] for shard, span in spans]).astype(np.float32)),
            torch.from_numpy(np.concatenate([shard.rests[span] for shard, span in spans]).astype(np.float32)),
        )

    def epoch(self, rows: int, row_length: int, seed: int, held_out: bool = False) -> Iterator[Batch]:
        """One pass over the texts in an order fixed by the seed; texts longer than a row and rows that fill no batch are left out."""
        texts = self.texts(held_out)
        order = np.random.default_rng(seed).permutation(len(texts))
        full: list[list[tuple[int, int]]] = []
        open_rows: list[tuple[int, list[tuple[int, int]]]] = []  # room left, texts
        for shard, text in texts[order].tolist():
            length = self.length(shard, text)
            if length > row_length:
                continue
            fitting = [number for number, (room, _) in enumerate(open_rows) if room >= length]
            if fitting:
                best = min(fitting, key=lambda number: open_rows[number][0])
                room, row = open_rows.pop(best)
            else:
                if len(open_rows) == OPEN_ROWS:
                    tightest = min(range(OPEN_ROWS), key=lambda number: open_rows[number][0])
                    full.append(open_rows.pop(tightest)[1])
                room, row = row_length, []
            open_rows.append((room - length, [*row, (shard, text)]))
            if len(full) >= rows:
                yield self.batch(full[:rows], row_length)
                full = full[rows:]
        full += [row for _, row in open_rows]
        for start in range(0, len(full) - rows + 1, rows):
            yield self.batch(full[start : start + rows], row_length)


def mask_of(texts: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """(rows, 1, length, length): 0 where a place may look at another of its own text before it or at itself, else −∞."""
    length = texts.shape[1]
    same = texts[:, :, None] == texts[:, None, :]
    allowed = same & torch.ones(length, length, dtype=torch.bool).tril()
    return torch.zeros(allowed.shape, dtype=dtype).masked_fill(~allowed, float("-inf"))[:, None]
