"""The teacher reads texts that are there already: chapters of Austen and of a Bible, generated documents. Cheaper than writing, less to the point."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from specdemo.pairs.corpus.build import training_documents
from specdemo.pairs.distilling.labels import ShardWriter, Text, flat_top

DOCUMENTS = 8000  # generated documents, when they are the source


def pieces(tokenizer: Any, source: str, length: int) -> list[list[int]]:
    """The training part of a source of the corpus as pieces of `length` tokens, in an order that is always the same."""
    found: list[list[int]] = []
    for document in training_documents(source, DOCUMENTS):
        ids = tokenizer("".join(document)).input_ids
        found += [ids[start : start + length] for start in range(0, len(ids) - length + 1, length)]
    order = np.random.default_rng(len(found)).permutation(len(found))
    return [found[number] for number in order]


def read(
    model: Any, texts: list[list[int]], writer: ShardWriter, go_on: Callable[[], bool],
    report: Callable[[int, float], None], rows: int = 8,
) -> None:  # fmt: skip
    """Write whole shards of labels for texts of one length until they are all read or `go_on()` is false.

    Every shard holds the same number of texts, so the shards that are there tell where to go on.
    """
    if not texts:
        return
    a_shard = -(-writer.tokens // (len(texts[0]) - 1))
    since, before = time.monotonic(), 0
    for batch in _batches(texts[writer.number * a_shard :], rows):
        if not go_on():
            return
        with torch.inference_mode():
            logits = model(torch.tensor(batch)).logits
        for tokens, scores in zip(batch, logits, strict=True):
            ids, logs, rests = flat_top(scores[:-1])
            before += len(rests)
            if writer.add(Text(tokens, 1, 1.0, list(ids), list(logs), rests)):
                report(before, time.monotonic() - since)
                since, before = time.monotonic(), 0


def _batches(texts: list[list[int]], rows: int) -> Iterator[list[list[int]]]:
    for start in range(0, len(texts), rows):
        yield texts[start : start + rows]
