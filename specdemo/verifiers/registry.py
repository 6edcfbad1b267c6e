"""The registry of verifiers, by name. A new rule is one file and one line in `_BUILT_IN`."""

from __future__ import annotations

from specdemo.verifiers.base import Verifier
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.token import TokenVerifier

_BUILT_IN: tuple[type[Verifier], ...] = (TokenVerifier, BlockVerifier)
_registry: dict[str, Verifier] = {rule.name: rule() for rule in _BUILT_IN}


def names() -> list[str]:
    """The names of the registered verifiers, in the order of display."""
    return list(_registry)


def get(verifier: str | Verifier) -> Verifier:
    """The verifier of that name (a Verifier is returned as it is); ValueError listing the names if there is none."""
    if isinstance(verifier, Verifier):
        return verifier
    if verifier not in _registry:
        raise ValueError(f"there is no verifier {verifier!r}: choose one of {', '.join(_registry)}")
    return _registry[verifier]


def register(verifier: Verifier) -> Verifier:
    """Add a verifier under its name; ValueError if the name is taken by another."""
    if verifier.name in _registry and _registry[verifier.name] is not verifier:
        raise ValueError(f"a verifier named {verifier.name!r} is already registered")
    _registry[verifier.name] = verifier
    return verifier
