"""Where a pair's models lie and in which numbers they compute: the device, the element type, and whether the machine has what that takes.

PyTorch is imported only where it is asked: a server reads this module before it is up.
"""

from __future__ import annotations

import glob
import logging
import os
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub.limits import gigabytes
from specdemo.sentences import sentence

if TYPE_CHECKING:
    import torch

    from specdemo.pairs.pair import Pair
    from specdemo.pairs.registry import PairEntry

AUTO_MAP = "auto-map"
BYTES = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}
PRECISIONS = tuple(BYTES)
# Beside the weights: what runs have cached, laws over a whole vocabulary in float64, and PyTorch's own workspaces.
ROOM_BYTES = 2_000_000_000
GPU_FILES = "/dev/nvidia[0-9]*"
_DEVICE = re.compile(rf"auto|{AUTO_MAP}|cpu|mps|cuda(:\d+)?")

log = logging.getLogger(__name__)
_unused: list[str] = []


@dataclass(frozen=True)
class Placement:
    """Where the target begins, the name of the element type, and whether the target is laid over all GPUs (see spread.py)."""

    device: torch.device
    dtype: str
    mapped: bool


def placement_of(entry: PairEntry, draft: str, device: str = "auto", dtype: str = "auto") -> Placement:
    """Where and how a pair is to be loaded with one of its drafts; `device` and `dtype` as for `load_pair`. Nothing is fetched or loaded.

    Raises ValueError where there is no such device or element type, PairUnavailable where this machine cannot have the pair that way.
    """
    import torch

    wish = "cpu" if gpus_are_lent() else asked_device()
    asked = wish if device == "auto" else device
    mapped = asked == AUTO_MAP
    try:
        place = torch.device(_best_device() if asked in ("auto", AUTO_MAP) else asked)
    except RuntimeError as error:
        raise ValueError(
            f"device must be 'auto', {AUTO_MAP!r} or a device of PyTorch such as 'cpu' or 'cuda', got {device!r}"
        ) from error
    if dtype not in ("auto", *PRECISIONS):
        raise ValueError(f"dtype must be 'auto', {', '.join(map(repr, PRECISIONS))}, got {dtype!r}")
    element = next(name for name in (dtype, asked_dtype(), entry.dtype, "float32") if name != "auto")
    if entry.needs_gpu and place.type != "cuda":
        raise PairUnavailable(sentence("needs_gpu"))
    if place.type == "cuda":
        _check_gpu(place, element)
        if not mapped:  # what does not fit on one is laid elsewhere
            _check_memory(place, BYTES[element] * entry.weights(draft))
    return Placement(place, element, mapped)


def asked_device() -> str:
    """The device that the operator wants, "auto" where there is no wish: SPECDEMO_DEVICE. SystemExit with a sentence where that is none."""
    text = os.environ.get("SPECDEMO_DEVICE", "").strip() or "auto"
    if not _DEVICE.fullmatch(text):
        raise SystemExit(
            f"SPECDEMO_DEVICE is {text!r}: it must be cpu, cuda, cuda:0, cuda:1 and so on, mps, {AUTO_MAP}, or nothing for the best there is"
        )
    return text


def asked_dtype() -> str:
    """The element type that the operator wants, "auto" where there is no wish: SPECDEMO_DTYPE. SystemExit as above."""
    text = os.environ.get("SPECDEMO_DTYPE", "").strip() or "auto"
    if text not in ("auto", *PRECISIONS):
        raise SystemExit(
            f"SPECDEMO_DTYPE is {text!r}: it must be {', '.join(PRECISIONS)}, or nothing for the pair's own, which is float32 for most"
        )
    return text


def check_wishes() -> None:
    """SystemExit where the operator wants what there is not: said when a server starts, not to its first visitor."""
    asked_device()
    asked_dtype()


def gpus_are_lent() -> bool:
    """Whether this is a Space whose GPUs are lent for a call: the process that answers has none."""
    return os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "t", "true")


def gpu_in_sight() -> bool:
    """Whether this machine seems to have a GPU of its own that pairs may use, as far as that can be told without PyTorch."""
    there = bool(glob.glob(GPU_FILES)) or shutil.which("nvidia-smi") is not None
    return there and not gpus_are_lent() and asked_device() not in ("cpu", "mps")


def unused_gpu() -> str | None:
    """What was found when a device was last chosen: that there is a GPU and why it is not used; None where there is no such thing."""
    return _unused[0] if _unused else None


def facts_of(pair: Pair) -> dict[str, str | None]:
    """Where a loaded pair lies, for /healthz and the log: `device`, `dtype`, and `card`, the GPU's name or None."""
    import torch

    card = torch.cuda.get_device_name(pair.device) if pair.device.type == "cuda" else None
    return {"device": str(pair.device), "dtype": pair.dtype, "card": card}


def log_placement(pair: Pair) -> None:
    """The same as a line of the log."""
    facts = facts_of(pair)
    card = f" ({facts['card']})" if facts["card"] else ""
    log.info("%s, draft %s: %s on %s%s", pair.name, pair.draft_name, facts["dtype"], facts["device"], card)


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    found = _why_unused()
    if found is not None and found not in _unused:
        log.warning("%s", found)
    _unused[:] = [] if found is None else [found]
    return "cpu"


def _why_unused() -> str | None:
    import torch

    files = sorted(glob.glob(GPU_FILES))
    if not files or os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):  # none, or hidden on purpose
        return None
    version = torch.version.cuda
    if version is None:
        why = (
            "this build of PyTorch is one without CUDA: install the one that PyTorch's installation page names for CUDA"
        )
    else:
        why = (
            f"this build of PyTorch is for CUDA {version}, and the GPU's driver may be older than that (nvidia-smi tells): "
            "from 2.11 on they need a driver of 580 or newer; for an older one, pip install 'torch<2.11'"
        )
    return (
        f"There is a GPU ({files[0]}), and PyTorch {torch.__version__} cannot use it, so that the CPU computes: {why}"
    )


def _check_gpu(place: torch.device, element: str) -> None:
    """PairUnavailable where there is no such GPU, or where it would imitate the element type, slowly."""
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if (place.index or 0) >= count:
        raise PairUnavailable(
            f"there is no device {str(place)!r} here (PyTorch {torch.__version__} finds {count or 'no'} GPUs): try device='cpu'"
        )
    if element == "bfloat16" and torch.cuda.get_device_capability(place) < (8, 0):
        raise PairUnavailable(sentence("no_bfloat16", card=torch.cuda.get_device_name(place)))


def _check_memory(place: torch.device, weights: int) -> None:
    """PairUnavailable where so many bytes of weights, where that is known, do not fit into what is free on a GPU."""
    import torch

    if not weights:
        return
    # PyTorch keeps what was freed for the next to come.
    kept = torch.cuda.memory_reserved(place) - torch.cuda.memory_allocated(place)
    free = torch.cuda.mem_get_info(place)[0] + kept
    if weights + ROOM_BYTES > free:
        raise PairUnavailable(sentence("gpu_memory", needed=gigabytes(weights + ROOM_BYTES), free=gigabytes(free)))
