"""Packed products give what the plain product gives, each row the same bits in any company, and step aside where they do not work."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import torch
from torch.nn import functional

from specdemo.pairs import products
from specdemo.pairs.products import Blocks, Half, Plain, ThreadedHalf, exact_in_half, packed, works
from tests.pairs.packing import needs_blocks, needs_half

KINDS = [
    pytest.param(Half, torch.float32, marks=needs_half),
    pytest.param(ThreadedHalf, torch.float32, marks=needs_half),
    pytest.param(Blocks, torch.float32, marks=needs_blocks(torch.float32)),
    pytest.param(Blocks, torch.bfloat16, marks=needs_blocks(torch.bfloat16)),
]


def matrix(out: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Weights that float16 holds exactly."""
    generator = torch.Generator().manual_seed(out + width)
    return torch.randn(out, width, generator=generator).half().to(dtype)


def rows_of(count: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(count, width, generator=torch.Generator().manual_seed(count)).to(dtype)


@pytest.mark.parametrize(("kind", "dtype"), KINDS)
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (96, 64), (75, 130), (32, 700), (1000, 48)], ids=str)
def test_the_plain_product(kind: Any, dtype: torch.dtype, shape: tuple[int, int]) -> None:
    weight = matrix(*shape, dtype)
    product = kind(weight)
    assert torch.equal(product.dense(), weight)
    rows = rows_of(23, shape[1], dtype)
    exact = rows.double() @ weight.double().t()
    within = 2e-6 if dtype == torch.float32 else 1e-2
    assert float((product(rows) - exact).abs().max() / exact.abs().max()) < within
    some = {count: product(rows[:count]) for count in (1, 2, 3, 4, 5, 6, 9, 17)}
    assert {count for count, found in some.items() if not torch.equal(found, product(rows)[:count])} == set()


@needs_half
def test_threads_change_no_bit() -> None:
    weight, rows = matrix(600, 576), rows_of(5, 576)
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        assert torch.equal(ThreadedHalf(weight)(rows), Half(weight)(rows))
    finally:
        torch.set_num_threads(threads)


def test_what_float16_holds() -> None:
    held = torch.tensor([[0.0, -0.0, 1.0, 65504.0, 2.0**-24, 1 + 2.0**-10]])
    assert exact_in_half(held)
    for other in (1 + 2.0**-11, 65536.0, 2.0**-25, float("inf"), float("nan"), 1e30):
        assert not exact_in_half(torch.cat([held, torch.full((1, 6), other)]))


def test_weights_that_lie_the_other_way_round() -> None:
    weight = matrix(64, 32).t().contiguous().t()
    product = packed(weight)
    if product is not None:
        assert torch.equal(product.dense(), weight)


def test_which_product_for_which_weights() -> None:
    half, single = matrix(40, 30), matrix(40, 30) + 1e-5
    chosen = {
        "half": packed(half),
        "a draft's half": packed(half, rows=1),
        "large and threads": packed(matrix(900, 900), threads=2),
        "float32": packed(single),
        "a draft's float32": packed(single, rows=1),
        "bfloat16": packed(single.bfloat16()),
        "float64": packed(half.double()),
    }
    found = {name: type(product) for name, product in chosen.items()}
    none = type(None)
    blocks = {dtype: Blocks if works(Blocks, dtype) else none for dtype in (torch.float32, torch.bfloat16)}
    has_half = works(Half, torch.float32)
    assert found == {
        "half": Half if has_half else blocks[torch.float32],
        "a draft's half": Half if has_half else none,
        "large and threads": ThreadedHalf if has_half else blocks[torch.float32],
        "float32": blocks[torch.float32],
        "a draft's float32": none,
        "bfloat16": blocks[torch.bfloat16],
        "float64": none,
    }


@pytest.mark.parametrize("how", ["wrong numbers", "an error", "not there", "another processor"])
def test_what_does_not_work_is_not_used(how: str, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """Private operators may go or change: one line in the log, and PyTorch's own product instead."""
    name = "fbgemm_linear_fp16_weight_fp32_activation"

    def other(rows: torch.Tensor, weight: Any, bias: Any) -> torch.Tensor:
        if how == "an error":
            raise RuntimeError("FBGEMM is not here\nand more")
        return functional.linear(rows, torch.ones(75, 37))

    if how == "not there":
        monkeypatch.delattr(torch, name)
    elif how == "another processor":
        monkeypatch.setattr("platform.machine", lambda: "aarch64")
    else:
        monkeypatch.setattr(torch, name, other)
    works.cache_clear()
    try:
        with caplog.at_level(logging.INFO, logger=products.__name__):
            assert not works(Half, torch.float32) and not works(Half, torch.float32)
        lines = [record.message for record in caplog.records]
        assert len(lines) == (0 if how == "another processor" else 1)
        assert how != "an error" or lines[0].endswith("FBGEMM is not here")
    finally:
        works.cache_clear()


@needs_half
def test_older_versions_that_insist_on_a_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "_bias_is_optional", lambda: False)
    weight, rows = matrix(33, 20), rows_of(5, 20)
    assert torch.equal(Half(weight)(rows), ThreadedHalf(weight)(rows))


def test_plain_is_plain() -> None:
    weight = matrix(9, 5)
    assert Plain(weight).dense() is weight
    assert torch.equal(Plain(weight)(rows_of(2, 5)), functional.linear(rows_of(2, 5), weight))
