"""The record that the Sandbox draws (docs/sandbox.md, schema "specdemo.sandbox/1"): every number from the library, nothing drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.sandbox.exact import ExactLaws, exact_numbers, exact_optimum
from specdemo.sandbox.laws import RepeatingLaws, trees_of
from specdemo.sandbox.nodes import nodes_of, prefix_words, summed
from specdemo.sandbox.state import LETTERS, Laws
from specdemo.sandbox.words import fraction_text
from specdemo.transport.flows import flows_of
from specdemo.transport.linear import joint_law
from specdemo.transport.tables import BlockTable, block_table
from specdemo.verifiers import Verifier, get
from specdemo.verifiers.mistakes import Mistake
from specdemo.verifiers.mistakes.plans import AcceptsEqual

SCHEMA = "specdemo.sandbox/1"
# A fraction is shown beside its decimal only where both agree.
_AGREES = 1e-12

# What the lossy rules of the registry do wrong, as the gallery's entries say of themselves.
GOES_WRONG = {
    "exact_match": "The target's argmax is emitted whatever the target's probabilities are: "
    "right only where every target law is one-hot (temperature 0).",
    "threshold": "A token that the draft over-offers is never kept, and its place is filled from T, not from what is missing: "
    "some tokens come too often, others too rarely.",
    "typical": "Whatever the target finds plausible is kept as often as the draft proposes it: the text leans towards the draft.",
    "lenience": "Tokens are kept up to twice as often as the target allows: the text leans towards the draft.",
}


@dataclass(frozen=True)
class RuleFlows:
    """One rule on a state: the table of its plans, and where the mass goes (γ+1, V^γ, V^γ)."""

    rule: Verifier
    table: BlockTable
    flows: FloatArray

    @property
    def coupling(self) -> FloatArray:
        """Rows the drafted block, columns the first γ emitted tokens."""
        coupling: FloatArray = self.flows.sum(axis=0)
        return coupling

    @property
    def bonus_variation(self) -> float:
        """Σ_x P(x, τ = γ) TV(the bonus's law, T(·│x)): what is wrong right after the block, which no coupling of γ tokens shows."""
        table = self.table
        mass = table.masses * table.lengths[:, -1]
        return sum(
            0.5 * float(mass[n]) * float(np.abs(table.next_laws[n, -1] - plan.target[-1]).sum())
            for n, plan in enumerate(table.plans)
            if plan is not None
        )


def rule_flows(rule: Verifier, trees: tuple[RepeatingLaws, RepeatingLaws], gamma: int) -> RuleFlows:
    """Everything a rule does with a block of γ tokens on these laws."""
    table = block_table(rule, *trees, (), gamma)
    return RuleFlows(rule, table, flows_of(rule, *trees, table))


def picture_of(laws: Laws, rules: Sequence[str]) -> dict[str, Any]:
    """The picture record of the laws under the rules."""
    trees, gamma, size = trees_of(laws), laws.gamma, laws.symbols
    draft, target = (joint_law(tree, gamma) for tree in trees)
    sums = [(summed(draft, size, depth), summed(target, size, depth)) for depth in range(gamma + 1)]
    best = float(sum(np.minimum(*pair).sum() for pair in sums[1:]))
    exact = ExactLaws(laws)
    made: dict[str, RuleFlows] = {}

    def flows(rule: Verifier) -> RuleFlows:
        if rule.name not in made:
            made[rule.name] = rule_flows(rule, trees, gamma)
        return made[rule.name]

    record = {
        "schema": SCHEMA,
        "symbols": size,
        "gamma": gamma,
        "context": laws.context,
        "blocks": ["".join(LETTERS[x] for x in block) for block in product(range(size), repeat=gamma)],
        "draft": draft.tolist(),
        "target": target.tolist(),
        "levels": {
            side: [level.tolist() for level in tree.levels]
            for side, tree in zip(("draft", "target"), trees, strict=True)
        },
        "normalised": laws.normalised,
        "rules": {},
        "tree": {
            word: {"draft": d, "target": t}
            for depth, (drafts, targets) in enumerate(sums)
            for word, d, t in zip(prefix_words(size, depth), drafts.tolist(), targets.tolist(), strict=True)
        },
        "optimum": {"common": best, "cost": gamma - best},
    }
    optimal = exact_optimum(exact)
    record["optimum"]["cost_fraction"] = _beside(optimal, gamma - best)
    for name in dict.fromkeys(rules):
        rule = get(name)
        said = _rule_record(flows(rule), target, best, size)
        said["worst"] = None if rule.lossless == "always" else worst_cell(flows(rule), flows(right_rule(rule)))
        numbers = exact_numbers(name, exact)
        expected, cost = (None, None) if numbers is None else (numbers.expected, numbers.cost)
        gap = None if cost is None or optimal is None else cost - optimal
        said["expected_fraction"] = _beside(expected, said["expected"])
        said["cost_fraction"] = _beside(cost, said["cost"])
        said["gap_fraction"] = _beside(gap, said["gap"])
        record["rules"][name] = said
    return record


def right_rule(rule: Verifier) -> Verifier:
    """The lossless rule that a lossy one is measured against: the one a mistake is made in, else the token rule."""
    return get(rule.right.name if isinstance(rule, Mistake) else "token")


def goes_wrong(rule: Verifier) -> str | None:
    """One sentence on what a lossy rule does wrong; None for lossless ones."""
    return rule.goes_wrong if isinstance(rule, Mistake) else GOES_WRONG.get(rule.name)


def unseen(rule: Verifier) -> str | None:
    """Why no law can show a mistake; None for everything that some law shows."""
    equal = isinstance(rule, Mistake) and rule.entry.kind is AcceptsEqual
    return "No law can show this one: it needs a uniform of exactly 0." if equal else None


def _rule_record(one: RuleFlows, target: FloatArray, best: float, size: int) -> dict[str, Any]:
    rule, gamma, coupling = one.rule, one.table.drafted, one.coupling
    output = coupling.sum(axis=0)
    common = float((coupling * common_prefix(size, gamma)).sum())
    return {
        "title": rule.title,
        "lossless": rule.lossless,
        "remembers": rule.remembers,
        "mistake": isinstance(rule, Mistake),
        "goes_wrong": goes_wrong(rule),
        "unseen": unseen(rule),
        "expected": one.table.expected_accepted,
        "common": common,
        "cost": gamma - common,
        "gap": best - common,
        "coupling": coupling.tolist(),
        "output": output.tolist(),
        "tv": 0.5 * float(np.abs(output - target).sum()),
        "bonus_tv": one.bonus_variation,
        "nodes": nodes_of(one.flows, size),
    }


def worst_cell(lossy: RuleFlows, right: RuleFlows) -> dict[str, Any] | None:
    """The cell that differs most from the right rule's, its name and what it has there; None where no cell differs by more than rounding."""
    wanted = right.coupling
    difference = lossy.coupling - wanted
    row, column = (int(at) for at in np.unravel_index(int(np.abs(difference).argmax()), difference.shape))
    excess = float(difference[row, column])
    if abs(excess) <= _AGREES:
        return None
    return {
        "row": row,
        "column": column,
        "excess": excess,
        "against": right.rule.name,
        "right": float(wanted[row, column]),
    }


def _beside(exact: Any, number: float) -> str | None:
    return fraction_text(exact) if exact is not None and abs(float(exact) - number) <= _AGREES else None


@lru_cache(maxsize=16)
def common_prefix(size: int, gamma: int) -> FloatArray:
    """(V^γ, V^γ): the length of the longest common prefix of two blocks."""
    blocks = np.array(list(product(range(size), repeat=gamma)))
    common = np.cumprod(blocks[:, None, :] == blocks[None, :, :], axis=2).sum(axis=2).astype(np.float64)
    common.setflags(write=False)
    return common
