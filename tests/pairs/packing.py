"""For tests of packed weights: what this machine can pack, and how to take it away."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from specdemo.pairs import products
from specdemo.pairs.products import Blocks, Half, works

needs_half = pytest.mark.skipif(
    not works(Half, torch.float32), reason="this PyTorch or processor has no products with float16 weights"
)


def needs_blocks(dtype: torch.dtype) -> Any:
    """Skips where oneDNN's blocked products do not work in this type."""
    return pytest.mark.skipif(not works(Blocks, dtype), reason="this PyTorch or processor has no oneDNN products")


def without_packing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where none of the operators works."""
    monkeypatch.setattr(products, "works", lambda kind, dtype: False)
