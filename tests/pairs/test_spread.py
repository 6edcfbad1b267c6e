"""A target over several devices: accelerate's hooks are kept, the lean forward and packed weights stay away, and the text is the same."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from specdemo.decoding import decode_run
from specdemo.decoding.forward import TransformersForward, forward_of
from specdemo.decoding.lean import LeanForward
from specdemo.decoding.lean_weights import lean_weights_of
from specdemo.pairs import Pair, PairUnavailable, spread
from specdemo.pairs.packed_linear import PackedLinear
from specdemo.pairs.spread import device_of, is_spread
from specdemo.pairs.weights import suited_to_few_rows
from tests.tiny import tiny_llama, tiny_tokenizer

pytest.importorskip("accelerate", reason="accelerate is not installed: pip install '.[accelerate]'")
# The embedding and the first layer are fetched from disk whenever they are needed, as what does not fit on GPUs is from memory.
PARTLY_ON_DISK = {
    "model.embed_tokens": "disk", "model.layers.0": "disk", "model.layers.1": "cpu", "model.norm": "cpu", "model.rotary_emb": "cpu",
    "lm_head": "cpu",
}  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A draft and a target of two layers, in float32."""
    place, tokenizer = tmp_path_factory.mktemp("pair"), tiny_tokenizer()
    for name, layers in (("draft", 1), ("target", 2)):
        tiny_llama(len(tokenizer), seed=layers, layers=layers, eos=1).float().save_pretrained(place / name)
        tokenizer.save_pretrained(place / name)
    return place / "draft", place / "target"


def text_of(pair: Pair) -> list[Any]:
    run = decode_run(pair, "the cat", gamma=3, seed=4, max_new_tokens=16)
    return [block["committed"] for block in run["blocks"]]


def test_without_a_gpu_the_map_is_the_cpu(folders: tuple[Path, Path]) -> None:
    """Nothing is spread, so everything is as with device="cpu", the lean forward included."""
    mapped, plain = (Pair.from_folders(*folders, device=device, dtype="float32") for device in ("auto-map", "cpu"))
    if torch.cuda.is_available() or torch.backends.mps.is_available():
        pytest.skip("this machine has a GPU")
    assert not is_spread(mapped.target_model) and mapped.device.type == "cpu"
    assert isinstance(forward_of(mapped.target_model), LeanForward)
    assert text_of(mapped) == text_of(plain)


def test_a_spread_target_decodes_the_same_text(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "device_map", PARTLY_ON_DISK)
    pair = Pair.from_folders(*folders, device="auto-map", dtype="float32")
    target = pair.target_model
    assert is_spread(target) and not is_spread(pair.draft_model)
    assert target.model.embed_tokens.weight.device.type == "meta", "accelerate fetches it when it is needed"
    assert pair.device == device_of(target) == torch.device("cpu") == pair.draft_model.device
    assert not any(isinstance(module, PackedLinear) for module in target.modules())
    assert isinstance(forward_of(target), TransformersForward)
    assert text_of(pair) == text_of(Pair.from_folders(*folders, device="cpu", dtype="float32"))


def test_hooks_alone_keep_the_lean_forward_away(folders: tuple[Path, Path]) -> None:
    """Every weight is at hand on the CPU; only accelerate's hooks say that the model is not to be taken apart."""
    from accelerate import dispatch_model

    model = AutoModelForCausalLM.from_pretrained(folders[1], dtype=torch.float32).eval()
    assert lean_weights_of(model) is not None
    dispatch_model(model, {"": "cpu"}, force_hooks=True)
    assert is_spread(model) and lean_weights_of(model) is None
    suited_to_few_rows(model)
    assert all(parameter.is_contiguous() for parameter in model.parameters()), "neither packed nor turned"
    assert not any(isinstance(module, PackedLinear) for module in model.modules())


def test_without_accelerate_it_is_said_how_to_have_it(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "accelerate", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(PairUnavailable, match=r"needs the package accelerate: pip install '\.\[accelerate\]'"):
        Pair.from_folders(*folders, device="auto-map")
