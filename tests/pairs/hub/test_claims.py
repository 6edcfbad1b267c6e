"""What a config.json may claim: real ones pass, hostile ones are refused in words that name the field, before anything is built."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from specdemo.pairs import PairUnavailable
from specdemo.pairs.hub.claims import MODEL_TYPES, check_claims, check_tokenizer_settings
from specdemo.pairs.registry import ASSETS

REPO = "some/model"
LLAMA: dict[str, Any] = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 49_152, "hidden_size": 576, "intermediate_size": 1_536,
    "num_hidden_layers": 30, "num_attention_heads": 9, "num_key_value_heads": 3, "max_position_embeddings": 8_192, "rope_theta": 100_000,
    "rope_scaling": None, "rms_norm_eps": 1e-5, "torch_dtype": "bfloat16", "tie_word_embeddings": True, "bos_token_id": 1, "eos_token_id": 2,
    "transformers.js_config": {"kv_cache_dtype": {"q4f16": "float16"}}, "_name_or_path": "some/where", "head_dim": 64,
}  # fmt: skip
GPT2: dict[str, Any] = {
    "model_type": "gpt2", "vocab_size": 50_257, "n_ctx": 1_024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1_024,
    "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}}, "summary_first_dropout": 0.1, "n_inner": None,
}  # fmt: skip
QWEN: dict[str, Any] = {
    **LLAMA, "model_type": "qwen3", "vocab_size": 151_936, "hidden_size": 2_048, "intermediate_size": 6_144, "num_hidden_layers": 28,
    "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 40_960, "sliding_window": None,
    "rope_parameters": {"rope_theta": 5_000_000, "rope_type": "yarn", "factor": 4.0, "long_factor": [1.0] * 64},
    "layer_types": ["full_attention"] * 28, "attn_implementation": "sdpa",
}  # fmt: skip


def check(config: dict[str, Any], without: str = "") -> None:
    check_claims(json.dumps({name: value for name, value in config.items() if name != without}), REPO)


@pytest.mark.parametrize("config", [LLAMA, GPT2, QWEN], ids=lambda config: str(config["model_type"]))
def test_configurations_as_the_hub_has_them(config: dict[str, Any]) -> None:
    check(config)


@pytest.mark.parametrize("folder", ["stories/target", "stories/draft-96", "smollm2-draft"])
def test_the_projects_own_configurations(folder: str) -> None:
    check_claims((ASSETS / folder / "config.json").read_bytes(), folder)


def nested(depth: int) -> Any:
    found: Any = 1
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"num_hidden_layers": 10**6}, "num_hidden_layers is 1000000: it should be less than or equal to 200"),
        ({"num_layers": 10**6}, "num_layers is 1000000"),
        ({"n_layer": 10**6}, "n_layer is 1000000"),
        ({"hidden_size": 10**9}, "hidden_size is 1000000000: it should be less than or equal to 32768"),
        ({"hidden_size": 0}, "hidden_size is 0: it should be greater than or equal to 1"),
        ({"hidden_size": -8}, "hidden_size is -8"),
        ({"hidden_size": 576.5}, "hidden_size is 576.5: it should be a valid integer"),
        ({"hidden_size": "576"}, "hidden_size is '576': it should be a valid integer"),
        ({"hidden_size": True}, "hidden_size is True: it should be a valid integer"),
        ({"vocab_size": 10**9}, "vocab_size is 1000000000: it should be less than or equal to 1000000"),
        ({"intermediate_size": 10**9}, "intermediate_size is 1000000000"),
        ({"max_position_embeddings": 10**10}, "max_position_embeddings is 10000000000"),
        ({"head_dim": 10**6}, "head_dim is 1000000"),
        ({"num_attention_heads": 10**5}, "num_attention_heads is 100000"),
        ({"hidden_size": 32_768, "num_hidden_layers": 100}, r"claim 11,676,942,336 weights or more; at most 3,000,000,000"),
        ({"num_key_value_heads": 512, "head_dim": 1_024}, "keep 31,457,280 numbers for every token"),
        ({"num_kv_heads": 512, "head_dim": 1_024}, "keep 31,457,280 numbers for every token"),
        ({"model_type": "mamba"}, "model_type is 'mamba'; read here are arcee, bloom, .*llama"),
        ({"model_type": "llama\n" * 100}, "model_type is 'llama"),
        ({"model_type": 7}, "model_type is 7: it should be a valid string"),
        ({"auto_map": {"AutoConfig": "evil.py--Config"}}, "auto_map asks for code of the repository"),
        ({"quantization_config": {"quant_method": "gptq"}}, "quantization_config asks for quantized weights"),
        ({"compression_config": {}}, "compression_config asks for compressed weights"),
        ({"transformers_weights": "../../x.safetensors"}, "transformers_weights names another file"),
        ({"attn_implementation": "some/kernel"}, "attn_implementation is 'some/kernel': it should be 'eager' or 'sdpa'"),
        ({"_attn_implementation": "some/kernel"}, "_attn_implementation is 'some/kernel'; it may be eager or sdpa"),
        ({"_attn_implementation_internal": {"": "a/b"}}, "_attn_implementation_internal is"),
        ({"_experts_implementation": "a/b"}, "_experts_implementation is 'a/b'"),
        ({"use_kernels": True}, "use_kernels asks for code of other packages"),
        ({"text_config": {"num_hidden_layers": 10**6}}, "text_config is a configuration inside the configuration"),
        ({"vision_config": [1]}, "vision_config is a configuration inside"),
        ({"per_layer_config": [{}]}, "per_layer_config is a configuration inside"),
        ({"is_encoder_decoder": True}, "is_encoder_decoder makes it an encoder and a decoder"),
        ({"add_cross_attention": True}, "add_cross_attention makes it"),
        ({"use_bidirectional_attention": True}, "use_bidirectional_attention lets its attention look at the tokens that follow"),
        ({"layer_types": 5}, "layer_types holds '5'"),
        ({"layer_types": ["full_attention", "conv"]}, "layer_types holds 'conv'; layers may be full_attention or sliding_attention"),
        ({"rope_parameters": {"factor": 1e300}}, "rope_parameters holds the number 1e\\+300; at most 1e\\+12"),
        ({"num_labels": 10**15}, "num_labels holds the number 1000000000000000"),
        ({"rope_scaling": nested(6)}, "rope_scaling has more than 10,000 parts, or is nested more than 4 deep"),
        ({"layer_types": ["full_attention"] * 10_001}, "layer_types has more than 10,000 parts"),
        ({"__class__": "x"}, "'__class__' is no name of a field"),
        ({"a b": 1}, "'a b' is no name of a field"),
    ],
)  # fmt: skip
def test_what_a_hostile_configuration_claims_is_refused_in_words(changes: dict[str, Any], words: str) -> None:
    began = time.monotonic()
    with pytest.raises(
        PairUnavailable, match=rf"the config.json of {REPO} is not read here: .*{words}.*Choose another model"
    ):
        check({**LLAMA, **changes})
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    "name", ["model_type", "vocab_size", "num_hidden_layers", "hidden_size", "num_attention_heads"]
)
def test_what_has_to_be_there_is_named(name: str) -> None:
    with pytest.raises(PairUnavailable, match=name):
        check(LLAMA, without=name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Expecting value"), ("[]", "no JSON object"), ("{", "Expecting property name"), ("[" * 100_000, "nested too deeply"),
        (json.dumps({**LLAMA, "rms_norm_eps": float("nan")}), "holds NaN"), (b"\xff\xfe\x00", "decode"),
        (json.dumps(LLAMA).replace("1e-05", "1e999"), "inf"),
    ],
)  # fmt: skip
def test_what_is_no_such_file_at_all(text: str | bytes, words: str) -> None:
    with pytest.raises(PairUnavailable, match=words):
        check_claims(text, REPO)


def test_every_type_is_transformers_own() -> None:
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    assert set(MODEL_TYPES) <= set(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES) and sorted(MODEL_TYPES) == list(MODEL_TYPES)


def test_a_tokenizers_settings_name_neither_code_nor_files(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    check_tokenizer_settings(path, REPO)
    for said, words in (
        ({"auto_map": {"AutoTokenizer": ["a.B", None]}}, "auto_map asks for code"),
        ({"tokenizer_file": "/etc/passwd"}, "tokenizer_file names a file, '/etc/passwd'"),
        ([], "no JSON object"),
    ):
        path.write_text(json.dumps(said), encoding="utf-8")
        with pytest.raises(PairUnavailable, match=f"the tokenizer_config.json of {REPO} is not read here: .*{words}"):
            check_tokenizer_settings(path, REPO)
    path.write_text(json.dumps({"tokenizer_file": None, "special_tokens_map_file": "/home/x"}), encoding="utf-8")
    check_tokenizer_settings(path, REPO)
