"""A causal language model with its key-value cache, asked for rows instead of fed with steps.

There is one mechanism for every kind of rollback: the cache knows which ids it holds, and a request for the last rows of a
text crops it to the common prefix and runs the model once on the rest. After a rejection that drops the refused tokens, after
full acceptance it feeds the token the draft has not seen, and a resumed run is simply a longer rest.

A model whose rotary embeddings change at a length of text (`limits.turns_of`) reads a text anew on the other side of it, so that every row is
that of its own text, however it is drafted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from specdemo.decoding.forward import forward_of
from specdemo.decoding.lean import LeanForward
from specdemo.decoding.limits import turns_of

_LATE = (10, 130)  # tokens of a usual block, of the longest
_ABOVE = 2**63


class CachedModel:
    """`rows(ids, count)` on a plain transformers model, one forward pass a call at most, and two across a turn of its rotary embeddings.

    `lean` False keeps to transformers' own forward pass where a leaner one is known (see `forward.py`).
    """

    def __init__(self, model: Any, lean: bool = True) -> None:
        self.model = model
        self._lean = lean
        self._turns = turns_of(model)
        self._readable = int(model.get_input_embeddings().weight.shape[0])
        self.reset()

    def reset(self) -> None:
        """Forget everything that is cached."""
        self._forward = forward_of(self.model, self._lean)
        self._ids: list[int] = []

    @property
    def passes(self) -> str:
        """The kind of forward pass that is used: "lean", or "eager" for transformers' own."""
        return "lean" if isinstance(self._forward, LeanForward) else "eager"

    def nbytes(self) -> int:
        """Bytes of what is cached."""
        return self._forward.nbytes()

    def rows(self, ids: list[int], count: int = 1) -> torch.Tensor:
        """The logits (count, V) after each of the last `count` ids, that is: for the `count` tokens that follow them.

        `ids` is the whole text, 1 ≤ count ≤ len(ids).
        """
        if not 1 <= count <= len(ids):
            raise ValueError(f"{count} rows were asked of a text of {len(ids)} tokens")
        if self._turns:
            parts = [*parts_of(self._turns, len(ids), count)]
            if len(parts) > 1:
                return torch.cat([self.rows(ids[:end], part) for end, part in parts])
            if turned(self._turns, len(ids)) != turned(self._turns, len(self._ids)):
                self._crop(0)
        common = min(common_prefix(self._ids, ids), len(ids) - count)
        if common < len(self._ids):
            self._crop(common)
            common = len(self._ids)
        try:
            logits = self._forward(self.as_read(ids[common:]), count)
        except BaseException:
            self.reset()  # some layers may hold the new tokens already, others not
            raise
        self._ids += ids[len(self._ids) :]  # in place: a copy would grow with the text, several times a block
        return logits

    def as_read(self, ids: list[int]) -> list[int]:
        """These ids as the model reads them."""
        # An id of the other model's larger (padded) vocabulary has no embedding here, and id 0 is read in its place. As a drafted token
        # it has T = 0 and is never kept, so the rows behind it decide nothing; in the draft's context it only changes D.
        if max(ids, default=0) < self._readable:
            return ids
        return [i if i < self._readable else 0 for i in ids]

    def _crop(self, length: int) -> None:
        self._forward.step_back(length)
        del self._ids[self._forward.length :]


def turned(turns: tuple[int, ...], length: int) -> int:
    """How many of the turns a text of this length is beyond: texts with the same number are read by the same rotations."""
    return sum(length > turn for turn in turns)


def parts_of(turns: tuple[int, ...], length: int, count: int) -> Iterator[tuple[int, int]]:
    """The last `count` rows of a text as (length of text, rows), no part of which lies on both sides of a turn.

    >>> list(parts_of((16,), 18, 5)), list(parts_of((16,), 16, 5))
    ([(16, 3), (18, 2)], [(16, 5)])
    """
    start = length - count
    for end in (*(turn for turn in turns if start < turn < length), length):
        yield end, end - start
        start = end


def common_prefix(held: list[int], ids: list[int]) -> int:
    """How many tokens two texts have in common from the start. Both are unchanged in the end, but not meanwhile.

    A text's last block is looked at token by token, what is before it only compared as a whole: neither of them is copied, since a copy of
    a list touches every number in it, several times a block.

    >>> common_prefix([1, 2, 3], [1, 2, 4, 5])
    2
    """
    if _begins_with(ids, held):
        return len(held)
    for late in _LATE:
        if late >= len(held):
            break
        start, last = len(held) - late, held[-late:]
        del held[start:]
        try:
            same = _begins_with(ids, held)
        finally:
            held += last
        if same:
            return start + _agreeing(last, ids[start : start + late])
    return _agreeing(held, ids)


def _agreeing(held: list[int], ids: list[int]) -> int:
    return next((i for i, (a, b) in enumerate(zip(held, ids, strict=False)) if a != b), min(len(held), len(ids)))


def _begins_with(ids: list[int], beginning: list[int]) -> bool:
    """By order, which Python decides without a copy: `beginning` ≤ `ids` < `beginning` and something above every id."""
    if beginning > ids:
        return False
    beginning.append(_ABOVE)
    try:
        return ids < beginning
    finally:
        beginning.pop()
