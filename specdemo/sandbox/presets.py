"""Ready-made states: the examples of docs/rules.md, the edges where rules meet, and random laws by a seed."""

from __future__ import annotations

import random
from typing import Any

from specdemo.sandbox.state import Context, shape_of

Rows = list[list[list[str]]]
MOST_SEED = 2**53 - 1


def _free(draft: list[str], target: list[str], gamma: int, *rules: str) -> dict[str, Any]:
    return _state(len(draft), gamma, "free", [[draft]], [[target]], *rules)


def _state(symbols: int, gamma: int, context: str, draft: Rows, target: Rows, *rules: str) -> dict[str, Any]:
    return {
        "symbols": symbols,
        "gamma": gamma,
        "context": context,
        "draft": draft,
        "target": target,
        "rules": list(rules or ("token", "block")),
    }


def _by_last_token(first: list[str], after: list[list[str]], gamma: int) -> Rows:
    """A Markov chain as laws by prefix: the last token decides."""
    size = len(first)
    return [[first], *([after[row % size] for row in range(size**i)] for i in range(1, gamma))]


def random_state(seed: int, symbols: int = 3, gamma: int = 2, context: Context = "free") -> dict[str, Any]:
    """Laws in hundredths, the same for the same seed."""
    source = random.Random(seed)

    def row() -> list[str]:
        cuts = sorted(source.choices(range(101), k=symbols - 1))
        parts = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
        return [f"{part / 100:g}" for part in parts]

    draft, target = ([[row() for _ in range(count)] for count in shape_of(context, symbols, gamma)] for _ in range(2))
    return _state(symbols, gamma, context, draft, target)


def presets(seed: int = 0, symbols: int = 3, gamma: int = 2, context: Context = "free") -> list[dict[str, Any]]:
    """All presets, {name, title, about, state} each; the last is random by `seed`, of these sizes."""
    entries: list[tuple[str, str, str, dict[str, Any]]] = [
        (
            "two_symbols",
            "The paper's example",
            "Two symbols: the draft likes A, the target likes B. Of γ = 2 drafted tokens the token rule keeps 10/9, "
            "block verification 11/9; the optimum of one block is 12/9 = 4/3.",
            _free(["2/3", "1/3"], ["1/3", "2/3"], 2),
        ),
        (
            "model_c",
            "Three symbols, by position",
            "Two symbols hide mistakes in the residual, for all of it lies on one. Kept of two tokens: token 0.75, block 0.86, at best 0.91.",
            _state(
                3,
                2,
                "position",
                [[["0.1", "0.2", "0.7"]], [["0.3", "0.1", "0.6"]]],
                [[["0.6", "0", "0.4"]], [["0.5", "0.4", "0.1"]]],
            ),
        ),
        (
            "identical",
            "Draft = target",
            "Nothing to correct: every lossless rule but sampled match keeps everything, and their couplings are the diagonal.",
            _free(["0.5", "0.3", "0.2"], ["0.5", "0.3", "0.2"], 2),
        ),
        (
            "disjoint",
            "Disjoint",
            "The target never takes what the draft proposes: nothing is ever kept, one token a target call, by every lossless rule.",
            _free(["0.6", "0.4", "0", "0"], ["0", "0", "0.7", "0.3"], 2),
        ),
        (
            "near_identical",
            "Nearly identical",
            "A residual of a thousandth: where code that takes a small sum for zero draws from the wrong law.",
            _free(["0.5", "0.3", "0.2"], ["0.501", "0.299", "0.2"], 2),
        ),
        (
            "one_hot_draft",
            "A draft without probabilities",
            "A drafter that always proposes B, such as an n-gram table or an argmax: its law is one-hot, and block verification is the token rule.",
            _free(["0", "1", "0"], ["0.5", "0.3", "0.2"], 3),
        ),
        (
            "markov",
            "A Markov pair",
            "The last token decides what comes next: the draft repeats itself more than the target does, so one rejection pays for later agreement.",
            _state(
                2,
                3,
                "prefix",
                _by_last_token(["1/2", "1/2"], [["4/5", "1/5"], ["1/4", "3/4"]], 3),
                _by_last_token(["1/4", "3/4"], [["3/5", "2/5"], ["1/2", "1/2"]], 3),
            ),
        ),
        (
            "greedy_later",
            "Greedy wins now, loses later",
            "In tokens per target call, E[τ] + 1: greedy block's first call gains 3.37, block's 3.05; "
            "in the long run greedy block gains 2.65 a call, block still 3.05.",
            _free(["2/3", "1/3"], ["1/3", "2/3"], 4, "block", "greedy_block"),
        ),
        (
            "random",
            f"Random, seed {seed}",
            "Laws in hundredths, drawn by the seed.",
            random_state(seed, symbols, gamma, context),
        ),
    ]
    return [{"name": name, "title": title, "about": about, "state": state} for name, title, about, state in entries]
