"""The registry of verifiers, by name. A new rule is one file and one line in `_BUILT_IN`; wrong rules are in `mistakes`."""

from __future__ import annotations

from typing import Any

from specdemo.verifiers import mistakes
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.exact_match import ExactMatchVerifier
from specdemo.verifiers.greedy_block import GreedyBlockVerifier
from specdemo.verifiers.lenience import LenienceVerifier
from specdemo.verifiers.sampled_match import SampledMatchVerifier
from specdemo.verifiers.threshold import ThresholdVerifier
from specdemo.verifiers.token import TokenVerifier
from specdemo.verifiers.typical import TypicalVerifier

_BUILT_IN: tuple[type[Verifier], ...] = (
    TokenVerifier,
    BlockVerifier,
    GreedyBlockVerifier,
    SampledMatchVerifier,
    ExactMatchVerifier,
    ThresholdVerifier,
    TypicalVerifier,
    LenienceVerifier,
)
_registry: dict[str, Verifier] = {rule.name: rule() for rule in _BUILT_IN}


def names() -> list[str]:
    """The names of the registered verifiers, in the order of display; those of the gallery are in `mistakes.names()`."""
    return list(_registry)


def get(verifier: str | Verifier) -> Verifier:
    """The verifier or mistake of that name (a Verifier is returned as it is); ValueError listing the names if there is none."""
    if isinstance(verifier, Verifier):
        return verifier
    if verifier in mistakes.names():
        return mistakes.get(verifier)
    if verifier not in _registry:
        raise ValueError(
            f"there is no verifier {verifier!r}: choose one of {', '.join(_registry)}, or of the mistakes {', '.join(mistakes.names())}"
        )
    return _registry[verifier]


def register(verifier: Verifier) -> Verifier:
    """Add a verifier under its name; ValueError if the name is taken by another."""
    if verifier.name in mistakes.names() or _registry.get(verifier.name, verifier) is not verifier:
        raise ValueError(f"a verifier named {verifier.name!r} is already registered")
    _registry[verifier.name] = verifier
    return verifier


def owner_of(memory: Any, preferred: Verifier) -> Verifier:
    """The rule that goes on with a block's `memory`: `preferred` if it is its own (or None), else the rule that made it.

    A run switched away from a rule that remembers goes on with that rule until its memory is used up. Raises `preferred`'s
    ValueError if the memory is nobody's.
    """
    try:
        preferred.check_memory(memory)
        return preferred
    except ValueError:
        for rule in _registry.values():
            if rule.remembers:
                try:
                    rule.check_memory(memory)
                except ValueError:
                    continue
                return rule
        raise
