"""The gallery of mistakes: small named alterations of the right rules, each a Verifier that says what goes wrong with it."""

from specdemo.verifiers.mistakes.gallery import Mistake, get, names

__all__ = ["Mistake", "get", "names"]
