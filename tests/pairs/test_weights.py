"""Another layout in memory, the same model."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from specdemo.pairs.weights import suited_to_few_rows
from tests.tiny import tiny_llama

needs_mkl = pytest.mark.skipif(not torch.backends.mkl.is_available(), reason="this torch was built without MKL")


def logits_of(model: Any) -> torch.Tensor:
    with torch.inference_mode():
        logits: torch.Tensor = model(input_ids=torch.tensor([[1, 2, 3, 4]])).logits
    return logits


@needs_mkl
def test_values_shapes_and_names_stay() -> None:
    model = tiny_llama(50, seed=1, layers=2, width=32).float()
    before, logits = {n: p.clone() for n, p in model.state_dict().items()}, logits_of(model)
    suited_to_few_rows(model)
    after = model.state_dict()
    assert list(after) == list(before)
    assert all(torch.equal(after[name], value) for name, value in before.items())
    torch.testing.assert_close(logits_of(model), logits, rtol=1e-5, atol=1e-5)
    linear, embedding = model.model.layers[0].mlp.up_proj.weight, model.model.embed_tokens.weight
    assert linear.t().is_contiguous() and embedding.is_contiguous()
    assert all(p.data_ptr() % 64 == 0 for p in model.parameters())


@needs_mkl
def test_tied_weights_stay_tied() -> None:
    model = tiny_llama(50, seed=1).float()
    model.lm_head.weight = model.model.embed_tokens.weight
    logits = logits_of(model)
    suited_to_few_rows(model)
    assert model.lm_head.weight is model.model.embed_tokens.weight
    torch.testing.assert_close(logits_of(model), logits, rtol=1e-5, atol=1e-5)


def test_other_precisions_are_left_alone() -> None:
    model = tiny_llama(50, seed=1)
    places = [p.data_ptr() for p in model.parameters()]
    assert [p.data_ptr() for p in suited_to_few_rows(model).parameters()] == places
