"""Records of the Sandbox for the tests of its pictures: states, and what the library answers to them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from specdemo.sandbox.answers import ANSWERS
from specdemo.sandbox.state import Context

Levels = list[list[list[str]]]
Record = dict[str, Any]


def state_of(draft: Levels, target: Levels, gamma: int, context: Context, rules: tuple[str, ...]) -> Record:
    """A state as the page sends it; without rules token and block."""
    left, right = rules or ("token", "block")
    symbols = len(draft[0][0])
    return {
        "symbols": symbols,
        "gamma": gamma,
        "context": context,
        "draft": draft,
        "target": target,
        "rules": [left, right],
    }


def paper(gamma: int, *rules: str) -> Record:
    """The two-symbol example: D = (2/3, 1/3), T = (1/3, 2/3)."""
    return state_of([[["2/3", "1/3"]]], [[["1/3", "2/3"]]], gamma, "free", rules)


def model_c(*rules: str) -> Record:
    """Three symbols, laws by position, two positions."""
    draft = [[[".1", ".2", ".7"]], [[".3", ".1", ".6"]]]
    return state_of(draft, [[[".6", "0", ".4"]], [[".5", ".4", ".1"]]], 2, "position", rules)


def random_state(symbols: int, gamma: int, context: Context, *rules: str, seed: int = 0) -> Record:
    """Laws in sixtieths, zeros among them."""
    rng = np.random.default_rng(seed)
    counts = {"free": [1], "position": [1] * gamma, "prefix": [symbols**i for i in range(gamma)]}[context]

    def row() -> list[str]:
        return [f"{n}/60" for n in rng.multinomial(60, rng.dirichlet(np.ones(symbols))).tolist()]

    draft, target = ([[row() for _ in range(count)] for count in counts] for _ in range(2))
    return state_of(draft, target, gamma, context, rules)


def answered(name: str, question: Record) -> Record:
    """The server's answer, which must not be a refusal or a list of problems."""
    answer = json.loads(ANSWERS[name](json.dumps(question)))
    assert "problems" not in answer and "error" not in answer, answer
    return answer


def picture(state: Record) -> Record:
    """The answer to `sandbox`."""
    return answered("sandbox", state)


def optimum(state: Record) -> Record:
    """The answer to `optimum`."""
    return answered("optimum", state)


def longrun(state: Record, blocks: int = 8) -> Record:
    """The answer to `longrun`."""
    return answered("longrun", {**state, "blocks": blocks})
