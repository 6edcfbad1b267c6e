"""The token and the block rule once more, in exact fractions and plain loops, written from the papers' text alone.

It shares no line with `specdemo.verifiers`: where both agree, a slip would have to be made twice. It is slow, knows nothing of
arrays, tensors, memory or validation, and is meant for alphabets of a few symbols.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

Text = tuple[int, ...]
Law = list[Fraction]
LawOf = Callable[[Text], Law]
Decision = Callable[[Text, Sequence[Law], Sequence[Law]], "Decided"]

ZERO, ONE = Fraction(0), Fraction(1)


def exact(law: Iterable[float | Fraction]) -> Law:
    """A law in exact fractions, divided by its exact sum."""
    parts = [Fraction(p) if isinstance(p, Fraction) else Fraction(float(p)) for p in law]
    return [p / sum(parts) for p in parts]


@dataclass(frozen=True)
class Decided:
    """What a rule says of one drafted block: coins h_1…h_γ, weights P(τ ≥ i | x^i), P(τ = i | x), and the law of Y given τ = i."""

    coins: list[Fraction]
    weights: list[Fraction]
    lengths: list[Fraction]
    next_laws: list[Law]


def _normalised(residual: Law, otherwise: Law) -> Law:
    total = sum(residual)
    return [r / total for r in residual] if total > 0 else otherwise


def _positive_part(scale: Fraction, target: Law, draft: Law) -> Law:
    return [max(ZERO, scale * t - d) for t, d in zip(target, draft, strict=True)]


def token_rule(tokens: Text, draft: Sequence[Law], target: Sequence[Law]) -> Decided:
    """Leviathan et al. Algorithm 1: walk along the block and stop at the first refusal."""
    coins, lengths, weights = [], [], [ONE]
    reached = ONE
    for i, x in enumerate(tokens):
        coin = min(ONE, target[i][x] / draft[i][x])
        lengths.append(reached * (1 - coin))
        reached *= coin
        coins.append(coin)
        weights.append(reached)
    lengths.append(reached)
    laws = [_normalised(_positive_part(ONE, target[i], draft[i]), target[i]) for i in range(len(tokens))]
    return Decided(coins, weights, lengths, [*laws, target[len(tokens)]])


def block_rule(tokens: Text, draft: Sequence[Law], target: Sequence[Law]) -> Decided:
    """Sun et al. Algorithm 2: every prefix gets a coin, and the longest prefix whose coin succeeds is kept."""
    gamma = len(tokens)
    weights = [ONE]
    for i, x in enumerate(tokens):
        weights.append(min(ONE, weights[-1] * target[i][x] / draft[i][x]))
    coins = []
    for i in range(1, gamma + 1):
        w = weights[i]
        if i == gamma:
            coins.append(w)
            continue
        gain = sum(_positive_part(w, target[i], draft[i]), ZERO)
        below = gain + 1 - w
        coins.append(gain / below if below else ONE)
    lengths = [ZERO] * (gamma + 1)
    nobody_yet = ONE
    for i in range(gamma, 0, -1):
        lengths[i] = nobody_yet * coins[i - 1]
        nobody_yet *= 1 - coins[i - 1]
    lengths[0] = nobody_yet
    laws = [_normalised(_positive_part(weights[i], target[i], draft[i]), target[i]) for i in range(gamma)]
    return Decided(coins, weights, lengths, [*laws, target[gamma]])


RULES: dict[str, Decision] = {"token": token_rule, "block": block_rule}


def decided(rule: str, draft: LawOf, target: LawOf, context: Text, block: Text) -> Decided:
    """The rule's word on `block`, drafted after `context`."""
    drafts = [draft(context + block[:i]) for i in range(len(block))]
    targets = [target(context + block[:i]) for i in range(len(block) + 1)]
    return RULES[rule](block, drafts, targets)


def drafted(draft: LawOf, context: Text, gamma: int) -> dict[Text, Fraction]:
    """Every block the draft can propose after `context`, with its probability."""
    blocks: dict[Text, Fraction] = {(): ONE}
    for _ in range(gamma):
        blocks = {
            (*block, x): mass * p
            for block, mass in blocks.items()
            for x, p in enumerate(draft(context + block))
            if mass * p > 0
        }
    return blocks


def emitted(
    rule: str, draft: LawOf, target: LawOf, context: Text, gamma: int, shown: LawOf | None = None
) -> dict[Text, Fraction]:
    """The law of the τ + 1 tokens that one block after `context` emits; `shown` is a wrong draft law handed to the rule."""
    law: dict[Text, Fraction] = defaultdict(Fraction)
    for block, mass in drafted(draft, context, gamma).items():
        said = decided(rule, shown or draft, target, context, block)
        for i, chance in enumerate(said.lengths):
            for y, p in enumerate(said.next_laws[i]):
                if mass * chance * p > 0:
                    law[(*block[:i], y)] += mass * chance * p
    return dict(law)


def text_law(law: LawOf, length: int, context: Text = ()) -> dict[Text, Fraction]:
    """The law of `length` tokens drawn one by one."""
    size = len(law(context))
    texts = {}
    for text in product(range(size), repeat=length):
        mass = ONE
        for i, x in enumerate(text):
            mass *= law(context + text[:i])[x]
        texts[text] = mass
    return texts


def expected_kept(rule: str, draft: LawOf, target: LawOf, gamma: int) -> Fraction:
    """E[τ] of one block, exactly."""
    return sum(
        (
            mass * i * chance
            for block, mass in drafted(draft, (), gamma).items()
            for i, chance in enumerate(decided(rule, draft, target, (), block).lengths)
        ),
        ZERO,
    )
