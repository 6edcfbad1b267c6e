"""What a picture must say, found once more from the state's texts: own laws, whole blocks, every path by itself, nothing shared or merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from specdemo.verifiers import Verifier, get

EXACT = 1e-12
Text = tuple[int, ...]
LawOf = Callable[[Text], list[float]]
Path = tuple[Text, int, Text, float]  # drafted block, τ, the first γ emitted tokens, mass


def law_of(state: dict[str, Any], side: str) -> LawOf:
    """The law after any text, from the texts of a state: docs/sandbox.md in as few words."""
    levels, gamma, size = state[side], state["gamma"], state["symbols"]

    def law(text: Text) -> list[float]:
        if state["context"] == "free":
            row = levels[0][0]
        elif state["context"] == "position":
            row = levels[min(len(text), gamma - 1)][0]
        else:
            recent = text if len(text) < gamma else text[len(text) - (gamma - 1) :]
            row = levels[len(recent)][list(product(range(size), repeat=len(recent))).index(recent)]
        return [float(Fraction(p)) for p in row]

    return law


def blocks_of(law: LawOf, context: Text, gamma: int) -> Iterator[tuple[Text, float]]:
    """Every block that can be drafted, with its probability."""
    for block in product(range(len(law(context))), repeat=gamma):
        mass = float(np.prod([law((*context, *block[:i]))[x] for i, x in enumerate(block)]))
        if mass > 0:
            yield block, mass


def outcomes(
    rule: Verifier, draft: LawOf, target: LawOf, context: Text, gamma: int, memory: Any
) -> Iterator[tuple[Text, int, int, Any, float]]:
    """(block, τ, Y, memory after, probability) of one block, by the rule's public plan."""
    for block, mass in blocks_of(draft, context, gamma):
        rows = gamma + (rule.draft_rows_wanted(gamma, memory) > gamma)
        plan = rule.plan(
            list(block),
            [draft((*context, *block[:i])) for i in range(rows)],
            [target((*context, *block[:i])) for i in range(gamma + 1)],
            memory,
        )
        for accepted, chance in enumerate(plan.length_law.tolist()):
            if chance > 0:
                for y, share in enumerate(plan.next_law(accepted).tolist()):
                    if share > 0:
                        yield block, accepted, y, plan.memory_after(accepted, y), mass * chance * share


def paths(state: dict[str, Any], rule: str) -> list[Path]:
    """Everything that can happen to the first block and the first γ emitted tokens."""
    draft, target, gamma = law_of(state, "draft"), law_of(state, "target"), state["gamma"]

    def texts(text: Text, memory: Any) -> Iterator[tuple[Text, float]]:
        if len(text) >= gamma:
            yield text[:gamma], 1.0
            return
        for block, accepted, y, after, mass in outcomes(get(rule), draft, target, text, gamma, memory):
            for whole, share in texts((*text, *block[:accepted], y), after):
                yield whole, mass * share

    found = []
    for block, accepted, y, after, mass in outcomes(get(rule), draft, target, (), gamma, None):
        found += [(block, accepted, text, mass * share) for text, share in texts((*block[:accepted], y), after)]
    return found


def assert_right(state: dict[str, Any], picture: dict[str, Any]) -> None:
    """Every number of the picture, from the definitions of docs/sandbox.md."""
    size, gamma = state["symbols"], state["gamma"]
    blocks = list(product(range(size), repeat=gamma))
    assert picture["blocks"] == ["".join("ABCDE"[x] for x in block) for block in blocks]
    joint = {side: _joint(law_of(state, side), blocks) for side in ("draft", "target")}
    for side, law in joint.items():
        assert np.abs(np.array(picture[side]) - law).max() < EXACT, side
    prefixes = [prefix for depth in range(gamma + 1) for prefix in product(range(size), repeat=depth)]
    best = 0.0
    for prefix in prefixes:
        node = picture["tree"]["".join("ABCDE"[x] for x in prefix)]
        masses = {side: _mass(law, blocks, prefix) for side, law in joint.items()}
        assert abs(node["draft"] - masses["draft"]) < EXACT and abs(node["target"] - masses["target"]) < EXACT
        best += min(masses.values()) if prefix else 0.0
    assert abs(picture["optimum"]["common"] - best) < EXACT
    assert abs(picture["optimum"]["cost"] - (gamma - best)) < EXACT
    for rule in state["rules"]:
        _assert_rule(picture["rules"][rule], paths(state, rule), blocks, prefixes, joint["target"], best)


def _assert_rule(
    record: dict[str, Any], found: list[Path], blocks: list[Text], prefixes: list[Text], target: np.ndarray, best: float
) -> None:
    gamma, place = len(blocks[0]), {block: i for i, block in enumerate(blocks)}
    coupling, expected, common = np.zeros((len(blocks), len(blocks))), 0.0, 0.0
    nodes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for block, accepted, text, mass in found:
        coupling[place[block], place[text]] += mass
        expected += mass * accepted
        common += mass * next((i for i in range(gamma) if block[i] != text[i]), gamma)
        nodes["".join("ABCDE"[x] for x in block[:accepted])]["stopped"] += mass
        for depth in range(gamma + 1):
            part = "accepted" if accepted >= depth else "corrected" if accepted == depth - 1 else "continued"
            node = nodes["".join("ABCDE"[x] for x in text[:depth])]
            node[part] += mass
            node["emitted"] += mass
    output = coupling.sum(axis=0)
    assert np.abs(np.array(record["coupling"]) - coupling).max() < EXACT
    assert np.abs(np.array(record["output"]) - output).max() < EXACT
    assert abs(record["tv"] - 0.5 * np.abs(output - target).sum()) < EXACT
    for name, number in {"expected": expected, "common": common, "cost": gamma - common, "gap": best - common}.items():
        assert abs(record[name] - number) < EXACT, name
    assert len(record["nodes"]) == len(prefixes)
    for word, node in record["nodes"].items():
        for part in ("accepted", "corrected", "continued", "emitted", "stopped"):
            assert abs(node[part] - nodes[word][part]) < EXACT, (word, part)


def _joint(law: LawOf, blocks: list[Text]) -> np.ndarray:
    return np.array([np.prod([law(block[:i])[x] for i, x in enumerate(block)]) for block in blocks])


def _mass(joint: np.ndarray, blocks: list[Text], prefix: Text) -> float:
    return float(sum(p for block, p in zip(blocks, joint.tolist(), strict=True) if block[: len(prefix)] == prefix))
