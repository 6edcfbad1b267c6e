"""What goes wrong when a pair is fetched or loaded."""

from __future__ import annotations


class PairUnavailable(RuntimeError):
    """A pair cannot be loaded: files are missing, or the hub cannot be reached."""


class CannotStepBack(ValueError):
    """A model whose cache cannot forget rejected tokens exactly, or whose distributions depend on tokens that follow."""
