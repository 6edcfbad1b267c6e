"""Where every random number comes from: one uniform for each use, named by its place, from numpy's Philox.

The key is (seed, stream), the counter (position, role, path, block). So every uniform is used once, two streams (prompts)
never share any, the same block gets the same uniforms under every verifier, and nothing depends on how the run was cut
into calls. The absolute place in the text is NOT part of the counter: after a rejection the same place is drafted again,
and the block rule has already looked at its uniform.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from specdemo.arrays import FloatArray

# Roles are part of what a seed means: never renumber them.
DRAFT, VERIFY, NEXT = 0, 1, 2


class UniformSource(Protocol):
    """What the loop asks for; tests inject their own source to enumerate the loop."""

    def draft(self, block: int, gamma: int) -> FloatArray:
        """The uniforms (γ,) that draw the drafted tokens of a block."""

    def verify(self, block: int, gamma: int) -> FloatArray:
        """The uniforms (γ+1,): η_1 … η_γ, and the one that draws the next token."""


class PhiloxUniforms:
    """The uniforms of one run.

    `seed` and `stream` are integers in 0 … 2^64−1 (seed 0 is a seed like any other); `path` is 0 until a block has several drafts.

    >>> source = PhiloxUniforms(seed=0)
    >>> bool((source.draft(0, 4)[:2] == source.draft(0, 2)).all())
    True
    """

    def __init__(self, seed: int, stream: int = 0, path: int = 0) -> None:
        for name, value in (("seed", seed), ("stream", stream)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < 2**64:
                raise ValueError(f"{name} must be an integer in 0 … 2^64 − 1, got {value!r}")
        # Made once and then set to one place after the other: making a generator costs many times what it draws here.
        self._generator = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64))
        self._place = self._generator.state
        self._path = path

    def draft(self, block: int, gamma: int) -> FloatArray:
        """See UniformSource."""
        return _as_uniforms(self._words(block, DRAFT, gamma))

    def verify(self, block: int, gamma: int) -> FloatArray:
        """See UniformSource."""
        return _as_uniforms([*self._words(block, VERIFY, gamma), *self._words(block, NEXT, 1)])

    def _words(self, block: int, role: int, count: int) -> list[int]:
        """The first of the four words at each of `count` positions; the generator counts a position up before it draws."""
        if not count:
            return []
        self._place["state"]["counter"][:] = (0, role, self._path, block)
        self._generator.state = self._place
        words: list[int] = self._generator.random_raw(4 * count)[::4].tolist()
        return words


def _as_uniforms(words: list[int]) -> FloatArray:
    return np.array([(word >> 11) * 2.0**-53 for word in words])
