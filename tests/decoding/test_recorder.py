"""What can be known of CUDA graphs without a GPU: that a pass asks the host for nothing, and how a capture is asked for.

A model on the meta device has shapes and no numbers: whoever looks at one there fails, as a capture would.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import AutoConfig, AutoModelForCausalLM

from specdemo.decoding.recorder import CallingRecorder, CudaRecorder, captures, recorder_of
from specdemo.decoding.static_pass import StaticPass, room_of

SMALL = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "vocab_size": 50, "max_position_embeddings": 64, "bos_token_id": None, "eos_token_id": None, "pad_token_id": None,
}  # fmt: skip
LLAMA3 = {
    "rope_type": "llama3", "rope_theta": 1e4, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 32,
}  # fmt: skip
KINDS: dict[str, dict[str, Any]] = {
    "llama": {},
    "llama, eager attention": {"attn_implementation": "eager"},
    "llama, another rotation": {"rope_parameters": LLAMA3},
    "qwen2": {},
    "qwen3": {"head_dim": 8},
    "mistral": {"sliding_window": None},
    "smollm3": {},
}


def small(kind: str, device: str, **more: Any) -> Any:
    config = AutoConfig.for_model(kind.split(",")[0], **SMALL | KINDS.get(kind, {}) | more)
    with torch.device(device):
        return AutoModelForCausalLM.from_config(
            config, **{k: v for k, v in KINDS.get(kind, {}).items() if "attn" in k}
        ).eval()


class _Watching(TorchDispatchMode):
    """Tensors on the host that any operator takes or gives."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        self.count += 1
        for part in torch.utils._pytree.tree_leaves((args, kwargs, found)):
            if isinstance(part, torch.Tensor) and part.device.type == "cpu":
                self.seen.add(str(func))
        return found


@torch.inference_mode()
@pytest.mark.parametrize("kind", KINDS)
def test_a_pass_asks_the_host_for_nothing(kind: str) -> None:
    model = small(kind, "meta")
    assert room_of(model) == 64
    static = StaticPass(model, 64)
    for count in (1, 5):
        static.give(torch.zeros((1, count), dtype=torch.long, device="meta"), 7)
        made = static.fixed(count)
        made()  # the first may set something up
        with _Watching() as watching:
            logits = made()
        assert watching.count > 60 and not watching.seen
        assert logits.shape == (count, 50) and logits.device.type == "meta"


def test_watching_sees_what_a_capture_would_not_bear() -> None:
    with _Watching() as watching, torch.inference_mode():
        torch.zeros(3, device="meta") + torch.tensor([1.0, 2.0, 3.0]).to("meta")
    assert watching.seen
    with pytest.raises(RuntimeError, match="meta"):
        int(torch.zeros(1, device="meta"))


@torch.inference_mode()
def test_a_repeated_pass_reads_what_was_given_and_writes_the_same_memory() -> None:
    torch.manual_seed(0)
    model = small("llama", "cpu")
    static, ids = StaticPass(model, 64), torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6]])
    expected = model(input_ids=ids).logits[0]
    recorded = recorder_of(torch.device("cpu")).record(static.fixed(2))
    static.direct(ids[:, :3], 0, 1)
    where = [part.data_ptr() for part in static._parts()]
    for start in (3, 5, 3):  # the second time it is another text's end: nothing of it stays
        static.give(ids[:, start : start + 2], start)
        assert torch.allclose(recorded(), expected[start : start + 2], rtol=0, atol=1e-5)
    assert [part.data_ptr() for part in static._parts()] == where


@pytest.mark.parametrize("collecting", [True, False])
def test_how_a_capture_is_asked_for(collecting: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tried on the stream of the capture, one pool for all, this thread's mistakes alone, and nothing collected meanwhile."""
    did: list[Any] = []
    current = ["default"]

    class Stream:
        def __init__(self, device: Any = None, name: str = "side") -> None:
            self.name = name

        def wait_stream(self, other: Stream) -> None:
            did.append(f"{self.name} waits for {other.name}")

    class Graph:
        def replay(self) -> None:
            did.append("replayed")

    @contextmanager
    def on(stream: Stream) -> Iterator[None]:
        current.append(stream.name)
        try:
            yield
        finally:
            current.pop()

    @contextmanager
    def captured(graph: Graph, pool: Any, stream: Stream, capture_error_mode: str) -> Iterator[None]:
        did.append(("captured", pool, stream.name, capture_error_mode, gc.isenabled()))
        current.append(stream.name)
        yield
        current.pop()  # not where the capture fails: PyTorch does no better

    @contextmanager
    def on_device(device: Any) -> Iterator[None]:
        yield

    for part in ("failure", "broken"):
        monkeypatch.setattr(captures, part, None)
    for name, stand_in in {
        "empty_cache": lambda: did.append("emptied"),
        "Stream": Stream, "stream": on, "device": on_device, "CUDAGraph": Graph, "graph": captured,
        "graph_pool_handle": lambda: "pool", "current_stream": lambda: Stream(name=current[-1]),
        "set_stream": lambda stream: current.__setitem__(slice(None), [stream.name]),
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, stand_in)

    def made() -> torch.Tensor:
        did.append(f"made on {current[-1]}")
        return torch.tensor([float(len(did))])

    def failing() -> torch.Tensor:
        raise RuntimeError("operation not permitted when stream is capturing")

    def out_of_memory() -> torch.Tensor:
        raise torch.OutOfMemoryError("the tries before a capture need memory, too")

    was = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        recorder = CudaRecorder(torch.device("cuda:0"))
        replay = recorder.record(made)
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if was else gc.disable)()
    tried = ["side waits for default", *["made on side"] * 3, "default waits for side"]
    assert did == [*tried, ("captured", "pool", "side", "thread_local", False), "made on side"]
    captured_logits = replay()
    assert did[-1] == "replayed" and replay() is captured_logits, "the pass itself is not called again"
    did.clear()
    with pytest.raises(torch.OutOfMemoryError):
        recorder.record(out_of_memory)
    assert captures.failure is None and current == ["default"], "nothing was captured yet"
    did.clear()
    with pytest.raises(RuntimeError, match="capturing"):
        recorder.record(lambda: made() if len(did) < 4 else failing())
    assert current == ["default"] and gc.isenabled() == was
    assert did[-1] == "emptied" and captures.broken is None
    did.clear()
    for other in (recorder, CudaRecorder(torch.device("cuda:0"))):
        with pytest.raises(RuntimeError, match=r"no graph is captured any more: RuntimeError: operation not permitted"):
            other.record(made)
    assert did == [], "not even tried"
    assert isinstance(recorder_of(torch.device("cuda:0")), CudaRecorder)
    assert isinstance(recorder_of(torch.device("cpu")), CallingRecorder)
