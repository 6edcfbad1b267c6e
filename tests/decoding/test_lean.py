"""The lean forward gives what transformers gives, after every kind of step back, and keeps away from models it does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from specdemo.decoding import lean
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.forward import TransformersForward, forward_of
from specdemo.decoding.lean import LeanForward, lean_weights
from specdemo.pairs.weights import suited_to_few_rows
from tests.stories import stories
from tests.tiny import tiny_llama

SAME = 1e-5
ROPES: dict[str, dict[str, Any]] = {
    "default": {"rope_type": "default", "rope_theta": 10_000.0},
    "linear": {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0},
    "llama3": {
        "rope_type": "llama3", "rope_theta": 5e5, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64,
    },
}  # fmt: skip


def small_llama(rope: str = "default", key_heads: int = 2, tied: bool = True, **changes: Any) -> LlamaForCausalLM:
    """Three layers of 32, four heads of 8, float32, with weights large enough to make a difference."""
    torch.manual_seed(3)
    settings: dict[str, Any] = {
        "vocab_size": 61, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": key_heads, "max_position_embeddings": 400, "rope_parameters": ROPES[rope],
        "tie_word_embeddings": tied, "initializer_range": 0.4,
    }  # fmt: skip
    model = LlamaForCausalLM(LlamaConfig(**settings | changes)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def texts(size: int) -> list[tuple[list[int], int]]:
    """Questions that feed one token and several, step back a little, wholly, and outgrow the first room."""
    long = [(7 * i + i * i) % size for i in range(300)]
    return [
        (long[:3], 1), (long[:4], 1), (long[:9], 5), ([*long[:6], 5], 1), ([*long[:6], 5, 9, 8], 3), (long[:2], 2),
        (long[:140], 4), (long[:141], 1), (long[:300], 7), (long[:100], 1), ([4], 1),
    ]  # fmt: skip


def assert_same(model: Any, size: int) -> None:
    """Lean and transformers' own answers to the same questions."""
    ours, theirs = CachedModel(model), CachedModel(model, lean=False)
    assert isinstance(ours._forward, LeanForward) and isinstance(theirs._forward, TransformersForward)
    for ids, count in texts(size):
        expected = theirs.rows(ids, count)
        difference = (ours.rows(ids, count) - expected).abs().max() / max(1.0, float(expected.abs().max()))
        assert float(difference) < SAME, (len(ids), count)


@pytest.mark.parametrize("rope", ROPES)
@pytest.mark.parametrize("key_heads", [1, 2, 4])
def test_small_llamas(rope: str, key_heads: int) -> None:
    assert_same(small_llama(rope, key_heads, tied=key_heads != 2), 61)


def test_weights_laid_out_for_few_rows() -> None:
    assert_same(suited_to_few_rows(small_llama()), 61)


@pytest.mark.parametrize("draft", ["192", "96", "self"])
def test_the_stories_pair(draft: str) -> None:
    """All its models go the lean way, and nowhere do they differ."""
    assert_same(stories(draft).draft_model, 2048)


def with_hook(model: Any) -> Any:
    model.model.layers[1].register_forward_hook(lambda *_: None)
    return model


def with_another_forward(model: Any) -> Any:
    model.model.layers[0].mlp.forward = lambda x: 0 * x
    return model


def with_an_adapter(model: Any) -> Any:
    class Adapter(torch.nn.Linear):
        """A linear layer that does something else."""

    mlp = model.model.layers[0].mlp
    mlp.up_proj = Adapter(32, 48, bias=False)
    return model


OTHERS: dict[str, Callable[[], Any]] = {
    "float64": lambda: tiny_llama(4, seed=0),
    "bfloat16": lambda: small_llama().bfloat16(),
    "training": lambda: small_llama().train(),
    "biases": lambda: small_llama(attention_bias=True),
    "mlp biases": lambda: small_llama(mlp_bias=True),
    "another activation": lambda: small_llama(hidden_act="gelu"),
    "a rotation that depends on length": lambda: small_llama(
        rope_parameters={"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}
    ),
    "a hook": lambda: with_hook(small_llama()),
    "another forward": lambda: with_another_forward(small_llama()),
    "an adapter": lambda: with_an_adapter(small_llama()),
}


@pytest.mark.parametrize("other", OTHERS)
def test_other_models_go_through_transformers(other: str) -> None:
    model = OTHERS[other]()
    assert lean_weights(model) is None
    assert isinstance(forward_of(model), TransformersForward)


def test_large_models_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean, "LARGEST", 1000)
    assert lean_weights(small_llama()) is None


def test_changed_weights_are_seen_by_the_next_run() -> None:
    model = small_llama()
    first = CachedModel(model).rows([1, 2, 3])
    assert lean_weights(model) is lean_weights(model)
    with torch.no_grad():
        model.model.layers[0].self_attn.q_proj.weight.mul_(2.0)
    changed = CachedModel(model).rows([1, 2, 3])
    assert float((changed - first).abs().max()) > 1e-3
    assert float((changed - CachedModel(model, lean=False).rows([1, 2, 3])).abs().max()) < SAME


def test_observers_are_told_of_every_pass() -> None:
    model, told = small_llama(), list[tuple[Any, ...]]()
    lean.observers.append(lambda *call: told.append(call))
    try:
        cached = CachedModel(model)
        cached.rows([1, 2, 3], 2)
        cached.rows([1, 2, 4])
    finally:
        lean.observers.pop()
    assert told == [(model, [1, 2, 3], 0, 2), (model, [4], 2, 1)]
