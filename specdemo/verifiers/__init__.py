"""The rules that decide how many drafted tokens are kept: one file a rule, pure functions on arrays."""

from specdemo.verifiers import mistakes
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.records import Plan, Verdict
from specdemo.verifiers.registry import get, names, owner_of, register

__all__ = ["Plan", "Verdict", "Verifier", "get", "mistakes", "names", "owner_of", "register"]
