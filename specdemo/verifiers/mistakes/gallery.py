"""The entries of the gallery. A new mistake is one entry here: what is altered, and one sentence on what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers.base import Verifier
from specdemo.verifiers.block import BlockVerifier
from specdemo.verifiers.greedy_block import GreedyBlockVerifier
from specdemo.verifiers.mistakes import changes, laws, plans
from specdemo.verifiers.records import Plan
from specdemo.verifiers.token import TokenVerifier

_RIGHT: dict[str, type[Verifier]] = {
    "token": TokenVerifier,
    "block": BlockVerifier,
    "greedy_block": GreedyBlockVerifier,
}


class Mistake(Verifier):
    """A right rule with one alteration. `goes_wrong` is one sentence, `issue` a public issue where it happened, if one is known.

    `first_row_decides`: whether, as in the right rules, the laws of the block's first position alone decide P(τ ≥ 1 │ x_1), averaged over
    the later drafts, and Y's law at τ = 0.
    """

    lossless: Literal["always", "temperature_0", "never"] = "never"  # type: ignore[misc]

    def __init__(self, entry: Entry, rule: str) -> None:
        right = _RIGHT[rule]
        self.entry, self.right = entry, right()
        in_token = entry.rules[0] != rule
        self.name = f"{entry.name}_in_{rule}" if in_token else entry.name  # type: ignore[misc]
        self.title = f"{entry.title} ({rule})" if in_token else entry.title  # type: ignore[misc]
        self.source = f"a mistake in {right.title.lower()}: {right.source}"  # type: ignore[misc]
        self.rule, self.goes_wrong, self.issue = rule, entry.goes_wrong, entry.issue
        # The token rule takes its positions one by one, whatever is altered.
        self.first_row_decides = entry.first_row_decides or rule == "token"

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        plan = self.right.core_plan(tokens, self.entry.draft(draft), target)
        return plans.recast(plan, self.entry.kind, **self.entry.change(plan))


@dataclass(frozen=True)
class Entry:
    """One alteration: the kind of plan, the changed fields, the draft law that the rule is shown, and the rules it is made in.

    `first_row_decides` is False where coins, their order, the uniforms they meet or the draft law they come from are altered, so that a
    block rule's later rows reach back to the first token.
    """

    name: str
    title: str
    goes_wrong: str
    kind: type[Plan] = Plan
    change: Callable[[Plan], dict[str, Any]] = changes.nothing
    draft: Callable[[FloatArray], FloatArray] = laws.as_drawn
    rules: tuple[str, ...] = ("block",)
    issue: str | None = None
    first_row_decides: bool = True


BOTH = ("block", "token")

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "residual_without_weight",
        "Residual without its weight",
        "The correction is drawn from norm((T − D)₊): where the weight w has fallen below 1, tokens get more that already have their share, w·T.",
        change=changes.residual_without_weight,
        issue="vllm-project/vllm-ascend#7807",
    ),
    Entry(
        "softmaxed_residual",
        "Residual through a softmax",
        "A softmax gives mass to every token, also where the residual is zero, instead of dividing the residual by its sum.",
        kind=plans.SoftmaxedResidual,
        rules=BOTH,
    ),
    Entry(
        "unnormalised_residual",
        "Residual that was never normalised",
        "The residual sums to less than 1, so that a search through its running sum falls off the end and lands on its last token.",
        kind=plans.UnnormalisedResidual,
        rules=BOTH,
    ),
    Entry(
        "bonus_from_wrong_row",
        "Bonus from the row before",
        "After full acceptance the bonus must follow the last drafted token; here it is drawn from the law of that token's own position.",
        kind=plans.BonusFromWrongRow,
        rules=BOTH,
    ),
    Entry(
        "correction_from_target",
        "Correction from the target",
        "What draft and target share has been accepted already; drawing the correction from T counts it twice.",
        kind=plans.FromTarget,
        rules=BOTH,
    ),
    Entry(
        "argmax_correction",
        "Argmax correction",
        "All of the residual's mass goes to its most probable token, the others are never made good.",
        kind=plans.ArgmaxCorrection,
        rules=BOTH,
    ),
    Entry(
        "current_row_for_next",
        "Current row instead of the next",
        "The coin of prefix i is computed from the laws x_i was drawn from; it must be the laws of the position after it.",
        change=changes.current_row,
        first_row_decides=False,
    ),
    Entry(
        "inner_formula_at_gamma",
        "The inner formula at γ",
        "The last coin must be w_γ itself: there is no draft after the block with which the inner formula could trade.",
        change=changes.inner_formula_at_gamma,
        first_row_decides=False,
    ),
    Entry(
        "break_at_first_failure",
        "Break at the first failure",
        "Block's coins are no tests of single tokens: stopping at the first failure throws away the prefixes that a later success would rescue.",
        change=changes.break_at_first_failure,
        issue="vllm-project/vllm-ascend#11985 (proposed in its review)",
        first_row_decides=False,
    ),
    Entry(
        "one_uniform_for_all",
        "One uniform for all positions",
        "The coins must be independent; with one uniform their outcomes go together and the length law is another.",
        kind=plans.OneUniform,
        rules=BOTH,
        first_row_decides=False,
    ),
    Entry(
        "uniform_used_twice",
        "A coin's uniform used again for Y",
        "A uniform whose coin is known to have failed is no longer uniform: tokens at the low end of the vocabulary become too rare.",
        kind=plans.UniformUsedTwice,
        rules=BOTH,
        first_row_decides=False,
    ),
    Entry(
        "product_of_uniforms",
        "Product of uniforms",
        "A product of uniforms is small far too often, so that later prefixes are accepted too easily.",
        kind=plans.ProductOfUniforms,
        rules=BOTH,
        first_row_decides=False,
    ),
    Entry(
        "uncapped_ratio_at_gamma",
        "Uncapped ratio at γ",
        "The plain product R_γ lets a surplus of one position pay for another; the running clip w_γ has forgotten it.",
        change=changes.uncapped_ratio_at_gamma,
    ),
    Entry(
        "greedy_without_continuation",
        "Greedy without its continuation",
        "Greedy block verification takes more in one block than is its due and owes it to the tokens that follow; here the debt is forgotten.",
        rules=("greedy_block",),
    ),
    Entry(
        "draft_law_before_temperature",
        "Draft law before temperature",
        "The tokens were drawn from D after temperature, but the rule is shown the law before it: ratios and residual belong to another draft.",
        draft=laws.before_temperature,
        rules=BOTH,
        issue="huggingface/transformers#47932",
        first_row_decides=False,
    ),
    Entry(
        "soft_law_for_argmax_drafter",
        "Soft law for an argmax drafter",
        "A drafter that takes its argmax has a one-hot law; with its softmax instead the token is accepted too often and the residual is wrong.",
        draft=laws.soft_for_argmax,
        rules=BOTH,
        issue="jaymody/speculative-sampling#3",
        first_row_decides=False,
    ),
    Entry(
        "accepts_on_equal",
        "Accept with ≤",
        "With η = 0, which uniforms on a grid do take, even a token of target probability 0 is kept.",
        kind=plans.AcceptsEqual,
        rules=BOTH,
        issue="vllm-project/vllm-ascend#11985",
    ),
    Entry(
        "token_zero_is_nothing",
        "Token id 0 is nothing",
        "A test like `if token:` takes the first id of the vocabulary for a missing one and emits something else.",
        kind=plans.NothingIsZero,
        rules=BOTH,
    ),
)

_gallery: dict[str, Mistake] = {
    mistake.name: mistake for mistake in (Mistake(entry, rule) for entry in ENTRIES for rule in entry.rules)
}


def names() -> list[str]:
    """The names of the gallery's mistakes, in the order of display."""
    return list(_gallery)


def get(name: str) -> Mistake:
    """The mistake of that name; ValueError listing the names if there is none."""
    if name not in _gallery:
        raise ValueError(f"there is no mistake {name!r}: choose one of {', '.join(_gallery)}")
    return _gallery[name]
