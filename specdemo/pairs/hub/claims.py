"""What the config.json of a model that a visitor named claims, checked before anything is built from it.

A configuration decides what is built: how many layers, how wide, whose code. So what it may say is bounded here, field by field, in numbers
that no model of the operator's size goes beyond; how many weights they come to is counted elsewhere (process.py), in a process of its own.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub.limits import most_weights

# Decoders of text alone, with a cache whose end can be cut off, and without a configuration inside their configuration. All of them are
# transformers' own code.
MODEL_TYPES = (
    "arcee", "bloom", "codegen", "cohere", "cohere2", "ernie4_5", "falcon", "gemma", "gemma2", "gemma3_text", "glm", "glm4", "gpt2",
    "gpt_bigcode", "gpt_neo", "gpt_neox", "gptj", "granite", "helium", "llama", "mistral", "olmo", "olmo2", "olmo3", "opt", "phi", "phi3",
    "qwen2", "qwen3", "seed_oss", "smollm3", "stablelm", "starcoder2",
)  # fmt: skip
# All others keep a state that cannot be put back when drafted tokens are rejected.
_LAYER_TYPES = ("full_attention", "sliding_attention")
# Two megabytes of float32 for each token that is read.
MOST_CACHED_NUMBERS = 2**19
_MOST_NUMBER = 1e12
_MOST_PARTS = 10_000
_MOST_DEPTH = 4
_KEY = re.compile(r"[A-Za-z][\w.-]{0,99}|_[A-Za-z][\w.-]{0,99}")
# transformers.js reads it in browsers, and nothing here does.
_OF_OTHERS = frozenset({"transformers.js_config"})

Layers = Annotated[int, Field(ge=1, le=200)] | None
Width = Annotated[int, Field(ge=1, le=32_768)] | None
Inner = Annotated[int, Field(ge=1, le=131_072)] | None
Heads = Annotated[int, Field(ge=1, le=512)] | None
HeadSize = Annotated[int, Field(ge=1, le=1_024)] | None
# A few architectures keep a table of all positions.
Positions = Annotated[int, Field(ge=1, le=4_194_304)] | None
Attention = Literal["eager", "sdpa"] | None


class Claims(BaseModel):
    """The fields of a configuration that decide what is built, under all the names that transformers knows them by."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True, allow_inf_nan=False)

    model_type: str
    vocab_size: int = Field(ge=2, le=1_000_000)
    num_hidden_layers: Layers = None
    n_layer: Layers = None
    num_layers: Layers = None
    hidden_size: Width = None
    n_embd: Width = None
    n_embed: Width = None
    d_model: Width = None
    word_embed_proj_dim: Width = None
    intermediate_size: Inner = None
    n_inner: Inner = None
    ffn_dim: Inner = None
    ffn_hidden_size: Inner = None
    num_attention_heads: Heads = None
    n_head: Heads = None
    num_heads: Heads = None
    num_key_value_heads: Heads = None
    num_kv_heads: Heads = None
    head_dim: HeadSize = None
    rotary_dim: HeadSize = None
    max_position_embeddings: Positions = None
    n_positions: Positions = None
    n_ctx: Positions = None
    auto_map: None = None
    quantization_config: None = None
    compression_config: None = None
    transformers_weights: None = None
    per_layer_config: None = None
    kernel_config: None = None
    use_kernels: Literal[False] | None = None
    attn_implementation: Attention = None
    experts_implementation: None = None
    is_encoder_decoder: Literal[False] | None = None
    add_cross_attention: Literal[False] | None = None
    use_bidirectional_attention: Literal[False] | None = None

    @model_validator(mode="after")
    def _together(self) -> Claims:
        if self.model_type not in MODEL_TYPES:
            raise ValueError(f"model_type is {self.model_type[:60]!r}; read here are {', '.join(MODEL_TYPES)}")
        for name, value in (self.__pydantic_extra__ or {}).items():
            _check_key(name, value)
        kinds = (self.__pydantic_extra__ or {}).get("layer_types") or []
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            if kind not in _LAYER_TYPES:
                raise ValueError(f"layer_types holds {str(kind)[:60]!r}; layers may be {' or '.join(_LAYER_TYPES)}")
        layers = self._most("num_hidden_layers", "n_layer", "num_layers")
        width, heads = (
            self._most("hidden_size", "n_embd", "d_model"),
            self._most("num_attention_heads", "n_head", "num_heads"),
        )
        if not layers or not width or not heads:
            raise ValueError(
                "it has to say how many layers it has (num_hidden_layers), how wide they are (hidden_size) and their num_attention_heads"
            )
        inner = self._most("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size")
        weights = width * (self.vocab_size + 2 * layers * inner)
        if weights > most_weights():
            raise ValueError(
                f"vocab_size {self.vocab_size:,}, hidden_size {width:,} and {layers:,} layers claim {weights:,} weights or more; "
                f"at most {most_weights():,} are read here"
            )
        keys = self._most("num_key_value_heads", "num_kv_heads") or heads
        cached = 2 * layers * keys * (self.head_dim or -(-width // heads))
        if cached > MOST_CACHED_NUMBERS:
            raise ValueError(
                f"its layers and heads keep {cached:,} numbers for every token that they have read; at most {MOST_CACHED_NUMBERS:,} are kept here"
            )
        return self

    def _most(self, *names: str) -> int:
        return max((getattr(self, name) or 0 for name in names), default=0)


def check_claims(text: str | bytes, repo: str) -> Claims:
    """The claims of a configuration. PairUnavailable with one sentence that names the field, what it says and what it may say."""
    try:
        found = json.loads(text, parse_constant=_no_number)
        if not isinstance(found, dict):
            raise ValueError("it is no JSON object")
        return Claims.model_validate(found)
    except ValidationError as error:
        reason = _words(error)
    except (ValueError, RecursionError) as error:  # no JSON, half a character, or one list within the other for ever
        reason = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
    raise PairUnavailable(f"the config.json of {repo} is not read here: {reason}. Choose another model")


def check_tokenizer_settings(path: Path, repo: str) -> None:
    """PairUnavailable where a tokenizer_config.json, if there is one, asks for code or for files of this machine."""
    if not path.is_file():
        return
    try:
        found = json.loads(path.read_bytes(), parse_constant=_no_number)
        if not isinstance(found, dict):
            raise ValueError("it is no JSON object")
        if found.get("auto_map"):
            raise ValueError("auto_map asks for code of the repository, and none is ever run here")
        for name, value in found.items():
            # An old habit of transformers: where its author kept that file. It is read by nobody.
            if name.endswith("_file") and name != "special_tokens_map_file" and value:
                raise ValueError(
                    f"{name} names a file, {str(value)[:60]!r}; a repository's own files alone are read here"
                )
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise PairUnavailable(
            f"the tokenizer_config.json of {repo} is not read here: {reason}. Choose another model"
        ) from error


def _check_key(name: str, value: Any) -> None:
    if name in _OF_OTHERS:
        return
    if not _KEY.fullmatch(name):
        raise ValueError(
            f"{name[:60]!r} is no name of a field: letters, digits, '_', '.' and '-', and a letter at its beginning"
        )
    if name.lstrip("_").startswith(("attn_implementation", "experts_implementation")) and value not in (
        None,
        "eager",
        "sdpa",
    ):
        raise ValueError(f"{name} is {str(value)[:60]!r}; it may be eager or sdpa, all else is code of other packages")
    if name.endswith("_config") and value:
        raise ValueError(f"{name} is a configuration inside the configuration; models of one part alone are read here")
    left = [_MOST_PARTS]
    _check_value(name, value, 0, left)


def _check_value(name: str, value: Any, depth: int, left: list[int]) -> None:
    left[0] -= 1
    if depth > _MOST_DEPTH or left[0] < 0:
        raise ValueError(f"{name} has more than {_MOST_PARTS:,} parts, or is nested more than {_MOST_DEPTH} deep")
    if isinstance(value, (int, float)) and not abs(value) <= _MOST_NUMBER:
        raise ValueError(f"{name} holds the number {str(value)[:40]}; at most {_MOST_NUMBER:g} in size")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_value(name, part, depth + 1, left)


def _no_number(text: str) -> Any:
    raise ValueError(f"it holds {text}, and every number has to be finite")


_WHY = {
    "auto_map": "asks for code of the repository, and none is ever run here",
    "quantization_config": "asks for quantized weights, which need code of other packages",
    "compression_config": "asks for compressed weights, which need code of other packages",
    "transformers_weights": "names another file of weights than model.safetensors",
    "per_layer_config": "is a configuration inside the configuration; models of one part alone are read here",
    "kernel_config": "asks for code of other packages",
    "use_kernels": "asks for code of other packages",
    "is_encoder_decoder": "makes it an encoder and a decoder; decoders alone are read here",
    "add_cross_attention": "makes it the decoder of something else; decoders of text alone are read here",
    "use_bidirectional_attention": "lets its attention look at the tokens that follow; decoders alone are read here",
}


def _words(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if first["type"] == "value_error":
        return str(first["ctx"]["error"])
    name = str(first["loc"][0]) if first["loc"] else "it"
    if first["type"] == "missing":
        return f"{name} is missing"
    if name in _WHY:
        return f"{name} {_WHY[name]}"
    given, says = repr(first["input"])[:60], first["msg"][0].lower() + first["msg"][1:]
    return f"{name} is {given}: {says.replace('input', 'it')}"
