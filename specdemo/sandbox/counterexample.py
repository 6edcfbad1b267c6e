"""The worlds in which an auditor found a rule wrong, as states that the Sandbox shows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from specdemo.arrays import FloatArray
from specdemo.auditor.feeding import Feed
from specdemo.auditor.findings import CLEAR
from specdemo.auditor.report import AuditReport
from specdemo.auditor.trees import Prefix, World, sampled_worlds, worlds
from specdemo.sandbox.laws import trees_of
from specdemo.sandbox.nodes import prefix_words
from specdemo.sandbox.picture import right_rule, rule_flows, worst_cell
from specdemo.sandbox.state import MOST_BLOCKS, MOST_GAMMA, MOST_SYMBOLS, Laws, State, read_laws
from specdemo.transport.linear import joint_law
from specdemo.verifiers import Verifier, get

Row = list[str]
# Laws of simple fractions, up to the rounding of a division by their sum.
_LARGEST_DENOMINATOR, _ROUNDING = 999, 4e-16
_DIFFERENT = 1e-9


def state_of(report: AuditReport, rule: Verifier) -> tuple[dict[str, Any], str] | None:
    """A failing world as a state, beside the right rule, and the world's name; None where no world fits or none shows there.

    The smallest world whose deviation can be seen comes first, as in the report's counterexample. Beyond the γ levels the state repeats
    its last one, and it shows γ tokens and the bonus: worlds in which that looks right are passed over.
    """
    candidates = [(world, state) for world in _failed(report) if (state := world_state(world, rule)) is not None]
    shown = [_shown(state, rule) for _, state in candidates]
    for least in (CLEAR, _DIFFERENT):
        for place in (0, 1):
            for (world, state), variations in zip(candidates, shown, strict=True):
                if variations[place] > least:
                    return state, world.name
    return None


def world_state(world: World, rule: Verifier) -> dict[str, Any] | None:
    """A world as a state: its laws up to γ tokens, with as little context as they need; None where the Sandbox has no room for it."""
    size, gamma = world.vocab_size, world.gamma
    if world.changing or not (2 <= size <= MOST_SYMBOLS and 1 <= gamma <= MOST_GAMMA) or size**gamma > MOST_BLOCKS:
        return None
    sides = [_levels(law, size, gamma) for law in (world.draft, world.target)]
    context = "prefix"
    if all(row == level[0] for levels in sides for level in levels for row in level):
        context, sides = "position", [[level[:1] for level in levels] for levels in sides]
        if all(level == levels[0] for levels in sides for level in levels):
            context, sides = "free", [levels[:1] for levels in sides]
    return {
        "symbols": size,
        "gamma": gamma,
        "context": context,
        "draft": sides[0],
        "target": sides[1],
        "rules": [right_rule(rule).name, rule.name],
    }


def cell_of(state: dict[str, Any]) -> list[str] | None:
    """The drafted and the emitted block at which a counterexample's state goes wrong most; None where only the bonus after the block does."""
    read = read_laws(State.model_validate(state))
    assert isinstance(read, Laws)
    trees = trees_of(read)
    right, wrong = (rule_flows(get(name), trees, read.gamma) for name in state["rules"])
    worst = worst_cell(wrong, right)
    words = prefix_words(read.symbols, read.gamma)
    return None if worst is None else [words[worst[side]] for side in ("row", "column")]


def _failed(report: AuditReport) -> Iterator[World]:
    """The report's failing worlds, those with a deviation that can be seen first, else in the order in which they were tried."""
    feed = Feed(report.array)
    known = {
        world.name: world
        for world in (
            *worlds(report.budget, feed, report.seed),
            *worlds(report.budget, feed, report.seed, remembers=True),
            *sampled_worlds(report.budget, feed, report.seed),
        )
    }
    lines = [line for line in report.worlds if not line.lossless or line.problems]
    for line in [line for line in lines if line.deviation >= CLEAR] + [
        line for line in lines if line.deviation < CLEAR
    ]:
        if line.name in known:
            yield known[line.name]


def _levels(law: Any, size: int, gamma: int) -> list[list[Row]]:
    return [[_texts(law(prefix)) for prefix in _prefixes(size, i)] for i in range(gamma)]


def _prefixes(size: int, length: int) -> Iterator[Prefix]:
    return product(range(size), repeat=length)


def _texts(row: FloatArray) -> Row:
    """A law's floats as texts: simple fractions or short decimals where they are that up to rounding."""
    return [_text(value) for value in row.tolist()]


def _text(value: float) -> str:
    simple = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    if abs(float(simple) - value) > _ROUNDING:
        return repr(value)
    decimal = f"{float(simple):.6g}"
    return decimal if Fraction(decimal) == simple else str(simple)


def _shown(state: dict[str, Any], rule: Verifier) -> tuple[float, float]:
    """How much of the mistake the state's picture shows: the total variation of γ tokens, and of the bonus after them."""
    read = read_laws(State.model_validate(state))
    assert isinstance(read, Laws)
    trees = trees_of(read)
    flows = rule_flows(rule, trees, read.gamma)
    output = flows.coupling.sum(axis=0)
    return 0.5 * float(abs(output - joint_law(trees[1], read.gamma)).sum()), flows.bonus_variation
