"""A vector: one drafted block with its uniforms (`Case`), and what the rule must make of it (`Vector`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specdemo.auditor.vectors.dice import recipe_law, recipe_weights
from specdemo.auditor.vectors.exact_rules import Laws, Memory
from specdemo.auditor.vectors.laws import law_of

SCHEMA = "specdemo.vectors/1"
VERSION = 1


@dataclass(frozen=True)
class Recipe:
    """Laws that are not stored but made from a seed (`dice.recipe_weights`): rows 0…γ on `vocab_size` symbols."""

    seed: int
    vocab_size: int


@dataclass(frozen=True)
class Case:
    """What a rule is given: tokens (γ,), draft (γ or γ+1 laws), target (γ+1 laws), uniforms (γ+1,), a memory or None."""

    name: str
    rule: str
    tokens: tuple[int, ...]
    uniforms: tuple[Fraction, ...]
    rows: tuple[Laws, Laws] | Recipe
    memory: Memory | None = None
    about: str = ""

    @cached_property
    def _laws(self) -> tuple[Laws, Laws]:
        if not isinstance(self.rows, Recipe):
            return self.rows
        both = [recipe_law(self.rows.seed, i, self.rows.vocab_size) for i in range(self.gamma + 1)]
        return [draft for draft, _ in both[: self.gamma]], [target for _, target in both]

    @property
    def gamma(self) -> int:
        """γ, the number of drafted tokens."""
        return len(self.tokens)

    @property
    def draft(self) -> Laws:
        """The laws the tokens were drawn from, in exact weights."""
        return self._laws[0]

    @property
    def target(self) -> Laws:
        """The target's laws, in exact weights."""
        return self._laws[1]

    @property
    def vocab_size(self) -> int:
        """V."""
        return self.rows.vocab_size if isinstance(self.rows, Recipe) else len(self.target[0])

    def arrays(self, dtype: str = "float64") -> tuple[NDArray[Any], NDArray[Any]]:
        """Draft (γ or γ+1, V) and target (γ+1, V) rounded to `dtype`."""
        draft, target = self._floats
        return draft.astype(dtype), target.astype(dtype)

    @cached_property
    def _floats(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if isinstance(self.rows, Recipe):
            rows = [recipe_weights(self.rows.seed, i, self.rows.vocab_size) for i in range(self.gamma + 1)]
            draft = [weights / weights.sum() for weights, _ in rows[: self.gamma]]
            target = [weights / weights.sum() for _, weights in rows]
        else:
            draft = [np.array(law.floats()) for law in self.draft]
            target = [np.array(law.floats()) for law in self.target]
        size = self.vocab_size
        return np.array(draft).reshape(len(draft), size), np.array(target).reshape(len(target), size)

    def float_memory(self) -> list[list[float | int]] | None:
        """The memory with R as a float, as the verifiers take it."""
        return None if self.memory is None else [[float(ratio), remaining] for ratio, remaining in self.memory]


@dataclass(frozen=True)
class Expected:
    """What the rule must say: τ, Y, h (γ,), w (γ+1,), the next token's law at some or all symbols, and its memory afterwards."""

    accepted: int
    next_token: int
    accept_prob: tuple[Fraction, ...]
    prefix_weight: tuple[Fraction, ...]
    next_law: dict[int, Fraction]
    memory: Memory | None = None


@dataclass(frozen=True)
class Vector:
    """A case with its expected outcome, how firmly that stands, its tags and the mistakes it finds."""

    case: Case
    expected: Expected
    margin: float
    condition: float
    tags: tuple[str, ...]
    kills: tuple[str, ...] = ()  # gallery mistakes with another (τ, Y)
    kills_in_numbers: tuple[str, ...] = ()  # with the same (τ, Y), but another h, w or next law
    decided: dict[str, Any] = field(
        default_factory=dict, repr=False, compare=False
    )  # mistake → its decision, kept by `kills`

    @property
    def firmness(self) -> float:
        """margin × condition: laws that are off by clearly less than this decide the same."""
        return self.margin * self.condition

    def to_json(self) -> dict[str, Any]:
        """The vector as plain JSON values, fractions as strings."""
        case, expected = self.case, self.expected
        entry: dict[str, Any] = {
            "name": case.name, "rule": case.rule, "gamma": case.gamma, "vocab_size": case.vocab_size,
            "tokens": list(case.tokens), "uniforms": _strings(case.uniforms),
        }  # fmt: skip
        said: dict[str, Any] = {
            "accepted": expected.accepted, "next_token": expected.next_token,
            "accept_prob": _strings(expected.accept_prob), "prefix_weight": _strings(expected.prefix_weight),
        }  # fmt: skip
        if isinstance(case.rows, Recipe):
            entry["recipe"] = {"seed": case.rows.seed}
            said["next_law_at"] = {str(v): str(p) for v, p in sorted(expected.next_law.items())}
        else:
            entry["draft"] = [_strings(law.fractions()) for law in case.draft]
            entry["target"] = [_strings(law.fractions()) for law in case.target]
            said["next_law"] = _strings([expected.next_law[v] for v in range(case.vocab_size)])
        if case.rule == "greedy_block":
            entry["memory"], said["memory"] = _memory_json(case.memory), _memory_json(expected.memory)
        entry |= {"expected": said, "margin": self.margin, "condition": self.condition, "tags": list(self.tags)}
        entry |= {"kills": list(self.kills), "kills_in_numbers": list(self.kills_in_numbers)}
        return entry | ({"about": case.about} if case.about else {})


def from_json(entry: dict[str, Any]) -> Vector:
    """The vector of a JSON object that `Vector.to_json` wrote; KeyError or ValueError where it is none."""
    said = entry["expected"]
    rows: tuple[Laws, Laws] | Recipe
    if "recipe" in entry:
        rows = Recipe(entry["recipe"]["seed"], entry["vocab_size"])
        next_law = {int(v): Fraction(p) for v, p in said["next_law_at"].items()}
    else:
        rows = [law_of(row) for row in entry["draft"]], [law_of(row) for row in entry["target"]]
        next_law = dict(enumerate(_fractions(said["next_law"])))
    case = Case(
        entry["name"], entry["rule"], tuple(entry["tokens"]), _fractions(entry["uniforms"]), rows,
        _memory(entry.get("memory")), entry.get("about", ""),
    )  # fmt: skip
    expected = Expected(
        said["accepted"], said["next_token"], _fractions(said["accept_prob"]), _fractions(said["prefix_weight"]),
        next_law, _memory(said.get("memory")),
    )  # fmt: skip
    return Vector(
        case, expected, entry["margin"], entry["condition"],
        tuple(entry["tags"]), tuple(entry["kills"]), tuple(entry["kills_in_numbers"]),
    )  # fmt: skip


def _strings(values: Sequence[Fraction]) -> list[str]:
    return [str(value) for value in values]


def _fractions(values: Sequence[str]) -> tuple[Fraction, ...]:
    return tuple(Fraction(value) for value in values)


def _memory_json(memory: Memory | None) -> list[list[str | int]] | None:
    return None if memory is None else [[str(ratio), remaining] for ratio, remaining in memory]


def _memory(value: list[Any] | None) -> Memory | None:
    return None if value is None else [(Fraction(ratio), remaining) for ratio, remaining in value]
