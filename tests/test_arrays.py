"""The border between arrays, lists and tensors."""

from __future__ import annotations

import subprocess
import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from specdemo import verifiers
from specdemo.arrays import checked_laws, is_tensor, like, precision_of, to_numpy


def test_values_survive_the_way_in() -> None:
    for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16):
        array = to_numpy(torch.tensor([0.5, 0.25], dtype=dtype, requires_grad=True))
        assert array.tolist() == [0.5, 0.25]
    assert to_numpy(torch.tensor([1, 2])).dtype == np.int64
    assert to_numpy([0.5]).tolist() == [0.5]


def test_like_makes_the_same_kind() -> None:
    values = np.array([0.5, 0.25])[::-1]
    assert like(np.zeros(1), values) is values
    tensor = like(torch.zeros(1, dtype=torch.bfloat16), values)
    assert is_tensor(tensor) and tensor.tolist() == [0.25, 0.5] and tensor.dtype == torch.float64


def test_nothing_is_a_tensor_while_torch_is_only_being_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    assert not is_tensor(np.zeros(1)) and checked_laws("laws", [[1.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (np.ma.masked_array([[0.5, 0.5]], mask=[[False, True]]), "some of its values are masked"),
        ([np.ma.masked_array([0.5, 0.5], mask=[False, True])], "some of its values are masked"),
        (np.array([[0.5 + 0.1j, 0.5]]), "complex numbers, where real ones are wanted"),
        ([[0.5 + 0j, 0.5]], "complex numbers, where real ones are wanted"),
        (torch.tensor([[0.5 + 0.1j, 0.5]]), "complex numbers, where real ones are wanted"),
        (torch.zeros((1, 2), device="meta"), "a tensor on the device 'meta' has no values"),
    ],
)
def test_what_would_be_lost_on_the_way_in_is_refused_by_name(wrong: Any, says: str) -> None:
    rule = verifiers.get("block")
    good: dict[str, Any] = {
        "tokens": [0],
        "draft": [[0.5, 0.5]],
        "target": [[0.25, 0.75], [0.5, 0.5]],
        "uniforms": [0.9, 0.1],
    }
    assert rule.verify(**good).next_token == 1
    row = wrong[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, value in (("draft", wrong), ("target", wrong), ("tokens", row), ("uniforms", row)):
            with pytest.raises(ValueError, match=f"^{name} ") as found:
                rule.verify(**good | {name: value})
            assert says in str(found.value)
    with pytest.raises(ValueError, match=rf"^draft is not an array of numbers: {says}"):
        rule.plan([], wrong, [[1.0, 0.0]])  # where no draft is looked at


def test_whole_numbers_beyond_float64_are_refused_by_name() -> None:
    for name, laws in (("draft", [[10**400, 1]]), ("target", [[0.5, 0.5], [10**400, 1]])):
        with pytest.raises(ValueError, match=f"^{name} is not an array of numbers"):
            verifiers.get("block").plan([0], **{"draft": [[0.5, 0.5]], "target": [[1, 0], [1, 0]], name: laws})
    with pytest.raises(ValueError, match=r"^uniforms is not a list of numbers"):
        verifiers.get("block").verify([0], [[0.5, 0.5]], [[1, 0], [1, 0]], [0.5, 10**400])


def test_a_mask_that_covers_nothing_is_none() -> None:
    laws = np.ma.masked_array([[0.5, 0.5]], mask=False)
    assert checked_laws("draft", laws).tolist() == [[0.5, 0.5]]


def test_what_is_a_law_up_to_rounding_stays_as_it_came() -> None:
    """Divided by their sum, 1 − 2⁻⁵³, the thirds would be others than those of the row below, whose sum is 1."""
    laws = [[1 / 3, 1 / 2, 1 / 6], [1 / 3, 1 / 3, 1 / 3]]
    assert checked_laws("draft", laws).tolist() == laws and sum(laws[0]) < 1 == sum(laws[1])


def test_precision_names() -> None:
    assert precision_of([0.5]) == "float64"
    assert precision_of(np.zeros(1, np.float32)) == "float32"
    assert precision_of(torch.zeros(1, dtype=torch.bfloat16)) == "bfloat16"


@pytest.mark.parametrize(
    ("dtype", "allowed", "refused"),
    [
        (torch.float64, 1e-10, 1e-8),
        (torch.float32, 5e-5, 3e-4),
        (torch.bfloat16, 8e-3, 3e-2),
        (torch.float16, 8e-3, 3e-2),
    ],
)
def test_a_row_may_be_off_by_what_its_type_allows(dtype: torch.dtype, allowed: float, refused: float) -> None:
    laws = checked_laws("draft", torch.tensor([[0.5, 0.5 + allowed]], dtype=dtype))
    assert abs(laws.sum() - 1) < 1e-15
    with pytest.raises(ValueError, match=r"draft\[0\] sums to"):
        checked_laws("draft", torch.tensor([[0.5, 0.5 + refused]], dtype=dtype))


def test_the_package_needs_numpy_only() -> None:
    """`import specdemo`, the rules and the trace work where torch, transformers, scipy and gradio are not there."""
    code = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'scipy', 'gradio', 'plotly', 'ray'): sys.modules[name] = None\n"
        "import specdemo, specdemo.trace\n"
        "verdict = specdemo.verifiers.get('block').verify([0], [[0.5, 0.5]], [[0.25, 0.75], [0.5, 0.5]], [0.9, 0.1])\n"
        "print(verdict.accepted, verdict.next_token)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["0", "1"], done.stderr
