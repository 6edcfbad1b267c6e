"""The lean forward gives what transformers gives, after every kind of step back, and keeps away from models it does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from specdemo.decoding import lean, lean_weights
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.forward import TransformersForward, forward_of
from specdemo.decoding.lean import LeanForward
from specdemo.decoding.lean_weights import lean_weights_of
from specdemo.pairs.products import Blocks, Half, Plain
from specdemo.pairs.weights import suited_to_few_rows, unpacked
from tests.pairs.packing import needs_blocks, needs_half, without_packing
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
    """Three layers of 32, four heads of 8, float32, with weights large enough to make a difference, `changes` apart."""
    torch.manual_seed(3)
    settings: dict[str, Any] = {
        "vocab_size": 61, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": key_heads, "max_position_embeddings": 400, "rope_parameters": ROPES[rope],
        "tie_word_embeddings": tied, "initializer_range": 0.2,
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


def assert_same(model: Any, plain: Any, size: int) -> None:
    """The lean answers of `model` and transformers' own of `plain`, the same weights as they were, to the same questions."""
    ours, theirs = CachedModel(model), CachedModel(plain, lean=False)
    assert isinstance(ours._forward, LeanForward) and isinstance(theirs._forward, TransformersForward)
    assert_same_rows(ours, theirs, texts(size))


def assert_same_rows(ours: CachedModel, theirs: CachedModel, questions: list[tuple[list[int], int]]) -> None:
    for ids, count in questions:
        expected = theirs.rows(ids, count)
        difference = (ours.rows(ids, count) - expected).abs().max() / max(1.0, float(expected.abs().max()))
        assert float(difference) < SAME, (len(ids), count)


def halved(model: Any) -> Any:
    """The model with weights as a float16 file has them."""
    return model.half().float()


@pytest.mark.parametrize("rope", ROPES)
@pytest.mark.parametrize("key_heads", [1, 2, 4])
def test_small_llamas(rope: str, key_heads: int) -> None:
    model = small_llama(rope, key_heads, tied=key_heads != 2)
    assert_same(model, model, 61)


NINE_HEADS: dict[str, Any] = {"hidden_size": 36, "num_attention_heads": 9, "key_heads": 3}


@pytest.mark.parametrize("tied", [False, True], ids=["untied", "tied"])
@pytest.mark.parametrize("changes", [{}, NINE_HEADS], ids=["four heads", "nine heads on three"])
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(Half, marks=needs_half),
        pytest.param(Blocks, marks=needs_blocks(torch.float32)),
        pytest.param(Plain, id="turned"),
    ],
)
def test_packed_weights(kind: type, changes: dict[str, Any], tied: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against transformers on weights that were never packed; and its own way over the packed ones."""
    if kind is Plain:
        without_packing(monkeypatch)
    plain, model = (small_llama(tied=tied, **changes) for _ in range(2))
    if kind is Half:
        plain, model = halved(plain), halved(model)
    suited_to_few_rows(model)
    weights = lean_weights_of(model)
    assert weights is not None
    first = weights.layers[0]
    assert {type(product) for product in (weights.head, first.attention, first.output, first.down)} == {kind}
    assert_same(model, plain, 61)
    assert_same_rows(CachedModel(model, lean=False), CachedModel(plain, lean=False), texts(61)[:5])


@needs_blocks(torch.bfloat16)
def test_bfloat16() -> None:
    """As near to float32 as transformers' own bfloat16 is: rounding states to eight bits is most of the difference."""
    exact, theirs, ours = small_llama(), small_llama().bfloat16(), suited_to_few_rows(small_llama().bfloat16())
    exact.load_state_dict(theirs.state_dict())
    models = CachedModel(ours), CachedModel(theirs, lean=False), CachedModel(exact, lean=False)
    assert isinstance(models[0]._forward, LeanForward)
    for ids, count in texts(61):
        own, other, expected = (model.rows(ids, count).float() for model in models)
        assert float((own - expected).abs().max()) < 1.5 * float((other - expected).abs().max()) + 0.05


@pytest.mark.parametrize("draft", ["192", "96", "self"])
def test_the_stories_pair(draft: str) -> None:
    """All its models go the lean way, and nowhere do they differ."""
    model = stories(draft).draft_model
    assert_same(model, unpacked(model), 2048)


def test_long_prompts_go_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean, "_MOST_ROWS", 7)
    model = small_llama(tied=False)
    assert_same(model, model, 61)


def laws(logits: torch.Tensor) -> torch.Tensor:
    return torch.softmax(logits, -1, dtype=torch.float64)


@pytest.mark.parametrize("draft", ["192", "self"])
def test_laws_do_not_depend_on_how_a_text_was_read(draft: str) -> None:
    """At once, token by token, in blocks with steps back between, and anew as after a resume: the same laws.

    To the margin below which a trace says that tokens may differ. Products give the same bits in every company; attention does not.
    """
    model = stories(draft).draft_model
    ids = texts(2048)[6][0]
    whole = laws(CachedModel(model).rows(ids, 60))
    ways: dict[str, Callable[[CachedModel, int], torch.Tensor]] = {
        "token by token": lambda cached, i: cached.rows(ids[: i + 1]),
        "in blocks": lambda cached, i: cached.rows([*ids[: i + 1], 5, 7, 9], 5)[1:2],
        "resumed": lambda cached, i: CachedModel(model).rows(ids[: i + 1]),
    }
    for way, row in ways.items():
        cached = CachedModel(model)
        for i in range(len(ids) - 60, len(ids), 6 if way == "resumed" else 1):
            difference = float((laws(row(cached, i))[0] - whole[i - len(ids) + 60]).abs().max())
            assert difference < 1e-5, (way, i)


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
    "another device": lambda: small_llama().to("meta"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_other_models_go_through_transformers(other: str) -> None:
    model = OTHERS[other]()
    assert lean_weights_of(model) is None
    assert isinstance(forward_of(model), TransformersForward)


def test_large_models_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean_weights, "LARGEST", 1000)
    assert lean_weights_of(small_llama()) is None


def test_changed_weights_are_seen_by_the_next_run() -> None:
    model = small_llama()
    first = CachedModel(model).rows([1, 2, 3])
    assert lean_weights_of(model) is lean_weights_of(model)
    with torch.no_grad():
        model.model.layers[0].self_attn.q_proj.weight.mul_(2.0)
    changed = CachedModel(model).rows([1, 2, 3])
    assert float((changed - first).abs().max()) > 1e-3
    assert float((changed - CachedModel(model, lean=False).rows([1, 2, 3])).abs().max()) < SAME


@needs_half
def test_an_exchanged_layer_of_packed_weights_is_seen_by_the_next_run() -> None:
    model, other = (suited_to_few_rows(halved(small_llama(initializer_range=spread))) for spread in (0.4, 0.2))
    first = CachedModel(model).rows([1, 2, 3])
    model.model.layers[0].mlp.up_proj = other.model.layers[0].mlp.up_proj
    changed = CachedModel(model).rows([1, 2, 3])
    assert float((changed - first).abs().max()) > 1e-3
    assert float((changed - CachedModel(unpacked(model), lean=False).rows([1, 2, 3])).abs().max()) < SAME


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
