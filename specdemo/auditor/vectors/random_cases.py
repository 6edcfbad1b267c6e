"""Random small cases of every rule, from `Dice`: laws of many kinds, every γ from 0 to 8 and V from 2 to 8, every τ, margins that hold."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from specdemo.auditor.vectors.dice import Dice
from specdemo.auditor.vectors.exact_rules import Exact, Memory, exactly
from specdemo.auditor.vectors.laws import ExactLaw
from specdemo.auditor.vectors.margin import margin_of
from specdemo.auditor.vectors.record import Case

KINDS = ("plain", "close", "steep", "zeros", "ties", "equal", "one_hot", "hot_draft", "hot_target", "disjoint", "near")
COUNTS = {
    "token": 60, "block": 104, "greedy_block": 40, "exact_match": 14, "sampled_match": 28, "threshold": 8, "typical": 8, "lenience": 8,
}  # fmt: skip
WITH_MEMORY = 36
GRID, FINE_GRID = 2**10, 2**20
RATIOS = ("1/2", "3/4", "4/5", "3/2", "2", "3", "5")
LEAST_MARGIN, LEAST_CONDITION = Fraction(1, 256), Fraction(1, 40)
# Every seventh case is to be decided narrowly: below 1/1000, yet far beyond float32's rounding.
NARROW = (Fraction(1, 30000), Fraction(1, 1000))


def random_cases() -> Iterator[Case]:
    """All of them, rule by rule; those with memory last."""
    for place, (rule, count) in enumerate(COUNTS.items()):
        for number in range(count):
            yield _found(rule, number, 1000 * (place + 1), memory=False)
    for number in range(WITH_MEMORY):
        yield _found("greedy_block", number, 50_000, memory=True)


def _found(rule: str, number: int, seed: int, memory: bool) -> Case:
    """The first attempt whose wanted τ and margin can be had."""
    gamma = 1 + number % (5 if memory else 8)
    vocab_size = 2 + (number * 3 + number // 8) % (4 if memory else 7)
    kind = KINDS[number % len(KINDS)]
    for attempt in range(1000):
        dice = Dice(seed + 100_000 * attempt + number)
        case = _attempt(
            f"{rule}-{'memory-' if memory else ''}{number + 1:03d}", rule, gamma, vocab_size, kind, memory, dice
        )
        exact = exactly(rule, case.tokens, case.draft, case.target, case.memory)
        wanted = (number + attempt) % (gamma + 1)
        # Some kinds and rules know no narrow decision: after a while any will do.
        if exact.empty_window and number % 6 != 5 and attempt < 300:
            continue  # no text reaches such a state: a few are enough
        decided = _decided(case, exact, wanted, number % 7 == 6 and attempt < 30, dice)
        if decided is not None:
            return decided
    raise RuntimeError(f"no {kind} case found for {rule} at γ = {gamma}, V = {vocab_size}")


def _attempt(name: str, rule: str, gamma: int, size: int, kind: str, with_memory: bool, dice: Dice) -> Case:
    memory: Memory | None = None
    if with_memory:
        count = 1 + dice.below(5) // 2
        memory = [(Fraction(RATIOS[dice.below(len(RATIOS))]), 1 + dice.below(gamma + 2)) for _ in range(count)]
    reach = max((remaining for _, remaining in memory or []), default=0)
    pairs = [_pair(kind if dice.below(3) else "close", size, dice) for _ in range(gamma + 1)]
    draft = [pair[0] for pair in pairs[: gamma + (reach > gamma)]]
    tokens = tuple(dice.drawn(law) for law in draft[:gamma])
    return Case(name, rule, tokens, (), (draft, [pair[1] for pair in pairs]), memory)


def _decided(case: Case, exact: Exact, wanted: int, narrow: bool, dice: Dice) -> Case | None:
    """The case with uniforms that keep `wanted` tokens by the margin that is asked for; None if that was not found."""
    grid = FINE_GRID if narrow else GRID
    low, high = NARROW if narrow else (LEAST_MARGIN, Fraction(1))
    for _ in range(40):
        uniforms = [Fraction(dice.below(grid), grid) for _ in range(case.gamma + 1)]
        for i, coin in enumerate(exact.coins, start=1):
            # Half of the uniforms below, half above: otherwise long blocks would hardly ever be kept.
            if i == wanted or (not exact.last_wins and i < wanted):
                uniforms[i - 1] = Fraction(int(uniforms[i - 1] * coin.chance * grid), grid)
        if narrow:
            place = dice.below(case.gamma + 1)
            step = exact.coins[place].chance if place < case.gamma else exact.next_law(wanted).law[0]
            near = int(step * grid) + dice.below(1200) - 600
            uniforms[place] = Fraction(min(max(near, 0), grid - 1), grid)
        if exact.accepted(uniforms[:-1]) != wanted:
            continue
        margin, condition = margin_of(exact, wanted, uniforms)
        if low <= margin <= high and condition >= LEAST_CONDITION:
            return Case(case.name, case.rule, case.tokens, tuple(uniforms), case.rows, case.memory)
    return None


def _pair(kind: str, size: int, dice: Dice) -> tuple[ExactLaw, ExactLaw]:
    """A draft and a target law of one kind, by small integer weights."""
    draft, target = _weights(kind, size, dice), _weights(kind, size, dice)
    if kind == "close":
        target = [weight + dice.below(3) for weight in draft]
    elif kind == "equal":
        target = list(draft)
    elif kind == "near":
        draft = [20 * weight for weight in draft]
        target = [weight + dice.below(3) for weight in draft]
    elif kind == "hot_draft":
        draft = _one_hot(size, dice)
    elif kind == "hot_target":
        target = _one_hot(size, dice)
    elif kind == "disjoint":
        cut = 1 + dice.below(size - 1)
        draft, target = draft[:cut] + [0] * (size - cut), [0] * cut + target[cut:]
    return ExactLaw(tuple(draft)), ExactLaw(tuple(target))


def _weights(kind: str, size: int, dice: Dice) -> list[int]:
    if kind == "one_hot":
        return _one_hot(size, dice)
    if kind == "steep":
        return [2 ** dice.below(6) for _ in range(size)]
    if kind == "ties":
        return [1 + dice.below(2) for _ in range(size)]
    weights = [1 + dice.below(9) for _ in range(size)]
    if kind == "zeros":
        weights = [weight if dice.below(5) < 3 else 0 for weight in weights]
        weights[dice.below(size)] += 3
    return weights


def _one_hot(size: int, dice: Dice) -> list[int]:
    hot = dice.below(size)
    return [int(v == hot) for v in range(size)]
