"""Another layout in memory, the same model."""

from __future__ import annotations

import copy
import gc
import weakref
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaForCausalLM, Qwen3Config

from specdemo.pairs import products, weights
from specdemo.pairs.packed_linear import PackedLinear
from specdemo.pairs.products import Blocks, Half
from specdemo.pairs.weights import suited_to_few_rows, threads_suited_to, unpacked, weight_count
from tests.pairs.packing import needs_blocks, needs_half, without_packing
from tests.tiny import tiny_llama

needs_mkl = pytest.mark.skipif(not torch.backends.mkl.is_available(), reason="this torch was built without MKL")
IDS = torch.tensor([[1, 2, 3, 4]])


def small(*, half: bool = False, tied: bool = False, dtype: torch.dtype = torch.float32) -> Any:
    """Two layers of 32; with `half` its weights are those of a float16 file."""
    model = tiny_llama(50, seed=1, layers=2, width=32).float()
    if tied:
        model.config.tie_word_embeddings = True
        model.lm_head.weight = model.model.embed_tokens.weight
    return (model.half().float() if half else model).to(dtype)


def logits_of(model: Any) -> torch.Tensor:
    with torch.inference_mode():
        logits: torch.Tensor = model(input_ids=IDS).logits
    return logits


def kinds_of(model: Any) -> set[type]:
    """How the model's linear layers multiply."""
    return {type(m.product) for m in model.modules() if isinstance(m, PackedLinear)}


@pytest.mark.parametrize("tied", [False, True], ids=["untied", "tied"])
@pytest.mark.parametrize(
    ("half", "dtype", "kind"),
    [
        pytest.param(True, torch.float32, Half, marks=needs_half),
        pytest.param(False, torch.float32, Blocks, marks=needs_blocks(torch.float32)),
        pytest.param(False, torch.bfloat16, Blocks, marks=needs_blocks(torch.bfloat16)),
    ],
    ids=["float16 weights", "float32", "bfloat16"],
)
def test_values_and_names_stay_and_come_back(half: bool, dtype: torch.dtype, kind: type, tied: bool) -> None:
    model = small(half=half, tied=tied, dtype=dtype)
    before, logits, count = {n: p.clone() for n, p in model.state_dict().items()}, logits_of(model), weight_count(model)
    assert suited_to_few_rows(model) is model
    assert suited_to_few_rows(model) is model  # once more changes nothing
    assert kinds_of(model) == {kind} and not any(isinstance(m, torch.nn.Linear) for m in model.modules())
    again = unpacked(model)
    for after in (model.state_dict(), again.state_dict()):
        assert list(after) == list(before)
        assert all(torch.equal(after[name], value) and after[name].dtype == dtype for name, value in before.items())
    within = 1e-5 if dtype == torch.float32 else 0.3
    torch.testing.assert_close(logits_of(model), logits, rtol=within, atol=within)
    torch.testing.assert_close(logits_of(again), logits, rtol=1e-5, atol=1e-5)
    assert (again.lm_head.weight is again.model.embed_tokens.weight) == tied
    assert weight_count(model) == weight_count(again) == count


@needs_half
def test_packed_weights_replace_plain_ones() -> None:
    """Nothing keeps the plain matrices alive: packing a model must not double its memory."""
    model = small(half=True)
    plain = [weakref.ref(m.weight) for m in model.modules() if isinstance(m, torch.nn.Linear)]
    suited_to_few_rows(model)
    gc.collect()
    assert len(plain) == 15 and not any(ref() is not None for ref in plain)
    assert {name for name, _ in model.named_parameters() if "norm" not in name} == {"model.embed_tokens.weight"}


