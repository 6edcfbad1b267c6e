"""The words for where two rules part, on blocks made by hand: every kind of difference once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from specdemo.cli.compare_words import cut_words, difference_words, differing, fates, number
from specdemo.verifiers import get
from tests.worlds import MODEL_C_DRAFT, MODEL_C_TARGET

MODEL_C = (MODEL_C_DRAFT, MODEL_C_TARGET)
# Two symbols: the first token alone is refused (r = 1/2), the second makes up for it (r = 7/2).
RESCUE = ([[0.5, 0.5], [0.75, 0.25]], [[0.25, 0.75], [0.125, 0.875], [0.375, 0.625]])


def block_of(laws: Any, tokens: list[int], uniforms: list[float], *rules: str) -> dict[str, Any]:
    """The parts of a trace's block that the words read, from real verdicts."""
    draft, target = (np.array(part) for part in laws)
    rows = [{"ratio": target[i, token] / draft[i, token]} for i, token in enumerate(tokens)] + [{"ratio": None}]
    verdicts = {}
    for rule in rules:
        plan = get(rule).core_plan(np.array(tokens), draft, target)
        verdict = plan.decide_unchecked(np.array(uniforms))
        verdicts[rule] = {
            "accepted": verdict.accepted,
            "accept_prob": None if plan.accept_prob is None else plan.accept_prob.tolist(),
            "residual_scale": None if plan.residual_scale is None else plan.residual_scale.tolist(),
            "order": plan.order,
            "next_token": verdict.next_token,
            "next_kind": "bonus" if verdict.accepted == len(tokens) else "correction",
            "next_prob": float(verdict.next_law[verdict.next_token]),
        }
    return {
        "gamma": len(tokens), "uniforms": {"verify": uniforms}, "paths": [{"tokens": tokens, "rows": rows}], "verdicts": verdicts,
    }  # fmt: skip


def test_a_rescue() -> None:
    block = block_of(RESCUE, [0, 1], [0.75, 0.875, 0.125], "token", "block")
    assert fates(block, "block") == ["rescued", "decides"] and fates(block, "token") == ["rejected", "not reached"]
    said = "position 2 rescued position 1; position 1 failed under token (η 0.750 ≥ h 0.500)"
    assert difference_words(block, "block", "token") == f"block kept 2 where token kept 0: {said}"
    assert difference_words(block, "token", "block") == f"token kept 0 where block kept 2: {said}"


def test_a_kept_token_whose_own_test_passed_is_no_rescue() -> None:
    block = block_of(RESCUE, [0, 1], [0.25, 0.5, 0.125], "token", "block")
    assert fates(block, "block") == ["kept", "decides"] and fates(block, "token") == ["kept", "kept"]
    assert differing(block, ["token", "block"], "token") == []


def test_block_may_keep_fewer_and_that_is_put_right() -> None:
    block = block_of(MODEL_C, [2, 0], [0.2, 0.97, 0.5], "token", "block")
    assert fates(block, "block") == ["decides", "rejected"]
    assert difference_words(block, "block", "token") == (
        "block kept 1 where token kept 2: each of the first 2 passed its own test, under block the prefix of 2 failed (η 0.970 ≥ h 0.952); "
        "so it is on this draw: on average over drafts block keeps no fewer"
    )


def test_rules_that_stop_at_the_first_failure() -> None:
    block = block_of(MODEL_C, [2, 0], [0.5, 0.3, 0.5], "token", "threshold", "sampled_match")
    assert difference_words(block, "token", "threshold") == (
        "token kept 2 where threshold kept 0: position 1 passed under token (η 0.500 < h 0.571), position 1 failed under threshold (h is 0)"
    )
    assert "position 1 failed under sampled_match (η 0.500 ≥ h 0.400)" in difference_words(
        block, "sampled_match", "token"
    )


def test_the_same_number_kept_and_another_token_after_it() -> None:
    block = block_of(MODEL_C, [2, 2], [0.9, 0.99, 0.85], "token", "block", "correction_from_target")
    assert {verdict["accepted"] for verdict in block["verdicts"].values()} == {0}
    block["verdicts"]["token"]["next_token"] = 1
    assert difference_words(block, "token", "block") == (
        "token kept 0 like block, but draws another correction: from the residual (1 T − D)₊; block: from the residual (1 T − D)₊"
    )
    assert differing(block, ["token", "block"], "block") == ["token"]


@pytest.mark.parametrize(
    ("rule", "law"),
    [
        ("exact_match", "from T's argmax"),
        ("threshold", "from T"),
        ("sampled_match", "from T without '·c'"),
        ("correction_from_target", "by its mistaken law, probability "),
        ("token", "from the residual (1 T − D)₊"),
    ],
)
def test_what_the_next_token_was_drawn_from(rule: str, law: str) -> None:
    block = block_of(MODEL_C, [2, 2], [0.9, 0.99, 0.85], rule, "block")
    block["pieces"] = {"0": "a", "1": "b", "2": " c"}
    for verdict in block["verdicts"].values():
        verdict.update(accepted=0, next_kind="correction")
    block["verdicts"]["block"]["next_token"] = 1 - block["verdicts"][rule]["next_token"]
    said = difference_words(block, rule, "block")
    assert said.startswith(f"{rule} kept 0 like block, but draws another correction: {law}")


def test_an_argmax_is_no_bonus_from_the_target() -> None:
    block = block_of(MODEL_C, [0, 0], [0.1, 0.1, 0.99], "exact_match", "token")
    said = difference_words(block, "exact_match", "token")
    assert said == "exact_match kept 2 like token, but draws another bonus: from T's argmax; token: from T"


@pytest.mark.parametrize(
    ("shown", "finish", "said"),
    [
        (9, "length", None),
        (1, "length", "1 of the 9 gained tokens joins the text: the limit of 64 is reached"),
        (4, "eos", "4 of the 9 gained tokens join the text: the text ends here"),
    ],
)
def test_a_block_that_the_end_cuts(shown: int, finish: str, said: str | None) -> None:
    assert cut_words({"gained": 9, "shown_tokens": shown, "finish": finish}, 64) == said


@pytest.mark.parametrize(
    ("value", "text"), [("inf", "∞"), (0.0, "0"), (1, "1"), (0.99999, "1.00"), (1234.5, "1234"), (0.09999, "0.100")]
)
def test_numbers(value: float | str, text: str) -> None:
    assert number(value) == text
