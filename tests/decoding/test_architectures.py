"""Every architecture that visitors may name gives the rows of an uncached pass, after rejections and beyond windows too; what cannot is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING, AutoModelForCausalLM

from specdemo.decoding import speculative_decode
from specdemo.decoding.batched import decode_many
from specdemo.decoding.batched_models import Asked, BatchedModel
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.device import DeviceModel, OnDevice
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.limits import context_limit_of, turns_of
from specdemo.decoding.plain import build_loop
from specdemo.decoding.static_pass import room_of
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.pairs import CannotStepBack, Pair, load_pair, sources
from specdemo.pairs.hub.claims import MODEL_TYPES
from specdemo.pairs.registry import Source
from specdemo.verifiers import get
from tests.tiny import tiny_llama, tiny_tokenizer
from tests.toy_models import plain_logits

V, WINDOW, CONTEXT = 8, 4, 40
# Under all the names that configurations have for them.
_SIZES = {
    "vocab_size": V, "hidden_size": 16, "n_embd": 16, "word_embed_proj_dim": 16, "intermediate_size": 24, "n_inner": 24, "ffn_dim": 24,
    "num_hidden_layers": 2, "n_layer": 2, "num_layers": 2, "num_attention_heads": 2, "n_head": 4, "num_heads": 2, "num_key_value_heads": 1,
    "head_dim": 8, "rotary_dim": 4, "max_position_embeddings": CONTEXT, "n_positions": CONTEXT, "attention_types": [[["global", "local"], 1]],
    "sliding_window": WINDOW, "window_size": WINDOW, "use_sliding_window": True, "layer_types": ["sliding_attention", "full_attention"],
    "pad_token_id": None, "bos_token_id": None, "eos_token_id": None,
}  # fmt: skip


def configuration_of(model_type: str, **more: Any) -> Any:
    """A tiny configuration of this architecture, with windows of four tokens where it knows windows."""
    kind = CONFIG_MAPPING[model_type]
    known = set(kind().to_dict())
    has_windows = "sliding_window" in known
    sizes = {name: size for name, size in _SIZES.items() if name in known and (name != "layer_types" or has_windows)}
    return kind(**{**sizes, **more})


def tiny_of(model_type: str, seed: int = 0, **more: Any) -> Any:
    """A model of this configuration, with random weights that are large enough to matter."""
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(configuration_of(model_type, **more)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.copy_(torch.randn_like(parameter) * 0.3)
    return model


def assert_rows_are_those_without_a_cache(model: Any, *, each: bool = False) -> None:
    """Blocks of three for two texts of different lengths: alone, together, and drafted on a device. With `each`, a pass for every row."""
    made = torch.Generator().manual_seed(1)

    def some(count: int) -> list[int]:
        return torch.randint(V, (count,), generator=made).tolist()

    texts, together = [some(9), some(3)], BatchedModel(model, 2)
    alone, devices = [CachedModel(model) for _ in texts], [DeviceModel(model) for _ in texts]
    for kept in (0, 3, 2, 0, 3, 1, 0, 2):
        drafts = [[*text, *some(3)] for text in texts]
        rows = together.rows([Asked(slot, ids, 4) for slot, ids in enumerate(drafts)]).split(4)
        for text, ids, cached, batched, device in zip(texts, drafts, alone, rows, devices, strict=True):
            if each:
                expected = torch.stack([plain_logits(model, ids[: len(text) + i])[-1] for i in range(4)]).softmax(1)
            else:
                expected = plain_logits(model, ids)[-4:].softmax(1)
            with torch.inference_mode():
                unseen = device.rows_after(text, [torch.tensor([[token]]) for token in ids[len(text) :]], 4)
                device.saw(ids[len(text) :])
            for way, found in (("alone", cached.rows(ids, 4)), ("together", batched), ("on a device", unseen)):
                distance = float((found.softmax(1) - expected).abs().sum(1).max()) / 2
                assert distance < 1e-5, f"{way}, {len(ids)} tokens: total variation {distance:.2g}"
        texts = [[*ids[: len(text) + kept], *some(1)] for text, ids in zip(texts, drafts, strict=True)]


@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_what_visitors_may_name(model_type: str) -> None:
    assert_rows_are_those_without_a_cache(tiny_of(model_type))


@pytest.mark.parametrize(
    ("model_type", "more"),
    [
        ("falcon", {"alibi": True}),
        ("falcon", {"new_decoder_architecture": True}),
        ("gpt_bigcode", {"multi_query": False}),
        ("gemma3_text", {"layer_types": ["sliding_attention"] * 2}),
        ("mpt", {"d_model": 16, "n_heads": 2, "n_layers": 2, "max_seq_len": CONTEXT}),
        ("llama4_text", {"attention_chunk_size": WINDOW, "num_local_experts": 2}),
        ("bert", {"is_decoder": True}),
    ],
)
def test_other_kinds_and_forms(model_type: str, more: dict[str, Any]) -> None:
    """Biases in the place of positions, windows in every layer, chunks, and an encoder that was made a decoder."""
    assert_rows_are_those_without_a_cache(tiny_of(model_type, **more))


def test_a_cache_shared_by_layers() -> None:
    more: dict[str, Any] = {
        "num_hidden_layers": 4,
        "num_kv_shared_layers": 2,
        "layer_types": ["sliding_attention", "full_attention"] * 2,
    }
    more |= {
        "intermediate_size": [24] * 4,
        "activation_sparsity_pattern": [0.0] * 4,
        "altup_num_inputs": 2,
        "laurel_rank": 4,
    }
    more |= {"vocab_size_per_layer_input": V, "hidden_size_per_layer_input": 8}
    assert_rows_are_those_without_a_cache(tiny_of("gemma3n_text", **more))


STATE, AHEAD = "its layers keep a state beside keys and values", "its attention looks at the tokens that follow"
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("recurrent_gemma", {}, STATE), ("mamba", {}, STATE), ("mamba2", {"num_heads": 4, "head_dim": 8, "state_size": 8, "n_groups": 1}, STATE),
    ("jamba", {"num_hidden_layers": 8}, STATE), ("bamba", {"mamba_n_heads": 4}, STATE),
    ("qwen3_next", {"layer_types": ["linear_attention", "full_attention"]}, STATE), ("rwkv", {}, STATE), ("glm_moe_dsa", {}, STATE),
    ("lfm2", {"layer_types": ["conv", "full_attention"]}, STATE),
    ("llama", {"layer_types": ["conv", "full_attention"]}, STATE), ("openai-gpt", {}, "it has no cache of keys and values"),
    ("bert", {}, AHEAD), ("big_bird", {}, AHEAD), ("gemma3_text", {"use_bidirectional_attention": True}, AHEAD),
    ("roberta", {"is_decoder": True, "pad_token_id": 1}, "it leaves padding tokens out when it counts positions"),
]  # fmt: skip


@pytest.mark.parametrize(("model_type", "more", "words"), REFUSED)
def test_what_cannot_step_back_is_refused(model_type: str, more: dict[str, Any], words: str) -> None:
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(configuration_of(model_type, **more))
    with pytest.raises(CannotStepBack, match=rf"the model \({type(model).__name__}\) cannot be used here: {words}"):
        CachedModel(model)
    with pytest.raises(CannotStepBack, match=words):
        BatchedModel(model, 2)


@pytest.mark.parametrize("place", ["draft", "target"])
def test_every_door_refuses_it_before_a_token(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny_tokenizer()
    size, models = len(tokenizer), dict[str, Any]()
    for name in ("draft", "target"):
        models[name] = (
            tiny_llama(size, seed=0).float() if name != place else tiny_of("recurrent_gemma", vocab_size=size).float()
        )
        models[name].save_pretrained(tmp_path / name)
        tokenizer.save_pretrained(tmp_path / name)
    both, said = (models["draft"], models["target"]), list[str]()
    doors: list[Callable[[], Any]] = [
        lambda: load_pair(tmp_path / "target", draft=tmp_path / "draft", device="cpu", progress=lambda text, _: said.append(text)),
        lambda: load_pair("some/target", draft="some/draft", device="cpu"),
        lambda: Pair.from_folders(tmp_path / "draft", tmp_path / "target", device="cpu"),
        lambda: Pair.from_models(*both, tokenizer),
        lambda: speculative_decode(*both, torch.tensor([[3, 4]])),
        lambda: decode_many(*both, [[3, 4]]),
        lambda: OnDevice(DeviceModel(models["draft"]), DeviceModel(models["target"]), LawMaker(Processing(), size)),
    ]  # fmt: skip
    part = sources._part

    def as_if_fetched(kind: str, source: Source, *rest: Any, **more: Any) -> Any:
        folder = source.folder or tmp_path / str(source.repo).removeprefix("some/")
        return part(kind, Source(folder=folder), *rest, **more)

    monkeypatch.setattr(sources, "_part", as_if_fetched)
    for door in doors:
        with pytest.raises(
            CannotStepBack, match=rf"the ({place} )?model \(RecurrentGemmaForCausalLM\) cannot be used here: {STATE}"
        ):
            door()
    assert any("target model" in text for text in said) == (place == "target"), "the target is not read in vain"


TURN = 16


@pytest.fixture(scope="module")
def long() -> tuple[Any, Any]:
    """Draft and target, whose rotations change for all tokens once a text has more than 16."""
    short, far = [1.0] * 4, [1.5, 3.0, 6.0, 9.0]
    rope = {"rope_type": "longrope", "rope_theta": 1e4, "short_factor": short, "long_factor": far}
    more = {"sliding_window": None, "original_max_position_embeddings": TURN, "rope_parameters": rope}
    pair = tiny_of("phi3", 0, **more), tiny_of("phi3", 1, **more)
    assert all(turns_of(model) == (TURN,) and room_of(model) == 0 for model in pair)
    texts = [plain_logits(pair[0], [1, 2, 3] * n)[2].softmax(0) for n in (5, 6)]
    assert float((texts[0] - texts[1]).abs().sum()) > 0.01, "a longer text is read in the same way"
    return pair


def test_rows_where_rotations_turn(long: tuple[Any, Any]) -> None:
    """Each row is that of its own text, on either side of the turn and across it, there and back."""
    assert_rows_are_those_without_a_cache(long[0], each=True)


@pytest.mark.parametrize(("temperature", "rule", "gammas"), [(0.0, "token", (0, 4, 8)), (1.0, "block", (4,))])
def test_every_way_of_decoding_across_a_turn(
    long: tuple[Any, Any], temperature: float, rule: str, gammas: tuple[int, ...]
) -> None:
    """One text at temperature 0, whatever γ is, and at any temperature one text for each γ, whatever the way."""
    prompt, size = [1, 5, 2, 0, 7, 3, 3, 6, 4], V
    settings: dict[str, Any] = {"temperature": temperature, "verifier": rule, "eos_token_id": []}
    expected = list(prompt)
    while len(expected) < 22:
        expected.append(int(plain_logits(long[1], expected)[-1].argmax()))
    for gamma in gammas:
        found = speculative_decode(*long, torch.tensor([prompt]), gamma, max_new_tokens=13, **settings)[0].tolist()
        if temperature == 0:
            assert found == expected, f"γ = {gamma}"
        many = decode_many(*long, [prompt, [2, 2]], gamma, max_new_tokens=13, **settings)
        assert [*prompt, *many[0]] == found
        laws, models = LawMaker(Processing(temperature), size), (DeviceModel(long[0]), DeviceModel(long[1]))
        loop = build_loop(
            *long, size, get(rule), gamma, Processing(temperature), PhiloxUniforms(0), frozenset(), CONTEXT
        )
        loop = dataclasses.replace(loop, on_device=OnDevice(*models, laws))
        ids, memory, index = list(prompt), None, 0
        while len(ids) < 22:
            step = loop.block(ids, index, memory, 22 - len(ids))
            ids, memory, index = [*ids, *step.committed], step.verdict.memory, index + 1
        assert ids == found


def test_rotations_that_grow_end_with_the_context() -> None:
    """ "dynamic" ones change with every token beyond max_position_embeddings, where every run ends."""
    more = {
        "rope_parameters": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 4.0},
        "max_position_embeddings": 24,
    }
    pair = tiny_of("llama", 0, **more), tiny_of("llama", 1, **more)
    assert context_limit_of(*pair) == 24 and all(room_of(model) == 0 for model in pair)
    found = {
        tuple(speculative_decode(*pair, torch.tensor([[1, 2, 3]]), k, temperature=0, eos_token_id=[])[0].tolist())
        for k in (0, 4, 8)
    }
    assert len(found) == 1 and len(found.pop()) == 25  # nobody reads the last one
