"""Verdicts of mistaken rules in a trace: what they compare with their coins is in the record where it is not the uniforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from specdemo.decoding import decode_run
from specdemo.pairs import Pair
from specdemo.trace.schema import InvalidTrace, check_trace
from specdemo.verifiers import mistakes, names
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None)


def accepted(verdict: dict[str, Any], compared: list[float]) -> int:
    """τ from the coins and what is compared with them, written down anew."""
    passed = [u < h for u, h in zip(compared, verdict["accept_prob"], strict=True)]
    if verdict["order"] == "left_to_right":
        return passed.index(False) if False in passed else len(passed)
    return max((i + 1 for i, success in enumerate(passed) if success), default=0)


@pytest.mark.parametrize("rule", [*names(), *mistakes.names()])
def test_every_rule_can_stand_in_a_trace_and_tau_follows_from_what_it_compares(pair: Pair, rule: str) -> None:
    run = decode_run(pair, "the cat", gamma=4, verifier="token", rules=["token", rule], seed=3, max_new_tokens=24)
    check_trace(run)
    for block in run["blocks"]:
        verdict, uniforms = block["verdicts"][rule], block["uniforms"]["verify"]
        assert verdict["accepted"] == accepted(verdict, verdict.get("compared", uniforms[:-1]))


def test_one_uniform_and_products_are_told_and_others_are_not(pair: Pair) -> None:
    rules = ["block", "one_uniform_for_all", "product_of_uniforms"]
    run = decode_run(pair, "the cat", gamma=3, rules=rules, max_new_tokens=12)
    for block in run["blocks"]:
        uniforms = block["uniforms"]["verify"][:-1]
        assert "compared" not in block["verdicts"]["block"]
        assert block["verdicts"]["one_uniform_for_all"]["compared"] == [uniforms[0]] * 3
        assert block["verdicts"]["product_of_uniforms"]["compared"] == pytest.approx(np.cumprod(uniforms), abs=1e-15)


def test_a_margin_is_measured_where_the_comparison_is_made(pair: Pair) -> None:
    run = decode_run(
        pair, "the cat", gamma=3, verifier="product_of_uniforms_in_token", rules=["token"], max_new_tokens=24
    )
    margins = 0
    for block in run["blocks"]:
        verdict = block["verdicts"]["product_of_uniforms_in_token"]
        looked_at = zip(verdict["accept_prob"][: block["kept"] + 1], verdict["compared"], strict=False)
        distances = [abs(h - u) for h, u in looked_at if 0 < h < 1]
        margins += len(distances)
        assert all(block["margin"] <= d for d in distances)
    assert margins


def test_a_list_of_another_length_is_refused(pair: Pair) -> None:
    run = decode_run(pair, "the cat", gamma=3, rules=["token", "one_uniform_for_all"], max_new_tokens=6)
    run["blocks"][0]["verdicts"]["one_uniform_for_all"]["compared"].append(0.5)
    with pytest.raises(InvalidTrace, match="compared"):
        check_trace(run)
