"""Alterations of the block rule's coins and residual: functions from a right plan to the fields that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.verifiers.base import ratios
from specdemo.verifiers.records import Plan


def nothing(plan: Plan) -> dict[str, Any]:
    """No field changes: the plan's kind is the mistake."""
    return {}


def residual_without_weight(plan: Plan) -> dict[str, Any]:
    """norm((T − D)₊), the token rule's residual, after block's coins."""
    return {"residual_scale": np.ones(plan.gamma + 1)}


def current_row(plan: Plan) -> dict[str, Any]:
    """h_i from the row that x_i was drawn from instead of the row after it."""
    assert plan.accept_prob is not None
    if plan.gamma == 0:
        return {}
    return {"accept_prob": np.append(_inner_coins(plan, lambda i: i - 1, plan.gamma - 1), plan.accept_prob[-1])}


def inner_formula_at_gamma(plan: Plan) -> dict[str, Any]:
    """h_γ by the formula of the inner positions; having no draft row there, it reads the last one again."""
    return {"accept_prob": _inner_coins(plan, lambda i: i, plan.gamma)}


def break_at_first_failure(plan: Plan) -> dict[str, Any]:
    """The first failed coin stops, as in the token rule, instead of the last success winning."""
    return {"order": "left_to_right"}


def uncapped_ratio_at_gamma(plan: Plan) -> dict[str, Any]:
    """h_γ = min(1, R_γ) with the plain product of ratios instead of the running clip w_γ."""
    assert plan.accept_prob is not None
    if plan.gamma == 0:
        return {}
    with np.errstate(over="ignore", invalid="ignore"):
        joint = np.cumprod(ratios(plan.tokens, plan.draft, plan.target))[-1]
    return {"accept_prob": np.append(plan.accept_prob[:-1], min(1.0, joint) if joint == joint else 0.0)}


def _inner_coins(plan: Plan, row_of: Callable[[int], int], count: int) -> FloatArray:
    """h_1 … h_count by the inner formula, reading row `row_of(i)`."""
    assert plan.prefix_weight is not None
    coins = []
    for i in range(1, count + 1):
        weight, row = plan.prefix_weight[i], row_of(i)
        mass = np.maximum(weight * plan.target[row] - plan.draft[min(row, plan.gamma - 1)], 0.0).sum()
        denominator = mass + (1.0 - weight)
        coins.append(mass / denominator if denominator > 0 else 1.0)
    return np.array(coins)
