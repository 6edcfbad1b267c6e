"""What becomes of each drafted token under a rule, and where two rules part on a block, in words; all read from the trace.

τ is the verdict's own, whatever its coins would say: a mistaken rule may compare them with other numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from specdemo.cli.terminal import signs
from specdemo.lab.compare_tables import piece_text
from specdemo.verifiers import get
from specdemo.verifiers.mistakes import Mistake

Fate = Literal["kept", "rescued", "decides", "rejected", "not reached"]
Block = dict[str, Any]


def fates(block: Block, rule: str) -> list[Fate]:
    """One entry a drafted token. `rescued`: kept, because a longer prefix passed, though η ≥ min(1, r), its own test, failed."""
    verdict = block["verdicts"][rule]
    accepted, gamma = verdict["accepted"], block["gamma"]
    if verdict["order"] == "left_to_right":
        return ["kept" if i < accepted else "rejected" if i == accepted else "not reached" for i in range(gamma)]
    found: list[Fate] = ["rejected"] * gamma
    for i in range(accepted - 1):
        found[i] = "kept" if block["uniforms"]["verify"][i] < _own_test(block, i) else "rescued"
    if accepted:
        found[accepted - 1] = "decides"
    return found


def differing(block: Block, rules: Sequence[str], follow: str) -> list[str]:
    """The rules whose τ or next token is not that of `follow`."""
    own = block["verdicts"][follow]
    return [
        rule for rule in rules if any(block["verdicts"][rule][part] != own[part] for part in ("accepted", "next_token"))
    ]


def difference_words(block: Block, rule: str, follow: str) -> str:
    """One sentence on where `rule` parts from `follow` on this block."""
    kept, own = (block["verdicts"][name]["accepted"] for name in (rule, follow))
    if kept == own:
        kind = block["verdicts"][rule]["next_kind"]
        return f"{rule} kept {kept} like {follow}, but draws another {kind}: {_drawn_from(block, rule)}; {follow}: {_drawn_from(block, follow)}"
    more, less = (rule, follow) if kept > own else (follow, rule)
    # What a single draw must not be read as.
    caution = (
        "; so it is on this draw: on average over drafts block keeps no fewer"
        if (more, less) == ("token", "block")
        else ""
    )
    return f"{rule} kept {kept} where {follow} kept {own}: {_reason(block, more, less)}{caution}"


def cut_words(block: Block, limit: int) -> str | None:
    """That the end of the text cuts what the block gained, else null; `limit`: the run's max_new_tokens."""
    gained, shown = block["gained"], block["shown_tokens"]
    if shown == gained:
        return None
    why = "the text ends here" if block["finish"] == "eos" else f"the limit of {limit} is reached"
    return f"{shown} of the {gained} gained tokens {'joins' if shown == 1 else 'join'} the text: {why}"


def number(value: float | str | None) -> str:
    """Three significant digits, never an exponent, as on the page; a dash for what there is none of.

    >>> [number(x) for x in (0.000412, 0.9, 1.0, 12.345, 1e-9, None)]
    ['0.000412', '0.900', '1', '12.3', '<0.000001', '–']
    """
    if value is None:
        return "–"
    if value == "inf":
        return "∞"
    size = float(value)
    if size in (0, 1):
        return f"{size:g}"
    if size < 1e-6:
        return "<0.000001"
    if size >= 999.5:
        return f"{size:.0f}"
    digits = f"{size:.2e}"
    return f"{float(digits):.{max(0, 2 - int(digits[-3:]))}f}"


def token_text(record: dict[str, Any], token: int) -> str:
    """A token as one word, its piece from the record's table: what draws nothing has a sign, bytes are ‹hex›."""
    return signs(piece_text(record["pieces"][str(token)]))


def positions(places: Sequence[int]) -> str:
    """Positions in words, runs joined.

    >>> positions([2]), positions([1, 2, 3]), positions([1, 2, 4])
    ('position 2', 'positions 1–3', 'positions 1–2 and 4')
    """
    runs: list[list[int]] = []
    for i in places:
        if runs and runs[-1][1] == i - 1:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    words = [str(a) if a == b else f"{a}–{b}" for a, b in runs]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return f"position{'s' if len(places) > 1 else ''} {listed}"


def _reason(block: Block, more: str, less: str) -> str:
    """Why `more` kept more."""
    verdict, other = block["verdicts"][more], block["verdicts"][less]
    i, k = verdict["accepted"], other["accepted"] + 1
    failed = f"position {k} failed under {less} ({_coin(block, less, k, '≥')})"
    if other["order"] == "right_to_left":
        failed = f"under {less} the prefix of {i} failed ({_coin(block, less, i, '≥')})"
    rescued = [place + 1 for place, fate in enumerate(fates(block, more)) if fate == "rescued"]
    if rescued:
        return f"position {i} rescued {positions(rescued)}; {failed}"
    if verdict["order"] == "right_to_left":
        return f"the prefix of {i} passed ({_coin(block, more, i, '<')}), {failed}"
    if other["order"] == "left_to_right":
        return f"position {k} passed under {more} ({_coin(block, more, k, '<')}), {failed}"
    return f"each of the first {i} passed its own test, {failed}"


def _coin(block: Block, rule: str, i: int, sign: str) -> str:
    verdict = block["verdicts"][rule]
    if verdict["accept_prob"] is None:
        return "no coin"
    coin = verdict["accept_prob"][i - 1]
    if coin in (0, 1):
        return f"h is {coin:g}"
    compared = verdict.get("compared") or block["uniforms"]["verify"]
    return f"η {number(compared[i - 1])} {sign} h {number(coin)}"


def _drawn_from(block: Block, rule: str) -> str:
    """What Y was drawn from, as far as the trace says; a mistake may draw from any other law than it computes with."""
    verdict = block["verdicts"][rule]
    tau = verdict["accepted"]
    target = "T̃" if (verdict.get("effective_target") or [None] * (tau + 1))[tau] else "T"
    if rule == "exact_match":
        return "from T's argmax"
    if isinstance(get(rule), Mistake):
        return f"by its mistaken law, probability {number(verdict['next_prob'])}"
    if tau == block["gamma"] or rule in ("threshold", "typical"):
        return f"from {target}"
    if rule == "sampled_match":
        return f"from T without '{token_text(block, block['paths'][0]['tokens'][tau])}'"
    if verdict["residual_scale"] is None:
        return f"by its own law, probability {number(verdict['next_prob'])}"
    return f"from the residual ({number(verdict['residual_scale'][tau])} {target} − D)₊"


def _own_test(block: Block, i: int) -> float:
    ratio = block["paths"][0]["rows"][i]["ratio"]
    return 1.0 if ratio == "inf" else min(1.0, float(ratio))
