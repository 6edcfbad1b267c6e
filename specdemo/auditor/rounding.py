"""Whether a subject that computes in float32 follows a right rule up to rounding, and how rounding is spoken of.

A deviation of 1e-7 may be float32's rounding or a small mistake: its size does not tell. What tells is every single threshold.
A right verifier in float32 is a right rule whose inputs were moved by a few 2⁻²⁴ of themselves (each by its own rounding), and
whose thresholds were moved once more by that much. So each drafted block's law of (τ, Y) is laid between the rule's laws for
the most and the least favourable of such inputs, on the very numbers that were fed. What the rule never does stays forbidden:
a coin that is surely 1 fails never, and a token that comes first keeps its share however rare it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.feeding import Feed
from specdemo.auditor.laws import BlockLaw
from specdemo.auditor.questions import IMPOSSIBLE, Block
from specdemo.auditor.texts import StateKey, WorldResult
from specdemo.verifiers import Plan, Verifier, get

# The error of a subject that computes in float32 what it was fed in float64.
ROUNDING = 1e-5
# The rules that a subject may follow: those of the registry that are lossless, and no verifier that was added to it.
RULES = ("token", "block", "greedy_block", "sampled_match")

_UNIT = 2.0**-24  # half of float32's last place at 1: what one operation may add, relatively
_THRESHOLD = 6 * _UNIT  # a running sum over a few tokens, its division, and the comparison
# What the roundings of a right rule add up to in the probability of a text, besides one unit for each token: 1.7 units were met
# in texts of one block, 2 in texts of several.
_TEXT = 2 * _UNIT
# Of the cells as large as this, those that a subject answers otherwise than the rule show that it compares otherwise.
_LARGE_CELL = 1e-3


@dataclass(frozen=True)
class Judged:
    """The right `rule` that a subject follows; `worlds` are the places in which it does not do so up to rounding, `why` says where."""

    rule: str
    worlds: frozenset[int] = frozenset()
    why: str = ""


def judged(results: list[WorldResult], remembers: bool) -> Judged | None:
    """Which right rule a subject follows in all these worlds, and whether up to rounding; None where it follows none of them.

    `remembers`: the subject has a memory. The rules are those of `RULES`; nothing is known of others, right or not.
    """
    found: Judged | None = None
    for name in RULES:
        rule = get(name)
        if rule.remembers and not remembers:
            continue
        one = _against(rule, results, in_order=True)
        if one is not None and one.worlds and _compares_otherwise(rule, results):
            one = _against(rule, results, in_order=False)
        if one is not None and (found is None or not one.worlds):
            found = one
        if found is not None and not found.worlds:
            break
    return found


def _against(rule: Verifier, results: list[WorldResult], in_order: bool) -> Judged | None:
    """The results laid against one rule; None where they are farther off than rounding and small mistakes lead."""
    worlds, worst, why, together = set(), 0.0, "", ""
    for place, result in enumerate(results):
        missed = 0.0
        if result.deviation > (limit := _TEXT + result.length * _UNIT):
            worlds.add(place)
            together = together or (
                f"no threshold is far off, but the errors do not cancel as those of rounding do: in {result.world.name} the "
                f"probability of a text is off by {result.deviation:.2g}, where they add up to {limit:.2g} at most"
            )
        for law, mass, memory in _blocks(rule, result):
            least, most = allowed(rule, law.block, memory, in_order)
            got = law.table
            outside = np.maximum(least - got, got - most)
            i, v = np.unravel_index(int(outside.argmax()), outside.shape)
            if outside[i, v] <= 1e-12:
                continue
            missed += mass * float(outside[i, v])
            if missed > ROUNDING:
                return None
            worlds.add(place)
            if outside[i, v] > worst:
                worst = float(outside[i, v])
                side = max(least[i, v], 0.0) if got[i, v] < least[i, v] else min(most[i, v], 1.0)
                right, wrong = apart(float(side), float(got[i, v]))
                drafted = f" where {list(law.block.tokens)} was drafted" if law.block.tokens else ""
                why = (
                    f"in {result.world.name}{drafted}, keeping {i} and then emitting {v} has probability {wrong}, "
                    f"which rounding takes no {'lower' if got[i, v] < least[i, v] else 'higher'} than {right}"
                )
    return Judged(rule.name, frozenset(worlds), why or together)


def _blocks(rule: Verifier, result: WorldResult) -> Iterator[tuple[BlockLaw, float, Any]]:
    """Every block of a world with the probability that it is drafted, and what the rule remembers then: along the subject's own text."""
    memories: dict[StateKey, Any] = {((), "", 0): None}
    for key, state in sorted(result.states.items(), key=lambda item: item[1].place):
        memory = memories.get(key)
        for law, drafted in state.laws:
            yield law, state.mass * drafted, memory
            plan = None
            for outcome in law.outcomes:
                text = (*state.text, *law.block.tokens[: outcome.accepted], outcome.next_token)
                following = text, outcome.memory_key, state.place + 1
                if rule.remembers and following in result.states and following not in memories:
                    plan = plan or _plan(rule, law.block, memory)
                    memories[following] = plan.memory_after(outcome.accepted, outcome.next_token)


