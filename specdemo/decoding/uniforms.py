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
_AHEAD = 8


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
        self._counter = self._place["state"]["counter"]
        self._counter[:] = (0, 0, path, 0)
        self._drafts: dict[tuple[int, int], FloatArray] = {}
        self._verifies: dict[tuple[int, int], FloatArray] = {}

    def draft(self, block: int, gamma: int) -> FloatArray:
        """See UniformSource."""
        return self._ahead(self._drafts, block, gamma, (DRAFT, gamma))

    def verify(self, block: int, gamma: int) -> FloatArray:
        """See UniformSource."""
        return self._ahead(self._verifies, block, gamma, (VERIFY, gamma), (NEXT, 1))

    def _ahead(
        self, made: dict[tuple[int, int], FloatArray], block: int, gamma: int, *parts: tuple[int, int]
    ) -> FloatArray:
        """The uniforms of these roles and counts; where a run goes on from block to block, those of the next blocks as well.

        One more is quick to draw: most of the time goes into fetching the generator's code, which a forward pass has driven out of the caches.
        """
        if (block, gamma) not in made:
            more = _AHEAD if (block - 1, gamma) in made else 1
            made.clear()
            for later in range(block, min(block + more, 2**64)):
                made[later, gamma] = np.array([u for role, count in parts for u in self._words(later, role, count)])
        return made[block, gamma]

    def _words(self, block: int, role: int, count: int) -> list[float]:
        """From the first of the four words at each of `count` positions; the generator counts a position up before it draws."""
        if not count:
            return []
        self._counter[1], self._counter[3] = role, block
        self._generator.state = self._place
        return [(word >> 11) * 2.0**-53 for word in self._generator.random_raw(4 * count)[::4].tolist()]
