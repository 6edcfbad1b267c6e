"""Cached and uncached rows agree after every kind of rollback, for several architectures, and inside a real run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, GPT2Config, MistralConfig, Qwen3Config

from specdemo.decoding import forward as forward_module
from specdemo.decoding.cached import CachedModel, common_prefix
from specdemo.decoding.loop import Step
from tests.loop_assertions import CACHED, QUESTIONS, assert_cache_consistent, assert_cache_consistent_in_any_order
from tests.tiny import tiny_llama
from tests.toy_models import ToyWorld, plain_logits

_SMALL = {"vocab_size": 8, "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
_SMALL |= {"num_key_value_heads": 1, "max_position_embeddings": 64}
CONFIGS = {
    "learned positions": GPT2Config(vocab_size=8, n_embd=8, n_layer=2, n_head=2, n_positions=64),
    "a window of four tokens": MistralConfig(**_SMALL, sliding_window=4),
    "norms on keys": Qwen3Config(**_SMALL, head_dim=4),
}


def model_of(config: Any) -> Any:
    """A float64 model with random weights that are large enough to matter."""
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 2:
                parameter.copy_(torch.randn_like(parameter) * 0.5)
    return model


@pytest.fixture(scope="module")
def llama() -> Any:
    return tiny_llama(8, seed=3, layers=2)


def test_every_rollback(llama: Any) -> None:
    assert_cache_consistent(CachedModel, llama)


@pytest.mark.parametrize("seed", range(3))
def test_random_rollbacks(llama: Any, seed: int) -> None:
    assert_cache_consistent_in_any_order(CachedModel, llama, seed)


@pytest.mark.parametrize("name", CONFIGS)
def test_other_architectures(name: str) -> None:
    """Parts of these compute in float32 whatever the weights are, so the agreement is that of float32."""
    model = model_of(CONFIGS[name])
    assert_cache_consistent(CachedModel, model, 1e-4)
    assert_cache_consistent_in_any_order(CachedModel, model, within=1e-4)


def test_the_first_token_of_a_larger_vocabulary_is_read_as_the_first(llama: Any) -> None:
    assert torch.equal(CachedModel(llama).rows([1, 8, 3], 2), CachedModel(llama).rows([1, 0, 3], 2))


def test_a_model_without_logits_to_keep(llama: Any) -> None:
    newer = forward_module.call_style_of(llama)[0]

    class Older:
        """The same model behind a forward that knows neither `cache` nor `logits_to_keep`."""

        device, config = llama.device, llama.config
        get_input_embeddings = staticmethod(llama.get_input_embeddings)
        modules, named_modules = staticmethod(llama.modules), staticmethod(llama.named_modules)

        def forward(self, input_ids: Any, past_key_values: Any = None, use_cache: bool = True) -> Any:
            return llama(input_ids=input_ids, use_cache=use_cache, **{newer: past_key_values})

        __call__ = forward

    cached = CachedModel(Older())
    for what, ids, count in QUESTIONS:
        expected = plain_logits(llama, ids)[-count:]
        assert float((cached.rows(ids, count) - expected).abs().max()) < CACHED, what


def test_one_forward_pass_a_question_and_nothing_twice(llama: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cached, lengths = CachedModel(llama), []
    forward = llama.forward

    def counted(*arguments: Any, **named: Any) -> Any:
        lengths.append(named["input_ids"].shape[1])
        return forward(*arguments, **named)

    cached.rows([1, 2, 3, 4])
    monkeypatch.setattr(llama, "forward", counted)
    cached.rows([1, 2, 3, 4, 5])  # one token more
    cached.rows([1, 2, 3, 4, 5, 6, 7, 0], 4)  # a block of three: the row before it is asked again
    cached.rows([1, 2, 3, 4, 5, 6, 2])  # one kept, one corrected
    cached.rows([1, 2, 3, 4, 5, 6, 2])  # the same again needs its last token
    cached.rows([3, 2])  # nothing in common
    assert lengths == [1, 4, 1, 1, 2]


def test_an_interrupted_pass_leaves_no_trace(llama: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the layers have seen the new tokens when the pass stops: the next answer is right all the same."""
    cached = CachedModel(llama)
    cached.rows([1, 2, 3])
    with monkeypatch.context() as patched:
        patched.setattr(llama.model.layers[1], "forward", lambda *a, **k: (_ for _ in ()).throw(MemoryError("no room")))
        with pytest.raises(MemoryError):
            cached.rows([1, 2, 3, 4, 5], 2)
    for ids in ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]):
        assert float((cached.rows(ids, 2) - plain_logits(llama, ids)[-2:]).abs().max()) < CACHED


