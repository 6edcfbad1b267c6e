"""E[τ] and costs as fractions, from the state's laws as they were typed; None where no exact implementation exists or the numbers grow too long.

Token, block and greedy block by the closed forms of the prefix tree (`specdemo.transport.mass`), in integers: at each level all laws
are weights over one common denominator. Rules that stop at the first failure by what `exact_rules` says of one token after another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, prod

from specdemo.auditor.vectors.exact_rules import exactly
from specdemo.auditor.vectors.laws import ExactLaw
from specdemo.sandbox.state import Laws

# What a person can read has at most 12 digits; sums of fractions with far longer denominators do not cancel to that.
_LONGEST_DENOMINATOR = 10**200
_TREE_RULES = ("token", "block", "greedy_block")
_FIRST_FAILURE_RULES = ("sampled_match", "exact_match", "threshold", "typical", "lenience")


@dataclass(frozen=True)
class ExactNumbers:
    """E[τ] of one block, and the cost γ − E[common prefix] of the rule's coupling."""

    expected: Fraction
    cost: Fraction


class ExactLaws:
    """A state's laws as integer weights, for as long as their common denominator stays short."""

    def __init__(self, laws: Laws) -> None:
        self.symbols, self.gamma, self._by_prefix = laws.symbols, laws.gamma, laws.context == "prefix"
        pairs = list(zip(laws.draft, laws.target, strict=True))
        self._scales = [lcm(*(p.denominator for level in pair for row in level for p in row)) for pair in pairs]
        self._draft, self._target = ([_weights(level, q) for level, q in zip(side, self._scales, strict=True)]
                                     for side in (laws.draft, laws.target))  # fmt: skip
        self.scales = [self._scales[self._level(depth)] for depth in range(self.gamma)]
        self.short = prod(self.scales) < _LONGEST_DENOMINATOR

    def _level(self, depth: int) -> int:
        return min(depth, len(self._scales) - 1)

    def rows(self, depth: int, place: int) -> tuple[ExactLaw, ExactLaw]:
        """D and T after the prefix of that length and lexicographic place."""
        level = self._level(depth)
        row = place if self._by_prefix else 0
        return self._draft[level][row], self._target[level][row]


def _weights(level: list[list[Fraction]], scale: int) -> list[ExactLaw]:
    return [ExactLaw(tuple(int(p * scale) for p in row)) for row in level]


def exact_optimum(laws: ExactLaws) -> Fraction | None:
    """γ − Σ_v min(S(v), B(v)): the least cost of any coupling."""
    return laws.gamma - _tree_sums(laws)["greedy_block"] if laws.short else None


def exact_numbers(rule: str, laws: ExactLaws) -> ExactNumbers | None:
    """E[τ] and cost of a rule of the registry."""
    if not laws.short:
        return None
    if rule in _TREE_RULES:
        # By these rules Y is never x_{τ+1}, so what agrees is what was kept.
        expected = _tree_sums(laws)[rule]
        return ExactNumbers(expected, laws.gamma - expected)
    return _first_failure(rule, laws) if rule in _FIRST_FAILURE_RULES else None


def _tree_sums(laws: ExactLaws) -> dict[str, Fraction]:
    """E[τ] = Σ_v a(v) of the three rules: token a·min(D, T), block min(S, a·T), greedy min(S, B)."""
    nodes = [(1, 1, 1, 1)]  # S, B, a of token, a of block, over the product of the scales so far
    denominator, sums = 1, dict.fromkeys(_TREE_RULES, Fraction(0))
    for depth, scale in enumerate(laws.scales):
        children = []
        for place, (drafted, wanted, token, block) in enumerate(nodes):
            draft, target = laws.rows(depth, place)
            for d, t in zip(draft.weights, target.weights, strict=True):
                children.append((drafted * d, wanted * t, token * min(d, t), min(drafted * d, block * t)))
        nodes, denominator = children, denominator * scale
        totals = (sum(n[2] for n in nodes), sum(n[3] for n in nodes), sum(min(n[0], n[1]) for n in nodes))
        for rule, total in zip(_TREE_RULES, totals, strict=True):
            sums[rule] += Fraction(total, denominator)
    return sums


@dataclass
class _OneToken:
    """What a rule does with one drafted token: for each x its chance of being kept and of being emitted after all, and the law of what is emitted."""

    chances: list[Fraction] = field(default_factory=list)
    returns: list[Fraction] = field(default_factory=list)
    emitted: list[Fraction] = field(default_factory=list)


def _first_failure(rule: str, laws: ExactLaws) -> ExactNumbers:
    """Along the block: a(v) the mass that is kept, and the mass that agrees with the draft although something was corrected.

    After a correction the rule begins anew; whatever it then emits is independent of this block's later tokens.
    """
    known: dict[tuple[ExactLaw, ExactLaw], _OneToken] = {}
    nodes = [(Fraction(1), Fraction(0))]
    expected = common = Fraction(0)
    for depth in range(laws.gamma):
        children = []
        for place, (kept, again) in enumerate(nodes):
            draft, target = rows = laws.rows(depth, place)
            if rows not in known:
                known[rows] = _one_token(rule, draft, target)
            one = known[rows]
            for x, d in enumerate(draft.fractions()):
                children.append((kept * d * one.chances[x], (kept * one.returns[x] + again * one.emitted[x]) * d))
        nodes = children
        expected += sum(kept for kept, _ in nodes)
        common += sum(kept + again for kept, again in nodes)
    return ExactNumbers(expected, laws.gamma - common)


def _one_token(rule: str, draft: ExactLaw, target: ExactLaw) -> _OneToken:
    size = len(draft)
    one = _OneToken([Fraction(0)] * size, [Fraction(0)] * size, [Fraction(0)] * size)
    for x in draft.support:
        said = exactly(rule, (x,), [draft], [target, target])
        chance = said.coins[0].chance
        after = said.next_law(0).law.fractions() if chance < 1 else [Fraction(0)] * size
        one.chances[x], one.returns[x] = chance, (1 - chance) * after[x]
        one.emitted[x] += draft[x] * chance
        for y, share in enumerate(after):
            one.emitted[y] += draft[x] * (1 - chance) * share
    return one