@needs_half
def test_what_else_people_do_with_a_model() -> None:
    plain, model = small(half=True), suited_to_few_rows(small(half=True))
    options: dict[str, Any] = {"do_sample": False, "max_new_tokens": 5, "pad_token_id": 0}
    assert torch.equal(model.generate(IDS, **options), plain.generate(IDS, **options))
    twin = copy.deepcopy(model)
    assert torch.equal(logits_of(twin), logits_of(model))
    assert twin.lm_head.product is model.lm_head.product  # it never changes, so it need not be copied
    states = model.model.embed_tokens(IDS).detach().requires_grad_()
    model(inputs_embeds=states).logits.sum().backward()
    expected = plain.model.embed_tokens(IDS).detach().requires_grad_()
    plain(inputs_embeds=expected).logits.sum().backward()
    torch.testing.assert_close(states.grad, expected.grad, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(logits_of(model.double()), logits_of(plain.double()))
    with pytest.raises(
        RuntimeError, match=r"holds packed weights, which do not change: load a plain model and pack it"
    ):
        twin.load_state_dict(plain.state_dict())


@needs_half
@pytest.mark.parametrize("tied", [False, True], ids=["untied", "tied"])
def test_a_saved_model_is_a_plain_one(tied: bool, tmp_path: Any) -> None:
    model = suited_to_few_rows(small(half=True, tied=tied))
    model.save_pretrained(tmp_path)
    again = LlamaForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    assert all(torch.equal(again.state_dict()[name], value) for name, value in model.state_dict().items())


@needs_mkl
@pytest.mark.parametrize("why", ["a draft", "no operators"])
def test_where_nothing_is_packed_matrices_are_turned(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, rows = small(tied=True), 1
    if why == "no operators":
        without_packing(monkeypatch)
        rows = 5
    before, logits = {n: p.clone() for n, p in model.state_dict().items()}, logits_of(model)
    suited_to_few_rows(model, rows=rows)
    after = model.state_dict()
    assert list(after) == list(before) and all(torch.equal(after[name], value) for name, value in before.items())
    torch.testing.assert_close(logits_of(model), logits, rtol=1e-5, atol=1e-5)
    assert not kinds_of(model) and model.lm_head.weight is model.model.embed_tokens.weight
    assert model.model.layers[0].mlp.up_proj.weight.t().is_contiguous()
    assert all(p.data_ptr() % 64 == 0 for p in model.parameters())


def test_other_models_are_not_packed() -> None:
    """Whose forward pass reads `weight` here and there, or adds a bias."""
    config: dict[str, Any] = {"vocab_size": 8, "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 1}
    config |= {"num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 4}
    other = AutoModelForCausalLM.from_config(Qwen3Config(**config)).eval()
    biased = LlamaForCausalLM(tiny_llama(8, seed=1).config).float()
    biased.lm_head = torch.nn.Linear(8, 8, bias=True)
    for model in (other, biased):
        assert not kinds_of(suited_to_few_rows(model))


def test_other_precisions_are_left_alone() -> None:
    model = tiny_llama(50, seed=1)
    places = [p.data_ptr() for p in model.parameters()]
    assert [p.data_ptr() for p in suited_to_few_rows(model).parameters()] == places


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "_AVAILABLE_THREADS", 2)
    assert [threads_suited_to(n) for n in (10_000_000, 29_999_999, 30_000_000, 135_000_000)] == [1, 1, 2, 2]
    monkeypatch.setattr(weights, "_AVAILABLE_THREADS", 64)
    assert threads_suited_to(135_000_000) == weights.MOST_THREADS


@needs_half
def test_a_large_model_uses_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The threads come from the model's size: its small matrices are still multiplied by one."""
    monkeypatch.setattr(weights, "SMALL_MODEL", 1000)
    monkeypatch.setattr(weights, "_AVAILABLE_THREADS", 2)
    monkeypatch.setattr(products, "_WORTH_THREADS", 32 * 33)
    model = suited_to_few_rows(small(half=True))
    assert type(model.model.layers[0].mlp.up_proj.product).__name__ == "ThreadedHalf"
    assert type(model.model.layers[0].self_attn.q_proj.product) is Half
