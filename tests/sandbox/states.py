"""States of the Sandbox for its tests: as a page would send them, and random ones."""

from __future__ import annotations

import json
import random
from typing import Any

from specdemo.sandbox.picture import picture_of
from specdemo.sandbox.state import Laws, State, read_laws, shape_of

Row = list[str]


def free(draft: Row, target: Row, gamma: int, *rules: str) -> dict[str, Any]:
    """One law each, whatever came before."""
    return state("free", gamma, [[draft]], [[target]], *rules)


def state(context: str, gamma: int, draft: list[list[Row]], target: list[list[Row]], *rules: str) -> dict[str, Any]:
    return {
        "symbols": len(draft[0][0]),
        "gamma": gamma,
        "context": context,
        "draft": draft,
        "target": target,
        "rules": list(rules or ("token", "block")),
    }


def two_symbols(gamma: int, *rules: str) -> dict[str, Any]:
    return free(["2/3", "1/3"], ["1/3", "2/3"], gamma, *rules)


def model_c(*rules: str) -> dict[str, Any]:
    return state(
        "position",
        2,
        [[["0.1", "0.2", "0.7"]], [["0.3", "0.1", "0.6"]]],
        [[["0.6", "0", "0.4"]], [["0.5", "0.4", "0.1"]]],
        *rules,
    )


def random_state(seed: int, symbols: int, gamma: int, context: Any, *rules: str, parts: int = 12) -> dict[str, Any]:
    """Laws in twelfths: zeros, ties and one-hot laws among them."""
    source = random.Random(seed)

    def row() -> Row:
        cuts = sorted(source.choices(range(parts + 1), k=symbols - 1))
        return [f"{b - a}/{parts}" for a, b in zip([0, *cuts], [*cuts, parts], strict=True)]

    draft, target = ([[row() for _ in range(count)] for count in shape_of(context, symbols, gamma)] for _ in range(2))
    return state(context, gamma, draft, target, *rules)


def laws_of(given: dict[str, Any]) -> Laws:
    """The laws of a valid state."""
    read = read_laws(State.model_validate_json(json.dumps(given)))
    assert isinstance(read, Laws), read
    return read


def picture(given: dict[str, Any]) -> dict[str, Any]:
    """Its picture record, through JSON."""
    record: dict[str, Any] = json.loads(json.dumps(picture_of(laws_of(given), given["rules"]), allow_nan=False))
    return record
