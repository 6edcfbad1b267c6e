"""A GGUF file of a small Llama as a plain transformers folder: configuration, tokenizer, chat template and weights in bfloat16.

transformers reads such files too, but changes the element type of new tensors for the whole process meanwhile, and forgets that this
family's tokenizers take digits one by one. The format is that of github.com/ggml-org/ggml, docs/gguf.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specdemo.pairs.errors import PairUnavailable

if TYPE_CHECKING:
    import torch

SHARD_BYTES = 64_000_000
CONTROL_TOKEN = 3  # the type of a token that is not text

_OUTSIDE = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
}
_IN_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def unpack(file: Path, folder: Path) -> None:
    """Write the model of a GGUF file into an empty folder. Raises PairUnavailable for a file of another kind, OSError without room."""
    from gguf import GGUFReader

    try:
        reader = GGUFReader(file)
        facts = {name: field.contents() for name, field in reader.fields.items()}
        config = _config(facts, tied=all(tensor.name != "output.weight" for tensor in reader.tensors))
        tokenizer, tokenizer_config = _tokenizer(facts)
    except (ValueError, KeyError, IndexError) as error:
        raise PairUnavailable(
            f"the file {file.name!r} is no GGUF file of a Llama that can be unpacked ({error!r})"
        ) from error
    ends = {name: config[name] for name in ("bos_token_id", "eos_token_id", "pad_token_id")}
    _write_json(folder / "config.json", config)
    _write_json(folder / "generation_config.json", ends)
    (folder / "tokenizer.json").write_text(tokenizer, encoding="utf-8")
    _write_json(folder / "tokenizer_config.json", tokenizer_config)
    (folder / "chat_template.jinja").write_text(str(facts["tokenizer.chat_template"]), encoding="utf-8")
    _write_weights(_tensors(reader, config), folder)


def _config(facts: dict[str, Any], tied: bool) -> dict[str, Any]:
    if facts["general.architecture"] != "llama":
        raise ValueError(f"its architecture is {facts['general.architecture']!r}")
    llama = {name.removeprefix("llama."): value for name, value in facts.items() if name.startswith("llama.")}
    heads = llama["attention.head_count"]
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "dtype": "bfloat16",
        "vocab_size": llama["vocab_size"],
        "hidden_size": llama["embedding_length"],
        "intermediate_size": llama["feed_forward_length"],
        "num_hidden_layers": llama["block_count"],
        "num_attention_heads": heads,
        "num_key_value_heads": llama["attention.head_count_kv"],
        "head_dim": llama["embedding_length"] // heads,
        "max_position_embeddings": llama["context_length"],
        "rms_norm_eps": llama["attention.layer_norm_rms_epsilon"],
        "rope_parameters": {"rope_type": "default", "rope_theta": llama["rope.freq_base"]},
        "tie_word_embeddings": tied,
        "bos_token_id": facts["tokenizer.ggml.bos_token_id"],
        "eos_token_id": facts["tokenizer.ggml.eos_token_id"],
        "pad_token_id": facts["tokenizer.ggml.padding_token_id"],
    }


def _tokenizer(facts: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The tokenizer and its settings."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    if (facts["tokenizer.ggml.model"], facts["tokenizer.ggml.pre"]) != ("gpt2", "smollm"):
        raise ValueError(f"its tokenizer is {facts['tokenizer.ggml.model']!r}, {facts['tokenizer.ggml.pre']!r}")
    tokens: list[str] = facts["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in facts["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
    # What "smollm" means: as GPT-2's, between digits that each stand alone. Without it "\n\n1" would begin with two tokens instead of one.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    special = [
        token for token, kind in zip(tokens, facts["tokenizer.ggml.token_type"], strict=True) if kind == CONTROL_TOKEN
    ]
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    named = {"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "pad_token": "padding"}
    return tokenizer.to_str(), {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "model_max_length": facts["llama.context_length"],
        **{name: tokens[facts[f"tokenizer.ggml.{key}_token_id"]] for name, key in named.items()},
    }


def _tensors(reader: Any, config: dict[str, Any]) -> Iterator[tuple[str, torch.Tensor]]:
    """Every matrix and vector under its name in transformers, in bfloat16."""
    import torch
    from gguf import dequantize

    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    for tensor in reader.tensors:
        part, _, kind = tensor.name.rpartition(".")
        weights = dequantize(tensor.data, tensor.tensor_type)
        if part.startswith("blk."):
            _, layer, part = part.split(".")
            if part in heads:  # llama.cpp turns pairs of neighbours, transformers a head's halves
                weights = weights.reshape(heads[part], -1, 2, weights.shape[-1]).swapaxes(1, 2).reshape(weights.shape)
            name = f"model.layers.{layer}.{_IN_LAYER[part]}.{kind}"
        else:
            name = f"{_OUTSIDE[part]}.{kind}"
        yield name, torch.from_numpy(weights.copy()).to(torch.bfloat16)


def _write_weights(tensors: Iterator[tuple[str, torch.Tensor]], folder: Path) -> None:
    """Files of about `SHARD_BYTES` and their index: never more than one of them is in memory."""
    from safetensors.torch import save

    places: dict[str, str] = {}
    total = 0
    shard: dict[str, torch.Tensor] = {}

    def flush() -> None:
        name = f"model-{len(set(places.values())) + 1:05d}.safetensors"
        # safetensors would write the file itself, and hide the reason where that fails.
        (folder / name).write_bytes(save(shard, metadata={"format": "pt"}))
        places.update(dict.fromkeys(shard, name))
        shard.clear()

    for name, tensor in tensors:
        shard[name] = tensor
        total += tensor.nbytes
        if sum(t.nbytes for t in shard.values()) >= SHARD_BYTES:
            flush()
    if shard:
        flush()
    _write_json(folder / "model.safetensors.index.json", {"metadata": {"total_size": total}, "weight_map": places})


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
