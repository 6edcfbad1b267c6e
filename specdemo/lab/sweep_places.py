"""Where drafts fail: the places of the target's own text, by the entropy of T and by what the draft offers there."""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.lab.sweep_texts import Text
from specdemo.pairs.pair import Pair
from specdemo.pairs.vocabulary import join_pieces

MOST_SAMPLES = 8
MOST_WORST = 2
SHOWN_CHARACTERS = 80


def entropies(laws: FloatArray) -> FloatArray:
    """−Σ p ln p of each row (n, V), in nats.

    >>> entropies(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4).tolist()
    [0.6931, 0.0]
    """
    logarithms = np.zeros_like(laws)
    np.log(laws, out=logarithms, where=laws > 0)
    found: FloatArray = -(laws * logarithms).sum(axis=1) + 0.0
    return found


def acceptances(text: Text) -> FloatArray:
    """1 − TV(D, T) = Σ min(D, T) at each place: the probability that the token rule keeps a token drafted there."""
    kept: FloatArray = np.minimum(text.draft, text.target).sum(axis=1)
    return kept


def places(pair: Pair, prompt_ids: list[int], text: Text) -> dict[str, Any]:
    """`samples` and `worst` of a text that goes on after `prompt_ids` (docs/lab.md)."""
    entropy, acceptance = entropies(text.target), acceptances(text)
    count = min(MOST_SAMPLES, len(text))
    spaced = [(2 * k + 1) * len(text) // (2 * count) for k in range(count)]
    worst = np.argsort(acceptance, kind="stable")[:MOST_WORST]
    return {
        "samples": [[place, float(entropy[place]), float(acceptance[place])] for place in spaced],
        "worst": [
            {
                "place": int(place),
                "entropy": float(entropy[place]),
                "acceptance": float(acceptance[place]),
                "before": _before(pair, [*prompt_ids, *text.tokens[:place].tolist()]),
                "written": _token(pair, text, int(place), int(text.tokens[place])),
                "wanted": _token(pair, text, int(place), int(text.target[place].argmax())),
                "offered": _token(pair, text, int(place), int(text.draft[place].argmax())),
            }
            for place in worst
        ],
    }


def _before(pair: Pair, ids: list[int]) -> str:
    return join_pieces([pair.pieces(i) for i in ids[-SHOWN_CHARACTERS:]])[-SHOWN_CHARACTERS:]


def _token(pair: Pair, text: Text, place: int, token: int) -> dict[str, Any]:
    return {
        "token": token,
        "piece": pair.pieces(token),
        "target": float(text.target[place, token]),
        "draft": float(text.draft[place, token]),
    }
