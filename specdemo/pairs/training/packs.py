"""Packs: rows of `length + 1` token ids cut from documents, and the sampler that draws batches of them by source.

Rows begin at a document's start wherever that costs little, because that is where a model will start when it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from specdemo.pairs.training.tokens import BOS_ID, EOS_ID

Packs = npt.NDArray[np.uint16]
_SENTENCE = re.compile(r"(?<=[.!?][\"' ]) ?(?=[A-Z\"'])|\n")
_CHARACTERS_PER_TOKEN = 8  # no row needs more text than this, in characters a token


def pack_generated(tokenizer: Tokenizer, texts: Iterable[str], length: int) -> Packs:
    """Rows of whole documents, each between BOS and EOS; a cut document's rest starts the next row if it is long, else it is dropped."""
    rows: list[list[int]] = []
    row: list[int] = []
    for encoding in _encode(tokenizer, texts):
        ids = [BOS_ID, *encoding, EOS_ID]
        while ids:
            room = length + 1 - len(row)
            row += ids[:room]
            # The last token of a row is only a target there, so it opens the next row.
            ids = ids[room - 1 :] if len(ids) > room else []
            if len(row) == length + 1:
                rows.append(row)
                row = []
                if len(ids) < length // 4:
                    break
    return np.asarray(rows, dtype=np.uint16).reshape(-1, length + 1)


def pack_chapters(tokenizer: Tokenizer, texts: Iterable[str], length: int) -> Packs:
    """Rows of long texts: each row starts with BOS at the beginning of a sentence; EOS stands only at the end of a text."""
    rows: list[list[int]] = []
    row: list[int] = []
    for text in texts:
        starts = [0, *(found.end() for found in _SENTENCE.finditer(text))]
        at = 0
        while at is not None and at < len(text):
            piece = text[at : at + length * _CHARACTERS_PER_TOKEN]
            encoding = tokenizer.encode(piece, add_special_tokens=False)
            whole = at + len(piece) == len(text)
            ids = [BOS_ID, *encoding.ids, *([EOS_ID] if whole else [])]
            room = length + 1 - len(row)
            row += ids[:room]
            if len(row) < length + 1:
                break
            rows.append(row)
            row = []
            if room >= len(ids) - 1:
                break
            reached = at + encoding.offsets[room - 1][0]
            later = [start for start in starts if start >= reached]
            if not later:
                break
            at = later[0]
    return np.asarray(rows, dtype=np.uint16).reshape(-1, length + 1)


def _encode(tokenizer: Tokenizer, texts: Iterable[str], at_once: int = 2000) -> Iterator[list[int]]:
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if len(batch) == at_once:
            yield from (encoding.ids for encoding in tokenizer.encode_batch(batch, add_special_tokens=False))
            batch = []
    yield from (encoding.ids for encoding in tokenizer.encode_batch(batch, add_special_tokens=False))


class Sampler:
    """Draws batches with fixed shares of the sources; within a source every row comes once an epoch, in an order the seed fixes."""

    def __init__(self, packs: dict[str, Packs], shares: dict[str, float], seed: int) -> None:
        self.packs, self.shares, self.seed = packs, shares, seed
        self.drawn = dict.fromkeys(packs, 0)
        self.owed = dict.fromkeys(packs, 0.0)
        self._orders: dict[tuple[str, int], npt.NDArray[np.int64]] = {}

    def batch(self, rows: int) -> npt.NDArray[np.int64]:
        """`rows` packs as an int64 array (rows, length + 1)."""
        chosen: list[Packs] = []
        for _ in range(rows):
            for source in self.owed:
                self.owed[source] += self.shares[source]
            source = max(self.owed, key=lambda name: self.owed[name])
            self.owed[source] -= 1.0
            epoch, index = divmod(self.drawn[source], len(self.packs[source]))
            self.drawn[source] += 1
            chosen.append(self.packs[source][self._order(source, epoch)[index]])
        return np.stack(chosen).astype(np.int64)

    def _order(self, source: str, epoch: int) -> npt.NDArray[np.int64]:
        key = (source, epoch)
        if key not in self._orders:
            number = list(self.packs).index(source)
            self._orders = {k: v for k, v in self._orders.items() if k[0] != source}
            self._orders[key] = np.random.default_rng([self.seed, number, epoch]).permutation(len(self.packs[source]))
        return self._orders[key]

    def state(self) -> dict[str, Any]:
        """What `restore` needs to go on with the next batch."""
        return {"drawn": dict(self.drawn), "owed": dict(self.owed)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where `state` was taken."""
        self.drawn, self.owed = dict(state["drawn"]), dict(state["owed"])

    def epochs(self) -> dict[str, float]:
        """How often each source has been read so far."""
        return {source: self.drawn[source] / len(self.packs[source]) for source in self.packs}