def allowed(rule: Verifier, block: Block, memory: Any, in_order: bool) -> tuple[FloatArray, FloatArray]:
    """The least and the largest probability (γ+1, V) of every (τ, Y) of a block that a right rule gives under rounding.

    `in_order`: coins succeed below their threshold and Y is looked for from token 0 on, so that small thresholds are known relatively;
    else every threshold may be off by as much as one near 1.
    """
    plans = [_plan(rule, block, memory), *_moved_plans(rule, block, memory)]
    coins = np.array([plan.accept_prob for plan in plans])
    low, high = coins.min(axis=0), np.minimum(coins.max(axis=0), 1.0)
    if plans[0].order == "right_to_left":
        low[:-1], high[:-1] = _inner_coins(plans, low[:-1], high[:-1])
    # 0 and 1 are never missed: no uniform lies below the one or above the other.
    slack = _THRESHOLD * (high if in_order else (high > 0).astype(np.float64))
    low = np.where(low >= 1, 1.0, np.maximum(low - slack, 0.0))
    high = np.minimum(high + slack, 1.0)
    least, most = [], []
    for i in range(block.gamma + 1):
        # P(τ = i): the coins that succeed for it, those that fail, in the order in which the rule tosses them.
        if plans[0].order == "left_to_right":
            succeed, fail = slice(0, i), slice(i, i + 1)
        else:
            succeed, fail = slice(max(i - 1, 0), i), slice(i, block.gamma)
        next_low, next_high = _next_range(plans, i, in_order)
        least.append(low[succeed].prod() * (1 - high[fail]).prod() * next_low)
        most.append(high[succeed].prod() * (1 - low[fail]).prod() * next_high)
    return np.array(least), np.array(most)


