"""Tokens per target call of every rule, estimated on a real pair without the noise of the coins.

One run decodes; on each of its drafted blocks E[τ │ block] of every rule is exact (the length law of its plan), and only the block is random
(Rao–Blackwell). Blocks of a prompt share a text, so errors count prompts. A rule that remembers is asked afresh at every block: what it
pays in its later blocks is not in this figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from specdemo.lab.blocks import survey
from specdemo.lab.competitors import Prompt, Setting
from specdemo.lab.report import table
from specdemo.lab.statistics import Mean, grouped_mean
from specdemo.pairs.pair import Pair
from specdemo.verifiers import get


@dataclass(frozen=True)
class ExpectedTokens:
    """A rule's E[τ]+1 over `blocks` blocks, and what it has more than the token rule on the very same blocks."""

    rule: str
    blocks: int
    tokens: Mean
    over_token: Mean

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return {
            "rule": self.rule,
            "lossless": get(self.rule).lossless,
            "blocks": self.blocks,
            "expected_tokens": self.tokens.to_json(),
            "over_token": self.over_token.to_json(),
        }


def expected_tokens(
    pair: Pair,
    prompts: Sequence[Prompt],
    setting: Setting,
    rules: Sequence[str],
    decoding_rule: str = "block",
    progress: Callable[[int], None] = lambda done: None,
) -> list[ExpectedTokens]:
    """E[τ]+1 of each rule on the blocks of runs decoded by `decoding_rule`, one group a prompt; ValueError for an unknown rule."""
    asked = list(dict.fromkeys([*rules, "token"]))
    for rule in asked:
        get(rule)
    groups: list[list[dict[str, float]]] = []
    for prompt in prompts:
        groups.append(survey(pair, prompt, setting, decoding_rule, asked).expected_tokens)
        progress(len(groups))
    return [
        ExpectedTokens(
            rule,
            sum(map(len, groups)),
            grouped_mean([[block[rule] for block in group] for group in groups]),
            grouped_mean([[block[rule] - block["token"] for block in group] for group in groups]),
        )
        for rule in rules
    ]


def expected_report(found: Sequence[ExpectedTokens], *, markdown: bool = False) -> str:
    """The estimates as a table with standard errors."""
    rows = [
        [
            line.rule,
            get(line.rule).lossless,
            _with_error(line.tokens, "{:.3f}"),
            _with_error(line.over_token, "{:+.3f}"),
        ]
        for line in found
    ]
    notes = "E[τ]+1 is exact given each block; errors are standard errors over prompts. Rules that are not lossless pay with the text."
    if any(get(line.rule).remembers for line in found):
        notes += "\ngreedy_block is asked afresh at every block: what it pays in its later blocks is not in its figure."
    return table(["rule", "lossless", "E[τ]+1", "− token, same blocks"], rows, markdown=markdown) + "\n\n" + notes


def _with_error(mean: Mean, form: str) -> str:
    return form.format(mean.mean) + ("" if mean.standard_error is None else f" ± {mean.standard_error:.3f}")
