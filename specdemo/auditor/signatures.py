"""What the parameters of a foreign function say about its form."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def positional(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that can be given by their place; [] where a function does not tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def takes_memory(function: Callable[..., Any]) -> bool:
    """Whether the fifth parameter is the memory: it is called so, or it must be given. An option with a default is none."""
    parameters = positional(function)
    required = [p for p in parameters if p.default is p.empty]
    return len(parameters) >= 5 and (len(required) == 5 or parameters[4].name == "memory")