def _inner_coins(plans: list[Plan], low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The coins A / (A + 1 − w) of inner prefixes where the denominator is rounded as a number near 1 is, however small it is.

    Not so where w is surely 1 and float32 holds A + 1: there every order of adding is exact.
    """
    least, most = [], []
    for i, (lowest, highest) in enumerate(zip(low.tolist(), high.tolist(), strict=True), start=1):
        masses = [float(_weights(plan, i).sum()) for plan in plans]
        exact = lowest >= 1 and float(np.float32(1 + masses[0])) == 1 + masses[0]
        lost = 0.0 if exact else 2 * _UNIT
        mass = min(masses)
        least.append(lowest * mass / (mass + lost * lowest) if mass > 0 else lowest if exact else 0.0)
        mass = max(masses)
        rounded = highest * mass / (mass - lost * highest) if mass > lost * highest else 1.0
        most.append(min(1.0, rounded) if highest > 0 else 0.0)  # without a mass it stays 0
    return np.array(least), np.array(most)


def _next_range(plans: list[Plan], i: int, in_order: bool) -> tuple[FloatArray, FloatArray]:
    """The least and the largest probability (V,) of each next token after i kept ones."""
    weights = np.array([_weights(plan, i) for plan in plans])
    low, high = weights.min(axis=0), weights.max(axis=0)
    if not low.any():
        # It may be empty in float32, and then the target's row takes its place: a stop that (nearly) never happens.
        possible = (high + plans[0].effective_target[i] > 0).astype(np.float64)
        return np.zeros_like(possible), possible
    others_low, others_high = low.sum() - low, high.sum() - high
    if not in_order:
        least, most = low / (low + others_high), high / (high + others_low)
        return np.maximum(least - 2 * _THRESHOLD, 0.0), np.minimum(most + 2 * _THRESHOLD, 1.0)
    # Step v of the running sum, from what lies at and below it and what lies above it.
    below_low, below_high = low.cumsum(), high.cumsum()
    above_low, above_high = low.sum() - below_low, high.sum() - below_high
    step_low = below_low / np.maximum(below_low + above_high, 1e-300) * (1 - _THRESHOLD)
    step_high = np.minimum(below_high / np.maximum(below_high + above_low, 1e-300) * (1 + _THRESHOLD), 1.0)
    least = np.maximum(step_low - np.concatenate([[0.0], step_high[:-1]]), 0.0)
    most = step_high - np.concatenate([[0.0], step_low[:-1]])
    # Where the sum has come out below 1, a uniform above it gives the last possible token, the last of all, or token 0.
    most[[0, -1, high.nonzero()[0][-1]]] += _THRESHOLD
    return least, np.minimum(most, 1.0)


def _weights(plan: Plan, i: int) -> FloatArray:
    """What the law of Y after i kept tokens is proportional to, not yet divided by its sum: so its entries move one by one."""
    if i == plan.gamma:
        return plan.effective_target[i]
    if plan.residual_scale is None:
        weights = plan.effective_target[i].copy()
        weights[plan.next_law(i) == 0] = 0.0
        return weights
    return np.maximum(plan.residual_scale[i] * plan.effective_target[i] - plan.draft[i], 0.0)


def _moved_plans(rule: Verifier, block: Block, memory: Any) -> list[Plan]:
    """The plans for the inputs that are most and least favourable to keeping tokens: all coins and residuals lie between theirs.

    A memory's own laws are divided by sums, which no such order survives: there random moves are added, and go three times as far.
    """
    rng = np.random.default_rng(0)
    signs: list[tuple[Any, Any, Any]] = [(1, -1, 1), (-1, 1, -1)]
    if memory:
        draw = lambda shape: 3 * rng.choice([-1, 1], shape)  # noqa: E731
        signs += [(draw(block.target.shape), draw(block.draft.shape), draw(len(memory))) for _ in range(6)]
    plans = []
    for of_target, of_draft, of_memory in signs:
        target, draft = _moved(block.target, of_target), _moved(block.draft, of_draft)
        ratios = [ratio for ratio, _ in memory or []]
        moved = 1 + 8 * _UNIT * block.gamma * of_memory * np.ones(len(ratios))
        after = [[ratio * by, left] for (ratio, left), by in zip(memory or [], moved.tolist(), strict=True)] or None
        plans.append(_plan(rule, block, after, draft, target))
    return plans


def _moved(laws: FloatArray, signs: Any) -> FloatArray:
    """Every entry moved by what its logarithm may be rounded by in float32, and a little; 0 and 1 are exact."""
    sizes = np.abs(np.log(np.where(laws > 0, laws, 1.0)))
    return np.asarray(laws * (1 + signs * np.where(laws < 1, 2 * _UNIT * (1 + sizes), 0.0)))


def _plan(
    rule: Verifier, block: Block, memory: Any, draft: FloatArray | None = None, target: FloatArray | None = None
) -> Plan:
    tokens = np.array(block.tokens, dtype=np.int64)
    rows = (block.draft if draft is None else draft).copy(), (block.target if target is None else target).copy()
    return rule.core_plan(tokens, *rows, memory)


def _compares_otherwise(rule: Verifier, results: list[WorldResult]) -> bool:
    """Whether the subject, with the rule's laws, looks at other uniforms or in another order: some large cell is answered otherwise."""
    for result in results:
        for law, _ in result.first:
            plan = _plan(rule, law.block, None)
            for cell in law.cells:
                if cell.volume < _LARGE_CELL or cell.answer.accepted < 0:
                    continue
                verdict, answer = plan.decide_unchecked(np.array(cell.middle)), cell.answer
                if answer.accepted != verdict.accepted or (
                    answer.law is None and answer.next_token != verdict.next_token
                ):
                    return True
    return False


def rounding_note(
    deviation: float, tolerance: float, problem_kinds: Collection[str], feed: Feed, unknown: bool = False
) -> str:
    """A sentence for a deviation no larger than float32's rounding; "" for others, and where other answers are wrong as well.

    `unknown`: it was judged whether it is rounding, and no right rule was recognised. Rounding also takes a uniform just below 1
    to 1, where a running sum ends in a token of probability 0.
    """
    if not tolerance < deviation <= ROUNDING or set(problem_kinds) - {IMPOSSIBLE}:
        return ""
    if problem_kinds and feed.single:
        return ""
    what = "rounding to float32 does" + (", which also takes a uniform just below 1 to 1" if problem_kinds else "")
    if not unknown:
        return f"so little is what {what}: without a tolerance of yours and --strict it is judged whether that is all"
    array = feed.kind.replace("float64", "float32") if "float64" in feed.kind else "numpy float32"
    instead = f'--array "{array}"' if problem_kinds else f"--tolerance {ROUNDING:g}"
    return (
        f"so little is what {what}, but it follows none of the rules whose rounding is known ({', '.join(RULES)}): "
        f"if it computes in float32, {instead} says what else is wrong"
    )


def apart(right: float, got: float) -> tuple[str, str]:
    """Both numbers with 6 significant digits, or as many more as show two digits of their difference.

    >>> apart(0.25, 0.5)
    ('0.25', '0.5')
    >>> apart(0.55857312, 0.55857308)
    ('0.55857312', '0.55857308')
    """
    for digits in range(6, 18):
        texts = f"{right:.{digits}g}", f"{got:.{digits}g}"
        shown = abs(float(texts[0]) - float(texts[1]))
        if right == got or abs(shown - abs(right - got)) <= 0.1 * abs(right - got):
            break
    return texts