@pytest.mark.parametrize("change", [0, 1, 9, 10, 11, 129, 130, 131, 400])
@pytest.mark.parametrize("length", [0, 1, 10, 11, 131, 400])
def test_what_two_texts_have_in_common(length: int, change: int) -> None:
    """The numbers are equal, not the same objects; both texts are in the end what they were."""
    rng = np.random.default_rng(length * 1000 + change)
    held = (1000 + rng.integers(3, size=length)).tolist()
    for more in (0, 1, 7, -1, -12):
        ids = [int(str(i)) for i in held[: length + min(more, 0)]] + [1000] * max(more, 0)
        for place in range(max(0, len(ids) - change), len(ids), 37):
            ids[place] += 1
        before = list(held), list(ids)
        expected = next((i for i in range(min(len(held), len(ids))) if held[i] != ids[i]), min(len(held), len(ids)))
        assert common_prefix(held, ids) == expected and (held, ids) == before


@pytest.mark.parametrize("broken", ["draft", "target"])
def test_a_block_leaves_its_text_as_it_was(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drafted tokens are appended to the text itself while the models read them; also where a model fails meanwhile."""
    world = ToyWorld(tiny_llama(8, seed=1, spread=0.4), tiny_llama(8, seed=2, spread=0.4))
    loop, ids = world.loop("block", 3, cached=CachedModel), [1, 2, 5]
    loop.block(ids, 0, None, 10)
    assert ids == [1, 2, 5]
    model = {"draft": world.draft_model, "target": world.target_model}[broken]
    with monkeypatch.context() as patched:
        patched.setattr(model, "forward", lambda *a, **k: (_ for _ in ()).throw(MemoryError("no room")))
        loop = world.loop("block", 3, cached=CachedModel)
        with pytest.raises(MemoryError):
            loop.block(ids, 0, None, 10)
    assert ids == [1, 2, 5]


@pytest.mark.parametrize(("ids", "count"), [([1, 2], 0), ([1, 2], 3), ([], 1)])
def test_questions_without_an_answer(llama: Any, ids: list[int], count: int) -> None:
    with pytest.raises(ValueError, match=rf"{count} rows were asked of a text of {len(ids)} tokens"):
        CachedModel(llama).rows(ids, count)


def test_ids_beyond_the_models_own_vocabulary_are_read_as_another() -> None:
    """The other model of the pair may have a larger, padded vocabulary: its extra ids must not break this one."""
    model = tiny_llama(4, seed=0)
    rows = CachedModel(model).rows([1, 5, 2], 3)
    assert float((rows - plain_logits(model, [1, 0, 2])).abs().max()) < CACHED


def laws_without_cache(world: ToyWorld, ids: list[int], step: Step) -> tuple[Any, Any]:
    """Draft and target laws of a step, each from one pass over the whole text."""
    text = [*ids, *step.tokens.tolist()]
    draft = torch.softmax(plain_logits(world.draft_model, text)[len(ids) - 1 : -1], dim=1)
    target = torch.softmax(plain_logits(world.target_model, text)[len(ids) - 1 :], dim=1)
    return draft.numpy(), target.numpy()


@pytest.mark.parametrize("rule", ["token", "block"])
def test_laws_of_a_run_are_those_without_a_cache(rule: str) -> None:
    """Both models, block after block; rejections at every position and full acceptances occur. Then from the middle, with fresh caches."""
    world = ToyWorld(
        tiny_llama(8, seed=1, spread=0.4, context=200), tiny_llama(8, seed=2, layers=2, spread=0.4, context=200)
    )
    gamma, kept = 3, set()
    loop, ids, states = world.loop(rule, gamma, cached=CachedModel, context_limit=200), list(world.prompt), []
    for index in range(40):
        states.append(list(ids))
        step = loop.block(ids, index, None, 1000)
        draft, target = laws_without_cache(world, ids, step)
        assert np.abs(step.draft - draft).max() < CACHED
        assert np.abs(step.target - target).max() < CACHED
        kept.add(step.verdict.accepted)
        ids = [*ids, *step.committed]
        if index >= 13 and len(kept) == gamma + 1:
            break
    assert kept == set(range(gamma + 1)), "not every kind of rollback was met: choose another seed"
    resumed = world.loop(rule, gamma, cached=CachedModel, context_limit=200)
    for index in (9, 4, 13, 0):  # forwards, backwards, to the prompt
        step = resumed.block(states[index], index, None, 1000)
        draft, target = laws_without_cache(world, states[index], step)
        assert np.abs(step.draft - draft).max() < CACHED and np.abs(step.target - target).max() < CACHED
