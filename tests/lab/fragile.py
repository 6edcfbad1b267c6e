"""A pair that ends every process that loads it, as one does that is too large for the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass

from specdemo.lab.sweep_sources import Get
from specdemo.pairs import Pair


@dataclass(frozen=True)
class TooLarge:
    """A PairSource."""

    def load(self, get: Get) -> Pair:
        """Ends the process without a word."""
        os._exit(1)
