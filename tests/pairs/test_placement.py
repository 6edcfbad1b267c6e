"""Where pairs go and in which numbers: float32 unless somebody asked for less; what a machine cannot have is refused before it is fetched."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, Qwen3Config

from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pairs import PairUnavailable, fetch_pair, load_pair, placement, registry, sources
from specdemo.pairs.placement import gpu_in_sight, log_placement, placement_of
from specdemo.sentences import Sentence, sentence_of
from specdemo.server.log import begin_logging
from tests.pages.test_service import nothing, request, told
from tests.tiny import tiny_pair

LARGE = registry.get("qwen3-8b-hub")
GB = 10**9


class Card:
    """What torch.cuda tells of two GPUs that are not there, and what was asked of them."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capability: tuple[int, int] = (8, 0), free: int = 24 * GB
    ) -> None:
        self.asked: list[str] = []
        answers: dict[str, Any] = {
            "is_available": True, "device_count": 2, "get_device_capability": capability, "get_device_name": "Tesla T4",
            "mem_get_info": (free, 80 * GB), "memory_reserved": 3 * GB, "memory_allocated": 2 * GB,
        }  # fmt: skip
        for name, answer in answers.items():
            monkeypatch.setattr(torch.cuda, name, self._answer(name, answer))

    def _answer(self, name: str, answer: Any) -> Any:
        def told(*device: Any) -> Any:
            self.asked.append(name)
            return answer

        return told


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the hub, which gives nothing."""
    asked: list[str] = []
    monkeypatch.setattr(sources, "no_network", lambda: None)
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda repo, **settings: asked.append(repo))
    return asked


def refusal(name: str = LARGE.name) -> str | None:
    """The code of what is said instead of fetching."""
    with pytest.raises(PairUnavailable) as caught:
        fetch_pair(name)
    said = sentence_of(caught.value)
    return said.code if isinstance(said, Sentence) else None


@pytest.mark.parametrize("device", ["cpu", "cuda", "cuda:1", "mps"])
def test_float32_everywhere_unless_somebody_asked_for_less(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Card(monkeypatch)
    for entry in registry.entries():
        if entry is not LARGE:
            for draft in entry.drafts:
                found = placement_of(entry, draft, device)
                assert (found.dtype, str(found.device), found.mapped) == ("float32", device, False)
    assert placement_of(registry.get("stories"), "192", device, "float16").dtype == "float16"
    monkeypatch.setenv("SPECDEMO_DTYPE", "bfloat16")
    assert placement_of(registry.get("stories"), "192", device).dtype == "bfloat16"
    assert placement_of(registry.get("stories"), "192", device, "float64").dtype == "float64"


def test_a_pair_that_declares_half_precision_has_it_unless_the_operator_wants_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Card(monkeypatch, free=80 * GB)
    assert placement_of(LARGE, "qwen3-0.6b").dtype == "bfloat16"
    monkeypatch.setenv("SPECDEMO_DTYPE", "float32")
    assert placement_of(LARGE, "qwen3-0.6b").dtype == "float32"


def test_the_operator_chooses_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    Card(monkeypatch)
    stories = registry.get("stories")
    for wish, found in {"": "cuda", "auto": "cuda", "cuda:1": "cuda:1", " cpu ": "cpu", "auto-map": "cuda"}.items():
        monkeypatch.setenv("SPECDEMO_DEVICE", wish)
        placed = placement_of(stories, "192")
        assert str(placed.device) == found and placed.mapped == (wish == "auto-map")
    assert str(placement_of(stories, "192", "cpu").device) == "cpu", "who names one has that one"
    with pytest.raises(
        PairUnavailable, match=r"there is no device 'cuda:2' here \(PyTorch .* finds 2 GPUs\): try device='cpu'"
    ):
        placement_of(stories, "192", "cuda:2")


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("SPECDEMO_DEVICE", "gpu", "cuda:0"),
        ("SPECDEMO_DEVICE", "cuda:x", "cuda:0"),
        ("SPECDEMO_DTYPE", "bf16", "bfloat16"),
    ],
)
def test_a_wish_that_there_is_not_is_said_when_the_server_starts(
    name: str, value: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match=rf"{name} is '{value}': it must be .*{right}"):
        Service()


def test_a_card_without_bfloat16_is_said_before_anything_is_fetched(
    monkeypatch: pytest.MonkeyPatch, fetched: list[str]
) -> None:
    Card(monkeypatch, capability=(7, 5))
    assert refusal() == "no_bfloat16" and fetched == []
    with pytest.raises(PairUnavailable, match="Tesla T4"):
        load_pair("stories", device="cuda", dtype="bfloat16")
    assert placement_of(registry.get("qwen3-hub"), "qwen3-0.6b").dtype == "float32"
    assert placement_of(LARGE, "qwen3-0.6b", dtype="float16").dtype == "float16"


def test_memory_is_compared_before_anything_is_fetched(monkeypatch: pytest.MonkeyPatch, fetched: list[str]) -> None:
    """17.6 GB of weights and 2 of what runs take; what PyTorch keeps for later is free."""
    Card(monkeypatch, free=int(18.5 * GB))
    assert refusal() == "gpu_memory" and fetched == []
    with pytest.raises(PairUnavailable, match=r"takes 19\.6 GB of the GPU's memory, of which 19\.5 GB are free"):
        load_pair(LARGE.name)
    assert fetched == []
    Card(monkeypatch, free=int(18.6 * GB))
    fetch_pair(LARGE.name)
    assert fetched == ["Qwen/Qwen3-0.6B", "Qwen/Qwen3-8B"]
    Card(monkeypatch, free=8 * GB)
    assert refusal("qwen3-hub") == "gpu_memory", "in float32 it takes 11"


def test_what_is_compared_is_what_the_models_have() -> None:
    """Built without memory, of the numbers in their configurations."""
    common: dict[str, Any] = {"vocab_size": 151_936, "num_key_value_heads": 8, "head_dim": 128}
    shapes: dict[str, dict[str, Any]] = {
        "Qwen/Qwen3-0.6B": {"hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16},
        "Qwen/Qwen3-1.7B": {"hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 28, "num_attention_heads": 16},
        "Qwen/Qwen3-8B": {"hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36, "num_attention_heads": 32},
    }  # fmt: skip
    assert set(shapes) == set(registry._WEIGHTS)
    for repo, shape in shapes.items():
        config = Qwen3Config(**common, **shape, tie_word_embeddings=repo != "Qwen/Qwen3-8B")
        with torch.device("meta"):
            model = AutoModelForCausalLM.from_config(config)
        assert sum(part.numel() for part in model.parameters()) == registry._WEIGHTS[repo]
    assert LARGE.weights("qwen3-0.6b") == registry._WEIGHTS["Qwen/Qwen3-0.6B"] + registry._WEIGHTS["Qwen/Qwen3-8B"]


def listed() -> list[str]:
    return [pair["name"] for pair in Service().config()["pairs"]]


def test_a_pair_for_a_gpu_is_offered_and_fetched_where_there_is_one_alone(
    monkeypatch: pytest.MonkeyPatch, fetched: list[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(placement, "GPU_FILES", str(tmp_path / "nvidia[0-9]*"))
    assert LARGE.name not in listed() and LARGE.name in registry.names() and LARGE.hint().code == "needs_gpu"  # type: ignore[attr-defined]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert refusal() == "needs_gpu" and fetched == []
    (message,) = told(Service(Models()).decode(request(pair=LARGE.name)))
    assert message["kind"] == "error" and message["code"] == "needs_gpu" and fetched == []
    (tmp_path / "nvidia3").touch()
    assert gpu_in_sight() and LARGE.name in listed() and LARGE.hint() == ""
    monkeypatch.setenv("SPECDEMO_DEVICE", "cpu")
    assert LARGE.name not in listed()
    monkeypatch.delenv("SPECDEMO_DEVICE")
    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    card = Card(monkeypatch)
    assert LARGE.name not in listed() and refusal() == "needs_gpu" and fetched == []
    assert fetch_pair("qwen3-hub") and card.asked == [], "who answers where GPUs are lent has none and asks for none"


def test_a_gpu_that_is_there_and_not_used_is_said_once_and_with_what_helps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    monkeypatch.setattr(placement, "GPU_FILES", str(tmp_path / "nvidia[0-9]*"))
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    stories = registry.get("stories")
    assert placement_of(stories, "192").device.type == "cpu" and "warnings" not in Service().health()
    (tmp_path / "nvidia0").touch()
    placement_of(stories, "192", "cpu")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    placement_of(stories, "192")
    assert caplog.records == [], "on the CPU by wish"
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    for _ in range(2):
        assert placement_of(stories, "192").device.type == "cpu"
    (said,) = [record.getMessage() for record in caplog.records]
    assert "nvidia0" in said and "for CUDA 13.0" in said and "driver" in said and "pip install 'torch<2.11'" in said
    assert Service().health()["warnings"] == [said]
    monkeypatch.setattr(torch.version, "cuda", None)
    placement_of(stories, "192")
    assert "one without CUDA" in Service().health()["warnings"][0]
    (tmp_path / "nvidia0").unlink()
    placement_of(stories, "192")
    assert "warnings" not in Service().health()


def test_where_pairs_lie_is_told_in_the_log_and_by_health(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pair = tiny_pair(context=256, eos=None)
    service = Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))
    service.models.start("stories", "192").pair()
    placed = {"pair": "stories", "draft": "192", "device": "cpu", "dtype": "float64", "card": None}
    assert service.health()["loaded"] == [placed]
    Card(monkeypatch)
    monkeypatch.setattr(type(pair), "device", torch.device("cuda:1"))
    assert service.health()["loaded"] == [{**placed, "device": "cuda:1", "card": "Tesla T4"}]
    monkeypatch.setattr(logging.getLogger("specdemo.pairs.placement"), "level", logging.NOTSET)
    begin_logging()
    log_placement(pair)
    assert [record.getMessage() for record in caplog.records] == [
        "tiny, draft tiny-draft: float64 on cuda:1 (Tesla T4)"
    ]
