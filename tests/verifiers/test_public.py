"""The public face of a verifier: numpy, lists and tensors in, the same kind out, and errors that name argument, index and value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from specdemo import verifiers
from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers import Plan, Verifier, get
from specdemo.verifiers.records import length_law_of

DRAFT = np.array([[0.1, 0.2, 0.7], [0.3, 0.1, 0.6]])
TARGET = np.array([[0.6, 0.0, 0.4], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4]])
TOKENS = [2, 0]
ETAS = [0.2, 0.97, 0.5]


class Named(Verifier):
    """A rule to register."""

    name = "named-for-a-test"
    title = source = ""
    lossless = "never"

    def core_plan(self, tokens: IntArray, draft: FloatArray, target: FloatArray, memory: Any = None) -> Plan:
        return get("token").core_plan(tokens, draft, target, memory)


@pytest.mark.parametrize("name", ["token", "block"])
def test_lists_arrays_and_tensors_decide_alike(name: str) -> None:
    rule = get(name)
    expected = rule.verify(TOKENS, DRAFT, TARGET, ETAS)
    for kind in (np.array, torch.tensor, list):
        verdict = rule.verify(kind(TOKENS), kind(DRAFT.tolist()), kind(TARGET.tolist()), kind(ETAS))
        assert (verdict.accepted, verdict.next_token) == (expected.accepted, expected.next_token)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["token", "block"])
def test_tensors_in_tensors_out(name: str, dtype: torch.dtype) -> None:
    # Eighths and the like are exact in every precision.
    draft = torch.tensor([[0.125, 0.25, 0.625], [0.25, 0.125, 0.625]], dtype=dtype)
    target = torch.tensor([[0.5, 0.0, 0.5], [0.5, 0.375, 0.125], [0.5, 0.125, 0.375]], dtype=dtype)
    plan = get(name).plan(torch.tensor(TOKENS), draft, target)
    core = get(name).plan(TOKENS, draft.double().numpy(), target.double().numpy())
    assert isinstance(plan.accept_prob, torch.Tensor) and plan.accept_prob.dtype == torch.float64
    assert isinstance(plan.tokens, torch.Tensor) and isinstance(plan.length_law, torch.Tensor)
    assert isinstance(plan.next_law(1), torch.Tensor)
    assert plan.length_law.tolist() == core.length_law.tolist()
    assert plan.next_law(2).tolist() == core.next_law(2).tolist()
    verdict = plan.decide(torch.tensor(ETAS))
    assert isinstance(verdict.next_law, torch.Tensor) and isinstance(verdict.accepted, int)
    assert verdict.plan is plan and verdict.effective_target is plan.effective_target
    again = core.decide(ETAS)
    assert (verdict.accepted, verdict.next_token) == (again.accepted, again.next_token)
    assert plan.gamma == 2


def test_arrays_in_arrays_out() -> None:
    plan = get("block").plan(TOKENS, DRAFT.astype(np.float32), TARGET.astype(np.float32))
    assert isinstance(plan.length_law, np.ndarray) and plan.length_law.dtype == np.float64
    assert isinstance(plan.decide(ETAS).next_law, np.ndarray)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_no_draft_at_all(dtype: torch.dtype) -> None:
    target = torch.tensor([[0.5, 0.25, 0.25]], dtype=dtype)
    drafts: list[Any] = [torch.zeros((0, 3), dtype=dtype), torch.zeros(0, dtype=dtype), [], np.zeros((0, 3))]
    no_tokens: list[Any] = [[], torch.zeros(0, dtype=torch.int64), np.zeros(0, dtype=np.int64)]
    for draft in drafts:
        for tokens in no_tokens:
            assert get("block").verify(tokens, draft, target, [0.6]).next_token == 1


def test_sums_within_the_precision_are_divided_out() -> None:
    draft = DRAFT.astype(np.float32) * np.float32(1 + 5e-5)
    plan = get("token").plan(TOKENS, draft, TARGET)
    assert np.abs(plan.draft.sum(axis=1) - 1).max() < 1e-12
    with pytest.raises(ValueError, match=r"draft\[0\] sums to"):
        get("token").plan(TOKENS, draft.astype(np.float64), TARGET)


def changed(laws: FloatArray, row: int, column: int, value: float) -> FloatArray:
    """The laws with one entry replaced."""
    laws = laws.copy()
    laws[row, column] = value
    return laws


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((TOKENS, changed(DRAFT, 1, 2, -0.1), TARGET), r"draft\[1, 2\] is -0.1"),
        ((TOKENS, changed(DRAFT, 0, 1, np.nan), TARGET), r"draft\[0, 1\] is nan"),
        ((TOKENS, DRAFT, changed(TARGET, 2, 0, np.inf)), r"target\[2, 0\] is inf"),
        ((TOKENS, DRAFT, changed(TARGET, 1, 0, 0.6)), r"target\[1\] sums to 1\.1"),
        ((TOKENS, DRAFT[:1], TARGET), r"draft has 1 rows for 2 drafted tokens"),
        ((TOKENS, DRAFT, TARGET[:2]), r"target has 2 rows for 2 drafted tokens: it must have 3"),
        ((TOKENS, DRAFT[:, :2] * 0 + 0.5, TARGET), r"draft has 2 columns, but the other laws have 3"),
        (([2, 3], DRAFT, TARGET), r"tokens\[1\] is 3: it must be in 0 … 2"),
        (([-1, 0], DRAFT, TARGET), r"tokens\[0\] is -1"),
        (([2, 0.5], DRAFT, TARGET), r"tokens must be a list of γ integers, got shape \(2,\) of float64"),
        (([[2, 0]], DRAFT, TARGET), r"tokens must be a list of γ integers, got shape \(1, 2\)"),
        (([True, False], DRAFT, TARGET), r"tokens must be a list of γ integers"),
        (([1, 0], [[1, 0, 0], [1, 0, 0]], TARGET), r"tokens\[0\] is 1, to which draft\[0\] gives probability 0"),
        ((TOKENS, DRAFT, TARGET[0]), r"target must have shape \(rows, V\) with V ≥ 1, got shape \(3,\)"),
        ((TOKENS, DRAFT, np.zeros((3, 0))), r"target must have shape \(rows, V\) with V ≥ 1, got shape \(3, 0\)"),
        ((TOKENS, [[1.0], [0.5, 0.5]], TARGET), r"draft is not an array of numbers"),
        ((TOKENS, "words", TARGET), r"draft is not an array of numbers"),
        ((TOKENS, DRAFT, TARGET, {"R": 1}), r"memory is \{'R': 1\}: the rule 'block' remembers nothing"),
    ],
)
def test_a_wrong_argument_is_named(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        get("block").plan(*arguments)


@pytest.mark.parametrize(
    ("uniforms", "words"),
    [
        ([0.1, 1.0, 0.5], r"uniforms\[1\] is 1.0: it must be in \[0, 1\)"),
        ([-1e-9, 0.1, 0.5], r"uniforms\[0\] is -1e-09"),
        ([0.1, 0.2, float("nan")], r"uniforms\[2\] is nan"),
        ([0.1, 0.2], r"uniforms must have shape \(3,\).*got \(2,\)"),
        (["a", "b", "c"], r"uniforms is not a list of numbers"),
    ],
)
def test_a_wrong_uniform_is_named(uniforms: list[Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        get("token").verify(TOKENS, DRAFT, TARGET, uniforms)


@pytest.mark.parametrize("i", [-1, 3])
def test_a_length_outside_the_block_is_refused(i: int) -> None:
    with pytest.raises(ValueError, match=rf"i is {i}: it must be in 0 … 2"):
        get("block").plan(TOKENS, DRAFT, TARGET).next_law(i)


def test_registry() -> None:
    assert verifiers.names()[:2] == ["token", "block"]
    assert get("block").name == "block" and get(get("token")) is get("token")
    with pytest.raises(ValueError, match=r"there is no verifier 'blokk': choose one of token, block"):
        get("blokk")
    with pytest.raises(ValueError, match=r"a verifier named 'token' is already registered"):
        verifiers.register(type("Other", (Named,), {"name": "token"})())
    assert verifiers.register(get("token")) is get("token")


def test_a_new_rule_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from specdemo.verifiers import registry

    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    rule = verifiers.register(Named())
    assert get("named-for-a-test") is rule and "named-for-a-test" in verifiers.names()


def test_every_rule_says_what_it_is() -> None:
    for name in verifiers.names():
        rule = get(name)
        assert rule.name == name and rule.title and rule.source
        assert rule.lossless in ("always", "temperature_0", "never")


def test_length_law_sums_to_one_and_follows_the_order() -> None:
    coins = np.random.default_rng(0).random(5)
    for order in ("left_to_right", "right_to_left"):
        law = length_law_of(coins, order)
        assert law.sum() == pytest.approx(1, abs=1e-12)
    assert length_law_of(coins, "left_to_right")[-1] == pytest.approx(coins.prod())
    assert length_law_of(coins, "right_to_left")[-1] == pytest.approx(coins[-1])
