"""What an example must show: each kind is a test on one block of a trace, and a sentence for the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Block = dict[str, Any]

STORIES = (
    "Once upon a time there was a kind old fox who lived near the river. One cold morning",
    "Once upon a time a small girl found a silver key in the garden.",
    "The baker's dog had lost his hat, and nobody in the village",
)
PROSE = (
    "It was not in her power to answer him, and she",
    "Mr. Knightley was quite sure that the young lady would",
    "And the people went out of the city, and",
)


@dataclass(frozen=True)
class Kind:
    """One teachable moment.

    `suits(block)` says whether a block shows it, `rank(block)` how well (larger is better), `start` where the page opens it.
    """

    name: str
    title: str
    about: str
    prompts: tuple[str, ...]
    suits: Callable[[Block], bool]
    rank: Callable[[Block], float] = lambda block: 0.0
    settings: dict[str, Any] = field(default_factory=dict)
    draft: str = "192"
    phase: str = "correct"
    position: Callable[[Block], int] = lambda block: int(block["kept"])


def own_tests(block: Block) -> list[bool]:
    """Whether each drafted token would pass its own test η_i < min(1, r_i): the token rule's coin."""
    return [
        eta < accept
        for eta, accept in zip(block["uniforms"]["verify"], block["verdicts"]["token"]["accept_prob"], strict=False)
    ]


def _kept(block: Block, rule: str) -> int:
    return int(block["verdicts"][rule]["accepted"])


def _rescue(block: Block) -> bool:
    kept = _kept(block, "block")
    return 2 <= kept < block["gamma"] and _kept(block, "token") < kept - 1


def _fewer(block: Block) -> bool:
    return _kept(block, "block") < _kept(block, "token")


def _all_kept(block: Block) -> bool:
    return _kept(block, "block") == _kept(block, "token") == block["gamma"]


def _all_rejected(block: Block) -> bool:
    return _kept(block, "block") == _kept(block, "token") == 0


def _always(block: Block) -> bool:
    return True


def _entropy(block: Block) -> float:
    rows = block["paths"][0]["rows"]
    return sum(row["target_entropy"] for row in rows) / len(rows)


def _readable(block: Block) -> float:
    """Prefers blocks in which the drafted tokens differ and are words, and the deciding coin is neither 0 nor 1."""
    tokens = block["paths"][0]["tokens"]
    words = sum(isinstance(p := block["pieces"][str(t)], str) and p.strip().isalpha() for t in set(tokens))
    kept, coins = block["kept"], block["verdicts"]["block"]["accept_prob"]
    return words + (1.0 if kept and 0.05 < coins[kept - 1] < 0.95 else 0.0)


KINDS: tuple[Kind, ...] = (
    Kind(
        "rescue",
        "A rescue",
        "A token that would have failed alone is kept, because a later one makes up for it.",
        STORIES + PROSE,
        _rescue,
        lambda block: _readable(block) + 0.5 * (_kept(block, "block") - _kept(block, "token")),
        {"gamma": 5},
    ),
    Kind(
        "fewer",
        "Fewer than the token rule",
        "On this draw block verification keeps fewer tokens than the token rule: on average over drafts it never does.",
        STORIES + PROSE,
        _fewer,
        lambda block: _readable(block) + (_kept(block, "token") - _kept(block, "block")),
        {"gamma": 5},
    ),
    Kind(
        "all-kept",
        "All kept",
        "Every drafted token is kept, and the target adds a bonus token.",
        STORIES,
        _all_kept,
        _readable,
    ),
    Kind(
        "all-rejected",
        "All rejected",
        "No drafted token is kept: the correction is all this block gains.",
        PROSE,
        _all_rejected,
        _readable,
    ),
    Kind(
        "same-law",
        "Draft = target",
        "The target drafts for itself: both laws agree, everything is kept, and nothing is won, because a draft step costs as much.",
        STORIES[:1],
        _all_kept,
        _readable,
        draft="self",
    ),
    Kind(
        "open",
        "An open question",
        "High entropy: the text could go on in many ways, draft and target differ, and blocks are short.",
        PROSE,
        _always,
        _entropy,
        {"gamma": 6},
        draft="96",
        phase="verify",
        position=lambda block: 0,
    ),
    Kind(
        "certain",
        "A sure thing",
        "Low entropy: the next tokens are nearly certain, so the small draft is as good as the target.",
        STORIES,
        _all_kept,
        lambda block: -_entropy(block),
        {"gamma": 6},
        position=lambda block: 0,
    ),
)
